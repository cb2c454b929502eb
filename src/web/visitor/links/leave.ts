import type { Context } from "koa";
import { z } from "zod";
import { seeOtherAnswer } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import { referringOrigin, requestKindOf } from "../../../lib/request.ts";
import { freshStart, seeOther } from "../../../oidc/index.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import { requireSameOrigin } from "../../middleware/cross-origin.ts";
import { readForm } from "../../middleware/read-body.ts";
import { aPage } from "../answers.ts";
import { ofRoom, onwardOf } from "../pages/gate-notices.ts";
import { referrerOf } from "../pages/page-request.ts";
import { leaveRoom, readTicket, type VisitorParts } from "../parts.ts";
import type { RoomRoutes } from "../room-routes.ts";

/** The routes of leaving. */
export function addLeaveRoutes({ page }: RoomRoutes, parts: VisitorParts): void {
  const leave = createLeave(parts);
  const returning = z.object({ return: z.string().optional() });
  const left = {
    answers: [aPage, seeOtherAnswer],
    errors: ["room_recovering", "store_unavailable", "ticket_unreadable"],
  } as const;
  page(
    "GET",
    "/leave",
    () => ({ summary: "Gives up the place, or asks whether to.", query: returning, ...left }),
    leave.byLink,
  );
  page("POST", "/leave", () => ({ summary: "Gives up the place.", form: returning, ...left }), leave.byButton);
}

/**
 * The visitor's browser gives up the place, or ends the visit. Anybody can link to the address, so a link that does not come
 * from a site of the room only asks.
 */
export function createLeave({ issuer, sitesOf, cookies, responder }: VisitorParts) {
  return {
    /** `GET …/leave?return=ADDRESS` */
    byLink: (ctx: Context, room: WaitingRoom): Promise<void> =>
      byAddress(ctx, [room], readReturn(ctx.query.return, room)),

    byAddress,

    /** The button of our own pages, for browsers without scripts as well. */
    async byButton(ctx: Context, room: WaitingRoom): Promise<void> {
      requireSameOrigin(ctx, issuer);
      const hasForm = ctx.get("Content-Length") !== "0" && ctx.get("Content-Type") !== "";
      const form = new URLSearchParams(hasForm ? await readForm(ctx) : "");
      const returnTo = readReturn(form.get("return") ?? undefined, room);
      await leave(ctx, room);
      answer(ctx, room, returnTo);
    },
  };

  /**
   * Leaves rooms by an address that a site's page leads to: from a site of all of them at once, else with a question, which is about the
   * first. A prefetch, an image or a frame leaves nothing.
   *
   * @param returnTo an address of a list of theirs; null for a page
   */
  async function byAddress(
    ctx: Context,
    rooms: readonly [WaitingRoom, ...WaitingRoom[]],
    returnTo: string | null,
  ): Promise<void> {
    const [first] = rooms;
    const from = referringOrigin(ctx.headers);
    if (
      requestKindOf(ctx.method, ctx.headers) === "navigation" &&
      rooms.every(({ id }) => sitesOf(id).origins.has(from))
    ) {
      for (const room of rooms) await leave(ctx, room);
      return answer(ctx, first, returnTo);
    }
    // Of several rooms it may be of another one's list.
    const isOfFirst = returnTo !== null && sitesOf(first.id).findReturn(returnTo) !== null;
    const fields: Record<string, string> = isOfFirst ? { return: returnTo } : {};
    responder.page(ctx, 200, {
      code: "leave_confirm",
      ...ofRoom(first),
      action: { kind: "post", action: `/rooms/${first.id}/leave`, label: "leave", fields },
    });
  }

  async function leave(ctx: Context, room: WaitingRoom): Promise<void> {
    const presented = readTicket(ctx, room, cookies);
    if (presented.kind === "unknown_key") {
      throw new UsherError("ticket_unreadable", "this process cannot read the ticket; try again later");
    }
    if (presented.kind !== "ticket") return;
    await leaveRoom(ctx, room, cookies, presented.ticket);
  }

  function answer(ctx: Context, room: WaitingRoom, returnTo: string | null) {
    if (returnTo !== null) return seeOther(ctx, returnTo);
    const back = referrerOf(ctx, issuer);
    responder.page(ctx, 200, {
      code: "left",
      ...ofRoom(room),
      ...onwardOf(room),
      ...(back !== undefined && { action: { kind: "link", href: freshStart(back), label: "join_again" } }),
    });
  }

  /** @throws UsherError `bad_request` for an address that is not on the list */
  function readReturn(value: unknown, room: WaitingRoom): string | null {
    if (value === undefined || value === "") return null;
    const returnTo = typeof value === "string" ? sitesOf(room.id).findReturn(value) : null;
    if (returnTo !== null) return returnTo;
    throw new UsherError("bad_request", "the address to return to is not one that this room's sites have registered");
  }
}
