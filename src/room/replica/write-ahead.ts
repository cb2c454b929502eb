import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Lapse } from "../../store/contract/room-store.ts";

/** What a process has handed out in a room that its checkpoint may not say yet. */
export interface Ahead {
  /** The last position that it gave out, and its edition. */
  readonly edition: number;
  readonly position: number;
  /** Admissions reported since the state in its checkpoint, and when the last of them ends. */
  readonly admitted: Lapse;
  /** The flow clock of the store when it was read last. */
  readonly flowMs: number;
}

/** Each room has a line of this length, so that one write replaces it, and needs no new space on a full disk. */
const lineLength = 128;
const linesAtFirst = 64;
const linePattern = /^([a-z0-9~-]{1,41}) (\d{1,12}) (\d{1,16}) (\d{1,9}) (\d{1,15}) (\d{1,15}) *$/;
export const nobody: Lapse = { count: 0, untilMs: 0 };
export const nothing: Ahead = { edition: 0, position: 0, admitted: nobody, flowMs: 0 };

/** Contents of an existing file, by room; incomplete lines are skipped. */
export function readAhead(path: string): Map<string, Ahead> {
  return new Map(readLines(path).flatMap((line) => (line === null ? [] : [line])));
}

function readLines(path: string): ([room: string, Ahead] | null)[] {
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch {
    return [];
  }
  const count = Math.floor(text.length / lineLength);
  return Array.from({ length: count }, (_, index) => {
    const line = linePattern.exec(text.slice(index * lineLength, (index + 1) * lineLength - 1));
    if (line === null) return null;
    const [edition = 0, position = 0, admitted = 0, untilMs = 0, flowMs = 0] = line.slice(2).map(Number);
    return [line[1] ?? "", { edition, position, admitted: { count: admitted, untilMs }, flowMs }];
  });
}

/**
 * A write-ahead log: positions and admissions are on disk before a visitor learns of them. Continues the file of an earlier process; the file is
 * created on the first write.
 */
export function createWriteAhead(path: string) {
  const lines = new Map<string, { readonly index: number; readonly ahead: Ahead }>();
  let next = 0;
  let file: number | null = null;
  for (const [index, line] of readLines(path).entries()) {
    if (line === null) continue;
    lines.set(line[0], { index, ahead: line[1] });
    next = index + 1;
  }

  function open(): number {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const opened = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      if (lines.size === 0) writeSync(opened, `${" ".repeat(lineLength - 1)}\n`.repeat(linesAtFirst), 0, "latin1");
      return opened;
    } catch (error) {
      // The next note tries again: a full disk must not use up the process's open files as well.
      closeSync(opened);
      throw error;
    }
  }

  return {
    /** One small write in place. @throws when it cannot be written */
    note(room: string, change: Partial<Ahead>): void {
      file ??= open();
      const { index, ahead: before } = lines.get(room) ?? { index: next++, ahead: nothing };
      const ahead = { ...before, ...change };
      lines.set(room, { index, ahead });
      const { edition, position, admitted, flowMs } = ahead;
      const numbers = [edition, position, admitted.count, Math.ceil(admitted.untilMs), Math.floor(flowMs)];
      const line = [room, ...numbers].join(" ");
      writeSync(file, `${line.padEnd(lineLength - 1)}\n`, index * lineLength, "latin1");
    },
    close(): void {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
