/**
 * A program at the address of a site: its first request takes a place, the ticket of which stands in a cookie of the site, and each further one asks to
 * enter. The claim is the same as everywhere.
 */
import type { Context } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { firstRefusal, type LoginAttempt, ticketMaxAgeSec } from "../../oidc/index.ts";
import {
  type Admission,
  type AwayAdmission,
  stateFor,
  type Ticket,
  type WaitingRoom,
  withoutPlace,
} from "../../room/index.ts";
import { sampleRank } from "../../room/public-status/pacing.ts";
import { createEntryByTicket, placeAfterClaim } from "../../web/visitor/claim.ts";
import type { VisitorParts } from "../../web/visitor/parts.ts";
import { createPlaceForProgram } from "../../web/visitor/place-for-program.ts";
import type { ProgramsOfRoom, SiteAnswer, SiteVisit } from "../../web/visitor/programs.ts";
import { later } from "../../web/visitor/status.ts";
import type { HomeCounts } from "./metrics.ts";
import { waitingRoomJson, wantsWaitingRoomJson } from "./wire.ts";

/** The first claim may show that the place is over, and the second that there is another line. More would be a loop. */
const triesMax = 3;
/** Another process may be able to read the ticket, or have heard of the room's opening. */
const retryMs = 5_000;

/** The place is over, and whoever asks again wants another one. */
const isOver = new Set(["place_expired", "place_left", "moved", "admission_ended"]);

type Parts = Pick<VisitorParts, "join" | "joinAddressOf" | "steps" | "sitesOf" | "clock">;

export function createAtSite(parts: Parts, counts: HomeCounts): ProgramsOfRoom["atSite"] {
  const takePlace = createPlaceForProgram(parts);
  const enter = createEntryByTicket(parts);

  return async (visit) => {
    const { ctx, room } = visit;
    if (!wantsWaitingRoomJson(ctx.headers)) return null;
    try {
      const outcome = await enterOrWait(visit);
      counts.add(room.id, "admission" in outcome ? "admitted" : "waiting");
      return outcome;
    } catch (error) {
      if (!(error instanceof UsherError)) throw error;
      const answer = refused(visit, error);
      counts.add(room.id, answer.retryMs === null ? "refused" : "waiting");
      return answer;
    }
  };

  /** @throws UsherError */
  async function enterOrWait(visit: SiteVisit) {
    const { ctx, room } = visit;
    let ticket = readTicket(visit);
    for (let tries = 0; tries < triesMax; tries++) {
      if (ticket === null || needsPlace(room, ticket)) {
        ticket = await takePlace(ctx, room, ticket, async () => ({}));
        visit.ticket.set(room.encode(ticket), ticketMaxAgeSec(room));
      }
      const outcome = await tryToEnter(ctx, room, ticket);
      if (outcome !== "over") return outcome;
      ticket = withoutPlace(ticket);
    }
    throw later("the line has changed just now; ask again in a moment");
  }

  async function tryToEnter(
    ctx: Context,
    room: WaitingRoom,
    ticket: Ticket,
  ): Promise<{ readonly admission: Admission | AwayAdmission } | SiteAnswer | "over"> {
    try {
      const known = await knownAdmission(ctx, room, ticket);
      if (known !== null) return { admission: known };
      const entry = await enter(ctx, room, ticket);
      if (entry.admission !== null) return { admission: entry.admission };
      return await wait(room, entry);
    } catch (error) {
      if (error instanceof UsherError && isOver.has(error.code)) return "over";
      throw error;
    }
  }

  /**
   * What this process knows of the visitor's admission: a proxy that brings the program no cookie of its admission asks with the ticket each time, which
   * is no login each time. A ticket can be copied, so whatever a claim would look at is looked at: the steps before a login here, addresses by a claim.
   */
  async function knownAdmission(ctx: Context, room: WaitingRoom, ticket: Ticket): Promise<Admission | null> {
    const known = room.admissions.cached(ticket.sub);
    if (!known?.isLive || room.settings.admission.addressesPerAdmission != null) return null;
    const login: LoginAttempt = { ctx, room, by: "app", address: "", ticket, grant: {} };
    return (await firstRefusal(parts.steps.beforeLogin, login)) === null ? known.admission : null;
  }

  /** @throws UsherError */
  async function wait(room: WaitingRoom, { ticket, answer }: Awaited<ReturnType<typeof enter>>): Promise<SiteAnswer> {
    // A place that seems moved is asked for again, so that nobody is told what is over.
    if (room.isMoved(ticket) && (await room.confirmMoved(ticket)) && room.availability === "ready")
      throw new UsherError("moved", "this place was moved to another browser");
    if (room.state !== null && stateFor(room, ticket) === null)
      throw later("this place is newer than what is known of the room; ask again in a moment");
    room.recordPage(ticket, sampleRank(ticket.position));
    const { place, retryMs } = placeAfterClaim(room, ticket, answer);
    const waiting = { room, place, retryMs: retryMs ?? place.pollAfterMs, error: null };
    const body = { cfWaitingRoom: waitingRoomJson(waiting) };
    return { status: room.settings.waitingStatus, body, retryMs: waiting.retryMs };
  }
}

/** Null for none, and for one that is worth nothing. @throws UsherError for one that another process may read */
function readTicket({ room, ticket }: SiteVisit): Ticket | null {
  const presented = room.read(ticket.value);
  if (presented.kind === "unknown_key")
    throw new UsherError("ticket_unreadable", "this process cannot read the ticket; keep it and ask again", {
      retryAfterSec: retryMs / 1_000,
    });
  return presented.kind === "ticket" ? presented.ticket : null;
}

/** Neither a place of this edition nor an admission. Where everybody passes, a visitor who has been here needs none. */
function needsPlace(room: WaitingRoom, { position, claim, sub }: Ticket): boolean {
  if (position > 0 || room.entrance === "pass") return false;
  return room.away.isLettingIn ? !room.away.hasLetIn(sub) : claim === null && !room.admissions.isCachedLive(sub);
}

/** Whoever can wait for it is told to, as to any other wait. */
function refused({ room, enter }: SiteVisit, error: UsherError): SiteAnswer {
  const { code, message, members, status } = error;
  const isUnopened = code === "room_closed" && room.state?.phase !== "ended";
  const waitMs = error.retryAfterSec === undefined ? (isUnopened ? retryMs : null) : error.retryAfterSec * 1_000;
  const json = waitingRoomJson({ room, place: null, retryMs: waitMs ?? retryMs, error: code });
  const error_description = error.expose ? message : "something went wrong";
  return {
    status: waitMs === null ? status : room.settings.waitingStatus,
    body: { cfWaitingRoom: json, error: code, error_description, ...members, enter },
    retryMs: waitMs,
  };
}
