import type { Context } from "koa";
import { addressBlock } from "../../lib/address-block.ts";
import { isPrivateAddress } from "../../lib/address-ranges.ts";
import { printableText } from "../../lib/logger.ts";
import { nodeAddress } from "../../lib/node-address.ts";
import { hopsMax } from "../../lib/request.ts";
import type { AppParts } from "../koa-app.ts";

/** The address block (see `addressBlock`) under which a join, or the use of an admission, is counted; null: it is not counted. */
export type JoinAddress = (ctx: Context) => string | null;

const counts = "joins_per_address and addresses_per_admission";
const whatToDo = "name it in listen.trusted_proxies, and see that it sends X-Forwarded-For";
const trustedIsSilent = `${counts} do not count visitors of this proxy, which is trusted and sends no visitor's address; make it send X-Forwarded-For with an address`;
const ownIsUnknown = `${counts} do not count visitors of this proxy, which is not trusted: all of them would be one; ${whatToDo}`;
const strangerForwards = `a visitor came from an address on the internet that claims to forward for others (X-Forwarded-For): if it is a proxy of yours, ${counts} take all its visitors for one, and the former turns most of them away in a rush; ${whatToDo}`;

/**
 * Distinguishes visitors by address, and never counts a proxy as one visitor: a request of a trusted proxy that names
 * no client is not counted, nor is one that an unknown proxy in a private network forwards. On the public internet any
 * client may claim to forward, so there its address counts. Each case is logged once.
 */
export function createJoinAddress({ proxies, logger }: Pick<AppParts, "proxies" | "logger">): JoinAddress {
  const reported = new Set<string>();
  /** @param proxy undefined where it is not to be named */
  const warn = (
    event: "joins.visitor_unnamed" | "joins.proxy_unknown",
    message: string,
    proxy?: string,
    unreadable?: string,
  ) => {
    const key = `${event} ${proxy}`;
    if (reported.has(key) || reported.size >= maxWarnings) return;
    reported.add(key);
    logger.warn(
      { event, ...(proxy !== undefined && { proxy }), ...(unreadable !== undefined && { unreadable }) },
      message,
    );
  };

  return (ctx) => {
    const forwardedFor: string | undefined = ctx.state.forwardedFor;
    const peer = ctx.req.socket.remoteAddress ?? "";
    const address: string = ctx.state.clientAddress();
    if (proxies.has(address)) {
      // The nearest hop is a trusted proxy that named no client.
      if (address === peer) warn("joins.visitor_unnamed", trustedIsSilent, peer, unreadableIn(forwardedFor));
      return null;
    }
    const block = addressBlock(address);
    if (forwardedFor === undefined || firstOf(forwardedFor) === (address === peer ? null : address)) return block;
    // The address is of one who claims to forward for others; in a network of one's own it is a proxy of the operator's.
    if (isPrivateAddress(address)) {
      warn("joins.proxy_unknown", ownIsUnknown, address);
      return null;
    }
    warn("joins.proxy_unknown", strangerForwards);
    return block;
  };
}

/** More proxies than that are a mistake of another kind. */
const maxWarnings = 20;
/** Characters of what can't be read. */
const unreadableMax = 64;

function firstOf(forwardedFor: string): string | null {
  return nodeAddress(forwardedFor.split(",", 1)[0] ?? "");
}

/** The nearest hop whose address can't be read, for the log; undefined where there is none. */
function unreadableIn(forwardedFor: string | undefined): string | undefined {
  const hop = forwardedFor?.split(",", hopsMax).findLast((each) => nodeAddress(each) === null);
  return hop && printableText(hop.trim().slice(0, unreadableMax));
}
