import type { Lapse, RoomMemory, RoomState } from "../../store/contract/room-store.ts";

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
    ...{ edition, queued, serving, expiredThrough, gaps, version, basePhase, holds, settings, stock },
    ...{ scheduleMarkMs, idleEndedMs, claimMs, joinsPerSecondPeak, counts, draws, voids, liveLapses, log },
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
