import { isIP } from "node:net";

/** An IPv6 address in brackets or an IPv4 address, each with the port that may follow it, which may be a made-up name. */
const node = /^(?:\[([0-9a-f:.]+(?:%[\w.-]+)?)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i;

/**
 * The address of a node as proxies write it (RFC 7239, section 6): bare, with a port, in brackets, in quotes. IPv6 without brackets has
 * no port. A zone, which means something to one machine alone, is left out.
 *
 * @returns null for what names no address: `unknown`, a made-up name (`_proxy`), or what can't be read
 */
export function nodeAddress(text: string): string | null {
  // Nearly all are so.
  if (isIP(text) !== 0) return withoutZone(text);
  const trimmed = text.trim();
  const bare = /^"(.*)"$/.exec(trimmed)?.[1] ?? trimmed;
  const [, ipv6, ipv4] = node.exec(bare) ?? [];
  const address = ipv6 ?? ipv4 ?? bare;
  const isRight = isIP(address) === (ipv6 !== undefined ? 6 : ipv4 !== undefined ? 4 : isIP(address));
  return isRight && isIP(address) !== 0 ? withoutZone(address) : null;
}

function withoutZone(address: string): string {
  const at = address.indexOf("%");
  return at < 0 ? address : address.slice(0, at);
}
