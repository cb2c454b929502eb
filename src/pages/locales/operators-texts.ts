import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Fault } from "../../config/index.ts";
import { canonicalTag, directionOf, scriptOf, truncations } from "./language-lookup.ts";
import { findTextFaults, type TextFault, textAt, textPaths } from "./locale-check.ts";
import type { LocaleTexts } from "./locale-texts.ts";

/** The languages of the pages by tag, complete, and what is to be said about the operator's files. */
export interface LaidTexts {
  readonly texts: ReadonlyMap<string, LocaleTexts>;
  readonly warnings: readonly string[];
  readonly faults: readonly Fault[];
}

type Own = Readonly<Record<string, unknown>>;

/** How many texts a warning names. */
const namedMax = 3;

/**
 * Merges the operator's files into the built-in languages. A file of a language that is not built in is a new one: what it lacks
 * is told in its base language (`de` for `de-AT`) where that is written alike, else in English.
 *
 * @param english whose texts say what there is
 */
export function layOperatorsTexts(
  folder: string,
  builtIn: ReadonlyMap<string, LocaleTexts>,
  english: LocaleTexts,
): LaidTexts {
  const texts = new Map(builtIn);
  const warnings: string[] = [];
  /** What the new languages lack, by tag. */
  const missing = new Map<string, string[]>();
  const { files, faults } = readFiles(folder);

  // A language before its variants, and English before those that may lack something.
  const order = [...files].sort(([a], [b]) => Number(b === "en") - Number(a === "en") || a.length - b.length);
  for (const [tag, { file, own }] of order) {
    const found = [...languageFaults(own, tag), ...findTextFaults(english, own, tag)];
    if (found.length > 0) {
      faults.push(...found.map(({ path, message }) => toFault(file, path, message, textAt(own, path))));
      continue;
    }
    const [, ...shorter] = truncations(tag);
    const base = builtIn.has(tag) ? tag : shorter.find((each) => texts.has(each) && scriptOf(each) === scriptOf(tag));
    texts.set(tag, layOver(texts.get(base ?? "en") ?? english, own, tag, builtIn.get(tag)));
    if (builtIn.has(tag)) continue;
    const lacking = base === undefined ? textPaths(english) : (missing.get(base) ?? []);
    missing.set(
      tag,
      lacking.filter((path) => textAt(own, path) === undefined),
    );
  }
  for (const [tag, paths] of missing) {
    if (paths.length > 0) warnings.push(describeMissing(tag, paths, textPaths(english).length));
  }
  return { texts, warnings, faults };
}

/** The files of the folder by tag. */
function readFiles(folder: string) {
  const files = new Map<string, { file: string; own: Own }>();
  const faults: Fault[] = [];
  for (const name of namesIn(folder, faults)) {
    const file = join(folder, name);
    const tag = basename(name, ".json");
    const canonical = canonicalTag(tag);
    if (canonical !== tag) {
      const meant = canonical === undefined ? "such as de or pt-BR" : `so ${canonical}.json`;
      faults.push({ path: file, value: null, message: `expected a file named by a language tag, ${meant}` });
      continue;
    }
    const own = readObject(file, faults);
    if (own !== null) files.set(tag, { file, own });
  }
  return { files, faults };
}

function namesIn(folder: string, faults: Fault[]): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    const message = `expected a folder of files such as de.json (${code})`;
    faults.push({ path: "locales", value: JSON.stringify(folder), message });
    return [];
  }
}

function readObject(file: string, faults: Fault[]): Own | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Own;
    faults.push({ path: file, value: null, message: "expected a JSON object" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    faults.push({ path: file, value: null, message: `can't be read as JSON: ${reason}` });
  }
  return null;
}

/** How a language is called and written may be left to what is known of it. */
function languageFaults({ language }: Own, tag: string): TextFault[] {
  if (language === undefined) return [];
  if (typeof language !== "object" || language === null) return [{ path: "language", message: "expected an object" }];
  return Object.entries(language).flatMap(([key, value]) => {
    const path = `language.${key}`;
    if (key === "tag") return value === tag ? [] : [{ path, message: `expected ${tag}, as the file is named` }];
    if (key === "name")
      return typeof value === "string" && value.trim() !== "" ? [] : [{ path, message: "expected text" }];
    if (key === "dir") return value === "ltr" || value === "rtl" ? [] : [{ path, message: "expected ltr or rtl" }];
    return [{ path, message: "unknown key; allowed: tag, name, dir" }];
  });
}

function toFault(file: string, path: string, message: string, value: unknown): Fault {
  const shown = typeof value === "string" ? JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value) : null;
  return { path: path === "" ? file : `${file}: ${path}`, value: shown, message };
}

/** @param known the built-in language of that tag */
function layOver(base: LocaleTexts, own: Own, tag: string, known: LocaleTexts | undefined): LocaleTexts {
  const given = own.language as Partial<LocaleTexts["language"]> | undefined;
  const language = {
    tag,
    name: given?.name ?? known?.language.name ?? new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag,
    dir: given?.dir ?? known?.language.dir ?? directionOf(tag),
  };
  const merged = structuredClone(base) as unknown as Record<string, unknown>;
  for (const path of textPaths(base)) {
    const text = textAt(own, path);
    if (text !== undefined) setAt(merged, path.split("."), text);
  }
  return { ...(merged as unknown as LocaleTexts), language };
}

function setAt(target: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else setAt(target[key] as Record<string, unknown>, rest, value);
}

function describeMissing(tag: string, paths: readonly string[], count: number): string {
  const first = paths.slice(0, namedMax).join(", ");
  const rest = paths.length > namedMax ? ", …" : "";
  return `locales: ${tag}.json lacks ${paths.length} of ${count} texts, which are told in English: ${first}${rest}`;
}
