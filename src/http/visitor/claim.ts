import type { Context } from "koa";
import type { VisitorCookies } from "../../oidc/index.ts";
import { atTheDoor, claimedTicket, type EnterResult, mayAsk, type Ticket, type WaitingRoom } from "../../room/index.ts";
import { placeStatusJson, type ToldPlace, tellPlace } from "./place-status-json.ts";

/**
 * A served visitor who is held at the door asks again, without leaving the page. Who may enter is admitted here, and logs in
 * with the navigation that follows: no login is recorded, and no authorization request is answered. Idempotent.
 */
export async function knock(
  ctx: Context,
  room: WaitingRoom,
  { ticket, isCookie }: { ticket: Ticket; isCookie: boolean },
  cookies: Pick<VisitorCookies, "setTicket">,
): Promise<void> {
  if (room.isAhead(ticket)) await room.verifyAhead(ticket);
  // A place of another edition is for the authorization endpoint to explain.
  const isCurrent = room.state?.edition === ticket.edition;
  const result = isCurrent && mayAsk(room, ticket) ? await room.enter(ticket, null) : null;
  const newTicket = result?.result === "admitted" ? claimedTicket(room, ticket, result.admission) : ticket;
  const handedOut = newTicket === ticket ? undefined : room.encode(newTicket);
  if (handedOut !== undefined && isCookie) cookies.setTicket(ctx.res, room.id, handedOut);
  const retryMs = result?.result === "held" ? result.retryMs : null;
  ctx.set("Cache-Control", "no-store");
  ctx.body = {
    // Whose ticket came by cookie has it there.
    ...(!isCookie && { ticket: handedOut }),
    ...placeStatusJson(afterKnock(tellPlace(room, newTicket), result), retryMs),
    held_by: atTheDoor(result)?.by ?? null,
  };
}

/** The store has just said it; what this process had heard before may be older. */
export function afterKnock(place: ToldPlace, result: EnterResult | null): ToldPlace {
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
