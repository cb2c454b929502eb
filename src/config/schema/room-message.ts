/** The operator's words to everyone in a room, as written: a text, or texts by language, and how grave they are. */
import { mapping, oneOf } from "./fields.ts";
import { anyLanguage, eitherKind, plainText, type WordsInLanguage, wordsByLanguage } from "./words-by-language.ts";

const TEXT_LENGTH_MAX = 500;

export const MESSAGE_SEVERITIES = ["information", "warning", "sold_out"] as const;

/** Checked: line breaks are `\n`, language tags in their usual spelling. */
export interface RoomMessageConfig {
  readonly severity: (typeof MESSAGE_SEVERITIES)[number];
  /** The first is for those who read none of the others. `language` null: whatever they read. */
  readonly texts: readonly WordsInLanguage[];
}

const words = plainText("a message", TEXT_LENGTH_MAX);
const plain = anyLanguage(words).transform((texts): RoomMessageConfig => ({ severity: "information", texts }));
const graded = mapping({
  text: wordsByLanguage(words, "{ en: Sold out, de: Ausverkauft }"),
  severity: oneOf("severity", MESSAGE_SEVERITIES).default("information"),
}).transform((written): RoomMessageConfig => ({ severity: written.severity, texts: written.text }));

/** A text alone is information, whatever one reads. */
export const roomMessage = eitherKind(graded, plain);

/** A message as a room's settings have it. */
export function messageSettings(message: RoomMessageConfig) {
  return { message: message.texts[0]?.text ?? "", messageDetails: message };
}
