import type { Context } from "koa";
import type { Clock } from "../../../lib/clock.ts";
import { UsherError } from "../../../lib/errors.ts";
import { acceptsJsonOnly, seeOther } from "../../../oidc/index.ts";
import type { MoveLinks, Ticket, WaitingRoom } from "../../../room/index.ts";
import { requireSameOrigin } from "../../middleware/same-origin.ts";
import type { PageResponder } from "../page-responder.ts";
import { reportedPlace } from "../place-status-json.ts";
import { referrerOf } from "../referrer.ts";
import { moveAddress } from "./move-pages.ts";
import { createMoveWays, type MoveWaysOptions } from "./move-ways.ts";

export interface MoveOfferOptions extends MoveWaysOptions {
  readonly issuer: string;
  readonly moveLinks: MoveLinks;
  readonly responder: PageResponder;
  readonly clock: Clock;
}

/**
 * For the browser that holds a place: issues a link that moves the place to another browser, and reports when that was
 * done. Asks no store.
 */
export function createMoveOffer(options: MoveOfferOptions) {
  const { issuer, moveLinks, responder, clock } = options;
  const ways = createMoveWays(options);

  return {
    /** `POST …/move`: the link, on a page with a code to scan; as JSON `{ link, expires_at }`. */
    async offer(ctx: Context, room: WaitingRoom, { ticket, isCookie }: { ticket: Ticket; isCookie: boolean }) {
      if (isCookie) requireSameOrigin(ctx, issuer);
      const address = referrerOf(ctx, issuer);
      const isProgram = !isCookie || acceptsJsonOnly(ctx.req);
      if (!(await isUnclaimed(room, ticket))) return refuse(ctx, isProgram ? undefined : address);
      const nowMs = room.storeNowMs ?? clock.now();
      const made = moveLinks.make(ticket, nowMs, ways.read(room, address));
      const link = `${issuer}${moveAddress(room, moveLinks.encode(made))}`;
      ctx.set("Cache-Control", "no-store");
      if (isProgram) {
        ctx.body = { link, expires_at: new Date(made.expiresMs).toISOString() };
        return;
      }
      const back = address ?? ways.addressOf(room, null);
      responder.page(ctx, 200, {
        code: "move",
        values: { room: room.title },
        message: room.message,
        untilMs: made.expiresMs,
        timeZone: room.timeZone,
        move: { link, stateUrl: `/rooms/${room.id}/move/state`, leftMs: made.expiresMs - nowMs },
        ...(back !== null && { action: { kind: "link", href: back, label: "back_to_place" } }),
      });
    },

    /** `GET …/move/state`: whether the place was taken over, and whether its turn has come. */
    async tellState(ctx: Context, room: WaitingRoom, ticket: Ticket): Promise<void> {
      ctx.set("Cache-Control", "no-store");
      const moved = await room.moves.isElsewhere(ticket);
      ctx.body = { moved, state: reportedPlace(room, ticket).state };
    },
  };

  async function isUnclaimed(room: WaitingRoom, ticket: Ticket): Promise<boolean> {
    if (ticket.position === 0 || ticket.claim !== null) return false;
    if (room.isAhead(ticket)) await room.verifyAhead(ticket);
    if (await room.moves.isElsewhere(ticket)) return false;
    const { state } = reportedPlace(room, ticket);
    return state !== "admitted" && state !== "expired";
  }

  /** The outcome is shown at the address from which the visitor came. */
  function refuse(ctx: Context, address: string | undefined): void {
    if (address === undefined) {
      throw new UsherError("conflict", "there is no unclaimed place that could be moved", { status: 409 });
    }
    seeOther(ctx, address);
  }
}
