/** How a visitor joins: the checks before it, and the address under which the join is counted. */
import type { Context } from "koa";
import { addressBlock } from "../../lib/address-block.ts";
import { createRangeFinders, isPrivateAddress } from "../../lib/address-ranges.ts";
import { type Logger, printableText } from "../../lib/logger.ts";
import { nodeAddress } from "../../lib/node-address.ts";
import { hopsMax } from "../../lib/request.ts";
import type { GateSteps, JoinAttempt, JoinOf } from "../../oidc/index.ts";
import type { AddressRule, RehearsalPasses, WaitingRoom } from "../../room/index.ts";
import type { TrustedProxies } from "../middleware/incoming.ts";

/**
 * Lets a visitor join, counted under the address that the request comes from; unless the room's rules for addresses, or a step of a feature,
 * refuse it.
 */
export function createJoining({
  joinAddressOf,
  steps,
}: {
  readonly joinAddressOf: JoinAddress;
  readonly steps: GateSteps["beforeJoin"];
}): JoinOf {
  const ruleOf = createAddressRules(joinAddressOf);

  return async (ctx, room, previous, arrivedMs, readPresented) => {
    // A program may ask before this process has heard that there is a line: rules, steps and limits hold from its first place on.
    if (room.entrance !== "line") await room.catchUp();
    const rule = ruleOf(ctx, room);
    if (rule?.action === "refuse") {
      return room.refuseNetwork(rule.name, joinAddressOf(ctx), String(ctx.state.requestId));
    }
    const join: JoinAttempt = {
      ctx,
      room,
      readPresented,
      rule,
      previous,
      names: null,
      isExempt: false,
      additions: null,
      onSettled: [],
      clientAddress: () => (rule?.action === "pass" ? null : joinAddressOf(ctx)),
    };
    let hasJoined = false;
    try {
      for (const step of steps) {
        const outcome = step(join);
        const settled = outcome instanceof Promise ? await outcome : outcome;
        if (settled === "enough") break;
        if (settled !== null) return { result: "step", refusal: settled };
      }
      const answer = await room.join(join.previous, arrivedMs, join.clientAddress, join.names);
      if (answer.result !== "joined") return answer;
      hasJoined = true;
      return join.additions === null ? answer : { ...answer, ticket: { ...answer.ticket, ...join.additions } };
    } finally {
      for (const settle of join.onSettled) settle(hasJoined);
    }
  };
}

/**
 * `usher rehearse` is a crowd behind one address: in a room for rehearsals its pass, in the header `Usher-Rehearsal`, counts instead, and nothing
 * more is asked of it. In any other room that header means nothing.
 */
export function createRehearsalStep(passes: Pick<RehearsalPasses, "isGood" | "use">): GateSteps["beforeJoin"][number] {
  return (join) => {
    const { ctx, room, rule, clientAddress } = join;
    const token = room.settings.rehearsal === true ? ctx.get("Usher-Rehearsal") : "";
    if (token === "") return null;
    join.isExempt = passes.isGood(room.id, token, room.nowMs);
    if (rule?.action === "pass") return null;
    let refund: (() => void) | null = null;
    join.clientAddress = () => {
      refund = passes.use(room.id, token, room.nowMs);
      return refund === null ? clientAddress() : null;
    };
    join.onSettled.push((hasJoined) => {
      if (!hasJoined) refund?.();
    });
    return null;
  };
}

/**
 * The rule of the room (`address_rules`) for the network that a request to join comes from; null where there is none. Where everybody
 * passes there is no line to join. A request of which it is not known whose it is (see `createJoinAddress`) falls under none: else
 * a proxy would be taken for all of its visitors.
 */
export function createAddressRules(joinAddressOf: JoinAddress) {
  const ruleOfAddress = createRangeFinders<AddressRule, AddressRule>((rules) =>
    rules.flatMap((rule) => rule.ranges.map((range) => [range, rule] as const)),
  );
  return (ctx: Context, room: WaitingRoom): AddressRule | null => {
    const rules = room.settings.addressRules ?? null;
    if (rules === null || room.entrance === "pass" || joinAddressOf(ctx) === null) return null;
    return ruleOfAddress(rules)(ctx.state.clientAddress()) ?? null;
  };
}

/** The address block (see `addressBlock`) under which a join, or the use of an admission, is counted; null: it is not counted. */
export type JoinAddress = (ctx: Context) => string | null;

const counts = "joins_per_address and addresses_per_admission";
const whatToDo = "name it in listen.trusted_proxies, and see that it sends X-Forwarded-For";
const trustedIsSilent = `${counts} do not count visitors of this proxy, which is trusted and sends no visitor's address; make it send X-Forwarded-For with an address`;
const proxyIsUntrusted = `${counts} do not count visitors of this proxy, which is not trusted: all of them would be one; ${whatToDo}`;
const strangerForwards = `a visitor came from an address on the internet that claims to forward for others (X-Forwarded-For): if it is a proxy of yours, ${counts} take all its visitors for one, and the former turns most of them away in a rush; ${whatToDo}`;

/**
 * Distinguishes visitors by address, and never counts a proxy as one visitor: a request of a trusted proxy that names
 * no client is not counted, nor is one that an unknown proxy in a private network forwards. On the public internet any
 * client may claim to forward, so there its address counts. Each case is logged once.
 */
export function createJoinAddress({
  proxies,
  logger,
}: {
  readonly proxies: Pick<TrustedProxies, "has">;
  readonly logger: Logger;
}): JoinAddress {
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
      warn("joins.proxy_unknown", proxyIsUntrusted, address);
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
