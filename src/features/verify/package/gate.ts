/**
 * Whether a request to a site may pass, for sites that ask no proxy: by the session cookie that the site keeps, by the token in the
 * address of a visitor who comes back from the room, or by one in `Authorization`. Knows no framework.
 */
import { jwtVerify, SignJWT } from "jose";
import { systemClock } from "../../../lib/clock-and-random.ts";
import { opensPage, purposeHeaders } from "../../../lib/request.ts";
import {
  type CrawlerCheck,
  createCrawlerCheck,
  createCrawlerDns,
  decide,
  type RuleDecision,
  readRules,
  type WrittenRule,
} from "../../../lib/rules/index.ts";
import {
  type AdmissionClaims,
  AdmissionRefusedError,
  type AdmissionVerifierOptions,
  createAdmissionVerifier,
} from "./verifier.ts";

export interface AdmissionGateOptions extends AdmissionVerifierOptions {
  /** The site's public origin, such as https://shop.example.com: no header says where a visitor is sent. */
  readonly site: string;
  /** At least 32 characters, the same at all processes of the site: signs the session cookie. */
  readonly secret: string;
  /** Paths that nobody is asked about, such as those of webhooks, health checks and assets. The path is as it was sent. */
  readonly exempt?: (path: string) => boolean;
  /** Which requests need an admission, as a room's `rules` in Usher's configuration say it; without it all that are not exempt. */
  readonly rules?: readonly WrittenRule[];
  /** Who confirms clients that say they are crawlers (`verified_crawler`): the DNS, or a function. By default nobody. */
  readonly crawlers?: "dns" | CrawlerCheck;
  /**
   * Remembers the name of a token until then, in milliseconds since 1970, and answers whether it is new: so a link that is shared lets in
   * one browser. By default each process remembers for itself; with several, keep names where all of them look.
   */
  readonly takeOnce?: (jti: string, untilMs: number) => boolean | Promise<boolean>;
}

/** A request as any framework has it. */
export interface GateRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** The value of a header whose name is in lower case. */
  header(name: string): string | undefined;
  /** The visitor's, by the proxies that the site trusts; without it rules do not know it. */
  readonly address?: string | undefined;
}

/** What a session keeps of the token that began it. */
export type SiteAdmission = Omit<AdmissionClaims, "iat" | "exp" | "jti">;

export interface PassedRequest {
  readonly passes: true;
  /** Null where a request passes without one: on an exempt path, or by a rule. */
  readonly admission: SiteAdmission | null;
  /** Begins a session. */
  readonly setCookie?: string;
}

