/** A configuration on its way out: YAML of which each line says how it stands to what was read. */
import { jsonLine, printable } from "../../operate/commands/terminal.ts";

/**
 * `exact`: the same here; `nearly`: what differs is said; `left out`: has no equal, or cannot be read; `not needed`: nothing is lost
 * without it; `yours`: no export says it.
 */
export type Fit = "exact" | "nearly" | "left out" | "not needed" | "yours";

export interface Note {
  readonly fit: Fit;
  /** What it was, why it differs, or what to do. */
  readonly text?: string;
}

/** `key: value`, or a key with lines below it, or with a list of groups of lines. */
export interface KeyLine {
  readonly key: string;
  readonly value?: unknown;
  readonly lines?: readonly Line[];
  readonly items?: readonly (readonly Line[])[];
  readonly note?: Note;
}

/** A comment by itself. */
export interface Remark {
  /** What it was called. */
  readonly about: string;
  readonly note: Note;
}

export type Line = KeyLine | Remark;

export const exact = (text?: string): Note => ({ fit: "exact", ...(text !== undefined && { text }) });
export const nearly = (text: string): Note => ({ fit: "nearly", text });
export const yours = (text: string): Note => ({ fit: "yours", text });
export const leftOut = (about: string, text: string): Remark => ({ about, note: { fit: "left out", text } });
export const notNeeded = (about: string, text: string): Remark => ({ about, note: { fit: "not needed", text } });
export const remark = (about: string, note: Note): Remark => ({ about, note });

/** Characters of a comment. Names of others stand in it. */
const commentMax = 400;

export function renderLines(lines: readonly Line[]): string {
  return `${lines.flatMap((line) => render(line, "")).join("\n")}\n`;
}

export function countFits(lines: readonly Line[]): Readonly<Record<Fit, number>> {
  const counts = { exact: 0, nearly: 0, "left out": 0, "not needed": 0, yours: 0 };
  const count = (line: Line) => {
    if (line.note !== undefined) counts[line.note.fit]++;
    if (!("key" in line)) return;
    line.lines?.forEach(count);
    line.items?.flat().forEach(count);
  };
  lines.forEach(count);
  return counts;
}

function render(line: Line, indent: string): string[] {
  if (!("key" in line))
    return [`${indent}# ${comment(`${line.note.fit}: ${line.about}${line.note.text ? `: ${line.note.text}` : ""}`)}`];
  const { key, value, lines, items, note } = line;
  const text = note === undefined ? "" : ` # ${comment(`${note.fit}${note.text ? `: ${note.text}` : ""}`)}`;
  const name = flow(key);
  if (lines === undefined && items === undefined) return [`${indent}${name}: ${flow(value)}${text}`];
  const below = lines?.flatMap((each) => render(each, `${indent}  `)) ?? [];
  return [`${indent}${name}:${text}`, ...below, ...(items ?? []).flatMap((item) => renderItem(item, `${indent}  `))];
}

/** The dash stands before the first key: comments that come earlier stand above it. */
function renderItem(item: readonly Line[], indent: string): string[] {
  const first = item.findIndex((line) => "key" in line);
  return item.flatMap((line, at) => {
    if (at < first) return render(line, indent);
    const [head = "", ...rest] = render(line, `${indent}  `);
    return [at === first ? `${indent}- ${head.trimStart()}` : head, ...rest];
  });
}

function comment(text: string): string {
  const line = printable(text);
  return line.length > commentMax ? `${line.slice(0, commentMax).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}

/** Words, and durations, that YAML reads as text without quotes. */
const plain = /^(?:[A-Za-z][\w.-]{0,63}|(?:\d+[dhms])+)$/;
const notPlain = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A value in one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${flow(key)}: ${flow(member)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return typeof value === "string" && plain.test(value) && !notPlain.test(value) ? value : jsonLine(value);
}
