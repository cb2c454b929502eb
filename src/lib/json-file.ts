import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces a file in one step, so that a reader or a crash never sees half of it. Mode 0600.
 *
 * @param isSynced whether it must outlive the machine, too, when this returns; takes some milliseconds
 */
export function replaceJsonFile(path: string, value: unknown, isSynced = false): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, JSON.stringify(value), { mode: 0o600, flush: isSynced });
    renameSync(temporary, path);
    if (isSynced) syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
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
