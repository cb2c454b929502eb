/**
 * The limiter, of a room or of a shared outflow. A sliding log bounds every 60 s; pacing (GCRA, slightly faster than the limit,
 * a second of burst) spreads the admissions, so that no two seconds see more than a tenth of the limit and the flow is even.
 */
import {
  appendEntry,
  dropOldest,
  entriesFrom,
  newestEntry,
  oldestEntry,
  replaceEntries,
  replaceNewest,
  sortBy,
} from "./ports/lists.ts";
import type { Limiter } from "./room.ts";
import type { LogEntry } from "./rows.ts";

/** A minute, and a margin for who measures from outside. */
const windowMs = 60_200;
const logBucketMs = 100;
/** Up to this limit per minute each admission is in the log with its own millisecond. */
const exactUpTo = 1_000;
/** Up to here a limit is kept by even spacing alone: a burst would make the next one wait for most of a minute. */
const spacedUpTo = 5;
const pace = 1.03;
/** The burst of pacing, as time: while anyone waits, and at most while nobody does. */
const toleranceMs = 500;
/**
 * Where slots come as quickly as a page asks again, once a second: what it comes too late for is not lost. And where they
 * are so rare that each second counts.
 */
const quickToleranceMs = 1_000;
const quickFrom = 60;
const maxToleranceMs = 3_500;
/** Slots are not looked for beyond this; a refused visitor asks again sooner anyway. */
const horizonMs = 8_000;
/** With a limit the log has no more than 1,700 entries; where phases without a line have filled it, several calls prune it. */
const prunedMost = 2_000;
/** One entry for each millisecond of the window. */
const entriesMost = 61_000;

/** Takes admissions that left the window out of the running total. */
export function pruneLog(limiter: Limiter): void {
  let dropped = 0;
  let oldest = oldestEntry(limiter.log);
  while (oldest !== null && oldest.atMs + windowMs <= limiter.flowMs && dropped < prunedMost) {
    dropOldest(limiter.log);
    limiter.logTotal -= oldest.count;
    dropped++;
    oldest = oldestEntry(limiter.log);
  }
  // Should the log alone be lost, its total is lost with it.
  if (oldest === null && limiter.logTotal !== 0) limiter.logTotal = 0;
}

/** All entries of the log. */
function readLog(limiter: Limiter): LogEntry[] {
  const all: LogEntry[] = [];
  let start = 0;
  while (start < entriesMost) {
    const entries = entriesFrom(limiter.log, start, 1_000);
    for (const entry of entries) all.push(entry);
    if (entries.length < 1_000) break;
    start += 1_000;
  }
  return all;
}

function isEarlier(a: LogEntry, b: LogEntry): boolean {
  return a.atMs < b.atMs;
}

/** Adds what another log admitted within the window to this one, by age, in buckets that count from their ends. */
export function addLog(limiter: Limiter, other: Limiter): void {
  addEntries(limiter, readLog(other), limiter.flowMs - other.flowMs);
}

/** The same of entries on a clock that this limiter's is so far ahead of. */
export function addEntries(limiter: Limiter, added: readonly LogEntry[], aheadMs: number): void {
  if (added.length === 0) return;
  const all = readLog(limiter);
  for (const entry of added) {
    all.push({ atMs: Math.ceil((aheadMs + entry.atMs) / logBucketMs) * logBucketMs, count: entry.count });
  }
  sortBy(all, isEarlier);
  const merged: LogEntry[] = [];
  let total = 0;
  for (const entry of all) {
    if (entry.atMs + windowMs > limiter.flowMs) {
      const last = merged[merged.length - 1];
      if (last !== undefined && last.atMs === entry.atMs) last.count += entry.count;
      else merged.push({ atMs: entry.atMs, count: entry.count });
      total += entry.count;
    }
  }
  replaceEntries(limiter.log, merged);
  limiter.logTotal = total;
}

