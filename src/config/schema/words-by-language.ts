/** Words for visitors, as written in a configuration: one text for all of them, or one for each language; a room's message, and what may be read while waiting. */
import { z } from "zod";
import { readMarkdown } from "../markdown.ts";
import { eitherKind, flag, mapping, oneOf, orOff } from "./fields.ts";
import { registeredKind, withKind } from "./settings-codec.ts";

export interface WordsInLanguage {
  /** A canonical tag; null: whatever they read. */
  readonly language: string | null;
  readonly text: string;
}

const LANGUAGES_MAX = 30;
/** RFC 5646, section 4.4.1: what a tag that means something fits into. */
const TAG_LENGTH_MAX = 35;

/** Plain text of several lines. Line breaks are `\n`, and the one control character that a page can show. */
export function plainText(what: string, lengthMax: number) {
  return textThat(what, lengthMax, /[^\P{Cc}\n]|\p{Cs}/u);
}

/** Markdown, of which nothing may be wrong. Each fault says its line. */
export function markdown(what: string, lengthMax: number): PlainText {
  const { kind, expected } = plainText(`${what} in Markdown`, lengthMax);
  const readable = kind.superRefine((text, context) => {
    // A room's alone means none: nobody wants to read it here.
    if (text.trim() === "off") context.addIssue({ code: "custom", message: "off is no text: leave it out" });
    for (const message of readMarkdown(text).faults) context.addIssue({ code: "custom", message });
  });
  return { kind: withKind(readable, { json: { $comment: "Markdown" } }), expected };
}

/** Plain text on one line. */
export function plainLine(what: string, lengthMax: number) {
  return textThat(what, lengthMax, /\p{Cc}|\p{Cs}/u);
}

function textThat(what: string, lengthMax: number, forbidden: RegExp) {
  const expected = `${what}, at most ${lengthMax} characters`;
  const kind = z
    .string({
      error: ({ input }) =>
        typeof input === "number" || typeof input === "boolean"
          ? `expected text: ${expected} (put it in quotes)`
          : `expected ${expected}`,
    })
    .transform((text) => text.replaceAll("\r\n", "\n"))
    .refine((text) => text.trim() !== "" && text.length <= lengthMax && !forbidden.test(text), {
      error: `expected ${expected}`,
      abort: true,
    });
  return { kind, expected };
}

export type PlainText = ReturnType<typeof textThat> & {
  /** Of the texts in all languages together. Default: none. */
  readonly totalLengthMax?: number;
};

/** Texts by language alone. @param example of such a mapping */
function textsByLanguage({ kind, expected, totalLengthMax = Number.POSITIVE_INFINITY }: PlainText, example: string) {
  const expectedTexts = `texts by language, such as ${example}, at most ${LANGUAGES_MAX}`;
  return z
    .record(z.string(), kind, { error: `expected ${expected}, or ${expectedTexts}` })
    .transform((byTag, context) => {
      const entries = Object.entries(byTag);
      if (entries.length === 0 || entries.length > LANGUAGES_MAX) {
        context.addIssue({ code: "custom", message: `expected ${expectedTexts}` });
        return z.NEVER;
      }
      const total = entries.reduce((sum, [, text]) => sum + text.length, 0);
      if (total > totalLengthMax) {
        const message = `expected at most ${totalLengthMax} characters in all languages together; there are ${total}`;
        context.addIssue({ code: "custom", message });
      }
      const named = new Map<string, string>();
      for (const [tag, text] of entries) {
        const language = canonicalTag(tag);
        if (language === null || named.has(language)) {
          const message = language === null ? notATag : `the same language as before: ${language}`;
          context.addIssue({ code: "custom", path: [tag], message });
        } else named.set(language, text);
      }
      return [...named].map(([language, text]): WordsInLanguage => ({ language, text }));
    });
}

export const notATag = "expected a language tag, such as en or pt-BR";

/** The usual spelling of a language tag; null where it is none. */
export function canonicalTag(tag: string): string | null {
  try {
    return tag.length <= TAG_LENGTH_MAX ? (Intl.getCanonicalLocales(tag)[0] ?? null) : null;
  } catch {
    return null;
  }
}

function anyLanguage({ kind }: PlainText) {
  return kind.transform((text): WordsInLanguage[] => [{ language: null, text }]);
}

/** One text, or texts by language. */
export function wordsByLanguage(words: PlainText, example: string) {
  const either = eitherKind<readonly WordsInLanguage[]>(textsByLanguage(words, example), anyLanguage(words));
  return withKind(either, { ...registeredKind(either), write: writeWords });
}

/** Writes words the way `wordsByLanguage` reads them. */
export function writeWords(words: readonly WordsInLanguage[]): string | Record<string, string> {
  const [first] = words;
  if (first?.language == null) return first?.text ?? "";
  return Object.fromEntries(words.map(({ language, text }) => [language, text]));
}

const SEVERITIES = ["information", "warning", "sold_out"] as const;

/** The operator's words to everyone in a room, and how grave they are. Checked: line breaks are `\n`, language tags in their usual spelling. */
export interface RoomMessage {
  readonly severity: (typeof SEVERITIES)[number];
  /** The first is for readers of none of the other languages. `language` null: for every reader. */
  readonly texts: readonly WordsInLanguage[];
  /** Of `sold_out`: whether visitors may wait for what is returned. Absent: as the room's `stock` says. */
  readonly returns?: boolean;
}

const words = plainText("a message", 500);
const plain = anyLanguage(words).transform((texts): RoomMessage => ({ severity: "information", texts }));
const graded = mapping({
  text: wordsByLanguage(words, "{ en: Sold out, de: Ausverkauft }"),
  severity: oneOf("severity", SEVERITIES).default("information"),
  returns: flag().nullish(),
}).transform(({ text, severity, returns }, context): RoomMessage => {
  if (returns == null) return { severity, texts: text };
  if (severity === "sold_out") return { severity, texts: text, returns };
  context.addIssue({ code: "custom", path: ["returns"], message: "only with severity sold_out: leave it out" });
  return z.NEVER;
});

/** A text alone is information, whatever one reads. */
export const roomMessage = withKind(eitherKind(graded, plain), {
  anyOf: [plain, graded],
  write: ({ severity, texts, returns }: RoomMessage) => {
    const text = writeWords(texts);
    if (severity === "information" && typeof text === "string") return text;
    return { text, severity, ...(returns !== undefined && { returns }) };
  },
});

const LENGTH_MAX = 3_000;
/** In all languages together: each process reads a room's settings every second. */
const TOTAL_LENGTH_MAX = 15_000;
const EXAMPLE = '{ en: "Doors at seven", de: "Einlass um sieben" }';

const texts = () => wordsByLanguage({ ...markdown("a text", LENGTH_MAX), totalLengthMax: TOTAL_LENGTH_MAX }, EXAMPLE);

/** Of a theme. */
export const whileWaiting = texts();

/** Of a room, which can say that there is none, whatever the theme has. */
export const roomWhileWaiting = orOff(texts(), EXAMPLE, true);
