import { messageIn } from "../../room/index.ts";
import type { Locale } from "../locales/locale.ts";
import type { Theme } from "../types.ts";
import { headColors } from "./theme-style.ts";

type Words = NonNullable<Theme["footer"]>;

/** What templates find in `page.theme`: all of it is there for pages without a theme, too. */
export function themeVariables(theme: Theme | undefined, { tag }: Locale) {
  const { logo = null, links = [], footer = null } = theme ?? {};
  return {
    colors: headColors(theme ?? { colors: null }),
    logo: logo && {
      src: logo.image.uri,
      darkSrc: logo.darkImage?.uri ?? "",
      alt: wordsIn(logo.alt, tag).text,
      width: Math.max(1, Math.round(logo.height * logo.image.ratio)),
      height: logo.height,
      href: logo.link ?? "",
      opensTab: opensTab(logo.link ?? ""),
    },
    links: links.map(({ href, label }) => ({ href, ...wordsIn(label, tag), opensTab: opensTab(href) })),
    footer: footer && wordsIn(footer, tag),
  };
}

/** The page keeps the visitor's place in view, so other pages open beside it. */
const opensTab = (href: string) => /^https?:/i.test(href);

/** In the page's language or the one that comes nearest; else the first. */
export function wordsIn(words: Words, tag: string): { text: string; language: string } {
  const found = messageIn({ severity: "information", texts: words }, tag);
  const isOfPage = found?.language?.toLowerCase() === tag.toLowerCase();
  return { text: found?.text ?? "", language: isOfPage ? "" : (found?.language ?? "") };
}