/** When the log lets the (rank + 1)-th admission from now through. */
function logSlot(limiter: Limiter, limit: number, rank: number): number {
  const flowMs = limiter.flowMs;
  let tooMany = limiter.logTotal + rank + 1 - limit;
  if (tooMany <= 0) return flowMs;
  let start = 0;
  while (start < prunedMost) {
    const entries = entriesFrom(limiter.log, start, 100);
    for (const entry of entries) {
      if (entry.atMs + windowMs > flowMs + horizonMs) return flowMs + horizonMs;
      tooMany -= entry.count;
      if (tooMany <= 0) return entry.atMs + windowMs;
    }
    if (entries.length < 100) break;
    start += 100;
  }
  return flowMs + horizonMs;
}

/** A rate below the limit is kept by the pacing alone. */
function intervalMs(limit: number, rate: number): number {
  if (rate <= spacedUpTo) return windowMs / rate;
  return rate < limit ? 60_000 / rate : 60_000 / (pace * limit);
}

/** While nobody waits, a burst may use what two seconds may see at most: a tenth of the limit, or one admission. */
function toleranceOf(limit: number, nobodyWaits: boolean, rate: number): number {
  if (rate <= spacedUpTo) return quickToleranceMs;
  const leastMs = rate < quickFrom ? toleranceMs : quickToleranceMs;
  if (!nobodyWaits) return leastMs;
  const most = Math.max(1, Math.floor(rate / 10));
  return Math.max(leastMs, Math.min(maxToleranceMs, most * intervalMs(limit, rate) - 2_050));
}

/**
 * The time (flow clock) at which the (rank + 1)-th admission from now is possible; now itself when it is. The log must have
 * been pruned.
 *
 * @param rate what the pacing goes by, at most the limit
 */
export function limiterSlot(limiter: Limiter, limit: number, rank: number, nobodyWaits: boolean, rate: number): number {
  const flowMs = limiter.flowMs;
  const paced =
    Math.max(limiter.tatMs, flowMs) + rank * intervalMs(limit, rate) - toleranceOf(limit, nobodyWaits, rate);
  return Math.max(flowMs, paced, logSlot(limiter, limit, rank));
}

/** How many admissions are possible at this moment, while nobody waits. The log must have been pruned. */
export function slotsNow(limiter: Limiter, limit: number, rate: number): number {
  const flowMs = limiter.flowMs;
  const spareMs = flowMs + toleranceOf(limit, true, rate) - Math.max(limiter.tatMs, flowMs);
  const paced = spareMs < 0 ? 0 : Math.floor(spareMs / intervalMs(limit, rate)) + 1;
  return Math.max(0, Math.min(paced, limit - limiter.logTotal));
}

/** The furthest that the pacing of this limit can have got at a time of the flow clock. */
export function latestTat(limit: number, flowMs: number, rate: number): number {
  return flowMs + toleranceOf(limit, true, rate) + intervalMs(limit, rate);
}

/** Records an admission. Rooms without a limit keep the log too, so that a limit set later counts at once. */
export function recordAdmission(limiter: Limiter, limit: number | null, rate: number | null): void {
  const flowMs = limiter.flowMs;
  const isExact = limit !== null && limit <= exactUpTo;
  // A bucket counts from its end, so that an admission never leaves the window early.
  const timeMs = isExact ? flowMs : (Math.floor(flowMs / logBucketMs) + 1) * logBucketMs;
  const last = newestEntry(limiter.log);
  if (last !== null && last.atMs >= timeMs) {
    replaceNewest(limiter.log, { atMs: last.atMs, count: last.count + 1 });
  } else appendEntry(limiter.log, { atMs: timeMs, count: 1 });
  limiter.logTotal++;
  if (limit === null || rate === null) return;
  // Phases without a line admit faster than the limit. The log counts that for a minute; the pacing must not for longer.
  const nextMs = Math.max(limiter.tatMs, flowMs) + intervalMs(limit, rate);
  limiter.tatMs = Math.min(nextMs, latestTat(limit, flowMs, rate));
}
