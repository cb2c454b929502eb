/** Rooms of a backup, put where a process that starts looks for what earlier ones left. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceJsonFile } from "../../../lib/json-file.ts";
import { keyFilePath } from "../keys/key-file.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint-files.ts";

/** A room, as it was when a backup was made. */
export interface RoomCopy {
  readonly checkpoint: Checkpoint;
  /** A file of keys with a place (keys/key-file.ts); null: none had one. */
  readonly keys: Buffer | null;
}

const restored = "restored";
/** Positions that are kept back for those who joined since, at most. */
const reserveMax = 10_000_000;

/** @throws ZodError for what is none */
export function readRoomCopy(checkpoint: unknown, keys: string | null): RoomCopy {
  return { checkpoint: readCheckpoint(checkpoint), keys: keys === null ? null : Buffer.from(keys, "base64") };
}

/** Whether processes have left anything here that would be newer than a backup. */
export function hasCheckpoints(directory: string): boolean {
  return existsSync(directory) && readdirSync(directory).some((name) => /\.(json|last|keys)$/.test(name));
}

/**
 * Nobody knows what has happened since, so each room is held as one that nobody remembers, until an operator resumes it: meanwhile tickets
 * that visitors show raise its counters. As many positions are kept back as would have been given out at the busiest pace that was seen.
 *
 * @param rooms by the names of their lines
 * @param ageMs of the backup
 */
export function writeRestored(directory: string, rooms: ReadonlyMap<string, RoomCopy>, ageMs: number): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const checkpoints = [...rooms].map(([name, { checkpoint }]) => {
    const { memory } = checkpoint;
    const since = Math.min(reserveMax, Math.ceil((memory.joinsPerSecondPeak * Math.max(0, ageMs)) / 1_000));
    const held = { ...memory, holds: [...new Set(["recovered", ...memory.holds])] };
    return [name, { ...checkpoint, memory: held, reserved: checkpoint.reserved + since }];
  });
  for (const [name, { keys }] of rooms)
    if (keys !== null) writeFileSync(keyFilePath(directory, restored, name), keys, { mode: 0o600 });
  replaceJsonFile(join(directory, `${restored}.json`), Object.fromEntries(checkpoints), true);
}
