import ipaddr from "ipaddr.js";
import { nodeAddress } from "./node-address.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Of IPv6 the bits before an IPv4 address that is mapped into it (RFC 4291, section 2.5.5.2). */
const mappedBits = 96;

/**
 * What an address belongs to: of several ranges that have it, the first counts. It is looked up once for each width that the ranges
 * have, however many there are.
 *
 * @param entries addresses, or ranges in CIDR notation, which the configuration has checked, each with what belongs to it
 */
export function createRangeFinder<T>(
  entries: readonly (readonly [range: string, of: T])[],
): (address: string) => T | undefined {
  /** By width, in bits: networks, with the places of their entries. */
  const widths = { ipv4: new Map<number, Map<string, number>>(), ipv6: new Map<number, Map<string, number>>() };
  for (const [at, [text]] of entries.entries()) {
    const [network, bits] = parse(text);
    const ofKind = widths[network.kind()];
    const networks = ofKind.get(bits) ?? new Map<string, number>();
    ofKind.set(bits, networks);
    const key = networkOf(network, bits);
    if (!networks.has(key)) networks.set(key, at);
  }
  return (text) => {
    const read = nodeAddress(text);
    if (read === null) return undefined;
    const address = ipaddr.process(read);
    let first = entries.length;
    for (const [bits, networks] of widths[address.kind()]) {
      first = Math.min(first, networks.get(networkOf(address, bits)) ?? first);
    }
    return entries[first]?.[1];
  };
}

/** The address's first bits, as a name. */
function networkOf(address: Address, bits: number): string {
  const [parts, width] = address instanceof ipaddr.IPv4 ? [address.octets, 8] : [address.parts, 16];
  let name = "";
  for (let at = 0; at * width < bits; at++) {
    name += `${(parts[at] ?? 0) >> Math.max(0, width - (bits - at * width))}.`;
  }
  return name;
}

function parse(text: string): [Address, number] {
  const [address, bits] = text.includes("/") ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), null];
  if (!(address instanceof ipaddr.IPv6)) return [address, bits ?? 32];
  const width = bits ?? 128;
  const isMapped = address.isIPv4MappedAddress() && width >= mappedBits;
  return isMapped ? [address.toIPv4Address(), width - mappedBits] : [address, width];
}

/**
 * The same for lists that are part of settings: these are read anew with each sync and are the same nearly every time, so
 * what was made of a list is kept by its text, for the latest `listsMax` lists.
 *
 * @param entriesOf what a list has
 */
export function createRangeFinders<Item, T>(
  entriesOf: (items: readonly Item[]) => readonly (readonly [range: string, of: T])[],
  listsMax = 100,
) {
  const ofList = new WeakMap<readonly Item[], (address: string) => T | undefined>();
  const ofText = new Map<string, (address: string) => T | undefined>();
  return (items: readonly Item[]): ((address: string) => T | undefined) => {
    const cached = ofList.get(items);
    if (cached !== undefined) return cached;
    const text = JSON.stringify(items);
    const find = ofText.get(text) ?? createRangeFinder(entriesOf(items));
    // The one that was asked for last is the last to go.
    ofText.delete(text);
    ofText.set(text, find);
    const [oldest] = ofText.keys();
    if (ofText.size > listsMax && oldest !== undefined) ofText.delete(oldest);
    ofList.set(items, find);
    return find;
  };
}

const privateNetworks = new Set(["private", "carrierGradeNat", "uniqueLocal", "linkLocal", "loopback"]);

/** Of a network of one's own: no stranger on the internet comes from such an address. */
export function isPrivateAddress(address: string): boolean {
  const read = nodeAddress(address);
  return read !== null && privateNetworks.has(ipaddr.process(read).range());
}
