/** Which receivers a webhook may have: public ones, by https. Others are listed in the configuration. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** All that is assigned of IPv6 for the public internet (IANA, "IPv6 Global Unicast Address Assignments"). */
const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Whether the address is one of the public internet, whatever it is written as: not private, local, shared, reserved or translated. Forms
 * that have an IPv4 address in them, such as `::127.0.0.1`, and what is not assigned are none.
 */
export function isPublicAddress(address: string): boolean {
  const text = canonical(address);
  if (text === null || !ipaddr.isValid(text)) return false;
  const found = ipaddr.process(text);
  const isAssigned = found instanceof ipaddr.IPv4 || found.match(globalUnicast);
  return isAssigned && found.range() === "unicast";
}

/** ipaddr.js takes `::1.2.3.4` for an address that is mapped; as URLs write it, it is what it is. Null for none. */
function canonical(address: string): string | null {
  if (isIP(address) !== 6) return address;
  const url = `http://[${address}]/`;
  return URL.canParse(url) ? hostOf(new URL(url)) : null;
}

/** Whether the configuration lists the host of the URL, with this port or with any. */
export function isListed(url: URL, allowed: readonly string[]): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return allowed.some((entry) => entry === url.hostname || entry === `${url.hostname}:${port}`);
}

/** What is wrong with the address of a receiver, as far as its text says; null for nothing. */
export function receiverFault(text: string, allowed: readonly string[]): string | null {
  if (!URL.canParse(text)) return "expected an absolute URL such as https://hooks.example.com/usher";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "expected an https URL";
  if (url.username !== "" || url.password !== "") return "an address may hold no user name and no password";
  if (url.hash !== "") return "an address may hold no #";
  if (isListed(url, allowed)) return null;
  const hint = "unless webhooks.allowed_hosts lists its host";
  if (url.protocol !== "https:") return `expected an https URL, ${hint}`;
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host)) return `this is no public address, so nothing is sent there, ${hint}`;
  if (host === "localhost" || host.endsWith(".localhost"))
    return `this is this machine, so nothing is sent there, ${hint}`;
  return null;
}

/** Without the brackets of an IPv6 address, and the dot that may end a name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, "");
}
