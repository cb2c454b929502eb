import type { Locale } from "../locales/locale.ts";

/** What the layout's language chooser shows. */
export interface Chooser {
  readonly label: string;
  readonly choose: string;
  /** Where it leads back to; null where the page itself has that field of its form, `languages`. */
  readonly here: string | null;
  readonly languages: readonly { readonly tag: string; readonly name: string; readonly dir: string }[];
}

/** Undefined where there is nothing to choose. */
export type ChooserFor = (locale: Locale, here: string | null) => Chooser | undefined;

/** Every language stands by its own name, in the order of these names, the same on every page. */
export function createChooser(all: readonly Locale[]): ChooserFor {
  const languages = all
    .map(({ tag, dir, texts }) => ({ tag, dir, name: texts.language.name }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return ({ texts }, here) => (languages.length < 2 ? undefined : { ...texts.chooser, here, languages });
}
