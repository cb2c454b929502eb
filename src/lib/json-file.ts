import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { draftOf } from "./draft-file.ts";

/**
 * Replaces a file in one step, so that a reader or a crash never sees half of it. Mode 0600.
 *
 * @param isSynced whether it must outlive the machine, too, when this returns; takes some milliseconds
 */
export function replaceJsonFile(path: string, value: unknown, isSynced = false): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = draftOf(path);
  try {
    writeFileSync(draft.path, JSON.stringify(value), { mode: 0o600, flush: isSynced });
    draft.put(true);
    if (isSynced) syncFolder(dirname(path));
  } catch (error) {
    draft.drop();
    throw error;
  }
}

/** What was made, renamed or removed in a folder outlives the machine when this returns. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
