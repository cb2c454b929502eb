/**
 * Where in the text of a configuration file a fault is: line, column, and the line itself. Only what the fault names is repeated of
 * a line; all else may be a secret, and appears as `…`.
 */
import { type Document, isMap, isScalar, isSeq, type LineCounter, type Range } from "yaml";
import type { Fault, Place } from "./checks/faults.ts";
import { formatPath, type Path } from "./raw-document.ts";

/** Half-open, in characters from the beginning of the text. */
type Span = readonly [from: number, to: number];

interface Word {
  readonly span: Span;
  /** Of the value that it is, or is the key of. */
  readonly path: string;
  readonly isKey: boolean;
}

/** The longest part of a line that is shown, in characters. */
const widthMax = 100;
/** No key is longer: what is, is no key. */
const keyLengthMax = 64;

/** @returns what gives a fault its place; faults of what does not stand in the document stay as they are */
export function placesIn(document: Document, text: string, file: string, lines: LineCounter): (fault: Fault) => Fault {
  const words: Word[] = [];
  const keys = new Map<string, Span>();
  const values = new Map<string, Span>();
  visit(document.contents, []);
  words.sort((one, other) => one.span[0] - other.span[0]);
  const byLine = new Map<number, Word[]>();
  for (const word of words) {
    const { line } = lines.linePos(word.span[0]);
    const ofLine = byLine.get(line);
    if (ofLine === undefined) byLine.set(line, [word]);
    else ofLine.push(word);
  }

  return (fault) => {
    const place = placeOf(fault);
    return place === null ? fault : { ...fault, place };
  };

  /** Aliases are not followed: what stands under an anchor has the place of the alias. */
  function visit(node: unknown, path: Path): void {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        if (isScalar(key)) {
          const below = [...path, String(key.value)];
          addWord(key.range, below, true);
          remember(values, below, rangeOf(value));
          visit(value, below);
        } else {
          visit(key, ["?"]);
          visit(value, ["?"]);
        }
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        remember(values, [...path, index], rangeOf(item));
        visit(item, [...path, index]);
      }
    } else if (isScalar(node)) addWord(node.range, path, false);
  }

  function addWord(range: Range | null | undefined, path: Path, isKey: boolean): void {
    if (!range) return;
    const word = { span: [range[0], range[1]] as const, path: formatPath(path), isKey };
    if (range[1] > range[0]) words.push(word);
    if (isKey && !keys.has(word.path)) keys.set(word.path, word.span);
  }

  function placeOf({ path, value, isOfKey }: Fault): Place | null {
    const isMissing = value === "missing";
    let at = path;
    while (at !== "" && !keys.has(at) && !values.has(at)) at = parentOf(at);
    if (at === "") return null;
    const [key, own] = [keys.get(at), values.get(at)];
    const span = (isOfKey || isMissing || at !== path ? (key ?? own) : (own ?? key)) as Span;
    const { line, col } = lines.linePos(span[0]);
    return { file, line, column: col, excerpt: excerptOf(line, span, at, showsValue(at, value)) };
  }

  /** Whether the message has the value in full, so that nothing is repeated that it hides. */
  function showsValue(path: string, value: string | null): boolean {
    const span = values.get(path);
    if (span === undefined || value === null) return false;
    const written = text.slice(...span);
    return [written, `'${written}'`, JSON.stringify(written), JSON.stringify(written.slice(1, -1))].includes(value);
  }

  /** The line, and what marks the place below it; null where nothing of the line can be shown. */
  function excerptOf(line: number, target: Span, path: string, isShown: boolean): Place["excerpt"] {
    const start = lines.lineStarts[line - 1] ?? 0;
    const end = start + (text.slice(start).match(/^[^\r\n]*/)?.[0].length ?? 0);
    let [out, marker, markerWidth, at] = ["", -1, 0, start];
    let hasWords = false;
    const put = (piece: string) => {
      // What is left out in a row is left out once.
      out = piece === "…" ? `${out.replace(/…[\s:,]*$/, "")}…` : out + piece;
    };
    const mark = (from: number, width: number) => {
      if (marker < 0) [marker, markerWidth] = [from, Math.max(1, width)];
    };
    for (const { span, path: of, isKey } of byLine.get(line) ?? []) {
      const between = beforeComment(text.slice(at, span[0]));
      if (target[0] >= at && target[0] < span[0]) mark(out.length + target[0] - at, 1);
      out += between;
      const isNamed = isKey ? isOrAbove(of, path) && span[1] - span[0] <= keyLengthMax : isShown && of === path;
      const written = text.slice(span[0], Math.min(span[1], end));
      if (isNamed) hasWords = true;
      put(isNamed ? written : "…");
      if (span[0] === target[0]) mark(out.length - (isNamed ? written.length : 1), isNamed ? written.length : 1);
      at = Math.min(span[1], end);
    }
    if (target[0] >= at && target[0] < end) mark(out.length + target[0] - at, 1);
    out = (out + beforeComment(text.slice(at, end))).trimEnd();
    return hasWords && marker >= 0 ? windowed(out, marker, markerWidth) : null;
  }
}

function remember(places: Map<string, Span>, path: Path, span: Span | null): void {
  const name = formatPath(path);
  if (span !== null && !places.has(name)) places.set(name, span);
}

function rangeOf(node: unknown): Span | null {
  const range = (node as { range?: Range | null } | null)?.range;
  return range && range[1] > range[0] ? [range[0], range[1]] : null;
}

/** `rooms[0].inlet` of `rooms[0].inlet.type`; empty for a key of the document. */
function parentOf(path: string): string {
  return path.replace(/(?:\[\d+\]|(?:^|\.)(?:[\w-]+|"(?:[^"\\]|\\.)*")|.)$/s, "");
}

function isOrAbove(path: string, other: string): boolean {
  return other === path || (other.startsWith(path) && /[.[]/.test(other.charAt(path.length)));
}

/** Outside of keys and values, a number sign behind a blank begins a comment. */
function beforeComment(text: string): string {
  return text.replace(/(?<=^|\s)#.*$/s, "");
}

function windowed(line: string, marker: number, width: number): Place["excerpt"] {
  const from = marker + Math.min(width, 30) > widthMax ? marker - 30 : 0;
  const shown = `${from > 0 ? "…" : ""}${line.slice(from > 0 ? from + 1 : 0, from + widthMax)}`;
  const cut = line.length > from + widthMax ? `${shown.slice(0, -1)}…` : shown;
  const column = marker - from;
  return { text: cut, marker: `${" ".repeat(column)}${"^".repeat(Math.max(1, Math.min(width, cut.length - column)))}` };
}
