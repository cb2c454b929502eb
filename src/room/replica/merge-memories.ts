import { mergeLapses } from "../../core/admissions/lapses.ts";
import type { AdaptiveMemory, Gap, LogState, RoomCounts, RoomMemory } from "../../store/contract/room-store.ts";
import { mergeDraws } from "../draw/merge-draws.ts";

/** Two memories of one room, by maximum, as the store merges contributions. */
export function mergeMemories(a: RoomMemory, b: RoomMemory): RoomMemory {
  const newer = a.edition >= b.edition ? a : b;
  const byVersion = a.version >= b.version ? a : b;
  const isSameEdition = a.edition === b.edition;
  return {
    ...newer,
    queued: isSameEdition ? Math.max(a.queued, b.queued) : newer.queued,
    serving: isSameEdition ? Math.max(a.serving, b.serving) : newer.serving,
    expiredThrough: isSameEdition ? Math.max(a.expiredThrough, b.expiredThrough) : newer.expiredThrough,
    gaps: isSameEdition ? [...agreedGaps(a.gaps, b), ...agreedGaps(b.gaps, a)] : newer.gaps,
    version: byVersion.version,
    basePhase: byVersion.basePhase,
    holds: byVersion.holds,
    scheduleMarkMs: a.version === b.version ? Math.max(a.scheduleMarkMs, b.scheduleMarkMs) : byVersion.scheduleMarkMs,
    idleEndedMs: Math.max(a.idleEndedMs, b.idleEndedMs),
    settings: byVersion.settings,
    claimMs: Math.max(a.claimMs, b.claimMs),
    joinsPerSecondPeak: Math.max(a.joinsPerSecondPeak, b.joinsPerSecondPeak),
    counts: mergeCounts(a.counts, b.counts),
    liveLapses: mergeLapses(a.liveLapses, b.liveLapses),
    draws: isSameEdition ? mergeDraws(a.draws ?? [], b.draws ?? []) : (newer.draws ?? []),
    ...mergeAdaptive(a.adaptive, b.adaptive),
    ...mergeLogs(a.log, b.log),
  };
}

function mergeAdaptive(a: AdaptiveMemory | undefined, b: AdaptiveMemory | undefined): Pick<RoomMemory, "adaptive"> {
  if (a === undefined || b === undefined) {
    const known = a ?? b;
    return known === undefined ? {} : { adaptive: known };
  }
  const baselineMs = a.baselineMs === null || b.baselineMs === null ? null : Math.min(a.baselineMs, b.baselineMs);
  const ratePerMinute = Math.min(a.ratePerMinute, b.ratePerMinute);
  return { adaptive: { ratePerMinute, baselineMs: baselineMs ?? a.baselineMs ?? b.baselineMs } };
}

/** The later head, and the last row that either knows. */
function mergeLogs(a: LogState | undefined, b: LogState | undefined): Pick<RoomMemory, "log"> {
  if (a === undefined || b === undefined) {
    const known = a ?? b;
    return known === undefined ? {} : { log: known };
  }
  const { sealed } = a.sealed.seq >= b.sealed.seq ? a : b;
  return { log: { last: Math.max(a.last, b.last), sealed } };
}

function mergeCounts(a: RoomCounts, b: RoomCounts): RoomCounts {
  const names = Object.keys(a) as (keyof RoomCounts)[];
  const larger = (name: keyof RoomCounts) => Math.max(a[name], b[name]);
  return Object.fromEntries(names.map((name) => [name, larger(name)])) as unknown as RoomCounts;
}

/** The parts of one's gaps that the other has nobody in: beyond what it knows, or gaps of its own too. */
function agreedGaps(gaps: readonly Gap[], other: RoomMemory): Gap[] {
  const agreed: Gap[] = [];
  for (const { from, to } of gaps) {
    if (to > other.queued) agreed.push({ from: Math.max(from, other.queued + 1), to });
  }
  for (const gap of gaps) {
    for (const theirs of other.gaps) {
      const from = Math.max(gap.from, theirs.from);
      const to = Math.min(gap.to, theirs.to);
      // Both sides find it; one of them is enough.
      if (from <= to && gap.from <= theirs.from) agreed.push({ from, to });
    }
  }
  return agreed;
}
