/** How visitors of a room are handed over to a site with a connector: by `queueittoken` in the address, and never in a loop. */
import type { Context } from "koa";
import { hashRequest, type WaitingRoom } from "../../room/index.ts";
import { sendOn, withoutToken, withToken } from "../../web/visitor/links/hand-over.ts";
import type { HandOver, VisitorParts } from "../../web/visitor/parts.ts";
import type { HomeCounts } from "./metrics.ts";
import type { QueueItSettings } from "./settings.ts";
import { encodeToken, signingKeyOf, tokenOf } from "./token.ts";

export const handOverName = "queue_it";
const parameter = "queueittoken";
/**
 * So often in a row a browser is sent to the same address of a site, or comes back with a token that the site has refused. Then a page
 * explains: the site keeps no session, or its clock is wrong.
 */
export const triesMax = { sameAddress: 4, refused: 3 } as const;
/** Seconds after the last try for which they count. */
const countedSec = 60;
/** Of one room; a browser may restore a window of tabs. */
const rememberedMax = 16;

/** Addresses that the browser was just sent to, in the cookie of the room that links have for it. */
export function createTries(cookies: Pick<VisitorParts["cookies"], "sent">) {
  return {
    /** Counts one more. False: it was the last one already. */
    add(ctx: Context, room: WaitingRoom, what: string, most: number): boolean {
      const names = cookies.sent(room.id).read(ctx.req)?.split(".", rememberedMax) ?? [];
      const name = hashRequest(`queue_it ${what}`);
      if (names.filter((each) => each === name).length >= most) return false;
      cookies.sent(room.id).set(ctx.res, [...names, name].slice(-rememberedMax).join("."), countedSec);
      return true;
    },
    has(ctx: Context, room: WaitingRoom, what: string): boolean {
      const names = cookies.sent(room.id).read(ctx.req)?.split(".", rememberedMax) ?? [];
      return names.includes(hashRequest(`queue_it ${what}`));
    },
  };
}

export function createHandOver(
  home: QueueItSettings,
  { cookies, responder }: Pick<VisitorParts, "cookies" | "responder">,
  counts: HomeCounts,
): HandOver {
  const tries = createTries(cookies);
  return (eventId, { id }) =>
    home.rooms.get(eventId) !== id
      ? null
      : ({ ctx, room, admission, target, address }) => {
          const isAgain = tries.has(ctx, room, target);
          if (!tries.add(ctx, room, target, triesMax.sameAddress)) {
            counts.add("loop", room.id);
            return responder.notice(ctx, { status: 200, code: "too_many_restarts", room, restartUri: address });
          }
          const isSliding = room.settings.admission.maxDurationMs !== null;
          const token = tokenOf(admission, { eventId, nowMs: room.nowMs, isSliding, isAgain });
          counts.add(token.redirectType, room.id);
          sendOn(ctx, withToken(withoutToken(target), encodeToken(token, signingKeyOf(home)), parameter));
        };
}

/** The address of a site without the tokens of earlier visits. */
export function plainTarget(address: string): string {
  return withoutToken(withoutToken(address, parameter));
}
