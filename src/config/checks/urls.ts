/** Checks of addresses, domains, paths and language tags. Most answer what is wrong, or null. */
import { getDomain, getPublicSuffix } from "tldts";
import { readLinkTarget } from "../../lib/link-target.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const HTTPS_ONLY = "https, or http for localhost, 127.0.0.1 and [::1] only";
export const URI_LENGTH_MAX = 2_048;
const APP_ORIGIN = /^(?!https?:)[a-z][a-z0-9+.-]{0,63}:\/\/[a-z0-9.-]{1,253}$/;
/** RFC 3986 knows no other characters. The rest would be read differently by different parsers. */
const URI_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

function isLoopback(host: unknown): boolean {
  return typeof host === "string" && (LOOPBACK.has(host) || host === "::1");
}

/** Whether browsers of the same machine find what listens there, at `http://localhost:PORT`. The system chooses a port in place of 0. */
export function isAtLocalhost(host: unknown, port: unknown): boolean {
  return isLoopback(host) && port !== 0;
}

/** A bare origin, written the way clients compare it (OpenID Connect Discovery 1.0, section 4.3). */
export function issuerFault(value: string): string | null {
  const fault = webAddressFault(value);
  if (fault !== null) return fault;
  const { origin } = new URL(value);
  return value === origin ? null : `expected a bare origin without path or trailing slash: ${origin}`;
}

