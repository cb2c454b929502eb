/** Compares the texts of a language with the English ones, which say what there is. Pure functions. */
import { unknownWord } from "../../config/index.ts";
import { categoriesOf, isOneNumber, isPlural, type PluralCategory } from "./plural-forms.ts";

/** What is wrong with a text, and where: `waiting.live.ahead.few`. */
export interface TextFault {
  readonly path: string;
  readonly message: string;
}

type Texts = Readonly<Record<string, unknown>>;

/** Matters of a page's look stand with the English texts alone. */
const isLook = (path: string) => /^notices\.\w+\.tone$/.test(path);

/**
 * What is wrong in the texts of a language, of which any may be missing. The language itself is described elsewhere.
 *
 * @param tag whose plural forms are wanted, all of them
 */
export function findTextFaults(english: Texts, texts: Texts, tag: string): TextFault[] {
  return compareGroup(english, texts, "", tag);
}

/** The places of all texts: plural forms are one text, and so are the paragraphs of a notice. */
export function textPaths(texts: Texts, prefix = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const path = prefix + key;
    if (path === "language" || isLook(path)) return [];
    return isGroup(value) && !isPlural(value) ? textPaths(value, `${path}.`) : [path];
  });
}

/** The text, plural forms or paragraphs at a place; undefined where there are none. */
export function textAt(texts: unknown, path: string): unknown {
  return path.split(".").reduce((value, key) => (isGroup(value) ? value[key] : undefined), texts);
}

function isGroup(value: unknown): value is Texts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function compare(english: unknown, given: unknown, path: string, tag: string): TextFault[] {
  if (typeof english === "string") return textFaults(given, path, placeholdersOf(english));
  if (Array.isArray(english)) return compareParagraphs(english, given, path);
  if (isPlural(english)) return comparePlural(english, given, path, tag);
  return compareGroup(english as Texts, given, path, tag);
}

function compareGroup(english: Texts, given: unknown, path: string, tag: string): TextFault[] {
  if (!isGroup(given)) return [{ path, message: "expected an object" }];
  const prefix = path === "" ? "" : `${path}.`;
  const keys = Object.keys(english).filter((key) => !isLook(prefix + key));
  return Object.entries(given).flatMap(([key, value]) => {
    if (path === "" && key === "language") return [];
    if (isLook(prefix + key) && Object.hasOwn(english, key)) return lookFaults(english[key], value, prefix + key);
    if (keys.includes(key)) return compare(english[key], value, prefix + key, tag);
    return [{ path: prefix + key, message: unknownWord("key", key, keys) }];
  });
}

/** A file that began as a copy of the English one has them, too. */
function lookFaults(english: unknown, given: unknown, path: string): TextFault[] {
  return given === english ? [] : [{ path, message: "is the same in all languages; leave it out" }];
}

function compareParagraphs(english: readonly unknown[], given: unknown, path: string): TextFault[] {
  if (!Array.isArray(given) || given.length !== english.length) {
    return [{ path, message: `expected a list of ${english.length}, paragraph by paragraph as in English` }];
  }
  return given.flatMap((text, index) =>
    textFaults(text, `${path}[${index}]`, placeholdersOf(String(english[index] ?? ""))),
  );
}

function comparePlural(english: Texts, given: unknown, path: string, tag: string): TextFault[] {
  const wanted = categoriesOf(tag);
  const expected = `expected the plural forms of "${tag}": ${wanted.join(", ")}`;
  if (!isGroup(given)) return [{ path, message: expected }];
  const missing = wanted.filter((category) => !Object.hasOwn(given, category));
  const placeholders = placeholdersOf(String(english.other));
  return [
    ...(missing.length > 0 ? [{ path, message: `${expected}; missing: ${missing.join(", ")}` }] : []),
    ...Object.entries(given).flatMap(([category, text]) => {
      const place = `${path}.${category}`;
      if (!(wanted as string[]).includes(category)) return [{ path: place, message: expected }];
      const needsNoFigure =
        typeof text === "string" && !text.includes("{n}") && isOneNumber(tag, category as PluralCategory);
      return textFaults(text, place, needsNoFigure ? placeholders.filter((name) => name !== "n") : placeholders);
    }),
  ];
}

/** @param placeholders those that the text must have, each as often as it stands here */
function textFaults(given: unknown, path: string, placeholders: readonly string[]): TextFault[] {
  const fault = typeof given === "string" ? textFault(given, placeholders) : "expected text";
  return fault === null ? [] : [{ path, message: fault }];
}

function textFault(text: string, placeholders: readonly string[]): string | null {
  if (text === "") return "expected text; leave the key out to have it from another language";
  if (text !== text.trim()) return "begins or ends with a blank";
  if (/\p{Cc}/u.test(text)) return "expected text on one line, without control characters";
  const own = placeholdersOf(text);
  const lost = withoutEach(placeholders, own);
  if (lost.length > 0) return `lacks ${inBraces(lost)}`;
  const unknown = withoutEach(own, placeholders);
  if (unknown.length > 0) return `has ${inBraces(unknown)}, which the English text has not, or not so often`;
  return /[{}]/.test(text.replace(/\{\w+\}/g, "")) ? "has a brace that belongs to no placeholder" : null;
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** What is left of `names` when each of `others` takes one of its kind away. */
function withoutEach(names: readonly string[], others: readonly string[]): string[] {
  const left = [...names];
  for (const other of others) {
    const index = left.indexOf(other);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

function inBraces(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(", ");
}
