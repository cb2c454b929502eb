import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { SetupError } from "../../lib/errors.ts";
import { replaceJsonFile } from "../../lib/json-file.ts";
import { codeOf, describeFile, describeSystemError } from "../../lib/system-errors.ts";
import type { RoomMemory, Seen } from "../../store/contract/room-store.ts";
import { createLastPositions, type LastPosition, readLastPositions } from "./last-positions.ts";
import { mergeMemories } from "./merge-memories.ts";

/**
 * What outlives every process and the store: the counters of each room, and how far the queue counter may have come
 * since they were written. So even when everything is restarted at once, no position is handed out twice.
 */
export interface Checkpoints {
  /** Whether earlier processes of this installation left checkpoints, all of them readable. */
  readonly hasHistory: boolean;
  /** Whether the installation was made new and no room of it has been heard of yet. */
  readonly isNewInstallation: boolean;
  /** Files that could not be used, with the reason; for the log. */
  readonly faults: readonly string[];
  /** The incarnation of the store in which this very process, before its restart, left its checkpoint, and what it had seen of it. */
  ownSeen(room: string): Seen | null;
  /** What the checkpoints of other incarnations than this one remember of a room, merged; null when there are none. */
  recall(room: string, incarnation: string | null): RoomMemory | null;
  put(room: string, seen: Pick<Seen, "incarnation" | "flowMs">, memory: RoomMemory): void;
  /** Makes sure that positions up to `queued` are reserved on disk; if they are not, reserves `reserve` more. */
  reserve(room: string, queued: number, reserve: number): void;
  /** Positions up to here were given out to this process. On disk when this returns, as long as it can be written. */
  giveOut(room: string, edition: number, position: number): void;
  /** The room is no more. */
  forget(room: string): void;
  /** Writes what changed. Called once a second. */
  flush(): void;
  /** Writes the exact counters: the process ends in good order. */
  close(): void;
}

/** What one process wrote about a room. */
interface Checkpoint {
  readonly incarnation: string;
  /** The flow clock of the store when it was heard. */
  readonly flowMs: number;
  readonly memory: RoomMemory;
  /**
   * Positions up to here may have been handed out since: a bound, and no evidence, for the case that the last thing
   * written was lost with the machine.
   */
  readonly reserved: number;
}

export interface CheckpointOptions {
  /** Shared by the processes of one machine. */
  readonly directory: string;
  /** Names this process; the same after a restart, another for each process that runs at the same time. */
  readonly processName: string;
  /** Whether the keys were made just now, so that no ticket can exist. */
  readonly isNewInstallation: boolean;
  /** Told each time the checkpoints cannot be written. Joins go on without them, and a second later it is tried again. */
  readonly onFailure: (error: unknown) => void;
  /** Told each time they were written. */
  readonly onWritten?: () => void;
}

const newInstallationFile = "new-installation";
/** Clocks alone are worth writing down so often, counted in flushes. */
const idleFlushes = 30;

const count = z.int().min(0);
const checkpointSchema = z.object({
  incarnation: z.string(),
  flowMs: z.number(),
  reserved: count,
  memory: z.looseObject({
    edition: count,
    queued: count,
    serving: count,
    expiredThrough: count,
    gaps: z.array(z.object({ from: count, to: count })),
    version: count,
    basePhase: z.string(),
    holds: z.array(z.string()),
    scheduleMarkMs: z.number(),
    idleEndedMs: z.number(),
    settings: z.looseObject({ effective: z.looseObject({}), file: z.looseObject({}), live: z.looseObject({}) }),
    claimMs: z.number(),
    joinsPerSecondPeak: z.number(),
    counts: z.record(z.string(), z.number()),
    liveLapses: z.array(z.object({ untilMs: z.number(), count })),
    log: z.object({ last: count, sealed: z.object({ seq: count, hash: z.string() }) }).optional(),
  }),
});
const fileSchema = z.record(z.string(), checkpointSchema);

