import type { Context } from "koa";
import { formatTime } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { OneTimeLinks } from "../../../registry/index.ts";
import type { RoomState, WaitingRoom } from "../../../room/index.ts";
import type { Principal } from "../access/principal.ts";
import type { PrincipalBounds } from "../access/principal-bounds.ts";

const validMs = 2 * 60_000;

export interface Confirmable {
  readonly ctx: Context;
  readonly principal: Pick<Principal, "kind" | "id">;
  readonly room: Pick<WaitingRoom, "id">;
  readonly state: Pick<RoomState, "edition" | "basePhase" | "phaseSinceMs">;
  readonly step: string;
  /** What it would do, in a sentence. */
  readonly would: string;
  /** Whether it then waits for the word of a second person. */
  readonly takesTwo: boolean;
}

export type Confirmations = ReturnType<typeof createConfirmations>;

/** Questions before a step that cannot be taken back, and the tokens that answer them: each works once, at whichever process. */
export function createConfirmations(links: Pick<OneTimeLinks, "make" | "find" | "use">, bounds: PrincipalBounds) {
  return {
    /**
     * Asks a person, and a key that sends `Prefer: confirmation` (RFC 7240), for the token that an earlier answer gave: the header
     * `Confirm`. It is for one principal and one step, while the room stays in the phase and edition in which it was made, for two minutes.
     *
     * @throws UsherError `confirmation_required` with what the step would do and such a token; `too_many_requests`
     * @throws StoreUnavailableError
     */
    async require({ ctx, principal, room, state, step, would, takesTwo }: Confirmable): Promise<void> {
      const supplied = ctx.get("Confirm");
      const isPreferred = ctx
        .get("Prefer")
        .split(",")
        .some((preference) => preference.trim().toLowerCase() === "confirmation");
      if (principal.kind === "key" && !isPreferred && supplied === "") return;
      const { edition, basePhase, phaseSinceMs } = state;
      const bound = [principal.kind, principal.id, step, room.id, edition, basePhase, phaseSinceMs].join("\n");
      if (supplied !== "" && (await useUp(supplied, bound))) return;
      bounds.take(principal, "confirmation");
      const { token, expiresMs } = await links.make("confirmation", { bound }, validMs);
      const why =
        supplied === ""
          ? ""
          : "the token in Confirm was used, is for another request or for the room as it was, or is too old; ";
      throw new UsherError("confirmation_required", `${why}${would}: send the request again with the header Confirm`, {
        members: { would, takes_two: takesTwo, confirm: token, expires_at: formatTime(expiresMs) },
      });
    },
  };

  /** A token for something else stays what it is. */
  async function useUp(token: string, bound: string): Promise<boolean> {
    const found = await links.find("confirmation", token, null);
    if (found === null || (found.about as { bound?: unknown }).bound !== bound) return false;
    return links.use("confirmation", token, bound);
  }
}
