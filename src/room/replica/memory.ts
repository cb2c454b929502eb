/** What this process offers in a recovery, made of a state, or of the checkpoints of earlier processes. */
import type { Lapse, RoomMemory, RoomState } from "../../store/contract/room-store.ts";
import type { Checkpoints } from "./checkpoints/checkpoints.ts";

/** What a recovery needs of a state. */
export function memoryOf(state: RoomState): RoomMemory {
  const { edition, queued, serving, expiredThrough, gaps, version, basePhase, holds, settings, stock } = state;
  const {
    scheduleMarkMs,
    idleEndedMs,
    claimMs,
    joinsPerSecondPeak,
    counts,
    draws,
    voids,
    liveLapses,
    adaptive,
    log,
    events,
  } = state;
  return {
    edition,
    queued,
    serving,
    expiredThrough,
    gaps,
    version,
    basePhase,
    holds,
    settings,
    stock,
    scheduleMarkMs,
    idleEndedMs,
    claimMs,
    joinsPerSecondPeak,
    counts,
    draws,
    voids,
    liveLapses,
    log,
    ...(adaptive && { adaptive: { ratePerMinute: adaptive.ratePerMinute, baselineMs: adaptive.baselineMs } }),
    events: { ...events, rows: [], from: events.last },
    admissions: [],
    moves: [],
    keys: [],
  };
}

/** What may be live though no process knows of it: what is, and what may have been claimed since. */
export function lapsesWithPending({ settings, liveLapses, pending, nowMs }: RoomState): readonly Lapse[] {
  const { inlet, admission } = settings.effective;
  if (inlet.type !== "max_active" || pending === 0) return liveLapses;
  return [...liveLapses, { untilMs: nowMs + admission.durationMs, count: pending }];
}

/** At most so many keys are offered at once; as the store demands. */
export const keysPerMemory = 2_000;

/** What the checkpoints hold, and the keys that were left beside them, each with a memory of its edition. */
export function recallLeft(
  checkpoints: Pick<Checkpoints, "recall" | "keysLeft">,
  room: string,
  incarnation: string | null,
): RoomMemory[] {
  const memories = checkpoints.recall(room, incarnation);
  const left = memories.length === 0 ? [] : checkpoints.keysLeft(room);
  const withKeys = left.flatMap(({ edition, keys }) => {
    const memory = memories.find((candidate) => candidate.edition === edition);
    if (memory === undefined) return [];
    return Array.from({ length: Math.ceil(keys.length / keysPerMemory) }, (_, part) => {
      return { ...memory, keys: keys.slice(part * keysPerMemory, (part + 1) * keysPerMemory) };
    });
  });
  return [...memories, ...withKeys];
}
