/** Parts of the public status that pages need, too. */
import { writeWords } from "../../config/index.ts";
import type { Pace, RoomMessage } from "../../room/index.ts";
import type { MessageJson, PaceJson } from "../shared/status.ts";

/** Programs read the first text, pages choose among them. */
export function statusMessage(message: RoomMessage | null) {
  const words = message && writeWords(message.texts);
  return {
    message: message?.texts[0]?.text ?? null,
    message_severity: message?.severity ?? null,
    messages: typeof words === "string" ? null : words,
  } satisfies Required<MessageJson>;
}

export function paceJson({ steps, placesPerMinute, spread, extraSec, note }: Pace): PaceJson {
  return {
    steps: steps.map(({ sec, places }) => [sec, places]),
    places_per_minute: placesPerMinute,
    spread: Math.round(spread * 1_000) / 1_000,
    extra_seconds: extraSec,
    note,
  };
}
