import { join } from "node:path";
import { contrastOf, DEFAULT_PALETTES, mixColors, type Palette } from "../../../config/index.ts";
import { messageIn, type RoomMessage } from "../../../room/index.ts";
import type { Locale } from "../locales/locale.ts";
import { type InlineAsset, inlineAsset, readSheets } from "../render/assets.ts";
import { readTemplates, type Templates } from "../render/templates.ts";
import type { Theme } from "../types.ts";
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

/** @param readCustomViews the views of an operator's folder, asked for once */
export function createLooks(viewsDir: string, readCustomViews: (folder: string) => Views): Looks {
  const builtIn = { templates: readTemplates(viewsDir), sheet: "" };
  const customViews = new Map<string | null, Views>();
  const usual = createLook(undefined, viewsDir, builtIn);
  const looks = new WeakMap<Theme, Look>();
  return (theme) => {
    if (theme === undefined) return usual;
    const cached = looks.get(theme);
    if (cached !== undefined) return cached;
    const { viewsDir: folder } = theme;
    const views = customViews.get(folder) ?? (folder === null ? builtIn : readCustomViews(folder));
    customViews.set(folder, views);
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
  const themeRules = (theme === undefined ? "" : colorSheet(theme)) + sheet;

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
      const style = styles.get(key) ?? inlineAsset(read() + themeRules);
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

/**
 * The operator's words in the page's language, or nothing yet.
 *
 * @param isSoldOut whether the page's headline says so: then it is not said again above their words. Default: no
 */
export function messageVariables(message: RoomMessage | null, { tag, texts }: Locale, isSoldOut = false) {
  const words = message === null ? undefined : messageIn(message, tag);
  return {
    severity: message?.severity ?? "information",
    text: words?.text ?? "",
    language: words?.language ?? "",
    labels: isSoldOut ? { ...texts.message, sold_out: texts.message.information } : texts.message,
  };
}

/** What a page says above all else where nothing is sold; else "", so that the page has no byte of it. */
export function rehearsalVariable({ isRehearsal }: { readonly isRehearsal?: boolean }, { texts }: Locale): string {
  return isRehearsal === true ? texts.rehearsal : "";
}

export function rehearsalSheets({ isRehearsal }: { readonly isRehearsal?: boolean }): string[] {
  return isRehearsal === true ? ["rehearsal.css"] : [];
}

/** The colours of a theme as a stylesheet that stands behind the others; empty where the theme has none. */
export function colorSheet({ colors }: Theme): string {
  if (colors === null) return "";
  const { light, dark } = colors;
  return [
    `:root{${declare(light)}}`,
    `@media (prefers-color-scheme:dark){:root{${declare(dark)}}}`,
    // Where the system's colours are forced, they stay.
    `@media (forced-colors:none){[data-state="held"] .card,[data-state="turn"] .card{${declareDoor(light)}}}`,
  ].join("");
}

function declare(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name.replace("_", "-")}:${color}`)
    .join(";");
}

/** The door that opens has the accent of the day for its ground, by night as well. */
function declareDoor({ accent: ground, on_accent: ink }: Palette): string {
  const soft = (share: number, needed: number) => {
    const mixed = mixColors(ink, ground, share);
    return contrastOf(mixed, ground) >= needed ? mixed : ink;
  };
  // Behind the bar, which has the ink's colour.
  const line = [0.25, 0.18, 0.12, 0.06]
    .map((share) => mixColors(ink, ground, share))
    .find((mixed) => contrastOf(ink, mixed) >= 3);
  return [
    `--soft:${soft(0.82, 4.5)}`,
    `--ink:${ink}`,
    `--line:${line ?? ground}`,
    `--edge:${soft(0.6, 3)}`,
    `--accent:${ink}`,
    `--on-accent:${ground}`,
    `background:${ground}`,
    `color:${ink}`,
  ].join(";");
}

/** The icon of a page as an address that holds it: three people in a line. It may stand in an attribute as it is. */
export function iconAddress(theme: Pick<Theme, "colors">): string {
  const { ground, ink } = headColors(theme).icon;
  const dots = [
    "cx='8' cy='16' r='2.5' opacity='.5'",
    "cx='15' cy='16' r='3' opacity='.75'",
    "cx='23.5' cy='16' r='4'",
  ].map((dot) => `%3Ccircle ${dot}/%3E`);
  const square = `%3Crect width='32' height='32' rx='9' fill='%23${ground.slice(1)}'/%3E`;
  const svg = "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E";
  return `data:image/svg+xml,${svg}${square}%3Cg fill='%23${ink.slice(1)}'%3E${dots.join("")}%3C/g%3E%3C/svg%3E`;
}

/** What stands in the page's head. */
export function headColors({ colors }: Pick<Theme, "colors">) {
  const { light, dark } = colors ?? DEFAULT_PALETTES;
  return { paper: { light: light.paper, dark: dark.paper }, icon: { ground: light.accent, ink: light.on_accent } };
}
