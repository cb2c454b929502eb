import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { LogEntry } from "../../core/rows.ts";
import { type Moment, sinceMs, type Times } from "./times.ts";

/** The limiter's window, with its margin. */
const windowMs = 60_200;
const runPattern = /^run (\S+)$/;
const rowPattern = /^(\d+) (\d+) (\S+)$/;

/** What is left of the last minute before a process starts. */
export interface LastMinute {
  /** The last run of the store that wrote here; null where none did. */
  readonly run: string | null;
  /** Whether every admission of the window is here. */
  readonly isWhole: boolean;
  /** The admissions of a room, by their age: `atMs` is 0 or less, and 0 is now. */
  readonly entries: (room: string) => readonly LogEntry[];
}

export const nothingLeft: LastMinute = { run: null, isWhole: false, entries: () => [] };

/**
 * The admissions of the embedded store, on disk before their visitors are answered, so that the limiter knows them after a
 * crash. Two files: when the first row of one is out of the window, it takes the place of the other.
 */
export function createAdmissionFile(path: string, times: Times, onFailure: (error: unknown) => void) {
  const olderPath = `${path}-before`;
  let beganMs = 0;
  let isBroken = false;

  /** What has a hole must not look whole: the next process finds nothing, and holds for a minute. */
  function fail(error: unknown): void {
    if (!isBroken) onFailure(error);
    isBroken = true;
    remove();
  }

  function remove(): void {
    for (const file of [path, olderPath]) {
      try {
        rmSync(file, { force: true });
      } catch {
        // Reported with what failed before.
      }
    }
  }

  function replaceOlder(run: string, uptimeMs: number): void {
    renameSync(path, olderPath);
    appendFileSync(path, `run ${run}\n`, { mode: 0o600 });
    beganMs = uptimeMs;
  }

  return {
    /** @throws when there is a file that cannot be read */
    read(): LastMinute {
      const now = times();
      const lines = [olderPath, path].flatMap((file) => (existsSync(file) ? linesOf(file) : []));
      const run = lines.findLast((line) => runPattern.test(line))?.slice("run ".length) ?? null;
      const others = lines.filter((line) => !runPattern.test(line));
      const rows = others.flatMap((line) => readRow(line) ?? []);
      // What was written last before the machine went down may not have reached the disk.
      const isWhole = run !== null && rows.length === others.length && now.uptimeMs >= windowMs;
      const entries = (wanted: string) =>
        rows.filter(({ room }) => room === wanted).map((row) => ({ atMs: -sinceMs(row, times()), count: 1 }));
      return { run, isWhole, entries };
    },

    /** A run of the store begins. What earlier ones left stays while it is within the window. */
    begin(run: string): void {
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendFileSync(path, `run ${run}\n`, { mode: 0o600 });
        beganMs = times().uptimeMs;
      } catch (error) {
        fail(error);
      }
    },

    /** On disk when this returns, as long as it can be written. */
    add(run: string, room: string): void {
      if (isBroken) return;
      try {
        const { wallMs, uptimeMs } = times();
        if (uptimeMs - beganMs > windowMs) replaceOlder(run, uptimeMs);
        appendFileSync(path, `${Math.floor(wallMs)} ${Math.floor(uptimeMs)} ${room}\n`);
      } catch (error) {
        fail(error);
      }
    },

    /** Nothing that was written before counts any more. */
    remove,

    get isBroken() {
      return isBroken;
    },
  };
}

function linesOf(file: string): string[] {
  return readFileSync(file, "latin1").split("\n").filter(Boolean);
}

function readRow(line: string): (Moment & { readonly room: string }) | null {
  const [, wall, uptime, room = ""] = rowPattern.exec(line) ?? [];
  return room === "" ? null : { room, wallMs: Number(wall), uptimeMs: Number(uptime) };
}
