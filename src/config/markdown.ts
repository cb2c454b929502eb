/**
 * Reads an operator's Markdown (CommonMark) into a tree of the few things that a page shows: headings, paragraphs, lists, emphasis, links,
 * images, rules. What a page makes of it can hold nothing else: HTML in it is text, and an address that is not allowed is a fault.
 */
import MarkdownIt, { type Token } from "markdown-it";
import { anyPageFault, webAddressFault } from "./checks/urls.ts";

export interface MarkdownImage {
  readonly kind: "image";
  readonly src: string;
  readonly alt: string;
  /** CSS pixels; the room that is kept for it. */
  readonly width: number;
  readonly height: number;
}

/** A text, or something with children. */
export type MarkdownNode =
  | string
  | { readonly kind: "break" }
  | { readonly kind: "rule" }
  | MarkdownImage
  | { readonly kind: "link"; readonly href: string; readonly children: readonly MarkdownNode[] }
  /** As written, from 1 to 6. */
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly MarkdownNode[] }
  /** `start` null: the items have no numbers. */
  | { readonly kind: "list"; readonly start: number | null; readonly children: readonly MarkdownNode[] }
  | {
      readonly kind: "paragraph" | "item" | "strong" | "emphasis";
      readonly children: readonly MarkdownNode[];
    };

/** In it, all that is wrong: where anything is, the text must not be taken. */
export interface ReadMarkdown {
  readonly nodes: readonly MarkdownNode[];
  /** Each with its line. */
  readonly faults: readonly string[];
}

/** Levels of lists, emphasis and links in each other, as the parser counts them: two for each list. */
const levelsMax = 16;
const imagesMax = 12;
const faultsMax = 20;

/** The parser drops what is nested deeper, so that must be deeper than what is a fault. */
const parser = new MarkdownIt("zero", { html: false, maxNesting: levelsMax + 8 }).enable([
  ...["heading", "lheading", "list", "hr", "reference"],
  ...["newline", "escape", "emphasis", "link", "image", "autolink", "entity"],
]);
// Addresses are judged below, where what is wrong can be said. The parser would leave such a link as text.
parser.validateLink = () => true;

/** @param text of a bounded length */
export function readMarkdown(text: string): ReadMarkdown {
  const faults = new Set<string>();
  const report = (line: number, fault: string) => {
    if (faults.size < faultsMax) faults.add(`line ${line}: ${fault}`);
  };
  const nodes = readTokens(parser.parse(text, {}), 1, report);
  if (faults.size === 0 && !isSeen(nodes)) faults.add("expected words or an image");
  if (imagesIn(nodes).length > imagesMax) faults.add(`expected at most ${imagesMax} images`);
  return { nodes, faults: [...faults] };
}

/** All images, in the order of the text. */
export function imagesIn(nodes: readonly MarkdownNode[]): MarkdownImage[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string" || node.kind === "break" || node.kind === "rule") return [];
    return node.kind === "image" ? [node] : imagesIn(node.children);
  });
}

function isSeen(nodes: readonly MarkdownNode[]): boolean {
  return nodes.some((node) => {
    if (typeof node === "string") return node.trim() !== "";
    if (node.kind === "break" || node.kind === "rule") return false;
    return node.kind === "image" || isSeen(node.children);
  });
}

type Report = (line: number, fault: string) => void;

/** What is open, and what is in it so far. */
interface Open {
  readonly close: (children: readonly MarkdownNode[]) => readonly MarkdownNode[];
  readonly children: MarkdownNode[];
}

/** @param firstLine of those that have no line of their own, as all within a paragraph */
function readTokens(tokens: readonly Token[], firstLine: number, report: Report): readonly MarkdownNode[] {
  const root: Open = { close: (children) => children, children: [] };
  const opened = [root];
  let line = firstLine;
  for (const token of tokens) {
    if (token.map) line = token.map[0] + 1;
    if (token.level > levelsMax) {
      report(line, "too much is nested in each other here");
      return root.children;
    }
    const top = opened.at(-1) ?? root;
    if (token.nesting === 1) opened.push({ close: closerOf(token, line, report), children: [] });
    else if (token.nesting === -1 && top !== root) {
      opened.pop();
      (opened.at(-1) ?? root).children.push(...top.close(top.children));
    } else top.children.push(...readLeaf(token, line, report));
  }
  return root.children;
}

