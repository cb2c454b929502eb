import type { Context } from "koa";
import type { Devices, JoinOf, KeyedEntries } from "../../oidc/index.ts";
import type { AddressRule, RehearsalPasses, Ticket, WaitingRoom } from "../../room/index.ts";
import { createAddressRules } from "./address-rules.ts";
import type { JoinAddress } from "./join-address.ts";
import type { JoinCheck } from "./join-check.ts";

interface JoiningParts {
  readonly joinAddressOf: JoinAddress;
  readonly passes: Pick<RehearsalPasses, "isGood" | "use">;
  readonly checkBefore: JoinCheck;
  readonly keyedEntries: Pick<KeyedEntries, "of">;
  readonly devices: Pick<Devices, "ofJoin">;
}

/** What a join goes by in a room where visitors need no invitation or sign-in. */
interface Unkeyed {
  readonly show: Parameters<JoinOf>[4];
  readonly rule: AddressRule | null;
  /** The pass of a rehearsal's crowd; empty: none. */
  readonly rehearsal: string;
  readonly isRehearsed: boolean;
}

/**
 * Lets a visitor join, counted under the address that the request comes from; unless the room's rules for addresses refuse it, and
 * after a check where one is asked for. Where places are bound to the browser, the ticket names its key. Where each person has one place,
 * a visitor joins by a proven key alone, without check and limit.
 * `usher rehearse` is a crowd behind one address: in a room for rehearsals its pass, in the header `Usher-Rehearsal`, counts instead.
 * In any other room that header means nothing.
 */
export function createJoining({ joinAddressOf, passes, checkBefore, keyedEntries, devices }: JoiningParts): JoinOf {
  const ruleOf = createAddressRules(joinAddressOf);

  return async (ctx: Context, room, known, arrivedMs, show) => {
    // A program may ask before this process has heard that there is a line: rules, checks and limits hold from its first place on.
    if (room.entrance !== "line") await room.catchUp();
    const rule = ruleOf(ctx, room);
    if (rule?.action === "refuse") {
      return room.refuseNetwork(rule.name, joinAddressOf(ctx), String(ctx.state.requestId));
    }
    const keyed = room.entrance === "line" ? keyedEntries.of(ctx, room) : null;
    if (keyed !== null) return keyed.result === "names" ? room.join(known, arrivedMs, undefined, keyed.names) : keyed;
    const rehearsal = room.settings.rehearsal === true ? ctx.get("Usher-Rehearsal") : "";
    const isRehearsed = isRehearsing(room, rehearsal);
    const device = isRehearsed ? null : await devices.ofJoin(ctx, room, show !== undefined);
    if (device === "device") return { result: "device" };
    const thumbprint = device?.thumbprint ?? undefined;
    // Another key makes a new visitor. Else a copied ticket could join under the same `sub`, and use the admission of the visitor it came from.
    const isOther = known !== null && known.device !== thumbprint;
    const visitor = isOther ? { ...known, sub: room.visitorWithoutPlace().sub } : known;
    const answer = await joinUnkeyed(ctx, room, visitor, arrivedMs, { show, rule, rehearsal, isRehearsed });
    if (answer.result !== "joined" || thumbprint === undefined) return answer;
    return { ...answer, ticket: { ...answer.ticket, device: thumbprint } };
  };

  /** By rules, checks and limits. */
  async function joinUnkeyed(
    ctx: Context,
    room: WaitingRoom,
    known: Ticket | null,
    arrivedMs: number,
    { show, rule, rehearsal, isRehearsed }: Unkeyed,
  ) {
    if (rule?.action === "pass") return room.join(known, arrivedMs);
    const asked = isRehearsed ? null : checkBefore(ctx, room, show, rule?.action === "challenge");
    const entered = asked && (await asked);
    if (entered?.result === "check") return entered;
    let refund: (() => void) | null = null;
    let hasJoined = false;
    try {
      const answer = await room.join(known, arrivedMs, () => {
        refund = rehearsal === "" ? null : passes.use(room.id, rehearsal, room.nowMs);
        return refund === null ? joinAddressOf(ctx) : null;
      });
      hasJoined = answer.result === "joined";
      return answer;
    } finally {
      entered?.settle(hasJoined);
      if (!hasJoined) (refund as (() => void) | null)?.();
    }
  }

  function isRehearsing(room: WaitingRoom, token: string): boolean {
    return token !== "" && passes.isGood(room.id, token, room.nowMs);
  }
}
