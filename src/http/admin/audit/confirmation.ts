import type { Context } from "koa";
import { formatTime } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { KeyRing, RoomState, WaitingRoom } from "../../../room/index.ts";
import type { Principal } from "../access/principal.ts";

const validMs = 2 * 60_000;
/** By so much at most processes differ in what they take for the store's time. */
const apartMs = 2_000;
const tokenLengthMax = 512;

export interface Confirmable {
  readonly ctx: Context;
  readonly principal: Pick<Principal, "kind" | "id">;
  readonly room: Pick<WaitingRoom, "id" | "storeNowMs">;
  readonly state: Pick<RoomState, "edition" | "basePhase">;
  readonly step: string;
  /** What it would do, in a sentence. */
  readonly would: string;
  readonly ring: Pick<KeyRing, "sign" | "verify">;
}

/**
 * Asks a person, and a key that sends `Prefer: confirmation` (RFC 7240), for the token that an earlier answer gave: the header
 * `Confirm`. It is for one principal and one step, while the room is in the phase and edition in which it was made, for two minutes.
 *
 * @throws UsherError `confirmation_required` with what the step would do and such a token
 */
export function requireConfirmation({ ctx, principal, room, state, step, would, ring }: Confirmable): void {
  const given = ctx.get("Confirm");
  const isPreferred = ctx
    .get("Prefer")
    .split(",")
    .some((each) => each.trim().toLowerCase() === "confirmation");
  if (principal.kind === "key" && !isPreferred && given === "") return;
  const nowMs = room.storeNowMs;
  if (nowMs === null) throw new UsherError("store_unavailable", "try again in a moment", { retryAfterSec: 2 });
  const bound = [principal.kind, principal.id, step, room.id, state.edition, state.basePhase].join("\n");
  const context = `usher confirmation v1\n${bound}`;
  if (given !== "" && isValid(ring, context, given, nowMs)) return;
  const expiresMs = Math.floor(nowMs) + validMs;
  const why =
    given === "" ? "" : "the token in Confirm is for another request, or for the room as it was, or too old; ";
  throw new UsherError("confirmation_required", `${why}${would}: send the request again with the header Confirm`, {
    members: { would, confirm: ring.sign(context, expiresMs.toString(36)), expires_at: formatTime(expiresMs) },
  });
}

function isValid(ring: Confirmable["ring"], context: string, token: string, nowMs: number): boolean {
  if (token.length > tokenLengthMax) return false;
  const verified = ring.verify(context, token);
  if (typeof verified === "string") return false;
  const leftMs = Number.parseInt(verified.payload, 36) - nowMs;
  return leftMs > 0 && leftMs <= validMs + apartMs;
}