/** What becomes of a token's children. A kind that is not known here is left out, with what is in it. */
function closerOf(token: Token, line: number, report: Report): Open["close"] {
  switch (token.type) {
    case "paragraph_open":
      // That of an item in a list without empty lines is the item itself.
      return (children) => (token.hidden ? children : [{ kind: "paragraph", children }]);
    case "heading_open":
      return (children) => [{ kind: "heading", level: Number(token.tag.slice(1)), children }];
    case "bullet_list_open":
      return (children) => [{ kind: "list", start: null, children }];
    case "ordered_list_open":
      return (children) => [{ kind: "list", start: Number(token.attrGet("start") ?? 1), children }];
    case "list_item_open":
      return (children) => [{ kind: "item", children }];
    case "strong_open":
      return (children) => [{ kind: "strong", children }];
    case "em_open":
      return (children) => [{ kind: "emphasis", children }];
    case "link_open": {
      const written = String(token.attrGet("href") ?? "");
      const place = linkTo(written);
      if ("fault" in place) report(line, `the link to ${shortened(written)}: ${place.fault}`);
      return (children) => {
        if ("fault" in place) return children;
        if (!isSeen(children)) report(line, `the link to ${shortened(written)}: expected words, in [ ]`);
        return [{ kind: "link", href: place.href, children }];
      };
    }
    default:
      return () => [];
  }
}

function readLeaf(token: Token, line: number, report: Report): readonly MarkdownNode[] {
  switch (token.type) {
    case "inline":
      return readTokens(token.children ?? [], line, report);
    case "text":
    case "text_special":
      return token.content === "" ? [] : [token.content];
    case "softbreak":
      return ["\n"];
    case "hardbreak":
      return [{ kind: "break" }];
    case "hr":
      return [{ kind: "rule" }];
    case "image": {
      const src = String(token.attrGet("src") ?? "");
      const alt = plainTextOf(readTokens(token.children ?? [], line, () => {})).trim();
      const title = token.attrGet("title");
      const { faults, place } = imageAt({ src, alt, title: title === null ? null : String(title) });
      for (const fault of faults) report(line, `the image ${shortened(src)}: ${fault}`);
      return faults.length > 0 ? [alt].filter((text) => text !== "") : [{ kind: "image", alt, ...place }];
    }
    default:
      return [];
  }
}

/** An image in it says what it shows. */
function plainTextOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      if (node.kind === "break" || node.kind === "rule") return " ";
      return node.kind === "image" ? node.alt : plainTextOf(node.children);
    })
    .join("");
}

function shortened(address: string): string {
  return address.length > 80 ? `${address.slice(0, 80)}…` : address;
}

const ALT_LENGTH_MAX = 300;
const SIDE_MAX = 10_000;
/** Of an image that does not say its own. */
const USUAL_SIZE = { width: 1_600, height: 900 };
/** What can be a source in a Content-Security-Policy: a host's name may have characters that end one. */
const SOURCE = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;

/** A page of any site. */
export function linkTo(written: string): { readonly href: string } | { readonly fault: string } {
  const fault = anyPageFault(written);
  return fault === null ? { href: new URL(written).href } : { fault };
}

/** An image of any host, with what those read who do not see it. Where it has a title, that is its size. */
export function imageAt({
  src,
  alt,
  title,
}: {
  readonly src: string;
  readonly alt: string;
  readonly title: string | null;
}) {
  const addressFault = webAddressFault(src);
  const url = addressFault === null ? new URL(src) : null;
  const size = title === null ? USUAL_SIZE : sizeOf(title);
  const faults = [
    addressFault,
    url === null || SOURCE.test(url.origin) ? null : "expected a host's name of letters, digits and hyphens",
    alt === "" ? "expected what it shows, in [ ], for those who do not see it" : null,
    alt.length > ALT_LENGTH_MAX ? `expected at most ${ALT_LENGTH_MAX} characters in [ ]` : null,
    size === null ? 'its title is its width and height in pixels, such as "1200x600"' : null,
  ].filter((fault) => fault !== null);
  return { faults, place: { src: url?.href ?? "", ...(size ?? USUAL_SIZE) } };
}

function sizeOf(title: string): typeof USUAL_SIZE | null {
  const [, width = 0, height = 0] = (/^(\d{1,5})x(\d{1,5})$/.exec(title) ?? []).map(Number);
  const isSize = [width, height].every((side) => side >= 1 && side <= SIDE_MAX);
  return isSize ? { width, height } : null;
}