/** Another provider's issuer, which may have a path (OpenID Connect Core 1.0, section 2: Issuer Identifier). */
export function providerFault(value: string): string | null {
  return /[?#]/.test(value) ? "a query or fragment is not allowed: leave it out" : webAddressFault(value);
}

/** An origin as browsers send it: of a site, or of an app with a scheme of its own (capacitor://localhost). */
export function originFault(value: string): string | null {
  return APP_ORIGIN.test(value) ? null : issuerFault(value);
}

/** Exact, absolute, without fragment (RFC 6749, section 3.1.2) and without wildcard (RFC 9700, section 4.1.3). */
export function redirectUriFault(value: string): string | null {
  if (value.includes("*")) return "wildcards are not allowed: redirect URIs are compared exactly; list each one";
  if (value.includes("#")) return "a fragment (#…) is not allowed: leave it out";
  return webAddressFault(value);
}

/**
 * An address of a site that Usher itself asks, or notifies of logouts: without a fragment (OpenID Connect Back-Channel
 * Logout 1.0, section 2.2).
 */
export function backchannelUriFault(value: string): string | null {
  return value.includes("#") ? "a fragment (#…) is not allowed: leave it out" : webAddressFault(value);
}

/** An address that browsers are sent to. */
export function webAddressFault(value: string): string | null {
  const fault = addressFault(value, HTTPS_ONLY);
  if (fault !== null) return fault;
  const url = new URL(value);
  return url.protocol === "https:" || LOOPBACK.has(url.hostname) ? null : `expected ${HTTPS_ONLY}`;
}

/** What stands in a start address for the place where the visitor wants to go. */
export const TARGET_PLACEHOLDER = "{target_link_uri}";

/** Where a login is started: verbatim, but for the placeholder, which may only be a value of the query. */
export function initiateLoginUriFault(value: string): string | null {
  const plain = value.replaceAll(TARGET_PLACEHOLDER, "x");
  if (plain.includes("{") || plain.includes("}")) return `the only name in braces is ${TARGET_PLACEHOLDER}`;
  const query = /^[^?#]*\?([^#]*)/.exec(value)?.[1] ?? "";
  const places = value.split(TARGET_PLACEHOLDER).length - 1;
  const values = query.split("&").filter((pair) => /^[^=]+=(.*)$/.exec(pair)?.[1] === TARGET_PLACEHOLDER);
  return values.length === places
    ? webAddressFault(plain)
    : `${TARGET_PLACEHOLDER} may only be a whole value in the query, as in ?rd=${TARGET_PLACEHOLDER}`;
}

/** An entry of a list of targets: an exact address, or one that ends in a star after a slash. */
export function targetLinkUriFault(value: string): string | null {
  const isPrefix = value.endsWith("/*");
  const address = isPrefix ? value.slice(0, -1) : value;
  if (address.includes("*")) {
    return "a star is allowed at the end only, after a slash: https://shop.example.com/products/*";
  }
  if (/[?#]/.test(address)) return "a query or fragment is not compared: leave it out";
  const fault = webAddressFault(address);
  return fault === null && readLinkTarget(address) === null
    ? "expected a path without dots, double slashes and encoded backslashes"
    : fault;
}

/** Where a link on a page leads: a web page, or a mailbox (RFC 6068). */
export function pageLinkFault(value: string): string | null {
  const schemes = "https, http or mailto";
  if (/^mailto:/i.test(value)) {
    return value.length <= URI_LENGTH_MAX &&
      URI_CHARACTERS.test(value) &&
      /^mailto:[^@?#]+@[^@?#]+(\?[^#]*)?$/i.test(value)
      ? null
      : "expected an address such as mailto:help@example.com";
  }
  return addressFault(value, schemes);
}

/** Of a web page, which opens beside ours: http will do. */
export function anyPageFault(value: string): string | null {
  return addressFault(value, "https or http");
}

/** An address that Usher itself asks, within the operator's network: http will do. */
export function healthUrlFault(value: string): string | null {
  return addressFault(value, "http or https");
}

/** What is wrong with a path that forward authentication shall let through; null for nothing. */
export function exemptPathFault(value: string): string | null {
  const path = value.endsWith("/*") ? value.slice(0, -1) : value;
  if (!path.startsWith("/") || /[*?#]/.test(path)) {
    return "expected a path such as /health, or /assets/* for all below it, without query";
  }
  if (value === "/*") return "would let everything through: name the paths";
  // Paths are compared as they are sent.
  return readLinkTarget(`https://site.example${path}`)?.pathname === path
    ? null
    : "expected a path as browsers send it, without dots and double slashes";
}

/** What is wrong with a language tag (BCP 47) as it is written; null when nothing is. */
export function languageTagFault(tag: string): string | null {
  const expected = "expected a language tag such as de or pt-BR";
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical === tag ? null : `${expected}; write ${canonical}`;
  } catch (error) {
    if (error instanceof RangeError) return expected;
    throw error;
  }
}

function addressFault(value: string, schemes: string): string | null {
  if (value.length > URI_LENGTH_MAX) return `expected at most ${URI_LENGTH_MAX} characters`;
  const isWellFormed = URI_CHARACTERS.test(value) && /^https?:\/\/[^/]/i.test(value) && URL.canParse(value);
  if (!isWellFormed) return `expected an absolute URL: ${schemes}`;
  const url = new URL(value);
  return url.username !== "" || url.password !== ""
    ? "a user name or password is not allowed in it: leave it out"
    : null;
}

/** Also what companies give names under, such as github.io: browsers keep no cookie of those either. */
const suffixOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/**
 * What is wrong with a domain whose hosts shall share a cookie; null for nothing. Browsers refuse what is on the Public Suffix List
 * (RFC 6265, section 5.3, and https://publicsuffix.org): it comes with the package, and nothing is asked for.
 */
export function cookieDomainFault(value: string): string | null {
  const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
  if (value.length > 253 || !new RegExp(`^${label}(?:\\.${label})*$`).test(value)) {
    return "expected a domain in lower case, without leading dot, port or path, such as shop.example.com";
  }
  if (!value.includes(".")) return "expected more than one label: no browser keeps cookies of a top-level domain";
  // The last label of an address is a number (URL Standard, section 3.5), that of no domain is.
  if (/^(\d+|0x[0-9a-f]*)$/.test(value.split(".").at(-1) ?? "")) return "an address has no subdomains: leave it out";
  return getPublicSuffix(value, suffixOptions) === value
    ? "is a public suffix, below which everybody may have a name, so no browser keeps its cookies: name your own domain"
    : null;
}

/** Whether a host is the domain or below it (RFC 6265, section 5.1.3). */
export function isWithinDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/**
 * What is wrong with an issuer's host for the visitors of a site; null for nothing, and for what is not of the public internet. By the
 * Public Suffix List, as browsers do it: `queue.example.com` and `shop.example.com` are one site, two hosts below `github.io` are not.
 */
export function otherSiteWarning(issuer: string, site: string): string | null {
  if (!issuer.startsWith("https:") || !site.startsWith("https:")) return null;
  const [issuerDomain, siteDomain] = [issuer, site].map((each) =>
    getDomain(each, { allowPrivateDomains: true, validateHostname: false }),
  );
  if (issuerDomain == null || siteDomain == null || issuerDomain === siteDomain) return null;
  return (
    `is of another site (${issuerDomain}) than visitors come to (${siteDomain}): browsers delete the cookies of a host that people only pass ` +
    `through, and their places go with them. Give Usher a host of the site's own domain, such as queue.${siteDomain}`
  );
}

/** Of an issuer the warnings for its sites, each domain once. @param sites addresses */
export function findOtherSites(issuer: string, sites: readonly string[]): string[] {
  const warnings = sites
    .filter((site) => URL.canParse(site))
    .map((site) => otherSiteWarning(issuer, new URL(site).origin));
  return [...new Set(warnings.filter((warning) => warning !== null))];
}
