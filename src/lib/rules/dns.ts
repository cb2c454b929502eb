import { Resolver } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import type { CrawlerDns } from "./crawlers.ts";

/**
 * Asks the servers of this machine, or those that are named. Nothing is begun before the first question.
 *
 * @param options.servers addresses, with a port where it is not 53
 * @param options.timeoutMs of one question
 */
export function createCrawlerDns(options: {
  readonly servers?: readonly string[];
  readonly timeoutMs: number;
}): CrawlerDns {
  const { servers, timeoutMs } = options;
  let made: Resolver | undefined;
  const resolver = () => {
    if (made !== undefined) return made;
    made = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers !== undefined) made.setServers([...servers]);
    return made;
  };
  return {
    // Not by `reverse`, which takes a server that fails for a name that is not there.
    names: (address) => resolver().resolvePtr(reverseName(address)),
    addresses: (name, family) => (family === 4 ? resolver().resolve4(name) : resolver().resolve6(name)),
  };
}

/** The name under which an address has its PTR records (RFC 1035, section 3.5, and RFC 3596, section 2.5). */
function reverseName(address: string): string {
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return `${parsed.toByteArray().reverse().join(".")}.in-addr.arpa`;
  const digits = parsed.toByteArray().map((byte) => byte.toString(16).padStart(2, "0"));
  return `${[...digits.join("")].reverse().join(".")}.ip6.arpa`;
}
