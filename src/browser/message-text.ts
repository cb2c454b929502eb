/** Which of the operator's texts a page shows. Pure functions. */

/** The message in GET /rooms/{room}/status. */
export interface MessageJson {
  /** For a reader of none of `messages`. */
  message: string | null;
  /** "information", "warning", "sold_out"; left out by an older server. */
  message_severity?: string | null;
  /** By language tag; null where the message is of no language. */
  messages?: { [language: string]: string } | null;
}

/** In the page's language, or in what that is a kind of, else the first: as src/room/operator/room-message.ts chooses. */
export function messageIn({ message, messages }: MessageJson, language: string): { text: string; language: string } {
  const texts = Object.entries(messages ?? {});
  for (let range = language.toLowerCase(); range !== ""; range = range.replace(/(^|-)[^-]*$/, "")) {
    for (const [tag, text] of texts) if (tag.toLowerCase() === range) return { text, language: tag };
  }
  return { text: message ?? "", language: texts[0]?.[0] ?? "" };
}
