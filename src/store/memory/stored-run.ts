import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { draftOf } from "../../lib/draft-file.ts";
import { createAdmissionFile, type LastMinute, nothingLeft } from "./admission-file.ts";
import { createMemoryData, type MemoryData } from "./data.ts";
import { type Moment, sinceMs, type Times } from "./times.ts";

export interface StoredRunOptions {
  /** That of the checkpoints. */
  readonly directory: string;
  readonly times: Times;
  readonly onFailure: (error: unknown) => void;
}

/** A whole store, as a process left it that stopped in good order. */
interface Stored extends Moment {
  /** What this program keeps: another version's store is not read. */
  readonly shape: string;
  readonly data: MemoryData;
}

/** What a process that starts finds. */
export interface Resumed {
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
export function createStoredRun({ directory, times, onFailure }: StoredRunOptions) {
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
