import { join } from "node:path";
import type { Locale } from "../locales/locale.ts";
import { type InlineAsset, inlineAsset, readSheets } from "../render/assets.ts";
import { readTemplates, type Templates } from "../render/templates.ts";
import type { Theme } from "../types.ts";
import { colorSheet } from "./theme-style.ts";
import { layThemeTexts } from "./theme-texts.ts";
import { themeVariables, wordsIn } from "./theme-variables.ts";

/** What pages of one theme have in common, or those without a theme. */
export interface Look {
  readonly templates: Templates;
  /** These sheets of views/styles, and the theme's own behind them. */
  style(...sheets: string[]): InlineAsset;
  /** The language with the theme's texts in it. */
  localeFor(locale: Locale): Locale;
  variables(locale: Locale): ReturnType<typeof themeVariables>;
  /** What the room is called on its pages; undefined: as it calls itself. */
  titleIn(locale: Locale): string | undefined;
}

/** The same look for the same theme. */
export type Looks = (theme: Theme | undefined) => Look;

/** What pages are made with. */
export interface Views {
  readonly templates: Templates;
  /** A stylesheet of an operator's own, behind all others. */
  readonly sheet: string;
}

/** @param ownViewsIn the views of an operator's folder */
export function createLooks(viewsDir: string, ownViewsIn: (folder: string) => Views): Looks {
  const builtIn = { templates: readTemplates(viewsDir), sheet: "" };
  const usual = createLook(undefined, viewsDir, builtIn);
  const looks = new WeakMap<Theme, Look>();
  return (theme) => {
    if (theme === undefined) return usual;
    const known = looks.get(theme);
    if (known !== undefined) return known;
    const views = theme.viewsDir === null ? builtIn : ownViewsIn(theme.viewsDir);
    const look = createLook(theme, viewsDir, views);
    looks.set(theme, look);
    return look;
  };
}

export function createLook(theme: Theme | undefined, viewsDir: string, { templates, sheet }: Views): Look {
  const styles = new Map<string, InlineAsset>();
  const locales = new Map<Locale, Locale>();
  return {
    templates,
    style(...sheets) {
      const key = sheets.join(" ");
      const text = () => readSheets(join(viewsDir, "styles"), hasParts(theme) ? [...sheets, "theme.css"] : sheets);
      const style = styles.get(key) ?? inlineAsset(text() + (theme === undefined ? "" : colorSheet(theme)) + sheet);
      styles.set(key, style);
      return style;
    },
    localeFor(locale) {
      const themed = locales.get(locale) ?? layThemeTexts(locale, theme?.texts ?? []);
      locales.set(locale, themed);
      return themed;
    },
    variables: (locale) => themeVariables(theme, locale),
    titleIn: ({ tag }) => (theme?.title == null ? undefined : wordsIn(theme.title, tag).text),
  };
}

/** Whether something stands on the page for which the other sheets have no rules. */
const hasParts = (theme: Theme | undefined) =>
  theme !== undefined && (theme.logo !== null || theme.links.length > 0 || theme.footer !== null);
