import type { Context } from "koa";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import type { AdmissionTokens } from "../../oidc/index.ts";
import {
  type Admission,
  type ClaimAnswer,
  claimedTicket,
  hashRequest,
  heldClaim,
  mayClaim,
  type Ticket,
  type WaitingRoom,
  withoutOldPlace,
} from "../../room/index.ts";
import { afterClaim } from "./claim.ts";
import type { JoinAddress } from "./join-address.ts";
import { placeStatusJson, reportedPlace } from "./place-status-json.ts";

export interface TokenOptions {
  readonly tokens: AdmissionTokens;
  readonly validityMsOf: (room: string) => number;
  /** Under which address a login is counted; null: it is not. */
  readonly joinAddressOf: JoinAddress;
  readonly clock: Clock;
}

/** While the store is away. */
const awayRetryMs = 2_000;

/**
 * `POST …/tickets/me/token`: an app exchanges its ticket for an admission token, makes the claim with it, and renews it
 * by asking again. All requests within half of a token's validity are one login, so a lost reply costs nothing.
 */
export function createTokenExchange({ tokens, validityMsOf, joinAddressOf, clock }: TokenOptions) {
  return async (ctx: Context, room: WaitingRoom, presented: Ticket): Promise<void> => {
    if (presented.position > 0 && room.isAhead(presented)) await room.verifyAhead(presented);
    const ticket = withoutOldPlace(room, presented);
    if (ticket.position === 0 && ticket.claim === null && !mayClaim(room, ticket)) throw placeIsVoid();
    ctx.set("Cache-Control", "no-store");
    if (!mayClaim(room, ticket)) return notYet(ctx, room, ticket, null);
    const nowMs = room.storeNowMs ?? clock.now();
    const result = await room.claim(ticket, loginOf(room, ticket, nowMs), { address: joinAddressOf(ctx) });
    switch (result.result) {
      case "admitted":
        return hand(ctx, room, ticket, result.admission, nowMs);
      case "answered":
        return handAgain(ctx, room, ticket, result.admission, nowMs);
      case "exhausted":
        throw new UsherError("too_many_logins", "this admission has been used for as many logins as it allows", {
          status: 429,
        });
      case "too_many_addresses":
        throw new UsherError("in_use", "this admission is in use at as many addresses as it allows", { status: 429 });
      case "away":
        throw notNow("store_unavailable", "the store is away; keep the ticket and try again", awayRetryMs);
      case "recovering":
        throw notNow(
          "room_recovering",
          "the room is being recovered; keep the ticket and try again",
          result.remainingMs,
        );
      case "ended":
        return tellEnd(ctx, room, ticket);
      case "expired":
        throw new UsherError("place_expired", "the place was served and not claimed in time; take a new ticket", {
          status: 409,
        });
      case "left":
        throw new UsherError("place_left", "this place was given up; take a new ticket", { status: 409 });
      case "moved":
        throw new UsherError("moved", "this place was moved to another browser; take a new ticket", { status: 409 });
      case "closed":
        throw new UsherError("room_ended", "the room lets nobody in", { status: 409 });
      case "no_place":
        if (ticket.claim === null) throw placeIsVoid();
        return tellEnd(ctx, room, ticket);
      case "old_edition":
        throw placeIsVoid();
      case "newer_edition":
      case "beyond":
      case "waiting":
      case "paused":
      case "held":
      case "void":
        return notYet(ctx, room, ticket, result);
    }
  };

  /** The same name for all requests within one half of the token's validity. */
  function loginOf(room: WaitingRoom, { sub, claim }: Ticket, nowMs: number): string {
    const admittedMs = room.admissions.known(sub)?.admission.admittedMs ?? claim?.admittedMs ?? nowMs;
    const turn = Math.floor((nowMs - admittedMs) / (validityMsOf(room.id) / 2));
    return hashRequest(`token ${sub} ${turn}`);
  }

  /** No further login; where admissions are sliding it extends this one, as a refresh of tokens does. */
  async function handAgain(ctx: Context, room: WaitingRoom, ticket: Ticket, admission: Admission, nowMs: number) {
    const renewed = (await room.admissions.renew(ticket.sub)) ?? admission;
    return renewed.ended === null ? hand(ctx, room, ticket, renewed, nowMs) : tellEnd(ctx, room, ticket);
  }

  async function hand(ctx: Context, room: WaitingRoom, ticket: Ticket, admission: Admission, nowMs: number) {
    const { token, expiresMs } = await tokens.issue(room.id, admission, nowMs);
    ctx.body = {
      token,
      token_type: "Bearer",
      expires_in: Math.max(0, Math.floor((expiresMs - nowMs) / 1_000)),
      ticket: room.encode({ ...claimedTicket(room, ticket, admission), restarts: 0 }),
    };
  }
}

/** 202: the request stands, and is to be made again. */
function notYet(ctx: Context, room: WaitingRoom, ticket: Ticket, result: ClaimAnswer | null): void {
  const retryMs = result?.result === "held" ? result.retryMs : null;
  const status = placeStatusJson(afterClaim(reportedPlace(room, ticket), result), retryMs);
  ctx.status = 202;
  ctx.set("Retry-After", String(Math.ceil(status.poll_after_ms / 1_000)));
  ctx.body = { ...status, held_by: heldClaim(result)?.by ?? null };
}

/** How the admission ended is for its holder to know. */
async function tellEnd(ctx: Context, room: WaitingRoom, { sub }: Ticket): Promise<void> {
  const admission = room.admissions.known(sub)?.admission ?? (await room.admissions.find(sub));
  ctx.status = 403;
  ctx.body = {
    error: "admission_ended",
    error_description: "the admission of this ticket is over; take a new ticket",
    reason: admission?.ended ?? "expired",
  };
}

function placeIsVoid(): UsherError {
  return new UsherError("place_expired", "this ticket holds no place in the line of today; take a new ticket", {
    status: 409,
  });
}

function notNow(code: "store_unavailable" | "room_recovering", message: string, retryMs: number): UsherError {
  return new UsherError(code, message, { status: 503, expose: true, retryAfterSec: Math.ceil(retryMs / 1_000) });
}
