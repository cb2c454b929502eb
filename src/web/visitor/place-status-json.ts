import type { z } from "zod";
import type { EntryVoid, ReportedPlace } from "../../room/index.ts";
import type { placeAnswer } from "./answers.ts";

/** A place on the wire. */
export function placeStatusJson(place: ReportedPlace, retryMs: number | null = null): z.output<typeof placeAnswer> {
  return {
    state: place.state,
    // As in tokens: null where there is none.
    position: place.position === 0 || place.voided !== undefined ? null : place.position,
    // The entry number, where the position was drawn of it, or is to be.
    entry: place.entry,
    entries: place.entries,
    // Of an entry that is not drawn nothing can be said.
    ahead: place.mayBeDrawn || (place.state === "entered" && place.entry !== null) ? null : place.ahead,
    serving: place.serving,
    estimated_wait_seconds: place.estimate,
    // Served: how long the turn is held yet; null where that is not known, or it is not their turn.
    held_for_seconds: place.turnLeftMs === null ? null : Math.floor(place.turnLeftMs / 1_000),
    poll_after_ms: retryMs ?? place.pollAfterMs,
    ...(place.voided !== undefined && { voided: voidMembers(place.voided) }),
  };
}

/** What the holder of an entry that is void is told: why, and the reference to ask the organiser by. */
export function voidMembers({ reference, reason }: Pick<EntryVoid, "reference" | "reason">) {
  return { reference, reason };
}
