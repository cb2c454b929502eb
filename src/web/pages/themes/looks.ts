import { join } from "node:path";
import { messageIn } from "../../../room/index.ts";
import type { Locale } from "../locales/locale.ts";
import { type InlineAsset, inlineAsset, readSheets } from "../render/assets.ts";
import { readTemplates, type Templates } from "../render/templates.ts";
import type { Theme } from "../types.ts";
import { colorSheet, headColors, iconAddress } from "./theme-style.ts";
import { mergeThemeTexts } from "./theme-texts.ts";

/** What pages of one theme have in common, or those without a theme. */
export type Look = ReturnType<typeof createLook>;

/** The same look for the same theme. */
export type Looks = (theme: Theme | undefined) => Look;

/** What pages are made with. */
export interface Views {
  readonly templates: Templates;
  /** A stylesheet of an operator's own, behind all others. */
  readonly sheet: string;
}

/** @param readOwnViews the views of an operator's folder, asked for once */
export function createLooks(viewsDir: string, readOwnViews: (folder: string) => Views): Looks {
  const builtIn = { templates: readTemplates(viewsDir), sheet: "" };
  const ownViews = new Map<string | null, Views>();
  const usual = createLook(undefined, viewsDir, builtIn);
  const looks = new WeakMap<Theme, Look>();
  return (theme) => {
    if (theme === undefined) return usual;
    const known = looks.get(theme);
    if (known !== undefined) return known;
    const { viewsDir: own } = theme;
    const views = ownViews.get(own) ?? (own === null ? builtIn : readOwnViews(own));
    ownViews.set(own, views);
    const look = createLook(theme, viewsDir, views);
    looks.set(theme, look);
    return look;
  };
}

export function createLook(theme: Theme | undefined, viewsDir: string, { templates, sheet }: Views) {
  const styles = new Map<string, InlineAsset>();
  const locales = new Map<Locale, Locale>();
  const { logo = null, links = [], footer = null, title = null, texts = [] } = theme ?? {};
  /** For what else stands on the page of a theme. */
  const themeSheets = logo !== null || links.length > 0 || footer !== null ? ["theme.css"] : [];
  const icon = iconAddress(theme ?? { colors: null });
  const ownRules = (theme === undefined ? "" : colorSheet(theme)) + sheet;

  return {
    templates,
    /** Images that stand in the pages, as addresses that hold them. */
    images: [
      icon,
      ...(logo === null
        ? []
        : [logo.image, ...(logo.darkImage === null ? [] : [logo.darkImage])].map(({ uri }) => uri)),
    ],
    /** These sheets of views/styles, and the theme's own behind them. */
    style(...sheets: string[]): InlineAsset {
      const key = sheets.join(" ");
      const read = () => readSheets(join(viewsDir, "styles"), [...sheets, ...themeSheets]);
      const style = styles.get(key) ?? inlineAsset(read() + ownRules);
      styles.set(key, style);
      return style;
    },
    /** These sheets alone. */
    plainStyle: (...sheets: string[]): InlineAsset => inlineAsset(readSheets(join(viewsDir, "styles"), sheets)),
    /** The language with the theme's texts in it. */
    localeFor(locale: Locale): Locale {
      const themed = locales.get(locale) ?? mergeThemeTexts(locale, texts);
      locales.set(locale, themed);
      return themed;
    },
    /** What the room is called on its pages; undefined: as it calls itself. */
    titleIn: ({ tag }: Locale) => (title === null ? undefined : wordsIn(title, tag).text),
    /**
     * What templates find in `page.theme`: all of it is there for pages without a theme, too.
     *
     * @param imageAddress of an image, by the address that holds it; default: that one
     */
    variables: ({ tag }: Locale, imageAddress = (uri: string) => uri) => ({
      colors: headColors(theme ?? { colors: null }),
      icon: imageAddress(icon),
      logo: logo && {
        src: imageAddress(logo.image.uri),
        darkSrc: logo.darkImage === null ? "" : imageAddress(logo.darkImage.uri),
        alt: wordsIn(logo.alt, tag).text,
        width: Math.max(1, Math.round(logo.height * logo.image.ratio)),
        height: logo.height,
        href: logo.link ?? "",
        opensTab: opensTab(logo.link ?? ""),
      },
      links: links.map(({ href, label }) => ({ href, ...wordsIn(label, tag), opensTab: opensTab(href) })),
      footer: footer && wordsIn(footer, tag),
    }),
  };
}

/** The page keeps the visitor's place in view, so other pages open beside it. */
export const opensTab = (href: string) => /^https?:/i.test(href);

/** In the page's language or the one that comes nearest; else the first. */
export function wordsIn(words: NonNullable<Theme["footer"]>, tag: string): { text: string; language: string } {
  const found = messageIn({ texts: words }, tag);
  const isOfPage = found?.language?.toLowerCase() === tag.toLowerCase();
  return { text: found?.text ?? "", language: isOfPage ? "" : (found?.language ?? "") };
}
