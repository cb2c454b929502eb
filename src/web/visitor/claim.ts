import type { Context } from "koa";
import type { z } from "zod";
import type { Refusal } from "../../lib/described-route.ts";
import { type ErrorCode, UsherError } from "../../lib/errors.ts";
import { firstRefusal, type LoginAttempt } from "../../oidc/index.ts";
import {
  type Admission,
  type AwayAdmission,
  type ClaimAnswer,
  claimedTicket,
  deferredClaim,
  type EntryVoid,
  hashRequest,
  mayClaim,
  type ReportedPlace,
  reportedPlace,
  type Ticket,
  type WaitingRoom,
  withoutOldPlace,
} from "../../room/index.ts";
import { claimAnswer, tokenAnswer } from "./answers.ts";
import { keepTicket, type VisitorParts } from "./parts.ts";
import { placeStatusJson, voidMembers } from "./place-status-json.ts";
import type { Presented, RoomRoutes } from "./room-routes.ts";
import { later } from "./status.ts";

/** Claims of apps that are refused for good. */
const refusals = {
  exhausted: ["too_many_logins", "this admission has been used for as many logins as it allows"],
  too_many_addresses: ["in_use", "this admission is in use at as many addresses as it allows"],
  expired: ["place_expired", "the place was served and not claimed in time; take a new ticket"],
  voided: ["entry_voided", "the organiser has voided this entry of the draw"],
  left: ["place_left", "this place was given up; take a new ticket"],
  moved: ["moved", "this place was moved to another browser; take a new ticket"],
  closed: ["room_ended", "the room lets nobody in"],
  old_edition: ["place_expired", "this ticket holds no place in the line of today; take a new ticket"],
} as const satisfies Partial<Record<ClaimAnswer["result"], readonly [ErrorCode, string]>>;

/** Why a ticket lets nobody in. */
export const entryErrors = [
  "admission_ended",
  ["device_required", 401],
  "entry_voided",
  "in_use",
  "moved",
  "other_device",
  "place_expired",
  "place_left",
  "room_ended",
  "sign_in_required",
  "too_many_logins",
] as const satisfies readonly Refusal[];

/** The routes by which a place becomes an admission without an authorization request. */
export function addClaimRoutes({ ofHolder }: RoomRoutes, parts: VisitorParts): void {
  const claims = createClaims(parts);
  ofHolder(
    "POST",
    "/tickets/me/claim",
    () => ({
      summary: "Asks to enter.",
      answers: [{ status: 200, schema: claimAnswer, description: "The place, and what holds it." }],
      errors: ["device_required", ["device_required", 401], "other_device"],
    }),
    claims.claim,
  );
  ofHolder(
    "POST",
    "/tickets/me/token",
    () => ({
      summary: "Exchanges the ticket for an admission token, once it is the visitor's turn; renews one.",
      answers: [
        { status: 200, schema: tokenAnswer, description: "The token, and the ticket that replaces the one sent." },
        { status: 202, schema: claimAnswer, description: "Not yet: ask again after `poll_after_ms`." },
      ],
      errors: entryErrors,
    }),
    claims.exchange,
    false,
  );
}

/** Claims that no authorization request comes with: of pages that stay loaded, and of apps. */
export function createClaims(parts: VisitorParts) {
  const { cookies, tokens, steps } = parts;
  const enter = createEntryByTicket(parts);
  return {
    /**
     * `POST …/tickets/me/claim`: the claim of a held visitor whose page stays loaded. An admitted visitor logs in with the
     * navigation that follows: no login is recorded, and no authorization request is answered. Idempotent.
     */
    async claim(ctx: Context, room: WaitingRoom, { ticket, isCookie }: Presented): Promise<void> {
      if (room.isAhead(ticket)) await room.verifyAhead(ticket);
      // A place of another edition is for the authorization endpoint to explain.
      const isCurrent = room.state?.edition === ticket.edition;
      const isClaiming = isCurrent && mayClaim(room, ticket);
      // A copy of a bound ticket uses nothing up. A page that has no proof any more comes again, and shows one.
      if (isClaiming) for (const step of steps.beforeClaim) await step({ ctx, room, ticket, isApp: !isCookie });
      const result = isClaiming ? await room.claim(ticket, null) : null;
      const newTicket = result?.result === "admitted" ? claimedTicket(room, ticket, result.admission) : ticket;
      // A ticket that came by cookie is kept there.
      if (newTicket !== ticket && isCookie) keepTicket(ctx, room, cookies, newTicket);
      const handedOut = newTicket === ticket || isCookie ? undefined : room.encode(newTicket);
      ctx.body = { ...(!isCookie && { ticket: handedOut }), ...claimJson(room, newTicket, result) };
    },

    /** `POST …/tickets/me/token`: an app exchanges its ticket for an admission token, and renews it by asking again. */
    async exchange(ctx: Context, room: WaitingRoom, { ticket: presented }: Presented): Promise<void> {
      const { admission, ticket, answer } = await enter(ctx, room, presented);
      if (admission === null) return notYet(ctx, room, ticket, answer);
      const { nowMs } = room;
      const { token, expiresMs } = await tokens.issue(room.id, admission, nowMs);
      ctx.body = {
        token,
        token_type: "Bearer",
        expires_in: Math.max(0, Math.floor((expiresMs - nowMs) / 1_000)),
        ticket: room.encode(ticket),
      } satisfies z.output<typeof tokenAnswer>;
    },
  };
}

