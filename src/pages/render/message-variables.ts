import { messageIn, type RoomMessage } from "../../room/index.ts";
import type { Locale } from "../locales/locale.ts";

/** What views/message.ejs says: the operator's words in the page's language, or nothing yet. */
export function messageVariables(message: RoomMessage | null, { tag, texts }: Locale) {
  const words = message === null ? undefined : messageIn(message, tag);
  return {
    severity: message?.severity ?? "information",
    text: words?.text ?? "",
    language: words?.language ?? "",
    labels: texts.message,
  };
}
