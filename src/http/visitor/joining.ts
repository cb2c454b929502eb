import type { Context } from "koa";
import type { JoinOf } from "../../oidc/index.ts";
import type { RehearsalPasses } from "../../room/index.ts";
import { createAddressRules } from "./address-rules.ts";
import type { JoinAddress } from "./join-address.ts";

/**
 * Lets a visitor join, unless the room's rules for addresses refuse it, counted under the address that the request comes from. `usher rehearse` is a crowd behind one address: in a
 * room for rehearsals its pass, in the header `Usher-Rehearsal`, counts instead. In any other room that header means nothing.
 */
export function createJoining(joinAddressOf: JoinAddress, passes: Pick<RehearsalPasses, "use">): JoinOf {
  const ruleOf = createAddressRules(joinAddressOf);

  return async (ctx: Context, room, known, arrivedMs) => {
    const rule = ruleOf(ctx, room);
    if (rule?.action === "refuse") {
      return room.refuseNetwork(rule.name, joinAddressOf(ctx), String(ctx.state.requestId));
    }
    if (rule?.action === "pass") return room.join(known, arrivedMs);
    let giveBack: (() => void) | null = null;
    let hasJoined = false;
    try {
      const answer = await room.join(known, arrivedMs, () => {
        const token = room.settings.rehearsal === true ? ctx.get("Usher-Rehearsal") : "";
        giveBack = token === "" ? null : passes.use(room.id, token, room.nowMs);
        return giveBack === null ? joinAddressOf(ctx) : null;
      });
      hasJoined = answer.result === "joined";
      return answer;
    } finally {
      if (!hasJoined) (giveBack as (() => void) | null)?.();
    }
  };
}
