/**
 * What visitors may read while they wait. The waiting page does not carry it: its script loads it as a part once the page is there, and without scripts a
 * link opens a page of its own. Both are made once for each text, look and language, and kept.
 */
import ejs from "ejs";
import { LRUCache } from "lru-cache";
import { readMarkdown, type WordsInLanguage } from "../../../config/index.ts";
import type { Locale } from "../locales/locale.ts";
import { contentSecurityPolicy } from "../render/assets.ts";
import { keepPage } from "../render/kept-page.ts";
import { rehearsalSheets, rehearsalVariable } from "../render/variables.ts";
import { isolate } from "../shared/wording.ts";
import { type Look, type Looks, wordsIn } from "../themes/looks.ts";
import type { WhileWaitingPages, WhileWaitingShown } from "../types.ts";
import { imageOrigins, markdownHtml } from "./markdown-html.ts";
import { revisionOf } from "./revision.ts";

/** Of each look. A language of a text has one. */
const keptMax = 200;

/** What a page has of a text: the same for all pages in a language. */
interface Content {
  readonly html: string;
  /** Empty: it is that of the page, or of any. */
  readonly language: string;
  readonly imageOrigins: readonly string[];
}

export type Contents = ReturnType<typeof createContents>;

/** Reads texts, each once for as long as it is in use. */
export function createContents() {
  const kept = new LRUCache<string, Content>({ max: keptMax });
  return (words: readonly WordsInLanguage[], tag: string): Content => {
    const key = `${revisionOf(words)} ${tag}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const { text, language } = wordsIn(words, tag);
    const { nodes } = readMarkdown(text);
    const content = { html: markdownHtml(nodes), language, imageOrigins: imageOrigins(nodes) };
    kept.set(key, content);
    return content;
  };
}

export function createWhileWaitingPage({ looks, contents }: { readonly looks: Looks; readonly contents: Contents }) {
  const pages = new WeakMap<Look, LRUCache<string, WhileWaitingPages>>();

  return (shown: WhileWaitingShown, usualLocale: Locale): WhileWaitingPages => {
    const look = looks(shown.theme);
    const kept = pages.get(look) ?? new LRUCache<string, WhileWaitingPages>({ max: keptMax });
    pages.set(look, kept);
    const { words, room, isRehearsal } = shown;
    const key = JSON.stringify([revisionOf(words), usualLocale.tag, room, isRehearsal]);
    const made = kept.get(key) ?? makePages(shown, look, look.localeFor(usualLocale));
    kept.set(key, made);
    return made;
  };

  function makePages(shown: WhileWaitingShown, look: Look, locale: Locale): WhileWaitingPages {
    const { html, language, imageOrigins } = contents(shown.words, locale.tag);
    const title = look.titleIn(locale) ?? shown.room;
    const { whileWaiting: name } = locale.texts.waiting;
    const slot = (written: string) =>
      `<div class="slot"${language === "" ? "" : ` lang="${ejs.escapeXML(language)}"`} dir="auto"${written}>${html}</div>`;
    const style = look.style("base.css", ...rehearsalSheets(shown), "while-waiting.css");
    const page = look.templates.layout({
      locale,
      theme: look.variables(locale),
      title: `${name} · ${isolate(title, locale.dir)}`,
      style,
      script: undefined,
      rehearsal: rehearsalVariable(shown, locale),
      main: [
        "<main>",
        `<header><p class="small">${ejs.escapeXML(name)}</p><h1><bdi>${ejs.escapeXML(title)}</bdi></h1></header>`,
        slot(""),
        "</main>",
      ].join("\n"),
      chooser: undefined,
    });
    // Its styles are an attribute: a document, even one that nobody sees, may have none that its page does not allow.
    const styles = look.plainStyle("while-waiting.css").text;
    const part = `<!doctype html><title>${ejs.escapeXML(name)}</title>${slot(` data-style="${ejs.escapeXML(styles)}"`)}`;
    const policy = { script: undefined, connects: false, hasForm: false };
    return {
      page: keepPage(page, locale, contentSecurityPolicy({ ...policy, style, imageOrigins })),
      part: keepPage(part, locale, "default-src 'none'; frame-ancestors 'none'"),
    };
  }
}
