/** Which receivers a webhook may have: public ones, by https. Others are listed in the configuration. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Whether the address is one of the public internet, whatever it is written as: not private, local, shared, reserved or translated. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/** Whether the configuration lists the host of the URL, with this port or with any. */
export function isListed(url: URL, allowed: readonly string[]): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return allowed.some((each) => each === url.hostname || each === `${url.hostname}:${port}`);
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
