import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whose address this is, as far as an address tells: an IPv4 address, or the /64 of an IPv6 address, since a connection is given
 * at least that much (RFC 6177, section 2), and its devices change the rest at will (RFC 8981). An IPv4 address that is written as
 * an IPv6 one is an IPv4 address: mapped (RFC 4291, section 2.5.5.2), or translated on its way (RFC 6052, RFC 2765).
 *
 * @returns null for this machine's own addresses and for what is no address
 */
export function addressBlock(text: string): string | null {
  // Most are so, and need no reading.
  const short = text.startsWith("::ffff:") ? text.slice(7) : text;
  if (isIPv4(short)) return short.startsWith("127.") ? null : short;
  if (!ipaddr.isValid(text)) return null;
  const address = withoutTranslation(ipaddr.process(text));
  if (address.range() === "loopback") return null;
  if (address.kind() === "ipv4") return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}

function withoutTranslation(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const range = address.range();
  if (range !== "rfc6052" && range !== "rfc6145") return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}
