import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile, replaceJsonFile } from "../lib/json-file.ts";
import type { RoomMemory } from "../store/room-store.ts";

/**
 * What outlives every process and the store: the counters of each room, the queue counter rounded up.
 * So even when everything is restarted at once, no position is handed out twice.
 */
export interface HighWaterMarks {
  /** Whether an earlier process of this installation left marks, of any room. */
  readonly hasHistory: boolean;
  load(room: string): RoomMark | null;
  put(room: string, mark: RoomMark): void;
  /** Makes sure that the mark on disk is at least `queued`; if it is not, moves it `reserve` beyond. */
  reserve(room: string, queued: number, reserve: number): void;
  /** Writes what changed. Called once a second and at the end. */
  flush(): void;
}

/** What is remembered of a room, and of which life of the store it speaks. */
export interface RoomMark {
  readonly life: string;
  readonly memory: RoomMemory;
}

interface Marks {
  [room: string]: RoomMark;
}

/**
 * Keeps the marks in `directory`, one file per process name, and reads those of all processes that ever
 * ran here. Processes of one machine share the directory, each with a name of its own that it keeps.
 */
export function createHighWaterFile(directory: string, processName: string): HighWaterMarks {
  const path = join(directory, `${processName}.json`);
  const earlier = readAll(directory);
  const marks: Marks = {};
  let isDirty = false;

  const write = () => {
    replaceJsonFile(path, marks);
    isDirty = false;
  };

  return {
    hasHistory: Object.keys(earlier).length > 0,

    load: (room) => earlier[room] ?? null,

    put(room, { life, memory }) {
      const known = marks[room]?.memory;
      const reserved = known?.edition === memory.edition ? known.queued : 0;
      marks[room] = { life, memory: { ...memory, queued: Math.max(memory.queued, reserved), admissions: [] } };
      isDirty = true;
    },

    reserve(room, queued, reserve) {
      const mark = marks[room];
      if (mark === undefined || queued <= mark.memory.queued) return;
      marks[room] = { ...mark, memory: { ...mark.memory, queued: queued + reserve } };
      write();
    },

    flush() {
      if (isDirty) write();
    },
  };
}

function readAll(directory: string): Marks {
  const merged: Marks = {};
  if (!existsSync(directory)) return merged;
  for (const name of readdirSync(directory)) {
    if (!name.endsWith(".json")) continue;
    const marks = readJsonFile(join(directory, name));
    if (typeof marks !== "object" || marks === null) continue;
    for (const [room, mark] of Object.entries(marks as Marks)) {
      const known = merged[room];
      merged[room] = known === undefined ? mark : mergeMarks(known, mark);
    }
  }
  return merged;
}

/** Marks of two lives together speak of neither. */
function mergeMarks(a: RoomMark, b: RoomMark): RoomMark {
  return { life: a.life === b.life ? a.life : "", memory: mergeMemories(a.memory, b.memory) };
}

/** By maximum, as the store merges contributions. */
export function mergeMemories(a: RoomMemory, b: RoomMemory): RoomMemory {
  const [older, newer] = a.edition <= b.edition ? [a, b] : [b, a];
  const byVersion = a.version >= b.version ? a : b;
  const isSameEdition = a.edition === b.edition;
  return {
    ...newer,
    queued: isSameEdition ? Math.max(a.queued, b.queued) : newer.queued,
    serving: isSameEdition ? Math.max(a.serving, b.serving) : newer.serving,
    expiredThrough: isSameEdition ? Math.max(a.expiredThrough, b.expiredThrough) : newer.expiredThrough,
    gaps: isSameEdition && older.queued > newer.queued ? older.gaps : newer.gaps,
    version: byVersion.version,
    phase: byVersion.phase,
    phaseReason: byVersion.phaseReason,
    settings: byVersion.settings,
    claimMs: Math.max(a.claimMs, b.claimMs),
    joinsPerSecondPeak: Math.max(a.joinsPerSecondPeak, b.joinsPerSecondPeak),
  };
}
