import type { RoomMessage } from "../../room/index.ts";

/** A message in the public status. Programs read the first text, pages choose among them. */
export function statusMessage(message: RoomMessage | null) {
  return {
    message: message?.texts[0]?.text ?? null,
    message_severity: message?.severity ?? null,
    messages: message === null ? null : textsByLanguage(message),
  };
}

/** Null where a text is of no language. The first text comes first. */
export function textsByLanguage({ texts }: RoomMessage): Record<string, string> | null {
  if (texts[0]?.language == null) return null;
  return Object.fromEntries(texts.map(({ language, text }) => [language, text]));
}