/** What became of a visitor who wants to enter with a ticket alone. */
export interface EntryByTicket {
  /** Null: the visitor waits. */
  readonly admission: Admission | AwayAdmission | null;
  /** It replaces the one that was presented. */
  readonly ticket: Ticket;
  /** What a claim was answered; null where none was made. */
  readonly answer: ClaimAnswer | null;
}

/**
 * Makes the claim of a ticket that a program holds. All requests within half of an admission token's validity are one login, so a lost answer costs
 * nothing.
 */
export function createEntryByTicket({
  sitesOf,
  joinAddressOf,
  steps,
}: Pick<VisitorParts, "sitesOf" | "joinAddressOf" | "steps">) {
  /** @throws UsherError where the ticket is worth nothing any more, nobody can say now, or something is asked first */
  return async (ctx: Context, room: WaitingRoom, presented: Ticket): Promise<EntryByTicket> => {
    if (presented.position > 0 && room.isAhead(presented)) await room.verifyAhead(presented);
    const current = withoutOldPlace(room, presented);
    const isVoid = current.position === 0 && current.claim === null;
    if (isVoid && !mayClaim(room, current)) throw refusal("old_edition");
    if (!mayClaim(room, current)) return { admission: null, ticket: current, answer: null };
    // A ticket can be copied, and says nothing of who holds it.
    const attempt: LoginAttempt = { ctx, room, by: "app", address: "", ticket: current, grant: {} };
    const refused = await firstRefusal(steps.beforeLogin, attempt);
    if (refused !== null) throw refused.error();
    const { ticket } = attempt;
    const answer = await room.claim(ticket, loginOf(room, ticket), { address: joinAddressOf(ctx) });
    switch (answer.result) {
      case "admitted":
        return entered(room, ticket, answer, answer.admission);
      case "answered": {
        // No further login; where admissions are sliding it extends this one, as a refresh of tokens does.
        const renewed = (await room.admissions.renew(ticket.sub)) ?? answer.admission;
        if (renewed.ended !== null) throw await ended(room, ticket);
        return entered(room, ticket, answer, renewed);
      }
      case "let_in":
        // The place stays the visitor's, and so does the ticket.
        return { admission: answer.admission, ticket, answer };
      case "away":
        throw later("the store is away; keep the ticket and try again");
      case "recovering": {
        const message = "the room is being recovered; keep the ticket and try again";
        throw later(message, answer.remainingMs, "room_recovering");
      }
      case "no_place":
        throw ticket.claim === null ? refusal("old_edition") : await ended(room, ticket);
      case "ended":
        throw await ended(room, ticket);
      case "newer_edition":
      case "beyond":
      case "waiting":
      case "paused":
      case "held":
      case "void":
        return { admission: null, ticket, answer };
      default:
        throw refusal(answer.result, answer.result === "voided" ? room.voidOf(ticket) : null);
    }
  };

  /** The same name for all requests within one half of the token's validity. */
  function loginOf(room: WaitingRoom, { sub, claim }: Ticket): string {
    const { nowMs } = room;
    const admittedMs = room.admissions.cached(sub)?.admission.admittedMs ?? claim?.admittedMs ?? nowMs;
    const turn = Math.floor((nowMs - admittedMs) / (sitesOf(room.id).validityMs / 2));
    return hashRequest(`token ${sub} ${turn}`);
  }
}

function entered(room: WaitingRoom, ticket: Ticket, answer: ClaimAnswer, admission: Admission): EntryByTicket {
  return { admission, ticket: { ...claimedTicket(room, ticket, admission), restarts: 0 }, answer };
}

/** How the admission ended is for its holder to know. */
async function ended(room: WaitingRoom, { sub }: Ticket): Promise<UsherError> {
  const admission = room.admissions.cached(sub)?.admission ?? (await room.admissions.find(sub));
  return new UsherError("admission_ended", "the admission of this ticket is over; take a new ticket", {
    members: { reason: admission?.ended ?? "expired" },
  });
}

/** 202: the request stands, and is to be made again. */
function notYet(ctx: Context, room: WaitingRoom, ticket: Ticket, result: ClaimAnswer | null): void {
  const status = claimJson(room, ticket, result);
  ctx.status = 202;
  ctx.set("Retry-After", String(Math.ceil(status.poll_after_ms / 1_000)));
  ctx.body = status;
}

/** The place after a claim. */
function claimJson(
  room: WaitingRoom,
  ticket: Ticket,
  result: ClaimAnswer | null,
): Required<Omit<z.output<typeof claimAnswer>, "ticket" | "voided">> {
  const { place, retryMs } = placeAfterClaim(room, ticket, result);
  return { ...placeStatusJson(place, retryMs), held_by: deferredClaim(result)?.by ?? null };
}

/** The place after a claim, and milliseconds after which to ask again where the claim says it. @param answer null: none was made */
export function placeAfterClaim(room: WaitingRoom, ticket: Ticket, answer: ClaimAnswer | null) {
  const retryMs = answer?.result === "held" ? answer.retryMs : null;
  return { place: afterClaim(reportedPlace(room, ticket), answer), retryMs };
}

/** The store's answer is newer than the state that this process has synced. */
function afterClaim(place: ReportedPlace, result: ClaimAnswer | null): ReportedPlace {
  switch (result?.result) {
    case "held":
      return { ...place, state: "served", ahead: result.rank, estimate: null };
    case "expired":
    case "left":
    case "moved":
    case "voided":
    case "ended":
    case "old_edition":
      return { ...place, state: "expired", turnLeftMs: null };
    default:
      return place;
  }
}

function refusal(result: keyof typeof refusals, voided: EntryVoid | null = null): UsherError {
  const [code, message] = refusals[result];
  return new UsherError(code, message, voided === null ? {} : { members: voidMembers(voided) });
}
