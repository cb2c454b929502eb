/**
 * The texts of a language. What there is, the English ones say: they are the type of all, and the texts of other languages,
 * operators and themes are checked against them. Pure functions.
 */
import type english from "../../../../views/locales/en.json";
import { unknownWord } from "../../../config/index.ts";

/** A language's file in views/locales, complete. */
export type LocaleTexts = Omit<typeof english, "language"> & {
  readonly language: { readonly tag: string; readonly name: string; readonly dir: "ltr" | "rtl" };
};

/** What is wrong with a text, and where: `waiting.live.ahead.few`. */
interface TextFault {
  readonly path: string;
  readonly message: string;
}

/** Some texts of a language, from JSON of whatever shape. */
export type Texts = Readonly<Record<string, unknown>>;

const pluralCategories = ["zero", "one", "two", "few", "many", "other"] as const;
type PluralCategory = (typeof pluralCategories)[number];

/** Matters of a page's look stand with the English texts alone. */
const isLook = (path: string) => path.endsWith(".tone") && /^notices\.\w+\.tone$/.test(path);

export function isGroup(value: unknown): value is Texts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Texts by plural category: every language has `other`. */
function isPlural(texts: Texts): boolean {
  return (
    Object.hasOwn(texts, "other") &&
    Object.keys(texts).every((key) => pluralCategories.some((category) => category === key))
  );
}

/** Without plural forms that are as `other`, which stands in for all that are not there. */
export function withoutRepeatedForms<T>(texts: T): T {
  if (!isGroup(texts)) return texts;
  const entries = Object.entries(texts);
  const distinct = isPlural(texts)
    ? entries.filter(([key, text]) => key === "other" || text !== texts.other)
    : entries.map(([key, value]) => [key, withoutRepeatedForms(value)]);
  return Object.fromEntries(distinct) as T;
}

/** The places of all texts: plural forms are one text, and so are the paragraphs of a notice. */
export function textPaths(texts: object, prefix = ""): string[] {
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

/** A single text at its place. */
export function nestedText(path: string, text: unknown): Texts {
  return path.split(".").reduceRight((value, key) => ({ [key]: value }), text) as Texts;
}

/** `base` with the texts of `override` in place, of which any may be missing. `override` has been checked. */
export function mergeTexts<Base>(base: Base, override: unknown): Base {
  if (override === undefined) return base;
  if (!isGroup(base) || isPlural(base)) return override as Base;
  const merged = Object.entries(base).map(([key, value]) => [key, mergeTexts(value, (override as Texts)[key])]);
  return Object.fromEntries(merged) as Base;
}

/**
 * What is wrong in the texts of a language, of which any may be missing: so may how it is called and written.
 *
 * @param tag whose plural forms are wanted, all of them
 */
export function findTextFaults(english: object, { language, ...texts }: Texts, tag: string): TextFault[] {
  return [...languageFaults(language, tag), ...compareGroup(english as Texts, texts, "", tag)];
}

function languageFaults(language: unknown, tag: string): TextFault[] {
  if (language === undefined) return [];
  if (!isGroup(language)) return [{ path: "language", message: "expected an object" }];
  const rules: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, expected: string]>> = {
    tag: [(value) => value === tag, `expected ${tag}, as the file is named`],
    name: [(value) => typeof value === "string" && value.trim() !== "", "expected text"],
    dir: [(value) => value === "ltr" || value === "rtl", "expected ltr or rtl"],
  };
  return Object.entries(language).flatMap(([key, value]) => {
    const [isRight, message] = rules[key] ?? [() => false, `unknown key; allowed: ${Object.keys(rules).join(", ")}`];
    return isRight(value) ? [] : [{ path: `language.${key}`, message }];
  });
}

function compareGroup(english: Texts, texts: unknown, path: string, tag: string): TextFault[] {
  if (!isGroup(texts)) return [{ path, message: "expected an object" }];
  const prefix = path === "" ? "" : `${path}.`;
  const keys = Object.keys(english).filter((key) => !isLook(prefix + key));
  return Object.entries(texts).flatMap(([key, value]) => {
    const place = prefix + key;
    if (keys.includes(key)) return compare(english[key], value, place, tag);
    // A file that began as a copy of the English one says how notices look, too.
    if (!isLook(place)) return [{ path: place, message: unknownWord("key", key, keys) }];
    return value === english[key] ? [] : [{ path: place, message: "is the same in all languages; leave it out" }];
  });
}

