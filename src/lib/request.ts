/**
 * What a request says: its target and how long that may be, and in its headers why it was made, where from, and what it accepts. The gateway
 * and `usher/verify` read these headers here and nowhere else. A header counts by its value: one that is empty, or has a value that
 * nobody defines, says nothing.
 */

/** The path of a target (RFC 9112, section 3.2.1), as it was sent. */
export function pathOf(target: string): string {
  const at = target.indexOf("?");
  return at < 0 ? target : target.slice(0, at);
}

/** The query of a target without its question mark; empty where there is none. */
export function queryOf(target: string): string {
  const at = target.indexOf("?");
  return at < 0 ? "" : target.slice(at + 1);
}

/**
 * Characters of a target, path and query: relying parties put long states into it. Frameworks read targets and forms in ways that cost more than
 * linear time (Koa's `ctx.query` looks at all parameters for each of them), so nothing beyond these bounds reaches one.
 */
export const targetLengthMax = 16_384;
/** Parameters of a query, fields of a form, members of an object. No request that is read here has half as many. */
export const pairsMax = 200;
/** Proxies that a request came through, from the last one on. */
export const hopsMax = 16;

/** Whether a query, a form or a target has more parameters than that. */
export function hasTooManyPairs(text: string): boolean {
  let at = -1;
  for (let pairs = 1; pairs <= pairsMax; pairs++) {
    at = text.indexOf("&", at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Whether a target would be read if it came. */
export function isWithinBounds(target: string): boolean {
  return target.length <= targetLengthMax && !hasTooManyPairs(target);
}

/** A request's headers by their names in lower case. */
export type HintHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Only a navigation, or a client that says nothing about itself, may take a place in line. */
export type RequestKind = "navigation" | "head" | "prefetch" | "preview" | "embedded";

/** Those that say for what a request was made, the strongest first: no script can set the first four. */
export const purposeHeaders = [
  "sec-purpose",
  "sec-fetch-mode",
  "sec-fetch-dest",
  "sec-fetch-site",
  "purpose",
  "x-purpose",
  "x-moz",
  "x-requested-with",
  "accept",
  "user-agent",
] as const;
type PurposeHeader = (typeof purposeHeaders)[number];

/** Fetch Standard, "request mode". */
const modes = ["navigate", "same-origin", "no-cors", "cors", "websocket", "webtransport", "webidentity"] as const;
/** Fetch Metadata Request Headers, section 2.3. */
const sites = ["same-origin", "same-site", "cross-site", "none"] as const;
/** Fetch Standard, "request destination". A frame's document is no page that a person opened. */
const frames = ["iframe", "frame", "embed", "object", "fencedframe"] as const;
const parts = [
  ...["audio", "audioworklet", "font", "image", "json", "manifest", "paintworklet", "report", "script"],
  ...["serviceworker", "sharedworker", "style", "text", "track", "video", "webidentity", "worker", "xslt"],
] as const;
const destinations = ["document", "empty", ...frames, ...parts] as const;

const previewAgents =
  /bot\b|bot\/|crawl|spider|slurp|facebookexternalhit|whatsapp|slackbot|embedly|preview|skypeuri|mastodon|iframely/i;

/**
 * What a request is for. Browsers that send Fetch Metadata say so themselves, and what else stands in the request counts for nothing
 * beside it: apps on Android put their name into `X-Requested-With` of every page that they load.
 */
export function requestKindOf(method: string | undefined, headers: HintHeaders): RequestKind {
  if (method === "HEAD") return "head";
  if (isSpeculative(headers)) return "prefetch";
  const dest = definedValueOf(headers, "sec-fetch-dest", destinations);
  // Browsers that name the mode name what it is for and whence it comes, too (Fetch Metadata). Node's own `fetch` does not.
  const isBrowser = dest !== undefined || fetchSiteOf(headers) !== undefined;
  const named = definedValueOf(headers, "sec-fetch-mode", modes);
  const mode = isBrowser || named === "navigate" ? named : undefined;
  // No script can ask in the mode `navigate`. A service worker that passes a page's request on does, and names no destination.
  if (mode === "navigate")
    return dest === undefined || dest === "document" || dest === "empty" ? "navigation" : "embedded";
  if (mode !== undefined || (dest !== undefined && dest !== "document")) return "embedded";
  if (textOf(headers, "x-requested-with").trim().toLowerCase() === "xmlhttprequest") return "embedded";
  if (dest === undefined && previewAgents.test(textOf(headers, "user-agent"))) return "preview";
  return "navigation";
}

/** Whether a person opens a page, who can be sent somewhere else. Browsers that do not say what a request is for accept HTML then. */
export function opensPage(method: string | undefined, headers: HintHeaders): boolean {
  if (method !== "GET" || requestKindOf(method, headers) !== "navigation") return false;
  return definedValueOf(headers, "sec-fetch-mode", modes) === "navigate" || acceptsHtml(headers);
}

/** Whether it is a picture, a style, a script or a frame of a page: a cache may keep it, with a cookie that came along, for others. */
export function isPartOfPage(headers: HintHeaders): boolean {
  const dest = definedValueOf(headers, "sec-fetch-dest", destinations);
  return dest !== undefined && dest !== "document" && dest !== "empty";
}

/** From where a page's request comes, as its browser says. */
export function fetchSiteOf(headers: HintHeaders): (typeof sites)[number] | undefined {
  return definedValueOf(headers, "sec-fetch-site", sites);
}

/** Path and query of the page of this origin that a request was made on; null where it was none, or the browser does not say. */
export function referredFrom(origin: string, { referer }: HintHeaders): string | null {
  const page = referer === undefined ? "" : String(referer);
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : null;
}

/** The origin of the page that a request was made on; empty where the browser does not say. */
export function referringOrigin({ referer }: HintHeaders): string {
  const page = referer === undefined ? "" : String(referer);
  return URL.canParse(page) ? new URL(page).origin : "";
}

/**
 * Whether a page of this origin sent the visitor here, by its script or its link: browsers name the page's origin, and
 * these pages let them name the page (`Referrer-Policy: same-origin`). Either alone proves nothing: some clients always
 * send `Sec-Fetch-Site: same-origin`.
 */
export function comesFromPageOf(origin: string, headers: HintHeaders): boolean {
  return fetchSiteOf(headers) === "same-origin" && referredFrom(origin, headers) !== null;
}

/** Whether the client names HTML among what it accepts (RFC 9110, section 12.5.1), and JSON not before it. */
export function acceptsHtml(headers: HintHeaders): boolean {
  const accept = textOf(headers, "accept");
  const html = weightIn(accept, "text/html");
  return html > 0 && html >= weightIn(accept, "application/json");
}

/** Whether the client names JSON among what it accepts, and would not rather have a page. */
export function acceptsJsonOnly(headers: HintHeaders): boolean {
  const accept = textOf(headers, "accept");
  const json = weightIn(accept, "application/json");
  return json > 0 && json > weightIn(accept, "text/html");
}

/** Whether an answer may be compressed with gzip (RFC 9110, section 12.5.3): it is named, and not after the plain one. */
export function acceptsGzip(headers: HintHeaders): boolean {
  const accept = textOf(headers, "accept-encoding");
  // As all browsers write it: without weights.
  if (!accept.includes(";")) return accept.length <= preferenceLengthMax && /(?:^|[\s,])gzip(?:$|[\s,])/i.test(accept);
  const gzip = weightIn(accept, "gzip");
  return gzip > 0 && gzip >= weightIn(accept, "identity");
}

/** Whether a client would have Brotli (RFC 7932) rather than gzip, or as gladly. */
export function acceptsBrotli(headers: HintHeaders): boolean {
  const accept = textOf(headers, "accept-encoding");
  const brotli = weightIn(accept, "br");
  return brotli > 0 && brotli >= Math.max(weightIn(accept, "gzip"), weightIn(accept, "identity"));
}

/** Characters of a header that says what a client would rather have. No browser's comes near it, and a longer one says nothing. */
const preferenceLengthMax = 1_024;
const preferences = ["accept", "accept-encoding", "accept-language"] as const;

/** Removes such headers, before a framework takes long to read them. */
export function dropLongPreferences(headers: Record<string, string | string[] | undefined>): void {
  for (const name of preferences) if ((headers[name]?.length ?? 0) > preferenceLengthMax) delete headers[name];
}

/** Fetched before a person wants it, if ever: `Sec-Purpose` (Fetch Standard), and what older browsers and apps sent in its place. */
function isSpeculative(headers: HintHeaders): boolean {
  return purposes.some((name) => {
    const value = headers[name];
    return value !== undefined && /(?:^|[\s,;])(?:prefetch|prerender|preview)(?:$|[\s,;])/i.test(String(value));
  });
}
const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const satisfies PurposeHeader[];

/** The weight of a name in a list (RFC 9110, section 12.4.2); 0 where it is not named, or its weight can't be read. */
function weightIn(list: string, name: string): number {
  // Hardly any request names what hardly any server has.
  if (list.length > preferenceLengthMax || !list.toLowerCase().includes(name)) return 0;
  for (const item of list.split(",")) {
    const [named = "", ...parameters] = item.split(";");
    if (named.trim().toLowerCase() !== name) continue;
    const quality = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
    if (quality === undefined) return 1;
    const weight = Number(quality.slice(quality.indexOf("=") + 1));
    return weight > 0 && weight <= 1 ? weight : 0;
  }
  return 0;
}

function definedValueOf<const Value extends string>(
  headers: HintHeaders,
  name: PurposeHeader,
  values: readonly Value[],
) {
  const value = headers[name];
  return values.find((candidate) => candidate === value);
}

function textOf(headers: HintHeaders, name: string): string {
  const value = headers[name];
  return value === undefined ? "" : String(value);
}

/**
 * The token that is sent as `Authorization: Bearer` (RFC 6750, section 2.1): undefined where none is, null for one that can't be read.
 * What another scheme carries is for somebody else: a proxy that asks for a password has browsers send `Basic` with all requests.
 */
export function bearerTokenOf(headers: HintHeaders): string | null | undefined {
  const authorization = textOf(headers, "authorization");
  if (!/^Bearer(?: |$)/i.test(authorization)) return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}
