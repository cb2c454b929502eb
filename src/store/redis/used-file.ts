/**
 * Records that work once and were used up, on disk beside the checkpoints: a file for each process and store, which is only added to. A line has when the
 * record expires, what became of it, and its name. What was used is worth nothing, but in an older copy of the store; so nobody else may read it (mode 0600).
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { draftOf } from "../../lib/draft-file.ts";

export interface UsedRecord {
  readonly how: "consumed" | "gone";
  readonly expiresMs: number;
}

export interface UsedFileOptions {
  /** That of the checkpoints. */
  readonly directory: string;
  readonly processName: string;
  /** Null for the main one. */
  readonly storeName: string | null;
  readonly nowMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

export type UsedFile = ReturnType<typeof createUsedFile>;

const linePattern = /^(\d{1,15}) (consumed|gone) (\S+)$/;
/** Of so many records a process remembers that they were used up. */
export const usedMost = 100_000;
/** Lines that do not count any more, beside as many that do. */
const spareLines = 1_000;

const lineOf = (record: string, { how, expiresMs }: UsedRecord) => `${Math.ceil(expiresMs)} ${how} ${record}\n`;

export function createUsedFile({ directory, processName, storeName, nowMs, onFailure }: UsedFileOptions) {
  const ending = `${storeName === null ? "" : `~${storeName}`}.used`;
  const path = join(directory, processName + ending);
  let file: number | null = null;
  /** Null where it has to be written anew. */
  let lines: number | null = null;

  function close(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  /** The file appears whole or not at all. */
  function replace(all: ReadonlyMap<string, UsedRecord>): void {
    close();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const draft = draftOf(path);
    try {
      file = openSync(draft.path, "w", 0o600);
      const now = nowMs();
      const live = [...all].filter(([, { expiresMs }]) => expiresMs > now);
      writeAll(file, live.map(([record, entry]) => lineOf(record, entry)).join(""));
      draft.put(true);
      lines = live.length;
    } catch (error) {
      draft.drop();
      throw error;
    }
  }

  return {
    /** What all processes of this directory have left of the store; of too much, what expires last. */
    left: readAll(directory, ending, storeName, nowMs()),

    /** Adds a record. @param all that count, this one included */
    add(record: string, entry: UsedRecord, all: ReadonlyMap<string, UsedRecord>): void {
      try {
        if (file === null || lines === null || lines > 2 * all.size + spareLines || isRemoved(file)) replace(all);
        else {
          writeAll(file, lineOf(record, entry));
          lines++;
        }
      } catch (error) {
        close();
        lines = null;
        onFailure(error);
      }
    },

    close,
  };
}

/** Another process that has started meanwhile found nothing in it that counts. */
function isRemoved(file: number): boolean {
  return fstatSync(file).nlink === 0;
}

/** A line that is not whole says nothing. A file in which nothing counts any more is removed: its process may be gone. */
function readAll(directory: string, ending: string, storeName: string | null, nowMs: number): Map<string, UsedRecord> {
  const left = new Map<string, UsedRecord>();
  for (const name of namesIn(directory)) {
    if (!name.endsWith(ending) || (storeName === null && name.includes("~"))) continue;
    const path = join(directory, name);
    const text = textOf(path);
    // Whoever may not read it does not remove it either.
    let isNeeded = text === null;
    for (const line of (text ?? "").split("\n")) {
      const [, expires = "", how = "", record = ""] = linePattern.exec(line) ?? [];
      if (Number(expires) <= nowMs) continue;
      isNeeded = true;
      left.set(record, { how: how as UsedRecord["how"], expiresMs: Number(expires) });
    }
    if (!isNeeded) remove(path);
  }
  if (left.size <= usedMost) return left;
  return new Map([...left].sort(([, a], [, b]) => a.expiresMs - b.expiresMs).slice(-usedMost));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** A file that stays is read once more at the next start. */
function remove(path: string): void {
  try {
    rmSync(path);
  } catch {
    // Others may have removed it, or the disk takes no changes.
  }
}

/** On a full disk a write may take a part of it alone; then the next one throws. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
