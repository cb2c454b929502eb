import type { Context } from "koa";
import type { Clock } from "../../../lib/clock.ts";
import { acceptsJsonOnly, seeOther, type VisitorCookies } from "../../../oidc/index.ts";
import {
  isInterruption,
  type MoveLink,
  type MoveLinks,
  numberOf,
  type Ticket,
  type WaitingRoom,
} from "../../../room/index.ts";
import { readForm } from "../../middleware/read-body.ts";
import { requireSameOrigin } from "../../middleware/same-origin.ts";
import type { PageResponder } from "../page-responder.ts";
import { placeStatusJson, reportedPlace } from "../place-status-json.ts";
import type { GivenLink } from "./link-pages.ts";
import { createMovePages, moveAddress } from "./move-pages.ts";
import { createMoveWays, type MoveWaysOptions } from "./move-ways.ts";

export interface MoveHereOptions extends MoveWaysOptions {
  readonly issuer: string;
  readonly moveLinks: MoveLinks;
  readonly cookies: VisitorCookies;
  readonly responder: PageResponder;
  readonly clock: Clock;
}

/** While the store is away. */
const awayRetrySec = 2;

/** The browser that a place is carried to. Chats and mail scanners open links, so opening one uses nothing up. */
export function createMoveHere(options: MoveHereOptions) {
  const { issuer, moveLinks, cookies, responder, clock } = options;
  const ways = createMoveWays(options);
  const answer = createMovePages(responder);

  return {
    /** `GET …/move?place=…`: the page with the button. */
    async show(ctx: Context, room: WaitingRoom): Promise<void> {
      const given = readLink(room, ctx.query.place);
      if (given === null) return answer(ctx, room, "move_void");
      const presented = presentedBy(ctx, room);
      if (presented.kind === "unknown_key") return answer(ctx, room, "ticket_unreadable", { link: given, place: null });
      const known = presented.kind === "ticket" ? presented.ticket : room.visitorWithoutPlace();
      if (isIn(room, known) || isHere(room, known, given.link)) return goOn(ctx, room, given.link, known);
      if (await isOver(room, given.link, known)) return answer(ctx, room, "move_void");
      // A visitor who presses the button twice, or again because no answer came, stays the same visitor.
      if (presented.kind === "none") keep(ctx, room, known);
      answer(ctx, room, holdsAnother(room, known, given.link) ? "move_replaces" : "move_here", { link: given });
    },

    /** `POST …/move/here`: the button. */
    async take(ctx: Context, room: WaitingRoom): Promise<void> {
      requireSameOrigin(ctx, issuer);
      const given = readLink(room, new URLSearchParams(await readForm(ctx)).get("place"));
      if (given === null) return answer(ctx, room, "move_void");
      const { link, token } = given;
      const presented = presentedBy(ctx, room);
      if (presented.kind === "unknown_key") return answer(ctx, room, "ticket_unreadable", { link: given, place: null });
      if (presented.kind === "none") {
        // The page has set one. In a browser that keeps none the place would be lost.
        responder.notice(ctx, { status: 400, code: "cookies_blocked", room, returnTo: moveAddress(room, token) });
        return;
      }
      const known = presented.ticket;
      const isOwn = known.sub === link.from && isSamePlace(known, link);
      if (isIn(room, known) || isOwn) return goOn(ctx, room, link, known);
      const isLeaving = holdsAnother(room, known, link);
      const isTheirs = await takeOrAnswer(ctx, room, given, known.sub);
      if (isTheirs === null) return;
      if (!isTheirs) return answer(ctx, room, "move_void");
      const { edition, number, joinedMs } = link;
      const place = { edition, position: number, entry: null, joinedMs };
      const moved = room.place({ ...known, ...place, claim: null, restarts: 0 });
      keep(ctx, room, moved);
      if (isLeaving) await leaveQuietly(room, known);
      goOn(ctx, room, link, moved);
    },
  };

  function readLink(room: WaitingRoom, token: unknown): GivenLink<MoveLink> | null {
    if (typeof token !== "string") return null;
    const link = moveLinks.read(room.id, token);
    return link === undefined ? null : { link, token };
  }

  function presentedBy(ctx: Context, room: WaitingRoom) {
    return room.read(cookies.readTicket(ctx.req, room.id));
  }

  function keep(ctx: Context, room: WaitingRoom, ticket: Ticket): void {
    cookies.setTicket(ctx.res, room.id, room.encode(ticket));
  }

  /**
   * Null where it is unknown whether the place is theirs now: the page asks them to press again.
   *
   * @throws UsherError for programs
   */
  async function takeOrAnswer(
    ctx: Context,
    room: WaitingRoom,
    given: GivenLink<MoveLink>,
    to: string,
  ): Promise<boolean | null> {
    try {
      return await room.moves.take(given.link, to);
    } catch (error) {
      if (!isInterruption(error) || acceptsJsonOnly(ctx.req)) throw error;
      const action = { kind: "link", href: moveAddress(room, given.token), label: "try_again" } as const;
      ctx.set("Retry-After", String(awayRetrySec));
      responder.page(ctx, 503, { code: "not_now", message: room.message, action });
      return null;
    }
  }

  /**
   * As far as is known without the store. A visitor who got the place, and no answer, may press the button again at any
   * time.
   */
  async function isOver(room: WaitingRoom, link: MoveLink, { sub }: Ticket): Promise<boolean> {
    const { edition, number: position, expiresMs } = link;
    if (room.state !== null && edition < room.state.edition) return true;
    const wasUsed = await room.moves.isElsewhere({ sub: link.from, edition, position });
    if (wasUsed && room.moves.isKnownToBeOf({ sub, edition, position })) return false;
    return wasUsed || (room.storeNowMs ?? clock.now()) > expiresMs;
  }

  /**
   * Whether the link comes from this browser, or was used in it. A visitor with an old copy of the place may bring it
   * back.
   */
  function isHere(room: WaitingRoom, ticket: Ticket, link: MoveLink): boolean {
    if (!isSamePlace(ticket, link)) return false;
    const { from: sub, edition, number: position } = link;
    const wasUsed = room.moves.isKnownElsewhere({ sub, edition, position });
    return ticket.sub === sub || (wasUsed && !room.moves.isKnownElsewhere(ticket));
  }

  /** Whether the browser has a place that would be given up. */
  function holdsAnother(room: WaitingRoom, ticket: Ticket, link: MoveLink): boolean {
    if (ticket.position === 0 || ticket.claim !== null || isSamePlace(ticket, link)) return false;
    if (room.moves.isKnownElsewhere(ticket)) return false;
    const state = room.describe(ticket)?.state;
    return state !== undefined && state !== "admitted" && state !== "expired";
  }

  /** The place that was brought is what counts. */
  async function leaveQuietly(room: WaitingRoom, ticket: Ticket): Promise<void> {
    try {
      await room.leavePlace(ticket);
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  /** Back to the address by which the visitor had come; programs get the place. */
  function goOn(ctx: Context, room: WaitingRoom, { cameBy }: MoveLink, ticket: Ticket): void {
    if (acceptsJsonOnly(ctx.req)) {
      ctx.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
      ctx.body = placeStatusJson(reportedPlace(room, ticket));
      return;
    }
    const address = ways.addressOf(room, cameBy);
    if (address !== null) {
      ctx.set("Referrer-Policy", "no-referrer");
      seeOther(ctx, address);
      return;
    }
    if (isIn(room, ticket)) responder.page(ctx, 200, { code: "bypass_in", message: room.message });
    else answer(ctx, room, "moved_here");
  }
}

function isSamePlace(ticket: Ticket, link: MoveLink): boolean {
  return numberOf(ticket) === link.number && ticket.edition === link.edition;
}

function isIn(room: WaitingRoom, ticket: Ticket): boolean {
  return room.admissions.isKnownLive(ticket.sub) || room.describe(ticket)?.state === "admitted";
}
