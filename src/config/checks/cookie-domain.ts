/** Domains whose hosts share a cookie. */
import { getPublicSuffix } from "tldts";

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