function compare(english: unknown, value: unknown, path: string, tag: string): TextFault[] {
  if (typeof english === "string") return textFaults(value, path, placeholdersOf(english));
  if (!Array.isArray(english)) {
    const group = english as Texts;
    return isPlural(group) ? comparePlural(group, value, path, tag) : compareGroup(group, value, path, tag);
  }
  if (!Array.isArray(value) || value.length !== english.length) {
    return [{ path, message: `expected a list of ${english.length}, paragraph by paragraph as in English` }];
  }
  return value.flatMap((text, index) => textFaults(text, `${path}[${index}]`, placeholdersOf(String(english[index]))));
}

function comparePlural(english: Texts, forms: unknown, path: string, tag: string): TextFault[] {
  const rules = new Intl.PluralRules(tag);
  const categories: readonly string[] = rules.resolvedOptions().pluralCategories;
  const wanted = pluralCategories.filter((category) => categories.includes(category));
  const expected = `expected the plural forms of "${tag}": ${wanted.join(", ")}`;
  if (!isGroup(forms)) return [{ path, message: expected }];
  const missing = wanted.filter((category) => !Object.hasOwn(forms, category));
  const placeholders = placeholdersOf(String(english.other));
  const withoutFigure = placeholders.filter((name) => name !== "n");
  return [
    ...(missing.length > 0 ? [{ path, message: `${expected}; missing: ${missing.join(", ")}` }] : []),
    ...Object.entries(forms).flatMap(([key, text]) => {
      const place = `${path}.${key}`;
      const category = wanted.find((name) => name === key);
      if (category === undefined) return [{ path: place, message: expected }];
      const hasFigure = withoutFigure.length === placeholders.length || String(text).includes("{n}");
      return textFaults(text, place, hasFigure || !isOneNumber(rules, category) ? placeholders : withoutFigure);
    }),
  ];
}

/**
 * What is counted on the pages: people and minutes, and half hours; the rules repeat themselves after a hundred. None at all has
 * texts of its own.
 */
const counted = [...Array.from({ length: 200 }, (_, index) => index + 1), ...[0.5, 1.5, 2.5, 3.5, 4.5, 5.5]];

/**
 * Whether the form stands for a single number, so that a text can do without the figure: "one person". In Russian `one`
 * stands for 21 as well.
 */
function isOneNumber(rules: Intl.PluralRules, category: PluralCategory): boolean {
  return counted.filter((count) => rules.select(count) === category).length <= 1;
}

/** @param placeholders those that the text must have, each as often as it stands here */
function textFaults(text: unknown, path: string, placeholders: readonly string[]): TextFault[] {
  const message = typeof text === "string" ? textFault(text, placeholders) : "expected text";
  return message === null ? [] : [{ path, message }];
}

function textFault(text: string, placeholders: readonly string[]): string | null {
  if (text === "") return "expected text; leave the key out to have it from another language";
  if (text !== text.trim()) return "begins or ends with a blank";
  if (/\p{Cc}/u.test(text)) return "expected text on one line, without control characters";
  const present = placeholdersOf(text);
  const lost = difference(placeholders, present);
  if (lost.length > 0) return `lacks ${inBraces(lost)}`;
  const unknown = difference(present, placeholders);
  if (unknown.length > 0) return `has ${inBraces(unknown)}, which the English text has not, or not so often`;
  return /[{}]/.test(present.length === 0 ? text : text.replace(/\{\w+\}/g, ""))
    ? "has a brace that belongs to no placeholder"
    : null;
}

function placeholdersOf(text: string): string[] {
  // Each start looks at thousands of texts, most of which have none.
  if (!text.includes("{")) return [];
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** What is left of `names` when each of `others` takes one of its kind away. */
function difference(names: readonly string[], others: readonly string[]): string[] {
  const left = [...names];
  for (const other of others) {
    const index = left.indexOf(other);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(", ");
