/**
 * Whether a client that says it is a crawler of a search engine is one: the name of its address in the DNS belongs to the engine, and has that
 * address. Only crawlers are here whose owners document this. docs/rules.md has the sources.
 */
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { isPrivateAddress } from "../address-ranges.ts";
import { createLruCache } from "../lru-cache.ts";
import { nodeAddress } from "../node-address.ts";
import type { CrawlerCheck } from "./evaluate.ts";

/** What is asked of the DNS. Both throw where there is no answer, with the error codes of `node:dns`. */
export interface CrawlerDns {
  /** PTR records of an address. */
  readonly names: (address: string) => Promise<readonly string[]>;
  /** A or AAAA records of a name. */
  readonly addresses: (name: string, family: 4 | 6) => Promise<readonly string[]>;
}

interface Crawler {
  readonly name: string;
  /** In its user agent. */
  readonly agent: RegExp;
  /** What the name of its address is, in lower case. */
  readonly host: RegExp;
}

export const crawlers: readonly Crawler[] = [
  {
    name: "google",
    agent: /Googlebot|Storebot-Google|Google-InspectionTool|GoogleOther/,
    // Never googleusercontent.com: everybody can rent a machine there.
    host: /^[\w.-]+\.googlebot\.com$/,
  },
  {
    name: "google-ads",
    agent: /AdsBot-Google|Mediapartners-Google/,
    host: /^rate-limited-proxy-[0-9a-f-]+\.google\.com$/,
  },
  { name: "bing", agent: /bingbot/i, host: /^[\w-]+\.search\.msn\.com$/ },
  { name: "apple", agent: /Applebot/, host: /^[\w.-]+\.applebot\.apple\.com$/ },
  // An app of theirs for people has Yandex in its name, too.
  { name: "yandex", agent: /\+https?:\/\/yandex\.(?:com|ru)\/bots/, host: /^[\w.-]+\.yandex\.(?:ru|net|com)$/ },
  { name: "baidu", agent: /Baiduspider/, host: /^[\w.-]+\.baidu\.(?:com|jp)$/ },
  { name: "seznam", agent: /SeznamBot/, host: /^fulltextrobot-[\w-]+\.seznam\.cz$/ },
  { name: "amazon", agent: /Amazonbot/, host: /^[\w-]+\.crawl\.amazonbot\.amazon$/ },
];

/** Characters of a user agent that are looked at. */
const agentLengthMax = 1_024;
const cachedMax = 10_000;
const namesMax = 10;
const addressesMax = 50;
const verifiedMs = 24 * 3_600_000;
const refutedMs = 3_600_000;
/** Until the DNS is asked again that did not answer. */
const unansweredMs = 30_000;
/** Lookups at once: of all, and of one network, whose owner could hold all of them by answering late. */
const lookupsMax = 20;
const lookupsOfNetworkMax = 2;
/** These say that there is nothing of this name. All others say nothing. */
const noSuchName = new Set(["ENOTFOUND", "ENODATA"]);

export type CrawlerResult = "verified" | "refuted" | "unanswered" | "refused";

interface Cached {
  readonly result: boolean | "pending";
  readonly untilMs: number;
}

/**
 * Answers at once what is known, and looks up what is not, so that a later request finds it. What was true and has grown old stays true
 * until it has been looked up again.
 *
 * @param options.timeoutMs for both questions of a lookup together
 * @param options.count told of each lookup, and of each that was `refused` since too many were under way
 */
export function createCrawlerCheck(options: {
  readonly dns: CrawlerDns;
  readonly nowMs: () => number;
  readonly timeoutMs: number;
  readonly count?: (result: CrawlerResult) => void;
}): CrawlerCheck {
  const { dns, nowMs, timeoutMs, count = () => undefined } = options;
  /** Apart, so that who is none displaces no crawler: anybody can come from thousands of addresses. */
  const verified = createLruCache<string, Cached>(cachedMax);
  const others = createLruCache<string, Cached>(cachedMax);
  /** By network, what is under way. */
  const underWay = new Map<string, Set<string>>();
  let lookups = 0;

  return (text, userAgent) => {
    const crawler = claimedBy(userAgent);
    const address = crawler === null ? null : plainAddress(text);
    if (crawler === null || address === null) return false;
    const key = `${crawler.name} ${address}`;
    const cached = verified.get(key) ?? others.get(key);
    if (cached === undefined || cached.untilMs <= nowMs()) begin(crawler, address, key);
    return cached === undefined || (cached.result !== true && cached.untilMs <= nowMs()) ? "pending" : cached.result;
  };

  function begin(crawler: Crawler, address: string, key: string): void {
    const network = networkOf(address);
    const ofNetwork = underWay.get(network) ?? new Set<string>();
    if (ofNetwork.has(key)) return;
    if (lookups >= lookupsMax || ofNetwork.size >= lookupsOfNetworkMax) {
      count("refused");
      return;
    }
    lookups++;
    underWay.set(network, ofNetwork.add(key));
    void lookUp(crawler, address)
      .then((isVerified) => {
        const lifetimeMs = isVerified === null ? unansweredMs : isVerified ? verifiedMs : refutedMs;
        // What was true is not false because the DNS is silent.
        const result = isVerified ?? (verified.has(key) ? true : "pending");
        if (result !== true) verified.delete(key);
        (result === true ? verified : others).set(key, { result, untilMs: nowMs() + lifetimeMs });
        count(isVerified === null ? "unanswered" : isVerified ? "verified" : "refuted");
      })
      .finally(() => {
        lookups--;
        ofNetwork.delete(key);
        if (ofNetwork.size === 0) underWay.delete(network);
      });
  }

  /** Null where the DNS does not answer. */
  async function lookUp(crawler: Crawler, address: string): Promise<boolean | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, null);
      timer.unref();
    });
    try {
      return await Promise.race([confirm(crawler, address), late]);
    } catch (error) {
      return noSuchName.has(codeOf(error)) ? false : null;
    } finally {
      clearTimeout(timer);
    }
  }

  async function confirm({ host }: Crawler, address: string): Promise<boolean> {
    const names = (await dns.names(address)).slice(0, namesMax).map((name) => name.toLowerCase().replace(/\.$/, ""));
    const name = names.find((each) => each.length <= 253 && host.test(each));
    if (name === undefined) return false;
    const found = await dns.addresses(name, isIPv4(address) ? 4 : 6);
    return found.slice(0, addressesMax).some((each) => plainAddress(each) === address);
  }
}

/** The crawler that a client says it is; null for none. */
export function claimedBy(userAgent: string): Crawler | null {
  const agent = userAgent.slice(0, agentLengthMax);
  return crawlers.find((crawler) => crawler.agent.test(agent)) ?? null;
}

/** In one spelling; null for what is no public address. */
function plainAddress(text: string): string | null {
  const address = nodeAddress(text);
  return address === null || isPrivateAddress(address) ? null : ipaddr.process(address).toString();
}

/** Mostly one owner's: the /24 of an IPv4 address, the /48 of an IPv6 address. */
function networkOf(address: string): string {
  return isIPv4(address) ? address.replace(/\.\d+$/, "") : ipaddr.parse(address).toByteArray().slice(0, 6).join(".");
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
