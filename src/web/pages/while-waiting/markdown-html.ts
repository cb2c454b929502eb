/** An operator's Markdown as HTML for the inside of a page: what it was read into (config/markdown), and not a tag more. */
import ejs from "ejs";
import { imagesIn, type MarkdownNode } from "../../../config/index.ts";

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
