import type { Context } from "koa";
import { z } from "zod";
import { html, seeOtherAnswer } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import { acceptsJsonOnly } from "../../../lib/request.ts";
import { readTickets, seeOther } from "../../../oidc/index.ts";
import {
  drawOf,
  isInterruption,
  type MoveLink,
  numberOf,
  reportedPlace,
  type Ticket,
  type WaitingRoom,
} from "../../../room/index.ts";
import { readSameOriginForm } from "../../middleware/read-body.ts";
import { linkAnswer, moveAnswer, moveStateAnswer, pageAnswer, placeAnswer } from "../answers.ts";
import { ofRoom } from "../pages/gate-notices.ts";
import { referrerOf } from "../pages/page-request.ts";
import { keepAlone, keepTicket, readTicket, type VisitorParts } from "../parts.ts";
import { placeStatusJson } from "../place-status-json.ts";
import type { Presented, RoomRoutes } from "../room-routes.ts";
import { createWaysBack } from "../way-back.ts";
import { sendOn } from "./hand-over.ts";
import { createLinkPages } from "./link-pages.ts";

export type MoveParts = Pick<
  VisitorParts,
  "issuer" | "sitesOf" | "moveLinks" | "cookies" | "cookieBound" | "responder"
>;

/** While the store is away. */
const awayRetrySec = "2";

/** The routes of places that are carried to another browser. */
export function addMoveRoutes({ page, ofHolder }: RoomRoutes, parts: MoveParts): void {
  const move = createMove(parts);
  ofHolder(
    "POST",
    "/move",
    () => ({
      summary: "Makes a link that carries the place to another browser.",
      answers: [
        { status: 200, schema: moveAnswer, types: html, description: "The link, or a page with it." },
        { ...seeOtherAnswer, description: "Back to the waiting page, where the place cannot be moved." },
      ],
      errors: ["conflict", "move_spent"],
    }),
    move.offer,
  );
  ofHolder(
    "GET",
    "/move/state",
    () => ({
      summary: "Tells whether the place was moved to another browser.",
      answers: [{ status: 200, schema: moveStateAnswer, description: "Whether, and the state of the place." }],
    }),
    move.tellState,
  );
  page(
    "GET",
    "/move",
    () => ({
      summary: "Asks whether to go on waiting in this browser; uses nothing up.",
      query: z.object({ place: z.string() }),
      answers: [
        {
          status: 200,
          schema: [linkAnswer, placeAnswer],
          types: html,
          description: "The page of the link, or the place.",
        },
        seeOtherAnswer,
      ],
      errors: ["move_void", "store_unavailable", "ticket_unreadable"],
    }),
    move.show,
  );
  page(
    "POST",
    "/move/here",
    () => ({
      summary: "Takes the place over into this browser.",
      form: z.object({ place: z.string() }),
      answers: [
        { status: 200, schema: [linkAnswer, placeAnswer, pageAnswer], types: html, description: "The place is here." },
        seeOtherAnswer,
      ],
      errors: ["cookies_blocked", "move_void", "room_recovering", "store_unavailable", "ticket_unreadable"],
    }),
    move.take,
  );
}

