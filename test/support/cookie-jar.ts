/**
 * The cookies of one browser, as strict as the strictest browser: RFC 6265bis with the name prefixes, no
 * Secure cookie over http (not even for localhost, as in Safari), host-only unless a Domain is given.
 */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: string | undefined;
  /** Undefined for a cookie that ends with the browser's session. */
  readonly expiresMs: number | undefined;
}

export interface CookieJar {
  /** Takes a `Set-Cookie` header in, or refuses it as a browser would. */
  store(url: URL, setCookie: string): void;
  /** The `Cookie` header for a request, or undefined when there is nothing to send. */
  header(url: URL): string | undefined;
  get(name: string): Cookie | undefined;
  all(): Cookie[];
  /** What was refused and why; a well-behaved server causes none. */
  readonly refused: { setCookie: string; reason: string }[];
  put(cookie: Cookie): void;
  delete(name: string): void;
  clear(): void;
  /** Another jar with the same cookies, as of now. */
  copy(): CookieJar;
}

export function createCookieJar(now: () => number = Date.now): CookieJar {
  const cookies = new Map<string, Cookie>();
  const refused: { setCookie: string; reason: string }[] = [];
  const isAlive = (cookie: Cookie) => cookie.expiresMs === undefined || cookie.expiresMs > now();
  const put = (cookie: Cookie) => {
    const key = `${cookie.host}|${cookie.path}|${cookie.name}`;
    // Deleted first, so that the order is that of the last change and equal paths are sent in it.
    cookies.delete(key);
    if (isAlive(cookie)) cookies.set(key, cookie);
  };
  const all = () => [...cookies.values()].filter(isAlive);

  return {
    refused,
    put,
    all,
    store(url, setCookie) {
      const cookie = parseSetCookie(url, setCookie, now());
      const reason = typeof cookie === "string" ? cookie : reasonToRefuse(url, cookie);
      if (typeof cookie === "string" || reason !== undefined) refused.push({ setCookie, reason: reason ?? "" });
      else put(cookie);
    },
    header(url) {
      const matching = all().filter((cookie) => isSentTo(cookie, url));
      matching.sort((a, b) => b.path.length - a.path.length);
      return matching.length === 0 ? undefined : matching.map(({ name, value }) => `${name}=${value}`).join("; ");
    },
    get: (name) => all().find((cookie) => cookie.name === name),
    delete(name) {
      for (const [key, cookie] of cookies) if (cookie.name === name) cookies.delete(key);
    },
    clear: () => cookies.clear(),
    copy() {
      const jar = createCookieJar(now);
      for (const cookie of all()) jar.put(cookie);
      return jar;
    },
  };
}

function parseSetCookie(url: URL, setCookie: string, nowMs: number): Cookie | string {
  const [pair = "", ...attributeTexts] = setCookie.split(";");
  const separator = pair.indexOf("=");
  if (separator < 1) return "no name";
  const attributes = new Map<string, string>();
  for (const text of attributeTexts) {
    const [key = "", ...rest] = text.split("=");
    attributes.set(key.trim().toLowerCase(), rest.join("=").trim());
  }
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase();
  const path = attributes.get("path");
  return {
    name: pair.slice(0, separator).trim(),
    value: pair.slice(separator + 1).trim(),
    host: domain || url.hostname,
    hostOnly: !domain,
    path: path?.startsWith("/") ? path : defaultPath(url.pathname),
    secure: attributes.has("secure"),
    httpOnly: attributes.has("httponly"),
    sameSite: attributes.get("samesite")?.toLowerCase(),
    expiresMs: expiry(attributes, nowMs),
  };
}

function expiry(attributes: Map<string, string>, nowMs: number): number | undefined {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return nowMs + Number(maxAge) * 1000;
  const expires = Date.parse(attributes.get("expires") ?? "");
  return Number.isNaN(expires) ? undefined : expires;
}

function reasonToRefuse(url: URL, cookie: Cookie): string | undefined {
  const isHttps = url.protocol === "https:";
  if (cookie.secure && !isHttps) return "Secure over http";
  if (!cookie.hostOnly && !isUnder(url.hostname, cookie.host)) return "foreign Domain";
  if (cookie.sameSite === "none" && !cookie.secure) return "SameSite=None without Secure";
  if (/^__secure-/i.test(cookie.name) && !cookie.secure) return "__Secure- without Secure";
  if (/^__host-/i.test(cookie.name) && !(cookie.secure && cookie.hostOnly && cookie.path === "/")) {
    return "__Host- without Secure, with a Domain, or with a Path other than /";
  }
  if (cookie.name.length + cookie.value.length > 4096) return "over 4096 bytes";
  return undefined;
}

function isSentTo(cookie: Cookie, url: URL): boolean {
  if (cookie.secure && url.protocol !== "https:") return false;
  if (cookie.hostOnly ? url.hostname !== cookie.host : !isUnder(url.hostname, cookie.host)) return false;
  if (url.pathname === cookie.path) return true;
  return url.pathname.startsWith(cookie.path.endsWith("/") ? cookie.path : `${cookie.path}/`);
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function defaultPath(pathname: string): string {
  const end = pathname.lastIndexOf("/");
  return end <= 0 ? "/" : pathname.slice(0, end);
}
