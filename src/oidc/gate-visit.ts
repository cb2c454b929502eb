import type { Context } from "koa";
import type { Ticket, WaitingRoom } from "../waiting-room/index.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** One visit to the authorization endpoint, on its way through the gate. */
export interface Visit {
  readonly ctx: Context;
  readonly request: AuthorizationRequest;
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
