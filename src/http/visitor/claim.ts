import type { Context } from "koa";
import type { VisitorCookies } from "../../oidc/index.ts";
import {
  type ClaimAnswer,
  claimedTicket,
  heldClaim,
  mayClaim,
  type Ticket,
  type WaitingRoom,
} from "../../room/index.ts";
import { placeStatusJson, type ReportedPlace, reportedPlace } from "./place-status-json.ts";

/**
 * `POST …/tickets/me/claim`: the claim of a held visitor whose page stays loaded. An admitted visitor logs in with the
 * navigation that follows: no login is recorded, and no authorization request is answered. Idempotent.
 */
export async function claim(
  ctx: Context,
  room: WaitingRoom,
  { ticket, isCookie }: { ticket: Ticket; isCookie: boolean },
  cookies: Pick<VisitorCookies, "setTicket">,
): Promise<void> {
  if (room.isAhead(ticket)) await room.verifyAhead(ticket);
  // A place of another edition is for the authorization endpoint to explain.
  const isCurrent = room.state?.edition === ticket.edition;
  const result = isCurrent && mayClaim(room, ticket) ? await room.claim(ticket, null) : null;
  const newTicket = result?.result === "admitted" ? claimedTicket(room, ticket, result.admission) : ticket;
  const handedOut = newTicket === ticket ? undefined : room.encode(newTicket);
  if (handedOut !== undefined && isCookie) cookies.setTicket(ctx.res, room.id, handedOut);
  const retryMs = result?.result === "held" ? result.retryMs : null;
  ctx.set("Cache-Control", "no-store");
  ctx.body = {
    // Whose ticket came by cookie has it there.
    ...(!isCookie && { ticket: handedOut }),
    ...placeStatusJson(afterClaim(reportedPlace(room, newTicket), result), retryMs),
    held_by: heldClaim(result)?.by ?? null,
  };
}

/** The store's answer is newer than the state that this process has synced. */
export function afterClaim(place: ReportedPlace, result: ClaimAnswer | null): ReportedPlace {
  switch (result?.result) {
    case "held":
      return { ...place, state: "served", ahead: result.rank, estimate: null };
    case "expired":
    case "left":
    case "moved":
    case "ended":
    case "old_edition":
      return { ...place, state: "expired", heldForMs: null };
    default:
      return place;
  }
}
