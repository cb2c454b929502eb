/** Words for visitors, as written in a configuration: one text for all of them, or one for each language. */
import { z } from "zod";
import { withKind } from "./kinds.ts";

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

export type PlainText = ReturnType<typeof textThat>;

/** Texts by language alone. @param example of such a mapping */
function textsByLanguage({ kind, expected }: PlainText, example: string) {
  const expectedTexts = `texts by language, such as ${example}, at most ${LANGUAGES_MAX}`;
  return z
    .record(z.string(), kind, { error: `expected ${expected}, or ${expectedTexts}` })
    .transform((byTag, context) => {
      const entries = Object.entries(byTag);
      if (entries.length === 0 || entries.length > LANGUAGES_MAX) {
        context.addIssue({ code: "custom", message: `expected ${expectedTexts}` });
        return z.NEVER;
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

export function anyLanguage({ kind }: PlainText) {
  return kind.transform((text): WordsInLanguage[] => [{ language: null, text }]);
}

/** One text, or texts by language. */
export function wordsByLanguage(words: PlainText, example: string) {
  return eitherKind(textsByLanguage(words, example), anyLanguage(words));
}

/** A mapping or any other value, by what was written: only the faults of that kind are reported. */
export function eitherKind<Output>(ofMapping: z.ZodType<Output>, ofOther: z.ZodType<Output>) {
  const either = z
    .unknown()
    .transform((value, context) =>
      typeof value === "object" && value !== null ? read(ofMapping, value, context) : read(ofOther, value, context),
    );
  return withKind(either, { anyOf: [ofOther, ofMapping] });
}

/** Writes words the way `wordsByLanguage` reads them. */
export function writeWords(words: readonly WordsInLanguage[]): string | Record<string, string> {
  const [first] = words;
  if (first?.language == null) return first?.text ?? "";
  return Object.fromEntries(words.map(({ language, text }) => [language, text]));
}

function read<Output>(kind: z.ZodType<Output>, value: unknown, context: z.RefinementCtx): Output {
  const { data, error } = kind.safeParse(value);
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path: [...path], message });
  return error === undefined ? (data as Output) : z.NEVER;
}
