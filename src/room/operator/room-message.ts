import type { MessageText, RoomMessage } from "../../store/contract/room-store.ts";

/**
 * The text for a reader of `language` (a tag): in that language, or in one that it is a variant of (RFC 4647, section
 * 3.4), else the first. src/room/public-status/status.ts chooses in the same way; a test compares the two.
 */
export function messageIn(
  { texts }: Pick<RoomMessage, "texts"> & Partial<RoomMessage>,
  language: string,
): MessageText | undefined {
  for (let range = language.toLowerCase(); range !== ""; range = range.replace(/(^|-)[^-]*$/, "")) {
    const found = texts.find((text) => text.language?.toLowerCase() === range);
    if (found !== undefined) return found;
  }
  return texts[0];
}

/** The texts, with that for a reader of `language` first, if there is one. */
export function inOrderFor(message: RoomMessage, language: string | null): RoomMessage {
  const first = language === null ? undefined : messageIn(message, language);
  if (first === undefined || first === message.texts[0]) return message;
  return { ...message, texts: [first, ...message.texts.filter((text) => text !== first)] };
}
