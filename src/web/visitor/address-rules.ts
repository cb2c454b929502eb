import type { Context } from "koa";
import { createRangeFinders } from "../../lib/address-ranges.ts";
import type { AddressRule, WaitingRoom } from "../../room/index.ts";
import type { JoinAddress } from "./join-address.ts";

/**
 * The rule of the room (`address_rules`) for the network that a request to join comes from; null where there is none. Where everybody
 * passes there is no line to join. A request of which it is not known whose it is (see `JoinAddress`) falls under none: else
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
