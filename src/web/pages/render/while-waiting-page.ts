/**
 * What visitors may read while they wait. The waiting page does not carry it: its script loads it as a part once the page is there, and without scripts a
 * link opens a page of its own. Both are made once for each text, look and language, and kept.
 */
import ejs from "ejs";
import { LRUCache } from "lru-cache";
import { imagesIn, type MarkdownNode, readMarkdown, type WordsInLanguage } from "../../../config/index.ts";
import type { Locale } from "../locales/locale.ts";
import { isolate } from "../shared/wording.ts";
import { type Look, type Looks, rehearsalSheets, rehearsalVariable, wordsIn } from "../themes/looks.ts";
import type { WhileWaitingContent, WhileWaitingPages } from "../types.ts";
import { contentSecurityPolicy, createStaticPage } from "./assets.ts";
import { revisionOf } from "./status-json.ts";

/** Of each look. A language of a text has one. */
const cacheMax = 200;

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
  const cache = new LRUCache<string, Content>({ max: cacheMax });
  return (words: readonly WordsInLanguage[], tag: string): Content => {
    const key = `${revisionOf(words)} ${tag}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const { text, language } = wordsIn(words, tag);
    const { nodes } = readMarkdown(text);
    const content = { html: markdownHtml(nodes), language, imageOrigins: imageOrigins(nodes) };
    cache.set(key, content);
    return content;
  };
}

export function createWhileWaitingPage({ looks, contents }: { readonly looks: Looks; readonly contents: Contents }) {
  const pages = new WeakMap<Look, LRUCache<string, WhileWaitingPages>>();

  return (content: WhileWaitingContent, usualLocale: Locale): WhileWaitingPages => {
    const look = looks(content.theme);
    const cache = pages.get(look) ?? new LRUCache<string, WhileWaitingPages>({ max: cacheMax });
    pages.set(look, cache);
    const { words, room, isRehearsal } = content;
    const key = JSON.stringify([revisionOf(words), usualLocale.tag, room, isRehearsal]);
    const rendered = cache.get(key) ?? makePages(content, look, look.localeFor(usualLocale));
    cache.set(key, rendered);
    return rendered;
  };

  function makePages(content: WhileWaitingContent, look: Look, locale: Locale): WhileWaitingPages {
    const { html, language, imageOrigins } = contents(content.words, locale.tag);
    const title = look.titleIn(locale) ?? content.room;
    const { whileWaiting: name } = locale.texts.waiting;
    const slot = (written: string) =>
      `<div class="slot"${language === "" ? "" : ` lang="${ejs.escapeXML(language)}"`} dir="auto"${written}>${html}</div>`;
    const style = look.style("base.css", ...rehearsalSheets(content), "while-waiting.css");
    const page = look.templates.layout({
      locale,
      theme: look.variables(locale),
      title: `${name} · ${isolate(title, locale.dir)}`,
      style,
      script: undefined,
      rehearsal: rehearsalVariable(content, locale),
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
      page: createStaticPage(page, locale, contentSecurityPolicy({ ...policy, style, imageOrigins })),
      part: createStaticPage(part, locale, "default-src 'none'; frame-ancestors 'none'"),
    };
  }
}

/** An operator's Markdown as HTML for the inside of a page: what it was read into (config/markdown), and not a tag more. */

/** The page has one `h1`, its title. */
const TOP_LEVEL = 2;
const BOTTOM_LEVEL = 6;

/** Headings are demoted: the highest that the text has is the page's second, whatever it was written as. */
export function markdownHtml(nodes: readonly MarkdownNode[]): string {
  const written = nodes.flatMap((node) => (typeof node === "object" && node.kind === "heading" ? [node.level] : []));
  const levels = [...new Set(written)].sort((a, b) => a - b);
  const tagOf = (level: number) => `h${Math.min(TOP_LEVEL + Math.max(0, levels.indexOf(level)), BOTTOM_LEVEL)}`;
  return nodes.map((node) => htmlOf(node, tagOf)).join("");
}

/** Where the images of a text come from, each origin once: what the policy of a page that shows it has to allow. */
export function imageOrigins(nodes: readonly MarkdownNode[]): string[] {
  return [...new Set(imagesIn(nodes).map(({ src }) => new URL(src).origin))];
}

function htmlOf(node: MarkdownNode, tagOf: (level: number) => string): string {
  if (typeof node === "string") return ejs.escapeXML(node);
  switch (node.kind) {
    case "break":
      return "<br>";
    case "rule":
      return "<hr>";
    case "image": {
      const { src, alt, width, height } = node;
      const named = attributes({ src, alt, width: String(width), height: String(height) });
      return `<img${named} loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
    }
    case "link":
      return linkHtml(node, tagOf);
    case "heading":
      return element(tagOf(node.level), node, tagOf);
    case "list": {
      if (node.start === null) return element("ul", node, tagOf);
      return element("ol", node, tagOf, node.start === 1 ? "" : attributes({ start: String(node.start) }));
    }
    default: {
      const [first, ...others] = node.children;
      const isAlone = others.every((other) => typeof other === "object" && other.kind === "list");
      if (!isLink(first) || !isAlone) return element(tags[node.kind], node, tagOf);
      // As tall as a thumb needs; within words, the words keep links apart.
      const rest = others.map((other) => htmlOf(other, tagOf)).join("");
      return `<${tags[node.kind]}>${linkHtml(first, tagOf, ' class="alone"')}${rest}</${tags[node.kind]}>`;
    }
  }
}

type Link = Extract<MarkdownNode, { readonly kind: "link" }>;

const isLink = (node: MarkdownNode | undefined): node is Link => typeof node === "object" && node.kind === "link";

/** The waiting page stays open, and where the visitor comes from is told to nobody. */
function linkHtml(link: Link, tagOf: (level: number) => string, written = ""): string {
  const { href } = link;
  return element("a", link, tagOf, `${written}${attributes({ href })} target="_blank" rel="noopener noreferrer"`);
}

const tags = { paragraph: "p", item: "li", strong: "strong", emphasis: "em" } as const;

function element(
  tag: string,
  { children }: { readonly children: readonly MarkdownNode[] },
  tagOf: (level: number) => string,
  written = "",
): string {
  return `<${tag}${written}>${children.map((child) => htmlOf(child, tagOf)).join("")}</${tag}>`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${ejs.escapeXML(value)}"`)
    .join("");
}
