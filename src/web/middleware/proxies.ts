import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { createRangeFinder } from "../../lib/address-ranges.ts";
import { nodeAddress } from "../../lib/node-address.ts";
import { hopsMax } from "../../lib/request.ts";

export type TrustedProxies = ReturnType<typeof createTrustedProxies>;

const maxKnown = 1_000;
/** A longer one is no address, and not worth remembering. */
const maxAddressLength = 64;

/** The configured proxies: they alone are believed about a request. @param list addresses and CIDR ranges */
export function createTrustedProxies(list: readonly string[]) {
  const has = isAmong(list);
  const isAsking = list.length > 0 ? has : isAmong(["127.0.0.0/8", "::1"]);
  return {
    has,
    /** Whether a request comes from one that may say what it was asked for; where none are configured, from this machine. */
    mayAsk: (request: IncomingMessage): boolean => isAsking(request.socket.remoteAddress ?? ""),
    /** The client's address. What can't be read names nobody: then it is that of the peer. */
    clientOf(request: IncomingMessage, forwardedFor: string | undefined): string {
      const peer = request.socket.remoteAddress ?? "";
      if (forwardedFor === undefined || !has(peer)) return peer;
      // From the nearest hop outwards, the first address that is not a trusted proxy is the client.
      let client = peer;
      let end = forwardedFor.length;
      for (let hops = 0; hops < hopsMax && end >= 0; hops++) {
        const comma = forwardedFor.lastIndexOf(",", end - 1);
        client = nodeAddress(forwardedFor.slice(comma + 1, end)) ?? "";
        if (!has(client)) break;
        end = comma;
      }
      return client === "" ? peer : client;
    },
  };
}

/**
 * Proxies are few and ask often, and each visitor's address is asked about twice; reading one takes longer than all else here,
 * so answers are remembered.
 */
function isAmong(list: readonly string[]): (address: string) => boolean {
  const find = createRangeFinder(list.map((range) => [range, true]));
  const known = new LRUCache<string, boolean>({ max: maxKnown });
  return (text) => {
    if (list.length === 0) return false;
    const found = known.get(text) ?? find(text) === true;
    if (text.length <= maxAddressLength) known.set(text, found);
    return found;
  };
}
