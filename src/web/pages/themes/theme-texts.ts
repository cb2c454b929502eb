import { type Fault, unknownWord } from "../../../config/index.ts";
import { truncations, writingOf } from "../locales/languages.ts";
import { createLocale, type Locale } from "../locales/locale.ts";
import { findTextFaults, type LocaleTexts, mergeTexts, nestedText, textPaths } from "../locales/texts.ts";
import type { Theme } from "../types.ts";

/**
 * What is wrong in the texts of themes, by the rules of the files in views/locales.
 *
 * @param english whose texts say what there is
 * @param tags of the languages that there are
 */
export function findThemeTextFaults(themes: readonly Theme[], english: LocaleTexts, tags: readonly string[]): Fault[] {
  const paths = textPaths(english);
  // A text of an issuer is in the themes of all its rooms.
  const texts = new Set(themes.flatMap((theme) => theme.texts));
  return [...texts].flatMap(({ language, path, text, where }) => {
    const at = (place: string, message: string): Fault => ({ path: `${where}.${place}`, value: null, message });
    if (!tags.includes(language)) {
      return [{ path: where, value: null, message: `no such language; there are ${tags.join(", ")}` }];
    }
    if (!paths.includes(path)) return [at(path, unknownPath(path, paths))];
    return findTextFaults(english, nestedText(path, text), language).map((fault) => at(fault.path, fault.message));
  });
}

/** There are hundreds, so only those near are named. */
function unknownPath(path: string, paths: readonly string[]): string {
  const [hint = ""] = unknownWord("text", path, paths).split("; allowed");
  return `${hint}; expected the place of a text in views/locales/en.json, such as waiting.eyebrow`;
}

/** The language with a theme's texts in it: those of `de` are in `de-AT` as well, where that has none of its own. */
export function mergeThemeTexts(locale: Locale, texts: Theme["texts"]): Locale {
  const { script } = writingOf(locale.tag);
  const tags = truncations(locale.tag).filter((tag) => writingOf(tag).script === script);
  const overrides = tags.reverse().flatMap((tag) => texts.filter(({ language }) => language === tag));
  if (overrides.length === 0) return locale;
  return createLocale(
    overrides.reduce((merged, { path, text }) => mergeTexts(merged, nestedText(path, text)), locale.texts),
  );
}
