/** The operator's words to everyone in a room: a text, or texts by language, and how grave they are. */
import { mapping, oneOf } from "./fields.ts";
import { withKind } from "./kinds.ts";
import {
  anyLanguage,
  eitherKind,
  plainText,
  type WordsInLanguage,
  wordsByLanguage,
  writeWords,
} from "./words-by-language.ts";

const TEXT_LENGTH_MAX = 500;

const SEVERITIES = ["information", "warning", "sold_out"] as const;

/** Checked: line breaks are `\n`, language tags in their usual spelling. */
export interface RoomMessage {
  readonly severity: (typeof SEVERITIES)[number];
  /** The first is for readers of none of the other languages. `language` null: for every reader. */
  readonly texts: readonly WordsInLanguage[];
}

const words = plainText("a message", TEXT_LENGTH_MAX);
const plain = anyLanguage(words).transform((texts): RoomMessage => ({ severity: "information", texts }));
const graded = mapping({
  text: wordsByLanguage(words, "{ en: Sold out, de: Ausverkauft }"),
  severity: oneOf("severity", SEVERITIES).default("information"),
}).transform((written): RoomMessage => ({ severity: written.severity, texts: written.text }));

/** A text alone is information, whatever one reads. */
export const roomMessage = withKind(eitherKind(graded, plain), {
  anyOf: [plain, graded],
  write: ({ severity, texts }: RoomMessage) => {
    const text = writeWords(texts);
    return severity === "information" && typeof text === "string" ? text : { text, severity };
  },
});
