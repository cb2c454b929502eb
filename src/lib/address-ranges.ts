import ipaddr from "ipaddr.js";

/** Whether an address is in a range. */
export type AddressRange = (address: string) => boolean;

/** @param text an address, or a range in CIDR notation; the configuration has checked it */
export function readRange(text: string): AddressRange {
  const [network, bits] = parse(text);
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const read = ipaddr.process(address);
    return network.kind() === read.kind() && read.match(network, bits);
  };
}

function parse(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

const ownNetworks = new Set(["private", "carrierGradeNat", "uniqueLocal", "linkLocal", "loopback"]);

/** Of a network of one's own: no stranger on the internet comes from such an address. */
export function isOfOwnNetwork(address: string): boolean {
  return ipaddr.isValid(address) && ownNetworks.has(ipaddr.process(address).range());
}