/** Keeps the checkpoints in a directory, one file for each process, and reads those of all that ever ran here. */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { directory, processName, onFailure, onWritten } = options;
  const path = join(directory, `${processName}.json`);
  const lastPositions = createLastPositions(join(directory, `${processName}.last`));
  const newInstallationPath = join(directory, newInstallationFile);
  const { files, faults } = readAll(directory);
  const own = files.get(`${processName}.json`) ?? {};
  const earlier = [...files.values()];
  // Rooms that are not configured this time may be again: what is known of them stays.
  const checkpoints: Record<string, Checkpoint> = { ...own };
  const knownRooms = new Set<string>();
  let isDirty = false;
  let isBroken = false;
  let quietFlushes = 0;

  const isNewInstallation = options.isNewInstallation || (files.size === 0 && existsSync(newInstallationPath));
  const forgetNewInstallation = () => {
    try {
      rmSync(newInstallationPath, { force: true });
    } catch {
      // A folder that takes nothing is told of where the checkpoints are written.
    }
  };
  const write = () => {
    try {
      replaceJsonFile(path, checkpoints);
      forgetNewInstallation();
      isDirty = false;
      isBroken = false;
      onWritten?.();
    } catch (error) {
      onFailure(error);
      isBroken = true;
      // Rooms are served all the same: the installation is new no more.
      forgetNewInstallation();
    }
  };
  if (options.isNewInstallation) {
    // A start that fails before any room is heard of is no history.
    try {
      replaceJsonFile(newInstallationPath, {});
    } catch (error) {
      onFailure(error);
    }
  }

  return {
    hasHistory: files.size > 0 && faults.length === 0,
    isNewInstallation,
    faults,
    ownSeen(room) {
      const checkpoint = own[room];
      if (checkpoint === undefined) return null;
      const { edition, queued } = checkpoint.memory;
      return { incarnation: checkpoint.incarnation, flowMs: checkpoint.flowMs, edition, queued };
    },

    recall(room, incarnation) {
      const known = earlier
        .flatMap((file) => file[room] ?? [])
        .filter((checkpoint) => checkpoint.incarnation !== incarnation);
      const merged = known
        .map(withReserve)
        .reduce<RoomMemory | null>((all, memory) => (all === null ? memory : mergeMemories(all, memory)), null);
      return merged;
    },

    put(room, { incarnation, flowMs }, memory) {
      const checkpoint = checkpoints[room];
      knownRooms.add(room);
      const isSameLine = checkpoint?.memory.edition === memory.edition;
      const reserved = Math.max(memory.queued, isSameLine ? checkpoint.reserved : 0);
      isDirty ||=
        checkpoint === undefined || checkpoint.incarnation !== incarnation || hasMoved(checkpoint.memory, memory);
      checkpoints[room] = { incarnation, flowMs, memory: { ...memory, admissions: [], moves: [] }, reserved };
    },

    reserve(room, queued, reserve) {
      const checkpoint = checkpoints[room];
      if (checkpoint === undefined || !knownRooms.has(room) || queued <= checkpoint.reserved || isBroken) return;
      checkpoints[room] = { ...checkpoint, reserved: queued + reserve };
      write();
    },

    giveOut(room, edition, position) {
      try {
        lastPositions.note(room, edition, position);
      } catch (error) {
        // Told once; whether checkpoints can be written again shows at the next flush.
        if (!isBroken) onFailure(error);
        isBroken = true;
      }
    },

    forget(room) {
      delete checkpoints[room];
      knownRooms.delete(room);
      isDirty = true;
    },

    flush() {
      quietFlushes++;
      if (!isDirty && !isBroken && quietFlushes < idleFlushes) return;
      quietFlushes = 0;
      if (knownRooms.size > 0) write();
    },

    close() {
      for (const room of knownRooms) {
        const checkpoint = checkpoints[room];
        if (checkpoint !== undefined) checkpoints[room] = { ...checkpoint, reserved: checkpoint.memory.queued };
      }
      if (knownRooms.size > 0) write();
      lastPositions.close();
    },
  };
}

/** What the process gave out since it wrote the checkpoint was handed out, and so was what came before: it heard each incarnation of the store first. */
function withLast(checkpoint: Checkpoint, last: LastPosition | undefined): Checkpoint {
  const { memory, reserved } = checkpoint;
  if (last === undefined || last.edition < memory.edition) return checkpoint;
  if (last.edition === memory.edition) {
    const queued = Math.max(memory.queued, last.position);
    return { ...checkpoint, memory: { ...memory, queued }, reserved: Math.max(reserved, queued) };
  }
  const line = { edition: last.edition, queued: last.position, serving: 0, expiredThrough: 0, gaps: [], draws: [] };
  return { ...checkpoint, memory: { ...memory, ...line }, reserved: last.position };
}

/** What may have been handed out since the checkpoint was written is a gap: nobody is known to stand there. */
function withReserve({ memory, reserved }: Checkpoint): RoomMemory {
  if (reserved <= memory.queued) return memory;
  return { ...memory, queued: reserved, gaps: [...memory.gaps, { from: memory.queued + 1, to: reserved }] };
}

function hasMoved(a: RoomMemory, b: RoomMemory): boolean {
  return (
    a.edition !== b.edition ||
    a.queued !== b.queued ||
    a.serving !== b.serving ||
    a.version !== b.version ||
    a.scheduleMarkMs !== b.scheduleMarkMs ||
    a.expiredThrough !== b.expiredThrough ||
    !isDeepStrictEqual(a.gaps, b.gaps) ||
    !isDeepStrictEqual(a.liveLapses, b.liveLapses) ||
    !isDeepStrictEqual(a.draws ?? [], b.draws ?? []) ||
    a.log?.last !== b.log?.last ||
    a.log?.sealed.seq !== b.log?.sealed.seq
  );
}

/** @throws SetupError: whoever cannot look does not know what was handed out. */
function listFolder(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw new SetupError(describeFile(codeOf(error), directory, "reading the checkpoints"), { cause: error });
  }
}

function readAll(directory: string): { files: Map<string, Record<string, Checkpoint>>; faults: string[] } {
  const files = new Map<string, Record<string, Checkpoint>>();
  const faults: string[] = [];
  if (!existsSync(directory)) return { files, faults };
  for (const name of listFolder(directory)) {
    if (!name.endsWith(".json")) continue;
    try {
      const parsed = fileSchema.parse(JSON.parse(readFileSync(join(directory, name), "utf8")));
      const last = readLastPositions(join(directory, name.replace(/json$/, "last")));
      const checkpoints = Object.entries(parsed as unknown as Record<string, Checkpoint>);
      files.set(
        name,
        Object.fromEntries(checkpoints.map(([room, checkpoint]) => [room, withLast(checkpoint, last.get(room))])),
      );
    } catch (error) {
      const file = join(directory, name);
      const reason =
        error instanceof z.ZodError ? z.prettifyError(error) : (describeSystemError(error) ?? String(error));
      faults.push(`${file} is not used: ${reason}`);
    }
  }
  return { files, faults };
}