/** A place is carried to another browser by a link. Making the link and opening it asks no store. */
export function createMove({ issuer, sitesOf, moveLinks, cookies, cookieBound, responder }: MoveParts) {
  const waysBack = createWaysBack(sitesOf);
  const pages = createLinkPages("move", moveLinks, responder);
  const { answer } = pages;

  return {
    /**
     * `POST …/move`, by the browser that holds the place: the link, on a page with a code to scan; as JSON `{ link,
     * expires_at }`.
     */
    async offer(ctx: Context, room: WaitingRoom, { ticket, isCookie }: Presented) {
      const address = referrerOf(ctx, issuer);
      const isProgram = !isCookie || acceptsJsonOnly(ctx.headers);
      if (!(await isUnclaimed(room, ticket))) {
        // The outcome is shown at the address from which the visitor came.
        if (!isProgram && address !== undefined) return seeOther(ctx, address);
        throw new UsherError("conflict", "there is no unclaimed place that could be moved");
      }
      const back = address ?? waysBack.address(room.id, null);
      const goBack = back !== null && { action: { kind: "link", href: back, label: "back_to_place" } as const };
      if (!mayMove(room, ticket)) {
        const error = new UsherError("move_spent", "the room's rule lets this place be moved no more, or not yet");
        if (isProgram) throw error;
        return responder.page(ctx, error.status, { code: "move_spent", ...ofRoom(room), ...goBack });
      }
      const { nowMs } = room;
      const moveLink = moveLinks.make(ticket, nowMs, waysBack.cameBy(room.id, address));
      const link = issuer + pages.addressOf(room, moveLinks.encode(moveLink));
      if (isProgram) {
        const expires_at = new Date(moveLink.expiresMs).toISOString();
        ctx.body = { link, expires_at } satisfies z.output<typeof moveAnswer>;
        return;
      }
      responder.page(ctx, 200, {
        code: "move",
        ...ofRoom(room),
        untilMs: moveLink.expiresMs,
        move: { link, stateUrl: `/rooms/${room.id}/move/state`, leftMs: moveLink.expiresMs - nowMs },
        ...goBack,
      });
    },

    /** `GET …/move/state`: whether the place was taken over, and whether its turn has come. */
    async tellState(ctx: Context, room: WaitingRoom, { ticket }: Presented): Promise<void> {
      const moved = await room.confirmMoved(ticket);
      const { state } = reportedPlace(room, ticket);
      ctx.body = { moved, state } satisfies z.output<typeof moveStateAnswer>;
    },

    /**
     * `GET …/move?place=…`, in the other browser: the page with the button. Chats and mail scanners open links, so opening one
     * uses nothing up.
     */
    async show(ctx: Context, room: WaitingRoom): Promise<void> {
      const usable = pages.read(room, ctx.query.place);
      if (usable === null) return answer(ctx, room, "move_void");
      const presented = readTicket(ctx, room, cookies);
      if (presented.kind === "unknown_key") {
        return answer(ctx, room, "ticket_unreadable", { usable, place: null });
      }
      const current = presented.kind === "ticket" ? presented.ticket : room.visitorWithoutPlace();
      if (isIn(room, current) || isHere(room, current, usable.link) || holdsEarlier(room, current, usable.link))
        return goOn(ctx, room, usable.link, current);
      if (await isOver(room, usable.link, current)) return answer(ctx, room, "move_void");
      // A visitor who presses the button twice, or again because no answer came, stays the same visitor.
      if (presented.kind === "none") {
        const places = cookieBound(ctx, room.id);
        const returnTo = pages.addressOf(room, usable.token);
        if (places !== null)
          return responder.notice(ctx, { status: 200, code: "too_many_places", room, places, returnTo });
        keepTicket(ctx, room, cookies, current);
      }
      const code = holdsAnother(room, current, usable.link) ? "move_replaces" : "move_here";
      answer(ctx, room, code, { usable });
    },

    /** `POST …/move/here`: the button. */
    async take(ctx: Context, room: WaitingRoom): Promise<void> {
      const usable = pages.read(room, (await readSameOriginForm(ctx, issuer)).get("place"));
      if (usable === null) return answer(ctx, room, "move_void");
      const { link, token } = usable;
      const returnTo = pages.addressOf(room, token);
      const { presented, surplus } = readTickets(cookies, room, ctx.req);
      if (presented.kind === "unknown_key") {
        return answer(ctx, room, "ticket_unreadable", { usable, place: null });
      }
      if (presented.kind === "none") {
        // The page has set one. In a browser that keeps none the place would be lost.
        return responder.notice(ctx, { status: 400, code: "cookies_blocked", room, returnTo });
      }
      const current = presented.ticket;
      const isSource = current.sub === link.from && isSamePlace(current, link);
      if (isIn(room, current) || isSource || holdsEarlier(room, current, link)) return goOn(ctx, room, link, current);
      const isLeaving = holdsAnother(room, current, link);
      let isTheirs: boolean;
      try {
        isTheirs = await room.moves.take(link, current.sub);
      } catch (error) {
        if (!isInterruption(error) || acceptsJsonOnly(ctx.headers)) throw error;
        // Whether the place is theirs now is unknown: the page asks them to press again.
        const action = { kind: "link", href: returnTo, label: "try_again" } as const;
        ctx.set("Retry-After", awayRetrySec);
        return responder.page(ctx, 503, { code: "not_now", message: room.message, action });
      }
      if (!isTheirs) return answer(ctx, room, "move_void");
      const { edition, number, joinedMs } = link;
      const place = { edition, position: number, entry: null, joinedMs };
      const moved = room.place({ ...current, ...place, claim: null, restarts: 0 });
      keepAlone(ctx, room, cookies, moved);
      for (const other of isLeaving ? [current, ...surplus] : surplus) await leaveQuietly(room, other);
      goOn(ctx, room, link, moved);
    },
  };

  /** Back to the address by which the visitor had come; programs get the place. */
  function goOn(ctx: Context, room: WaitingRoom, { cameBy }: MoveLink, ticket: Ticket): void {
    if (acceptsJsonOnly(ctx.headers)) {
      ctx.set("Referrer-Policy", "no-referrer");
      ctx.body = placeStatusJson(reportedPlace(room, ticket));
      return;
    }
    const address = waysBack.address(room.id, cameBy);
    if (address !== null) sendOn(ctx, address);
    else if (isIn(room, ticket)) responder.page(ctx, 200, { code: "bypass_in", message: room.message });
    else answer(ctx, room, "moved_here");
  }
}

