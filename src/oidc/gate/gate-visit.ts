import type { Context } from "koa";
import { rememberRequest, type SeenRequest, type Ticket, type WaitingRoom } from "../../room/index.ts";

/** What a visitor came for: a login that a relying party has begun, or a link to follow. */
export interface EntryRequest {
  /** Names it; the same for every reload. */
  readonly hash: string;
  /** What is recorded of it with the admission, where that is more than the hash: see `loginToTell`. */
  readonly login?: string;
  /** Whether the same one is answered any number of times, as a link is; a login is answered once. */
  readonly isRepeatable?: boolean;
  /** Of the client that sent the visitor; absent for a link. */
  readonly clientId?: string;
  /** Where it is asked for, path and query, without our own mark. */
  readonly address: string;
  /** Whether one of our pages sent the visitor to join, so that a missing ticket says nothing. */
  readonly isFreshStart: boolean;
  /**
   * How long the sender of the visitor remembers the request, in milliseconds; null for a link, which never expires.
   */
  readonly rememberedMs: number | null;
  /** Names the series of requests of which the sender remembers only the newest; absent where each is remembered. */
  readonly series?: string;
  /** What the visitor's tickets of the client's other rooms remember; absent where that does not matter. */
  readonly seenElsewhere?: () => readonly SeenRequest[];
  /** Where a fresh one is begun, used verbatim. */
  readonly restartUri: string;
}

/** One visit on its way through the gate. */
export interface Visit {
  readonly ctx: Context;
  readonly request: EntryRequest;
  readonly room: WaitingRoom;
  /** A page of this issuer sent the visitor, to join or for anything else. */
  readonly isFromOurPage: boolean;
  /** What the visitor's cookie has to become; null while it may stay as it is. */
  newTicket: Ticket | null;
  /** The visitor's cookie is signed with a key that this process does not know, and is left alone. */
  isCookieUnreadable: boolean;
}

/** A page of this issuer sent the visitor, who ought to have a ticket by now. */
export function comesFromOurPage({ isFromOurPage, request }: Visit): boolean {
  return !request.isFreshStart && isFromOurPage;
}

/**
 * When a request with no recorded time was made: one that comes from a page of this issuer is older than now, by an
 * unknown time.
 */
export function firstSightMs(visit: Visit, nowMs: number): number {
  return visit.request.isFreshStart || comesFromOurPage(visit) ? 0 : nowMs;
}

/** The requests of a visitor with this one among them, if its age matters. */
export function withThisRequest(
  requests: readonly SeenRequest[],
  { request }: Visit,
  firstSeenMs: number,
): readonly SeenRequest[] {
  return request.rememberedMs === null
    ? requests
    : rememberRequest(requests, request.hash, firstSeenMs, request.series);
}
