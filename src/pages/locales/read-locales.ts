import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ConfigError } from "../../config/index.ts";
import { findThemeTextFaults } from "../themes/theme-texts.ts";
import type { Theme } from "../types.ts";
import { createLanguageChoice, type LanguageChoice } from "./language-choice.ts";
import { createLocale, type Locale } from "./locale.ts";
import { type LocaleTexts, localeTexts } from "./locale-texts.ts";
import { layOperatorsTexts } from "./operators-texts.ts";

export interface Locales {
  readonly choose: LanguageChoice;
  /** By the order of their tags. */
  readonly all: readonly Locale[];
  /** What works and the operator should still know, one line each. */
  readonly warnings: readonly string[];
}

export interface LocaleOptions {
  /** The operator's own texts: a folder of files as in views/locales, each with as many texts as they like. */
  readonly ownFolder?: string | undefined;
  /** The languages that the configuration names, by who names them. */
  readonly named?: ReadonlyMap<string, string>;
  /** Its texts are checked, and override a page's language when the page is made. */
  readonly themes?: readonly Theme[];
}

const fallbackTag = "en";

/**
 * Reads every language: the built-in ones, and the operator's over them.
 *
 * @param folder of the built-in ones
 * @throws ConfigError with all that is wrong in the operator's files, and with languages that are named and are not there;
 * Error that names a built-in file and what is wrong in it
 */
export function readLocales(
  folder: string,
  { ownFolder, named = new Map(), themes = [] }: LocaleOptions = {},
): Locales {
  const builtIn = readBuiltIn(folder);
  const english = builtIn.get(fallbackTag);
  if (english === undefined) throw new Error(`no locale "${fallbackTag}" in ${folder}`);
  const { texts, warnings, faults } =
    ownFolder === undefined
      ? { texts: builtIn, warnings: [], faults: [] }
      : layOperatorsTexts(ownFolder, builtIn, english);

  const tags = [...texts.keys()].sort();
  const unknown = [...named]
    .filter(([, tag]) => !texts.has(tag))
    .map(([path, tag]) => ({
      path,
      value: JSON.stringify(tag),
      message: `no such language; there are ${tags.join(", ")}`,
    }));
  const all = [...faults, ...unknown, ...findThemeTextFaults(themes, english, tags)];
  if (all.length > 0) {
    throw new ConfigError(
      `The languages of the pages have ${all.length} ${all.length === 1 ? "fault" : "faults"}:`,
      all,
    );
  }

  const locales = tags.flatMap((tag) => texts.get(tag) ?? []).map(createLocale);
  const fallback = locales.find(({ tag }) => tag === fallbackTag);
  if (fallback === undefined) throw new Error(`no locale "${fallbackTag}" in ${folder}`);
  return { all: locales, choose: createLanguageChoice(locales, fallback), warnings };
}

function readBuiltIn(folder: string): Map<string, LocaleTexts> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const all = new Map(files.map((name) => [basename(name, ".json"), readBuiltInFile(join(folder, name))]));
  const english = all.get(fallbackTag);
  for (const { notices } of all.values()) {
    for (const [code, notice] of Object.entries(notices)) notice.tone ??= english?.notices[code]?.tone;
  }
  return all;
}

function readBuiltInFile(file: string): LocaleTexts {
  const parsed = localeTexts.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`${file}: ${faults.join("; ")}`);
}
