/** Which receivers a webhook may have: public ones, by https. Others are listed in the configuration. */
import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
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

/** Without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Thrown where a name has an address that is not public. */
export class ForbiddenAddressError extends Error {
  override name = "ForbiddenAddressError";
}

/**
 * Looks a name up for a connection, and answers public addresses alone. The connection goes to what is answered here; so a name
 * that has another address a moment later changes nothing.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses = found as readonly LookupAddress[] | undefined;
    if (error !== null || addresses === undefined || addresses[0] === undefined) return callback(error, "", 0);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new ForbiddenAddressError(`${hostname} has an address that is not public`), "", 0);
    }
    if (options.all) return callback(null, [...addresses]);
    callback(null, addresses[0].address, addresses[0].family);
  });
};
