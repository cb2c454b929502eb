import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { memberOf } from "../../../lib/json.ts";
import { replaceJsonFile, syncFolder } from "../../../lib/json-file.ts";
import type { Lapse, RoomMemory, Seen } from "../../../store/contract/room-store.ts";
import { createKeyFile, type KeyFile, readKeyFiles } from "../keys.ts";
import { type Ahead, createWriteAhead, nobody } from "../write-ahead.ts";
import { type Checkpoint, readCheckpoints } from "./checkpoint-files.ts";

export type Checkpoints = ReturnType<typeof createCheckpoints>;

const newInstallationFile = "new-installation";
/** Clocks alone are worth writing down so often, counted in flushes. */
const idleFlushes = 30;

/**
 * What outlives every process and the store: the counters of each room, and how far the queue counter may have come
 * since they were written. So even when everything is restarted at once, no position is handed out twice. They are kept in a
 * directory, one file for each process; those of all that ever ran here are read.
 */
export function createCheckpoints(options: {
  /** Shared by the processes of one machine. */
  readonly directory: string;
  /** Names this process; the same after a restart, another for each process that runs at the same time. */
  readonly processName: string;
  /** Whether the keys were made just now, so that no ticket can exist. */
  readonly isNewInstallation: boolean;
  /** Called each time the checkpoints cannot be written. Joins go on without them, and a second later it is tried again. */
  readonly onFailure: (error: unknown) => void;
  /** Called each time they were written. */
  readonly onWritten?: () => void;
}) {
  const { directory, processName, onFailure, onWritten } = options;
  const path = join(directory, `${processName}.json`);
  const writeAhead = createWriteAhead(join(directory, `${processName}.last`));
  const newInstallationPath = join(directory, newInstallationFile);
  const { files, faults, rooms } = readCheckpoints(directory);
  const mine = files.get(`${processName}.json`) ?? {};
  const earlier = [...files.values()];
  // Rooms that are not configured this time may be again: what is known of them stays.
  const checkpoints: Record<string, Checkpoint> = { ...mine };
  /** Of each room that this process has synced, the admissions since the state in its checkpoint. */
  const admittedSince = new Map<string, Lapse>();
  /** Of each room the edition and the incarnation that were synced. */
  const synced = new Map(Object.entries(mine).map(([room, checkpoint]) => [room, lineOf(checkpoint)]));
  let isDirty = false;
  let isBroken = false;
  let quietFlushes = 0;

  const isNewInstallation = options.isNewInstallation || (rooms.size === 0 && existsSync(newInstallationPath));
  const forgetNewInstallation = (isToBeSynced: boolean) => {
    try {
      rmSync(newInstallationPath, { force: true });
      if (isToBeSynced) syncFolder(directory);
    } catch {
      // A folder that cannot be written is reported where the checkpoints are written.
    }
  };
  const recordAhead = (room: string, change: Partial<Ahead>) => {
    try {
      writeAhead.note(room, change);
    } catch (error) {
      // Reported once; whether checkpoints can be written again shows at the next flush.
      if (!isBroken) onFailure(error);
      isBroken = true;
    }
  };
  /** After the checkpoints were written: what they say need not be written ahead of them any more, except for the time. */
  const recordWritten = () => {
    for (const [room, admitted] of admittedSince)
      recordAhead(room, { admitted, flowMs: memberOf(checkpoints, room)?.flowMs ?? 0 });
  };
  const keyFiles = new Map<string, KeyFile>();
  const keyFile = (room: string): KeyFile => {
    const file = keyFiles.get(room) ?? createKeyFile(directory, processName, room, onFailure);
    keyFiles.set(room, file);
    return file;
  };
  /** A write that was to outlive the machine has failed. */
  let isSyncOwed = false;
  const write = (isToBeSynced = isSyncOwed) => {
    try {
      replaceJsonFile(path, checkpoints, isToBeSynced);
      isSyncOwed = false;
      forgetNewInstallation(false);
      isDirty = false;
      isBroken = false;
      recordWritten();
      if (!isBroken) onWritten?.();
    } catch (error) {
      onFailure(error);
      isBroken = true;
      isSyncOwed = isToBeSynced;
      // Rooms are served all the same: the installation is new no more.
      forgetNewInstallation(isToBeSynced);
    }
  };
  const isSynced = ([room, checkpoint]: [string, Checkpoint]) =>
    !admittedSince.has(room) || synced.get(room) === lineOf(checkpoint);
  /** Takes some milliseconds, so it is done for all rooms at once. */
  const sync = () => {
    for (const [room, checkpoint] of Object.entries(checkpoints)) synced.set(room, lineOf(checkpoint));
    write(true);
  };
  if (options.isNewInstallation) {
    // A start that fails before any room is synced leaves no history.
    try {
      replaceJsonFile(newInstallationPath, {});
    } catch (error) {
      onFailure(error);
    }
  }

  return {
    /** Whether earlier processes of this installation left checkpoints, all of them readable. */
    hasHistory: rooms.size > 0 && faults.length === 0,
    /** Whether the installation was made new and none of its rooms has been synced yet. */
    isNewInstallation,
    /** Files that could not be used, with the reason; for the log. */
    faults: faults as readonly string[],
    /** The incarnation of the store in which this very process, before its restart, left its checkpoint, and what it had seen of it. */
    lastSeen(room: string): Seen | null {
      const checkpoint = memberOf(mine, room);
      if (checkpoint === undefined) return null;
      const { edition, queued } = checkpoint.memory;
      return { incarnation: checkpoint.incarnation, flowMs: checkpoint.flowMs, edition, queued };
    },

    /** What the checkpoints of other incarnations than this one remember of a room, one memory for each. */
    recall(room: string, incarnation: string | null): RoomMemory[] {
      const candidates = earlier
        .flatMap((file) => memberOf(file, room) ?? [])
        .filter((checkpoint) => checkpoint.incarnation !== incarnation);
      // The store reports each admission to one process. A later checkpoint of another may have it, too: one too many is no fault.
      const admitted = candidates.map((candidate) => candidate.admitted).filter((lapse) => lapse.count > 0);
      return candidates.map((checkpoint) => {
        const memory = withReserve(checkpoint);
        const liveLapses = [...memory.liveLapses, ...admitted].toSorted((a, b) => a.untilMs - b.untilMs);
        return { ...memory, liveLapses };
      });
    },

    /** The file of the keys that this process learns of in a room. */
    keyFile,

    /** The keys that earlier processes left of a room, by edition. */
    keysLeft: (room: string) => readKeyFiles(directory, room),

    /** Whether an earlier process left anything of the room. */
    knows: (room: string) => rooms.has(room),

    /** @param since admissions that the store reported to this process since the state of the memory */
    put(room: string, seen: Pick<Seen, "incarnation" | "flowMs">, memory: RoomMemory, since: Lapse = nobody): void {
      const { incarnation, flowMs } = seen;
      const checkpoint = memberOf(checkpoints, room);
      admittedSince.set(room, since);
      const isSameLine = checkpoint?.memory.edition === memory.edition;
      const reserved = Math.max(memory.queued, isSameLine ? checkpoint.reserved : 0);
      isDirty ||=
        checkpoint === undefined || checkpoint.incarnation !== incarnation || hasMoved(checkpoint.memory, memory);
      checkpoints[room] = { incarnation, flowMs, memory: { ...memory, admissions: [], moves: [], keys: [] }, reserved };
    },

    /**
     * Positions up to here were given out to this process. On disk when this returns, as long as it can be written, and so are
     * `reserve` more when the reserve is used up. Before the first of an edition, and of an incarnation, the whole checkpoint is
     * synced, so that it outlives the machine.
     */
    reserve(room: string, edition: number, position: number, reserve: number): void {
      recordAhead(room, { edition, position });
      const checkpoint = memberOf(checkpoints, room);
      if (checkpoint === undefined) return;
      const isNewLine = synced.get(room) !== lineOf(checkpoint, edition);
      const isUsedUp = position > checkpoint.reserved && (isNewLine || !isBroken);
      if (isUsedUp) checkpoints[room] = { ...checkpoint, reserved: position + reserve };
      if (isNewLine) {
        sync();
        synced.set(room, lineOf(checkpoint, edition));
      } else if (isUsedUp) write();
    },

    /** So many admissions were given to this process since the state in the checkpoint. On disk like positions. */
    admit(room: string, since: Lapse): void {
      // Of a room that was removed while a claim was under way nothing is kept.
      if (!Object.hasOwn(checkpoints, room)) return;
      admittedSince.set(room, since);
      recordAhead(room, { admitted: since });
    },

    /** The room is no more. */
    forget(room: string): void {
      delete checkpoints[room];
      keyFiles.get(room)?.forget();
      keyFiles.delete(room);
      admittedSince.delete(room);
      isDirty = true;
    },

    /** Writes what changed. Called once a second. */
    flush() {
      quietFlushes++;
      const isNewLine = !Object.entries(checkpoints).every(isSynced);
      if (!isDirty && !isBroken && !isNewLine && quietFlushes < idleFlushes) return recordWritten();
      quietFlushes = 0;
      if (isNewLine) sync();
      else if (admittedSince.size > 0) write();
    },

    /** Writes the exact counters: the process ends in good order. */
    close(): void {
      for (const room of admittedSince.keys()) {
        const checkpoint = memberOf(checkpoints, room);
        if (checkpoint !== undefined) checkpoints[room] = { ...checkpoint, reserved: checkpoint.memory.queued };
      }
      if (admittedSince.size > 0) write();
      for (const file of keyFiles.values()) file.close();
      writeAhead.close();
    },
  };
}

/** What may have been handed out since the checkpoint was written is a gap: nobody is known to stand there. */
function withReserve({ memory, reserved }: Checkpoint): RoomMemory {
  if (reserved <= memory.queued) return memory;
  return { ...memory, queued: reserved, gaps: [...memory.gaps, { from: memory.queued + 1, to: reserved }] };
}

function lineOf({ memory, incarnation }: Checkpoint, edition = memory.edition): string {
  return `${edition} ${incarnation}`;
}

function hasMoved(a: RoomMemory, b: RoomMemory): boolean {
  const marks = ({ edition, queued, serving, version, scheduleMarkMs, expiredThrough, gaps, ...rest }: RoomMemory) => [
    ...[edition, queued, serving, version, scheduleMarkMs, expiredThrough, gaps],
    ...[rest.liveLapses, rest.draws ?? [], rest.voids ?? [], rest.log?.last, rest.log?.sealed.seq],
  ];
  return !isDeepStrictEqual(marks(a), marks(b));
}
