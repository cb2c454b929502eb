/** Rooms of a backup, put where a process that starts looks for what earlier ones left. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceJsonFile } from "../../../lib/json-file.ts";
import type { Lapse } from "../../../store/contract/room-store.ts";
import { keyFilePath } from "../keys.ts";
import { createWriteAhead } from "../write-ahead.ts";
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

/** A process that serves rooms writes here each second. */
const quietMs = 5_000;

const filesIn = (directory: string) =>
  existsSync(directory) ? readdirSync(directory).filter((name) => /\.(json|last|keys)$/.test(name)) : [];

/** Whether processes have left anything here that would be newer than a backup. */
export const hasCheckpoints = (directory: string) => filesIn(directory).length > 0;

const isRestored = (name: string) => name.startsWith(`${restored}.`);

/** Whether a process goes on writing here. What was restored is no process's. */
export const isInUse = (directory: string, nowMs: number) =>
  filesIn(directory).some((name) => !isRestored(name) && nowMs - statSync(join(directory, name)).mtimeMs < quietMs);

/** Whether all that is here was restored, and no process has begun with it. */
export const isAllRestored = (directory: string) => hasCheckpoints(directory) && filesIn(directory).every(isRestored);

/**
 * Nobody knows what has happened since, so each room is held as one that nobody remembers, until an operator resumes it: meanwhile tickets
 * that visitors show raise its counters. As many positions are kept back as would have been given out at the busiest pace that was seen, and
 * where live admissions are limited, so many count as live as there may be.
 *
 * @param rooms by the names of their lines
 * @param others names of lines that there may have been, and of which the backup says nothing: they are held as well
 * @param madeMs when the backup was made
 */
export function writeRestored(
  directory: string,
  rooms: ReadonlyMap<string, RoomCopy>,
  others: readonly string[],
  { createdMs, nowMs }: { readonly createdMs: number; readonly nowMs: number },
): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const checkpoints = [...rooms].map(([name, { checkpoint }]) => {
    const { memory } = checkpoint;
    const ageSec = Math.max(0, nowMs - createdMs) / 1_000;
    const since = Math.min(reserveMax, Math.ceil(memory.joinsPerSecondPeak * ageSec));
    const holds = [...new Set(["recovered", ...memory.holds])];
    const onHold = { ...memory, holds, liveLapses: lapsesSince(memory, nowMs) };
    return [name, { ...checkpoint, memory: onHold, reserved: checkpoint.reserved + since }];
  });
  for (const [name, { keys }] of rooms)
    if (keys !== null) writeFileSync(keyFilePath(directory, restored, name), keys, { mode: 0o600 });
  const ahead = createWriteAhead(join(directory, `${restored}.last`));
  for (const name of others) ahead.note(name, {});
  ahead.close();
  replaceJsonFile(join(directory, `${restored}.json`), Object.fromEntries(checkpoints), true);
}

/** The live admissions of a memory, and those that were given since, as many as the limit allows. */
function lapsesSince({ liveLapses, settings }: Checkpoint["memory"], nowMs: number): readonly Lapse[] {
  const { inlet, admission } = settings.effective;
  if (inlet?.type !== "max_active" || inlet.maxActive === null) return liveLapses;
  const recorded = liveLapses.reduce((sum, { untilMs, count }) => sum + (untilMs > nowMs ? count : 0), 0);
  const unknown = inlet.maxActive - recorded;
  return unknown <= 0 ? liveLapses : [...liveLapses, { untilMs: nowMs + admission.durationMs, count: unknown }];
}
