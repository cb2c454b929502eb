import type { Context } from "koa";
import type { Ticket, WaitingRoom } from "../waiting-room/index.ts";

/** What a visitor came for: a login that a relying party has begun, or a link to follow. */
export interface EntryRequest {
  /** Names it; the same for every reload. */
  readonly hash: string;
  /** Where it is asked for, path and query, without our own mark. */
  readonly address: string;
  /** Whether one of our pages sent the visitor to join, so that a missing ticket says nothing. */
  readonly isFreshStart: boolean;
  /** For how long whoever sent the visitor remembers it, in milliseconds. */
  readonly rememberedMs: number;
  /** Where a fresh one is begun, used verbatim. */
  readonly restartUri: string;
}

/** One visit on its way through the gate. */
export interface Visit {
  readonly ctx: Context;
  readonly request: EntryRequest;
  readonly room: WaitingRoom;
  /** What the visitor's cookie has to become; null while it may stay as it is. */
  newTicket: Ticket | null;
  /** The visitor's cookie is signed with a key that this process does not know, and is left alone. */
  isCookieUnreadable: boolean;
}

/** Browsers name the page's origin, whether its script or its link was used. */
export function comesFromOurPage({ ctx, request }: Visit): boolean {
  return !request.isFreshStart && ctx.get("Sec-Fetch-Site") === "same-origin";
}

/** When a request was made that nobody has noted: one that comes from a page of ours is older than that, who knows by how much. */
export function firstSightMs(visit: Visit, nowMs: number): number {
  return visit.request.isFreshStart || comesFromOurPage(visit) ? 0 : nowMs;
}