export interface AnsweredRequest {
  readonly passes: false;
  readonly status: 303 | 400 | 401 | 414 | 429 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type AdmissionGate = (request: GateRequest) => Promise<PassedRequest | AnsweredRequest>;

/** Characters of a request's address, as Usher itself takes them, and of one that a visitor comes back to. */
const urlLengthMax = 16_384;
const targetLengthMax = 4_096;
const secretLengthMin = 32;
const namesMax = 100_000;
/** A token in an address is good for a minute. The time is told by the newest one; so clocks may differ by two minutes more. */
const namesTtlMs = 180_000;
const sessionType = "usher-session+jwt";
const sessionLengthMax = 4_096;

/** Milliseconds for a lookup of a crawler, which nobody waits for. */
const crawlerTimeoutMs = 2_000;

/** @throws TypeError where `site` is no bare origin, `secret` is short or `rules` have faults, of which it names all */
export function createAdmissionGate(options: AdmissionGateOptions): AdmissionGate {
  const { issuer, room, site, secret, exempt = () => false, takeOnce = rememberNames() } = options;
  if (!URL.canParse(site) || new URL(site).origin !== site) throw new TypeError("site: expected a bare origin");
  if (typeof secret !== "string" || secret.length < secretLengthMin)
    throw new TypeError(`secret: expected at least ${secretLengthMin} characters`);
  const decideBy = createDecision(options);
  const verify = createAdmissionVerifier(options);
  const key = new TextEncoder().encode(secret);
  const isSecure = site.startsWith("https:");
  const cookieName = `${isSecure ? "__Host-" : ""}usher-${room}.session`;
  const ofRoom = { issuer, audience: `${site} ${room}` };

  return async (request) => {
    const { url } = request;
    if (url.length > urlLengthMax) return refuse(414, "request_too_long");
    // Of a request to a proxy the address names another host.
    if (!url.startsWith("/")) return refuse(400, "bad_request");
    const { path, clean, token } = readAddress(url);
    if (exempt(path)) return { passes: true, admission: null };
    const { action, isPending } = decideBy(request);
    if (action === "ignore") return { passes: true, admission: null };
    try {
      const session = await readSession(request);
      // Nobody becomes somebody else by following a link.
      if (session !== null)
        return token === null ? { passes: true, admission: session } : onwards(request, session, clean);
      if (token !== null) {
        const admission = await take(token);
        if (admission !== null) return onwards(request, admission, clean, await sessionCookie(admission));
      }
      const bearer = /^Bearer +(\S+)$/i.exec(request.header("authorization") ?? "")?.[1];
      if (bearer !== undefined) return { passes: true, admission: await verify(bearer) };
    } catch (error) {
      if (!(error instanceof AdmissionRefusedError)) throw error;
      if (error.reason === "keys_unavailable" && action === "queue")
        return refuse(503, "keys_unavailable", { "Retry-After": "2" });
    }
    if (action === "bypass") return { passes: true, admission: null };
    return isPending ? refuse(429, "crawler_unconfirmed", { "Retry-After": "10" }) : toRoom(request, clean);
  };

  /** The visitor of a token in an address; null for one that is not to be taken from there, or was. */
  async function take(token: string): Promise<SiteAdmission | null> {
    try {
      const { jti, exp, iat: _, ...admission } = await verify(token);
      const tolerance = options.clockToleranceSec ?? 5;
      return jti !== undefined && (await takeOnce(jti, (exp + tolerance) * 1_000)) ? admission : null;
    } catch (error) {
      if (error instanceof AdmissionRefusedError && error.reason !== "keys_unavailable") return null;
      throw error;
    }
  }

  async function readSession(request: GateRequest): Promise<SiteAdmission | null> {
    const pairs = (request.header("cookie") ?? "").split(";").map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
    if (value === undefined || value.length > sessionLengthMax) return null;
    const rules = { ...ofRoom, algorithms: ["HS256"], typ: sessionType, requiredClaims: ["exp", "admission"] };
    return jwtVerify<{ admission: SiteAdmission }>(value, key, rules).then(
      ({ payload }) => payload.admission,
      () => null,
    );
  }

  async function sessionCookie(admission: SiteAdmission): Promise<string> {
    const value = await new SignJWT({ admission })
      .setProtectedHeader({ alg: "HS256", typ: sessionType })
      .setIssuer(ofRoom.issuer)
      .setAudience(ofRoom.audience)
      .setExpirationTime(admission.admitted_until)
      .sign(key);
    const expires = new Date(admission.admitted_until * 1_000).toUTCString();
    return `${cookieName}=${value}; Expires=${expires}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  }

  /** What stands in the address bar is copied, bookmarked and logged; a script's request goes on as it is. */
  function onwards(request: GateRequest, admission: SiteAdmission, clean: string, setCookie?: string) {
    const cookie = setCookie === undefined ? {} : { setCookie };
    if (!opensPage(request.method, hintsOf(request))) return { passes: true, admission, ...cookie } as const;
    return leadTo(site + clean, setCookie === undefined ? {} : { "Set-Cookie": setCookie });
  }

  function toRoom(request: GateRequest, clean: string): AnsweredRequest {
    const target = site + clean;
    const query = target.length > targetLengthMax ? "" : `?target=${encodeURIComponent(target)}`;
    const enter = `${issuer}/rooms/${room}/enter${query}`;
    if (opensPage(request.method, hintsOf(request))) return leadTo(enter);
    // As forward authentication answers: the site's tag knows it by the realm.
    return refuse(401, "admission_required", { "WWW-Authenticate": `Bearer realm="${room}"` }, { enter });
  }
}

type Decide = (request: GateRequest) => Pick<RuleDecision, "action" | "isPending">;

function createDecision({ rules, crawlers, site }: AdmissionGateOptions): Decide {
  if (rules === undefined) return () => ({ action: "queue", isPending: false });
  const read = readRules(rules);
  if ("faults" in read) {
    const faults = read.faults.map(
      ({ path, message }) => `rules${path.map((step) => `[${JSON.stringify(step)}]`).join("")}: ${message}`,
    );
    throw new TypeError(faults.join("\n"));
  }
  const { protocol, host: authority } = new URL(site);
  const isCrawler = crawlers === "dns" ? askDns() : (crawlers ?? null);
  return ({ method, url: target, header, address = null }) =>
    decide(
      read.set,
      { method, protocol: protocol === "https:" ? "https" : "http", authority, target, header, address },
      isCrawler,
    );
}

function askDns(): CrawlerCheck {
  const dns = createCrawlerDns({ timeoutMs: crawlerTimeoutMs });
  return createCrawlerCheck({ dns, nowMs: systemClock.now, timeoutMs: crawlerTimeoutMs });
}

const plain = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };

function leadTo(location: string, headers: Record<string, string> = {}): AnsweredRequest {
  return { passes: false, status: 303, headers: { ...plain, ...headers, Location: location }, body: "" };
}

const descriptions = {
  request_too_long: "the address is too long",
  bad_request: "the address is no path",
  crawler_unconfirmed: "this says that it is a crawler, and that is being looked up; ask again in some seconds",
  keys_unavailable: "the waiting room cannot be asked; try again in a moment",
  admission_required: "this needs an admission; send the visitor to the address in `enter`, as a page",
} as const;

function refuse(
  status: AnsweredRequest["status"],
  error: keyof typeof descriptions,
  headers: Record<string, string> = {},
  more: object = {},
): AnsweredRequest {
  const body = JSON.stringify({ error, error_description: descriptions[error], ...more });
  return { passes: false, status, headers: { ...plain, "Content-Type": "application/json", ...headers }, body };
}

function hintsOf({ header }: GateRequest) {
  return Object.fromEntries(purposeHeaders.map((name) => [name, header(name)]));
}

/** `clean` is without the token, and begins with one slash: two would be another host's. The last token counts. */
function readAddress(url: string): { path: string; clean: string; token: string | null } {
  const [, path = "", query] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  const parts = query?.split("&") ?? [];
  const isToken = (part: string) => /^usher_token(?:=|$)/.test(part);
  const remaining = parts.filter((part) => !isToken(part));
  const token = parts.findLast(isToken)?.slice("usher_token=".length) ?? null;
  return {
    path,
    clean: `/${path.replace(/^\/+/, "")}${remaining.length === 0 ? "" : `?${remaining.join("&")}`}`,
    token,
  };
}

/** Names of one process, each as long as its token is good. Beyond a bound nobody is let in by a new one. */
function rememberNames(): (jti: string, untilMs: number) => boolean {
  const taken = new Map<string, number>();
  return (jti, untilMs) => {
    // They were put in nearly in the order in which they end.
    for (const [name, endMs] of taken) {
      if (endMs > untilMs - namesTtlMs) break;
      taken.delete(name);
    }
    if (taken.has(jti) || taken.size >= namesMax) return false;
    taken.set(jti, untilMs);
    return true;
  };
}
