/** How a program takes a place for its visitor: it has no page, so what is asked of the visitor first, or cannot be, is an error. */
import type { Context } from "koa";
import type { Refusal } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Presented } from "../../oidc/index.ts";
import type { Ticket, WaitingRoom } from "../../room/index.ts";
import type { VisitorParts } from "./parts.ts";
import { voidMembers } from "./place-status-json.ts";
import { later } from "./status.ts";

/** After which a full line may have room again. */
const fullRetryMs = 30_000;

/** Why no place is given. */
export const placeErrors = [
  "check_required",
  ["device_required", 401],
  "entry_voided",
  "invitation_early",
  "network_refused",
  "provider_unavailable",
  "room_closed",
  "room_full",
  "sign_in_required",
  "store_unavailable",
  "too_many_from_address",
  "uninvited",
] as const satisfies readonly Refusal[];

export function createPlaceForProgram({
  join,
  joinAddressOf,
  steps,
  clock,
}: Pick<VisitorParts, "join" | "joinAddressOf" | "steps" | "clock">) {
  /**
   * The ticket of a new place, or one without a place where everybody passes.
   *
   * @param previous what the visitor has of earlier visits; null: nothing
   * @param readPresented what the program shows of a check before the join
   * @throws UsherError where no place is given; with `retryAfterSec` where one may be given later
   */
  return async (
    ctx: Context,
    room: WaitingRoom,
    previous: Ticket | null,
    readPresented: () => Promise<Presented>,
  ): Promise<Ticket> => {
    const joined = await join(ctx, room, previous, clock.now(), readPresented);
    switch (joined.result) {
      case "joined":
        return joined.ticket;
      case "step":
        throw joined.refusal.error();
      case "later":
        throw later("no positions can be given just now; try again in a moment", joined.retryMs);
      case "full":
        throw later("so many wait already that no more are taken; try again later", fullRetryMs, "room_full");
      case "too_many":
        throw tooMany(joined.retryMs);
      case "refused":
        throw new UsherError("network_refused", "nobody who comes from this network may join; ask the organiser");
      case "voided": {
        const message = "the organiser has voided the entries from this address or network; no more are taken";
        throw new UsherError("entry_voided", message, { members: voidMembers(joined.void) });
      }
      case "closed": {
        if (room.entrance === "pass") {
          const visitor = steps.identify(ctx, room);
          if ("page" in visitor) throw visitor.error();
          const retryMs = room.passers.take(joinAddressOf(ctx));
          if (retryMs > 0) throw tooMany(retryMs);
          return room.visitorWithoutPlace(visitor.name);
        }
        const phase = room.state?.phase ?? "closed";
        throw new UsherError("room_closed", `there is no line to join: the room is ${phase}`);
      }
    }
  };
}

function tooMany(retryMs: number): UsherError {
  const message = "so many have joined from this address just now that no more are taken; try again in a moment";
  return later(message, retryMs, "too_many_from_address");
}
