import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ConfigError, type Fault } from "../../../config/index.ts";
import { codeOf } from "../../../lib/system-errors.ts";
import { findThemeTextFaults } from "../themes/theme-texts.ts";
import type { Theme } from "../types.ts";
import {
  canonicalTag,
  createLanguageChoice,
  directionOf,
  type LanguageChoice,
  truncations,
  writingOf,
} from "./languages.ts";
import { createLocale, type Locale } from "./locale.ts";
import { findTextFaults, isGroup, type LocaleTexts, mergeTexts, type Texts, textAt, textPaths } from "./texts.ts";

export interface Locales {
  readonly choose: LanguageChoice;
  /** By the order of their tags. */
  readonly all: readonly Locale[];
  /** What works and the operator should still know, one line each. */
  readonly warnings: readonly string[];
}

export interface LocaleOptions {
  /** The operator's own texts: a folder of files as in views/locales, each with as many texts as they like. */
  readonly customFolder?: string | undefined;
  /** The languages that the configuration names, by who names them. */
  readonly named?: ReadonlyMap<string, string>;
  /** Its texts are checked, and override a page's language when the page is made. */
  readonly themes?: readonly Theme[];
}

const fallbackTag = "en";
/** How many texts a warning names. */
const namedMax = 3;

/**
 * Reads every language: the built-in ones, and the operator's over them.
 *
 * @param folder of the built-in ones
 * @throws ConfigError with all that is wrong in the operator's files, and with languages that are named and are not there;
 * Error that names a built-in file and what is wrong in it
 */
export function readLocales(folder: string, options: LocaleOptions = {}): Locales {
  const { customFolder, named = new Map<string, string>(), themes = [] } = options;
  const english = readJson(join(folder, `${fallbackTag}.json`)) as LocaleTexts;
  const texts = readBuiltIn(folder, english);
  const faults: Fault[] = [];
  const warnings = customFolder === undefined ? [] : mergeCustomTexts(customFolder, texts, english, faults);

  const tags = [...texts.keys()].sort();
  for (const [path, tag] of named) {
    const message = `no such language; there are ${tags.join(", ")}`;
    if (!texts.has(tag)) faults.push({ path, value: JSON.stringify(tag), message });
  }
  faults.push(...findThemeTextFaults(themes, english, tags));
  if (faults.length > 0) {
    const count = `${faults.length} ${faults.length === 1 ? "fault" : "faults"}`;
    throw new ConfigError(`The languages of the pages have ${count}:`, faults);
  }

  const all = tags.map((tag) => createLocale(texts.get(tag) ?? english));
  const fallback = all.find(({ tag }) => tag === fallbackTag) ?? createLocale(english);
  return { all, choose: createLanguageChoice(all, fallback), warnings };
}

function readBuiltIn(folder: string, english: LocaleTexts): Map<string, LocaleTexts> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const paths = ["language.name", "language.dir", ...textPaths(english)];
  return new Map(
    files.map((name) => {
      const file = join(folder, name);
      const tag = basename(name, ".json");
      const texts = readJson(file) as Texts;
      const faults = findTextFaults(english, texts, tag);
      const missing = paths.filter((path) => textAt(texts, path) === undefined);
      faults.push(...missing.map((path) => ({ path, message: "expected text" })));
      if (faults.length === 0) return [tag, mergeTexts(english, texts)];
      throw new Error(`${file}: ${faults.map(({ path, message }) => `${path}: ${message}`).join("; ")}`);
    }),
  );
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * Merges the operator's files into the languages. A file may add a language that is not built in: its missing texts fall back to
 * its base language (`de` for `de-AT`) if that has the same script, else to English.
 *
 * @param texts the built-in languages by tag
 * @returns warnings
 */
function mergeCustomTexts(
  folder: string,
  texts: Map<string, LocaleTexts>,
  english: LocaleTexts,
  faults: Fault[],
): string[] {
  const paths = textPaths(english);
  /** What languages have from English, by tag. */
  const lacking = new Map<string, string[]>();
  // A language before its variants, and English before those that may lack something.
  const order = readCustomFiles(folder, faults).sort(
    (a, b) => Number(b.tag === fallbackTag) - Number(a.tag === fallbackTag) || a.tag.length - b.tag.length,
  );
  for (const { tag, file, custom } of order) {
    const found = findTextFaults(english, custom, tag);
    if (found.length > 0) {
      faults.push(...found.map(({ path, message }) => toFault(file, path, message, textAt(custom, path))));
      continue;
    }
    const { script } = writingOf(tag);
    const base = truncations(tag).find((prefix) => texts.has(prefix) && writingOf(prefix).script === script);
    const builtIn = texts.get(tag)?.language;
    const name = builtIn?.name ?? new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
    const merged = mergeTexts(texts.get(base ?? fallbackTag) ?? english, custom);
    texts.set(tag, {
      ...merged,
      language: { name, dir: builtIn?.dir ?? directionOf(tag), ...(custom.language as object), tag },
    });
    const inherited = base === undefined ? paths : (lacking.get(base) ?? []);
    lacking.set(
      tag,
      inherited.filter((path) => textAt(custom, path) === undefined),
    );
  }
  return [...lacking].flatMap(([tag, lost]) => {
    const first = `${lost.slice(0, namedMax).join(", ")}${lost.length > namedMax ? ", …" : ""}`;
    const count = `${lost.length} of ${paths.length} texts`;
    return lost.length === 0 ? [] : [`locales: ${tag}.json lacks ${count}, which are told in English: ${first}`];
  });
}

/** The files of the operator's folder that can be read. */
function readCustomFiles(folder: string, faults: Fault[]): { tag: string; file: string; custom: Texts }[] {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    const message = `expected a folder of files such as de.json (${codeOf(error)})`;
    faults.push({ path: "locales", value: JSON.stringify(folder), message });
  }
  return names.sort().flatMap((name) => {
    const file = join(folder, name);
    const tag = basename(name, ".json");
    const canonical = canonicalTag(tag);
    const hint = canonical === undefined ? "such as de or pt-BR" : `so ${canonical}.json`;
    const fault = (message: string) => {
      faults.push({ path: file, value: null, message });
      return [];
    };
    if (canonical !== tag) return fault(`expected a file named by a language tag, ${hint}`);
    try {
      const custom = readJson(file);
      return isGroup(custom) ? [{ tag, file, custom }] : fault("expected a JSON object");
    } catch (error) {
      return fault(`can't be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

function toFault(file: string, path: string, message: string, value: unknown): Fault {
  const excerpt =
    typeof value === "string" ? JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value) : null;
  return { path: path === "" ? file : `${file}: ${path}`, value: excerpt, message };
}
