import type { LimiterData } from "./data.ts";

const windowMs = 60_200;
const bucketMs = 100;
/** Up to this limit per minute each admission is in the log with its own millisecond. */
const exactUpTo = 1_000;
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

/** Takes admissions that left the window out of the running total. */
export function pruneLog(limiter: LimiterData, flowMs: number): void {
  for (;;) {
    const oldest = limiter.log[limiter.head];
    if (oldest === undefined || oldest.atMs + windowMs > flowMs) break;
    limiter.total -= oldest.count;
    limiter.head++;
  }
  if (limiter.head < 256) return;
  limiter.log.splice(0, limiter.head);
  limiter.head = 0;
}

/** Adds what another log admitted within the window to this one, by age, in buckets that count from their ends. */
export function addLog(limiter: LimiterData, flowMs: number, other: LimiterData, otherFlowMs: number): void {
  const added = other.log.slice(other.head).map(({ atMs, count }) => {
    return { atMs: Math.ceil((flowMs - otherFlowMs + atMs) / bucketMs) * bucketMs, count };
  });
  const merged: LimiterData["log"] = [];
  const all = [...limiter.log.slice(limiter.head), ...added].toSorted((a, b) => a.atMs - b.atMs);
  for (const { atMs, count } of all) {
    const last = merged.at(-1);
    if (last?.atMs === atMs) last.count += count;
    else if (atMs + windowMs > flowMs) merged.push({ atMs, count });
  }
  limiter.log = merged;
  limiter.head = 0;
  limiter.total = merged.reduce((sum, { count }) => sum + count, 0);
}

/** When the log lets the (rank + 1)-th admission from now through. */
function logSlot(limiter: LimiterData, limit: number, flowMs: number, rank: number): number {
  let tooMany = limiter.total + rank + 1 - limit;
  if (tooMany <= 0) return flowMs;
  for (let i = limiter.head; i < limiter.log.length; i++) {
    const entry = limiter.log[i];
    if (entry === undefined || entry.atMs + windowMs > flowMs + horizonMs) break;
    tooMany -= entry.count;
    if (tooMany <= 0) return entry.atMs + windowMs;
  }
  return flowMs + horizonMs;
}

/** Up to here a limit is kept by even spacing alone: a burst would make the next one wait for most of a minute. */
const spacedUpTo = 5;

/** A rate below the limit is kept by the pacing alone. */
function intervalMs(limit: number, rate = limit): number {
  if (rate <= spacedUpTo) return windowMs / rate;
  return rate < limit ? 60_000 / rate : 60_000 / (pace * limit);
}

/** While nobody waits, a burst may use what two seconds may see at most: a tenth of the limit, or one admission. */
function toleranceOf(limit: number, nobodyWaits: boolean, rate = limit): number {
  if (rate <= spacedUpTo) return quickToleranceMs;
  const leastMs = rate < quickFrom ? toleranceMs : quickToleranceMs;
  if (!nobodyWaits) return leastMs;
  const most = Math.max(1, Math.floor(rate / 10));
  return Math.max(leastMs, Math.min(maxToleranceMs, most * intervalMs(limit, rate) - 2_050));
}

/**
 * The time (flow clock) at which the (rank + 1)-th admission from now is possible; `flowMs` itself when it is now.
 * A sliding log bounds every 60 s; pacing (GCRA, slightly faster than the limit, a second of burst) spreads
 * the admissions, so that no two seconds see more than a tenth of the limit and the flow is even. The log must
 * have been pruned.
 *
 * @param rate what the pacing goes by, at most the limit
 */
export function limiterSlot(
  limiter: LimiterData,
  limit: number,
  flowMs: number,
  rank: number,
  nobodyWaits: boolean,
  rate = limit,
): number {
  const paced =
    Math.max(limiter.tatMs, flowMs) + rank * intervalMs(limit, rate) - toleranceOf(limit, nobodyWaits, rate);
  return Math.max(flowMs, paced, logSlot(limiter, limit, flowMs, rank));
}

/** How many admissions are possible at this moment, while nobody waits. The log must have been pruned. */
export function slotsNow(limiter: LimiterData, limit: number, flowMs: number, rate = limit): number {
  const spareMs = flowMs + toleranceOf(limit, true, rate) - Math.max(limiter.tatMs, flowMs);
  const paced = spareMs < 0 ? 0 : Math.floor(spareMs / intervalMs(limit, rate)) + 1;
  return Math.max(0, Math.min(paced, limit - limiter.total));
}

/** The furthest that the pacing of this limit can have got at a time of the flow clock. */
export function latestTat(limit: number, flowMs: number, rate = limit): number {
  return flowMs + toleranceOf(limit, true, rate) + intervalMs(limit, rate);
}

/** Records an admission. Rooms without a limit keep the log too, so that a limit set later counts at once. */
export function recordAdmission(
  limiter: LimiterData,
  limit: number | null,
  flowMs: number,
  rate: number | null = limit,
): void {
  const isExact = limit !== null && limit <= exactUpTo;
  // A bucket counts from its end, so that an admission never leaves the window early.
  const timeMs = isExact ? flowMs : (Math.floor(flowMs / bucketMs) + 1) * bucketMs;
  const last = limiter.log.length > limiter.head ? limiter.log.at(-1) : undefined;
  if (last !== undefined && last.atMs >= timeMs) last.count++;
  else limiter.log.push({ atMs: timeMs, count: 1 });
  limiter.total++;
  if (limit === null || rate === null) return;
  // Phases without a line admit faster than the limit. The log counts that for a minute; the pacing must not for longer.
  const nextMs = Math.max(limiter.tatMs, flowMs) + intervalMs(limit, rate);
  limiter.tatMs = Math.min(nextMs, latestTat(limit, flowMs, rate));
}