/** By the room's rule (`moves`), as far as is known without the store, which has the last word when the link is used. */
function mayMove(room: WaitingRoom, ticket: Ticket): boolean {
  const rule = room.moveRule;
  if (rule !== "once") return rule === "unlimited";
  return !room.moves.belongsTo(ticket) && drawOf(reportedPlace(room, ticket)) !== "undrawn";
}

async function isUnclaimed(room: WaitingRoom, ticket: Ticket): Promise<boolean> {
  if (ticket.position === 0 || ticket.claim !== null) return false;
  if (room.isAhead(ticket)) await room.verifyAhead(ticket);
  if (await room.confirmMoved(ticket)) return false;
  const { state } = reportedPlace(room, ticket);
  return state !== "admitted" && state !== "expired";
}

/** As far as is known without the store. A visitor who got the place, and no answer, may press the button again at any time. */
async function isOver(room: WaitingRoom, link: MoveLink, { sub }: Ticket): Promise<boolean> {
  const { edition, number: position, expiresMs } = link;
  if (room.state !== null && edition < room.state.edition) return true;
  const wasUsed = await room.confirmMoved({ sub: link.from, edition, position });
  if (wasUsed && room.moves.belongsTo({ sub, edition, position })) return false;
  return wasUsed || room.nowMs > expiresMs;
}

/** Whether the link comes from this browser, or was used in it. A visitor with an old copy of the place may bring it back. */
function isHere(room: WaitingRoom, ticket: Ticket, link: MoveLink): boolean {
  if (!isSamePlace(ticket, link)) return false;
  const { from: sub, edition, number: position } = link;
  const wasUsed = room.isMoved({ sub, edition, position });
  return ticket.sub === sub || (wasUsed && !room.isMoved(ticket));
}

/** Whether the browser has a place that would be given up. */
function holdsAnother(room: WaitingRoom, ticket: Ticket, link: MoveLink): boolean {
  if (ticket.position === 0 || ticket.claim !== null || isSamePlace(ticket, link)) return false;
  if (room.isMoved(ticket)) return false;
  const state = room.describe(ticket)?.state;
  return state !== undefined && state !== "admitted" && state !== "expired";
}

/**
 * Whether the browser already has an earlier place in line, so that moving would only lose it. Before a draw no entry is better than another, so
 * the visitor's choice to move is followed.
 */
function holdsEarlier(room: WaitingRoom, ticket: Ticket, link: MoveLink): boolean {
  if (ticket.edition !== link.edition || numberOf(ticket) > link.number) return false;
  return drawOf(reportedPlace(room, ticket)) === null && holdsAnother(room, ticket, link);
}

/** The place that was brought is what counts. */
async function leaveQuietly(room: WaitingRoom, ticket: Ticket): Promise<void> {
  try {
    await room.leavePlace(ticket);
  } catch (error) {
    if (!isInterruption(error)) throw error;
  }
}

function isSamePlace(ticket: Ticket, link: MoveLink): boolean {
  return numberOf(ticket) === link.number && ticket.edition === link.edition;
}

function isIn(room: WaitingRoom, ticket: Ticket): boolean {
  return room.admissions.isCachedLive(ticket.sub) || room.describe(ticket)?.state === "admitted";
}
