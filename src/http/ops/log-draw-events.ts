import type { EventEmitter } from "node:events";
import type { Logger } from "../../lib/logger.ts";
import type { RoomEvents } from "../../room/index.ts";

/** Logs commitments and outcomes of draws: a second witness beside the pages. */
export function logDrawEvents(events: EventEmitter<RoomEvents>, logger: Logger): void {
  events.on(
    "draw.changed",
    ({ room, edition, draw: { id, stage, commitment, keyId, chain, first, last, seed, beacon, usesBeacon } }) =>
      logger.info({
        event: "draw.changed",
        room,
        edition,
        draw: id,
        stage,
        commitment,
        key: keyId,
        ...(usesBeacon && chain !== null && { chain: chain.hash }),
        ...(first > 0 && { first }),
        ...(last > 0 && { last }),
        ...(seed !== "" && { seed, beacon: beacon ?? (usesBeacon ? "fallback" : "none") }),
      }),
  );
  events.on("draw.key_unknown", (fields) =>
    logger.error(
      { event: "draw.key_unknown", ...fields },
      "the draw was committed to with a draw key that this process does not have; where no process has it, let everybody in (passthrough) or reset the room",
    ),
  );
}
