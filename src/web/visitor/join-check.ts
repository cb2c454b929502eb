import type { Context } from "koa";
import type { CheckNeeded, Checks, Entered, Shown } from "../../check/index.ts";
import { UsherError } from "../../lib/errors.ts";
import type { VisitorCookies } from "../../oidc/index.ts";
import type { WaitingRoom } from "../../room/index.ts";
import type { JoinAddress } from "./join-address.ts";

interface JoinCheckParts {
  readonly checks: Pick<Checks, "enter">;
  readonly cookies: Pick<VisitorCookies, "check">;
  readonly joinAddressOf: JoinAddress;
}

export type JoinCheck = ReturnType<typeof createJoinCheck>;

/** The step before a join in which a visitor may have to do something first. Where there is no line, nothing is asked. */
export function createJoinCheck({ checks, cookies, joinAddressOf }: JoinCheckParts) {
  /**
   * Null where there is no check at all, which costs nothing.
   *
   * @param isForced whether a check is asked of this visitor, whatever the room says
   */
  return (
    ctx: Context,
    room: WaitingRoom,
    show: (() => Promise<Shown>) | undefined,
    isForced: boolean,
  ): Promise<Entered | CheckNeeded> | null => {
    if ((room.settings.check == null && !isForced) || room.entrance !== "line") return null;
    return enter(ctx, room, show, isForced);
  };

  async function enter(ctx: Context, room: WaitingRoom, show: (() => Promise<Shown>) | undefined, isForced: boolean) {
    const cookie = cookies.check(room.id);
    const pass = cookie.read(ctx.req);
    // A program shows what it did in its request; its cookies are of no account there.
    const entered = await checks.enter(room, joinAddressOf(ctx), show ?? (() => ({ pass, session: pass })), isForced);
    if (entered.result === "unjudged") throw unjudged();
    if (entered.result === "check" || pass === undefined) return entered;
    return {
      ...entered,
      settle(hasJoined: boolean) {
        entered.settle(hasJoined);
        if (hasJoined) cookie.clear(ctx.res);
      },
    };
  }
}

/** What a visitor did cannot be judged now. */
export function unjudged(): UsherError {
  return new UsherError("provider_unavailable", "the check cannot be judged just now; try again in a moment", {
    retryAfterSec: 5,
  });
}
