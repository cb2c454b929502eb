/** What the rules of a room of a configuration say of a request, as `usher rules test` shows it. */
import { isIP } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { settingsOf, type UsherConfig } from "../../config/index.ts";
import { createExemptPaths } from "../../lib/link-target.ts";
import {
  type Condition,
  type CrawlerCheck,
  claimedBy,
  createCrawlerCheck,
  createCrawlerDns,
  decide,
  explain,
  type Outcome,
  type RuleAction,
  type RuleDecision,
  type RuleRequest,
  readRules,
  usualPath,
} from "../../lib/rules/index.ts";
import { CommandError } from "../../operate/commands/terminal.ts";
import { crawlerSettings } from "./settings.ts";

export interface RequestOptions {
  readonly method: string;
  readonly header: readonly string[];
  readonly cookie: readonly string[];
  readonly userAgent?: string;
  readonly ip?: string;
  readonly crawler?: "verified" | "refuted" | "pending";
  readonly lookUp?: true;
}

export interface Tested {
  readonly action: RuleAction;
  readonly rule: string | null;
  readonly by: RuleDecision["by"] | "no_rules" | "exempt";
  readonly pending: boolean;
  /** The path as it is compared first; null where it cannot be read. */
  readonly compared: string | null;
  readonly rules: readonly TestedRule[];
}

interface TestedRule {
  readonly name: string;
  readonly action: RuleAction;
  /** By the usual reading of the address; null: not known. */
  readonly matches: boolean | null;
  readonly conditions: readonly { readonly depth: number; readonly text: string; readonly result: boolean | null }[];
}

/** @throws CommandError for a room that is not there, and for a request that cannot be */
export async function testRules(
  config: UsherConfig,
  id: string,
  url: string,
  options: RequestOptions,
): Promise<Tested> {
  const rooms = config.issuers.flatMap((issuer) => issuer.rooms);
  const room = rooms.find((each) => each.id === id);
  if (room === undefined)
    throw new CommandError(
      `the file has no room ${id}; rooms: ${rooms
        .slice(0, 20)
        .map((each) => each.id)
        .join(", ")}`,
    );
  const request = requestOf(url, options);
  const passes = { rule: null, pending: false, compared: usualPath(request.target), rules: [] };
  const [path = ""] = request.target.split("?");
  if (createExemptPaths(room.waysIn.verify.exempt)(path)) return { ...passes, action: "ignore", by: "exempt" };
  const read = room.waysIn.rules == null ? null : readRules(room.waysIn.rules);
  if (read === null || "faults" in read) return { ...passes, action: "queue", by: "no_rules" };
  const { set } = read;
  const isCrawler = await crawlerCheckOf(config, request, options);
  const { action, rule, by, isPending } = decide(set, request, isCrawler);
  const outcomes = explain(set, request, isCrawler);
  return {
    ...passes,
    action,
    rule,
    by,
    pending: isPending,
    rules: outcomes.map((outcome, at) => ({
      name: set.rules[at]?.name ?? "",
      action: set.rules[at]?.action ?? "queue",
      matches: outcome.result,
      conditions: linesOf(outcome, 0),
    })),
  };
}

const headerShape = /^([\w!#$%&'*+.^`|~-]{1,256}):[ \t]*([^\r\n]*)$/;

function requestOf(url: string, { method, header, cookie, userAgent, ip }: RequestOptions): RuleRequest {
  // Not as URL reads it, which would resolve what is to be tested.
  const [, protocol = "", authority = "", target = ""] = /^(https?):\/\/([^/?#\s]+)(\/[^#]*)?$/i.exec(url) ?? [];
  if (authority === "")
    throw new CommandError(`${JSON.stringify(url)} is no address such as https://shop.example.com/checkout?step=1`);
  if (!/^[A-Z]{1,32}$/.test(method))
    throw new CommandError(`${JSON.stringify(method)} is no method, such as GET or POST`);
  if (ip !== undefined && isIP(ip) === 0) throw new CommandError(`${JSON.stringify(ip)} is no IP address`);
  const headers = new Map<string, string>();
  for (const each of header) {
    const [, name, value] = headerShape.exec(each) ?? [];
    if (name === undefined || value === undefined)
      throw new CommandError(`${JSON.stringify(each)} is no header, such as 'X-Shop: 1'`);
    headers.set(name.toLowerCase(), value);
  }
  for (const each of cookie)
    if (!/^[^=;\s]+=[^;\r\n]*$/.test(each))
      throw new CommandError(`${JSON.stringify(each)} is no cookie, such as name=value`);
  if (cookie.length > 0) headers.set("cookie", cookie.join("; "));
  if (userAgent !== undefined) headers.set("user-agent", userAgent);
  const usualPort = protocol.toLowerCase() === "https" ? /:443$/ : /:80$/;
  return {
    method,
    protocol: protocol.toLowerCase() as "http" | "https",
    authority: authority.toLowerCase().replace(usualPort, ""),
    // As a browser sends it.
    target: (target === "" ? "/" : target).replace(/[^\x21-\x7e]+/gu, encodeURIComponent),
    header: (name) => headers.get(name),
    address: ip ?? null,
  };
}

async function crawlerCheckOf(
  config: UsherConfig,
  { address, header }: RuleRequest,
  { crawler, lookUp }: RequestOptions,
): Promise<CrawlerCheck | null> {
  const agent = header("user-agent") ?? "";
  if (crawler !== undefined)
    return (_, userAgent) =>
      claimedBy(userAgent) !== null && (crawler === "pending" ? "pending" : crawler === "verified");
  // Who does not say that it is one is none.
  if (!lookUp || address === null) return claimedBy(agent) === null ? () => false : null;
  const { dnsServers, timeoutMs } = settingsOf(config, crawlerSettings);
  let isDone = false;
  const check = createCrawlerCheck({
    dns: createCrawlerDns({ timeoutMs, ...(dnsServers && { servers: dnsServers }) }),
    nowMs: () => 0,
    timeoutMs,
    count: () => {
      isDone = true;
    },
  });
  if (check(address, agent) !== "pending") return check;
  // The lookup ends by itself, after `timeoutMs` at the latest.
  while (!isDone) await pause(20);
  return check;
}

const joints = { and: "all of", or: "one of", not: "not" } as const;

function linesOf({ condition, result, parts }: Outcome, depth: number): TestedRule["conditions"] {
  return [{ depth, text: textOf(condition), result }, ...parts.flatMap((part) => linesOf(part, depth + 1))];
}

function textOf(condition: Condition): string {
  if (condition.kind === "always") return "every request";
  return "text" in condition ? condition.text : joints[condition.kind];
}
