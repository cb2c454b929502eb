import { writeWords } from "../../config/index.ts";
import type { RoomMessage } from "../../room/index.ts";

/** A message in the public status. Programs read the first text, pages choose among them. */
export function statusMessage(message: RoomMessage | null) {
  const words = message && writeWords(message.texts);
  return {
    message: message?.texts[0]?.text ?? null,
    message_severity: message?.severity ?? null,
    messages: typeof words === "string" ? null : words,
  };
}
