import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { LogEntry } from "../../core/rows.ts";
import { draftOf } from "../../lib/draft-file.ts";
import { createMemoryData, type MemoryData } from "./data.ts";

/** A whole store, as a process left it that stopped in good order. */
interface Stored extends Moment {
  /** What this program keeps: another version's store is not read. */
  readonly shape: string;
  readonly data: MemoryData;
}

/** What a process that starts finds. */
interface Resumed {
  /** Null where the last process did not stop in good order. */
  readonly data: MemoryData | null;
  readonly lastMinute: LastMinute;
}

export type StoredRun = ReturnType<typeof createStoredRun>;

/**
 * What the embedded store leaves on disk for the process that comes next: all of it where it stops in good order, and in any case
 * the admissions of the last minute. There is one of it in a folder, whatever host or port the processes have: none goes on where an
 * earlier one stopped if another has served since.
 */
export function createStoredRun({
  directory,
  times,
  onFailure,
}: {
  /** That of the checkpoints. */
  readonly directory: string;
  readonly times: Times;
  readonly onFailure: (error: unknown) => void;
}) {
  const path = join(directory, "embedded.store");
  const admissions = createAdmissionFile(join(directory, "embedded.admissions"), times, onFailure);

  function discard(): void {
    rmSync(path, { force: true });
    admissions.remove();
  }

  /** Used once: should this process be killed, the store has moved on. */
  function take(run: string | null): MemoryData | null {
    if (!existsSync(path)) return null;
    const bytes = readFileSync(path);
    rmSync(path);
    const stored = deserialize(bytes) as Stored;
    // Whatever began to serve since has moved on as well.
    if (stored.shape !== shapeOf() || stored.data.runId !== run) return null;
    goOn(stored.data, stored, times());
    return stored.data;
  }

  return {
    /**
     * Begins a run, and answers what the one before it left.
     *
     * @param isNew whether this is a new installation: what an earlier one left is of no use
     * @param run goes on where it stopped in good order, or begins
     */
    begin(isNew: boolean, run: string): Resumed {
      let resumed: Resumed = { data: null, lastMinute: nothingLeft };
      try {
        if (isNew) discard();
        resumed = { ...resumed, lastMinute: admissions.read() };
        resumed = { ...resumed, data: take(resumed.lastMinute.run) };
      } catch (error) {
        onFailure(error);
      }
      admissions.begin(resumed.data?.runId ?? run);
      // Nor could the process before write there, it may be.
      return admissions.isBroken ? { ...resumed, lastMinute: nothingLeft } : resumed;
    },

    /** Another store serves the rooms from now on. */
    discard(): void {
      try {
        discard();
      } catch (error) {
        onFailure(error);
      }
    },

    /** An admission was given. On disk when this returns. */
    noteAdmission: admissions.add,

    /** The store has stopped: nothing changes any more. */
    end(data: MemoryData): void {
      if (admissions.isBroken) return;
      const draft = draftOf(path);
      try {
        const stored: Stored = { ...times(), shape: shapeOf(), data };
        writeFileSync(draft.path, serialize(stored), { mode: 0o600, flush: true });
        draft.put(true);
      } catch (error) {
        draft.drop();
        onFailure(error);
      }
    },
  };
}

/** By the time that has passed since, however the wall clock was set: nobody was admitted in it. */
function goOn(data: MemoryData, then: Moment, now: Moment): void {
  const passedMs = sinceMs(then, now);
  for (const clocked of [...data.rooms.values(), ...data.groups.values(), data.installation]) {
    if (now.wallMs < clocked.atMs) continue;
    clocked.flowMs += passedMs;
    clocked.atMs = Math.floor(now.wallMs);
  }
  // These speak of processes that are gone.
  data.processes.clear();
  data.watchers.clear();
  data.keys = null;
}

/** Changes with every field that the store keeps. */
function shapeOf(): string {
  return JSON.stringify(createMemoryData(""));
}

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
function createAdmissionFile(path: string, times: Times, onFailure: (error: unknown) => void) {
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

/** A moment on two clocks of a machine: the wall clock, which may be set, and the time since it started, which only grows. */
interface Moment {
  readonly wallMs: number;
  readonly uptimeMs: number;
}

type Times = () => Moment;

/**
 * How long ago a moment was that another process wrote down: never more than it was, unless the wall clock was set forward and the
 * disk is in another machine by now.
 */
function sinceMs(then: Moment, now: Moment): number {
  // A machine that started since did so later than that.
  const upMs = now.uptimeMs < then.uptimeMs ? now.uptimeMs : now.uptimeMs - then.uptimeMs;
  return Math.max(0, Math.min(now.wallMs - then.wallMs, upMs));
}
