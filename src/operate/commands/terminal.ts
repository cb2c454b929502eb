import { InvalidArgumentError } from "commander";
import type { SettingsPart } from "../../config/index.ts";

/** What an operator can mend; its message is all that is shown. */
export class CommandError extends Error {
  override name = "CommandError";
  /** With which the process ends: 1 for what was refused or failed. */
  readonly exitCode: number = 1;
}

/** The command was called in a way that it does not have. */
export class UsageError extends CommandError {
  override readonly exitCode = 2;
}

/** Where a command is run. */
export interface Terminal {
  /** The environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What features add to the configuration file. */
  readonly parts: readonly SettingsPart[];
  /** The folder of the program, with `views` and `dist`. */
  readonly packageDir: string;
  readonly print: (text: string) => void;
  /** Asks the person at the terminal; null where nobody is. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** What can be painted anew; null where the output goes into a file or a pipe. */
  readonly screen: Screen | null;
  /** Shows one line in place of the one before, for a person who waits; null where nobody sees it. */
  readonly progress: ((line: string) => void) | null;
  /** Aborted by Ctrl-C from now on. */
  readonly listenForStop: () => AbortSignal;
}

export interface Screen {
  /** Characters in a line, and lines, at this moment; 0 where the terminal does not say. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly write: (text: string) => void;
}

/** @throws CommandError unless the person at the terminal says yes to `what` */
export async function requireYes(ask: Terminal["ask"], what: string): Promise<void> {
  if (ask === null) throw new CommandError(`${what}\nNobody can be asked here: --yes does it. Nothing was changed.`);
  const answer = await ask(`${what}\nType yes to do it: `);
  if (answer.trim().toLowerCase() !== "yes") throw new CommandError("Nothing was changed.");
}

/** What others wrote must not steer the terminal. */
export function printable(line: string): string {
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}

/** JSON for programs, in characters that do not steer a terminal: others are written as `\uXXXX`, which means the same. */
export function jsonText(value: unknown): string {
  return escapeJson(JSON.stringify(value, null, 2));
}

/** The same in one line, for what comes row by row. */
export function jsonLine(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

function escapeJson(json: string): string {
  // A line break stands between values only: within one, JSON escapes it.
  return json.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}

/** A whole number as people read it: 11,240. */
export function figure(value: number): string {
  return value.toLocaleString("en-US");
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** Columns as wide as what is in them, two blanks apart; the first row is the head. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Reads the value of an option. */
export function wholeNumberIn(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
  };
}
