/** What each setting means: the sentences of docs/configuration.md, in the console's languages. */
import type { Localized } from "../frame/speech.ts";
import { meanings } from "./settings-table.ts";

type Path = keyof typeof meanings;

export function meaningOf(path: string): Localized {
  const english = meanings[path as Path] ?? "";
  return { en: english, de: english };
}

/** Of a group of settings; null for those that are in none. */
export function groupMeaningOf(name: string): Localized | null {
  return name === "" ? null : meaningOf(name);
}
