/** The operator's words to everyone in a room, as written: a text, or texts by language, and how grave they are. */
import { z } from "zod";
import { mapping, oneOf } from "./fields.ts";

const TEXT_LENGTH_MAX = 500;
const LANGUAGES_MAX = 30;
/** RFC 5646, section 4.4.1: what a tag that means something fits into. */
const TAG_LENGTH_MAX = 35;

export const MESSAGE_SEVERITIES = ["information", "warning", "sold_out"] as const;

/** Checked: line breaks are `\n`, language tags in their usual spelling. */
export interface RoomMessageConfig {
  readonly severity: (typeof MESSAGE_SEVERITIES)[number];
  /** The first is for those who read none of the others. `language` null: whatever they read. */
  readonly texts: readonly Text[];
}

interface Text {
  readonly language: string | null;
  readonly text: string;
}

const expectedText = `a message, at most ${TEXT_LENGTH_MAX} characters`;
const expectedTexts = `texts by language, such as { en: Sold out, de: Ausverkauft }, at most ${LANGUAGES_MAX}`;

/** Line breaks are the one control character that a page can show. */
const words = z
  .string({
    error: ({ input }) =>
      typeof input === "number" || typeof input === "boolean"
        ? `expected text: ${expectedText} (put it in quotes)`
        : `expected ${expectedText}`,
  })
  .transform((text) => text.replaceAll("\r\n", "\n"))
  .refine((text) => text.trim() !== "" && text.length <= TEXT_LENGTH_MAX && !/[^\P{Cc}\n]|\p{Cs}/u.test(text), {
    error: `expected ${expectedText}`,
    abort: true,
  });

const texts = z
  .record(z.string(), words, { error: `expected ${expectedText}, or ${expectedTexts}` })
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
        const message =
          language === null
            ? "expected a language tag, such as en or pt-BR"
            : `the same language as before: ${language}`;
        context.addIssue({ code: "custom", path: [tag], message });
      } else named.set(language, text);
    }
    return [...named].map(([language, text]): Text => ({ language, text }));
  });

function canonicalTag(tag: string): string | null {
  try {
    return tag.length <= TAG_LENGTH_MAX ? (Intl.getCanonicalLocales(tag)[0] ?? null) : null;
  } catch {
    return null;
  }
}

const anyLanguage = words.transform((text): Text[] => [{ language: null, text }]);
const plain = anyLanguage.transform((written): RoomMessageConfig => ({ severity: "information", texts: written }));
const graded = mapping({
  text: z
    .unknown()
    .transform((value, context) => (isObject(value) ? read(texts, value, context) : read(anyLanguage, value, context))),
  severity: oneOf("severity", MESSAGE_SEVERITIES).default("information"),
}).transform((written): RoomMessageConfig => ({ severity: written.severity, texts: written.text }));

/** A text alone is information, whatever one reads. */
export const roomMessage = z
  .unknown()
  .transform((value, context) => (isObject(value) ? read(graded, value, context) : read(plain, value, context)));

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** One kind of value or the other, by what was written: only the faults of that one are told. */
function read<Kind extends z.ZodType>(kind: Kind, value: unknown, context: z.RefinementCtx): z.output<Kind> {
  const { data, error } = kind.safeParse(value);
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path: [...path], message });
  return error === undefined ? data : z.NEVER;
}

/** A message as a room's settings have it. */
export function messageSettings(message: RoomMessageConfig) {
  return { message: message.texts[0]?.text ?? "", messageDetails: message };
}
