import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { nodeAddress } from "./node-address.ts";

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
  const read = nodeAddress(text);
  if (read === null) return null;
  const address = withoutTranslation(ipaddr.process(read));
  if (address.range() === "loopback") return null;
  if (address.kind() === "ipv4") return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}

/** The network around an address block, mostly one owner's: the /24 of an IPv4 address, the /48 of a block of IPv6. */
export function networkOf(block: string): string {
  if (!block.includes(":")) return block.replace(/\.\d+$/, ".0/24");
  return `${block.split(":", 3).join(":")}::/48`;
}

function withoutTranslation(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const range = address.range();
  if (range !== "rfc6052" && range !== "rfc6145") return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** An address block, with the multiple of one address's limit that its addresses have together. */
export interface LimitedBlock {
  readonly block: string;
  readonly bits: 32 | 64 | 56 | 48;
  readonly times: number;
}

/**
 * The blocks whose limits count for an address block, the widest first. Sites are given a /56 or a /48 (RFC 6177), and a /48 has
 * 65,536 blocks of 64 bits: so the wider ones have limits of their own.
 */
export function limitedBlocks(block: string): LimitedBlock[] {
  if (!block.endsWith("::/64")) return [{ block, bits: 32, times: 1 }];
  const [a, b, c, subnet = "0"] = block.split(":", 4);
  const site = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return [
    { block: `${a}:${b}:${c}::/48`, bits: 48, times: 8 },
    { block: `${a}:${b}:${c}:${site}::/56`, bits: 56, times: 4 },
    { block, bits: 64, times: 1 },
  ];
}
