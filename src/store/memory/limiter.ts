import type { LimiterData } from "./data.ts";

const windowMs = 60_200;
const bucketMs = 100;
/** Up to this limit per minute each admission is in the log with its own millisecond. */
const exactUpTo = 1_000;
const pace = 1.03;
const toleranceMs = 500;
/** Slots are not looked for beyond this; a refused visitor asks again sooner anyway. */
const horizonMs = 4_000;

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

/**
 * The time (flow clock) at which the (rank + 1)-th admission from now is possible; `flowMs` itself when it is now.
 * A sliding log bounds every 60 s; pacing (GCRA, slightly faster than the limit, half a second of burst) spreads
 * the admissions, so that no two seconds see more than a tenth of the limit and the flow is even. The log must
 * have been pruned.
 */
export function limiterSlot(limiter: LimiterData, limit: number, flowMs: number, rank: number): number {
  const intervalMs = 60_000 / (pace * limit);
  const paced = Math.max(limiter.tatMs, flowMs) + rank * intervalMs - toleranceMs;
  return Math.max(flowMs, paced, logSlot(limiter, limit, flowMs, rank));
}

/** The furthest that the pacing of this limit can have got at a time of the flow clock. */
export function latestTat(limit: number, flowMs: number): number {
  return flowMs + toleranceMs + 60_000 / (pace * limit);
}

/** Records an admission. Rooms without a limit keep the log too, so that a limit set later counts at once. */
export function recordAdmission(limiter: LimiterData, limit: number | null, flowMs: number): void {
  const isExact = limit !== null && limit <= exactUpTo;
  // A bucket counts from its end, so that an admission never leaves the window early.
  const timeMs = isExact ? flowMs : (Math.floor(flowMs / bucketMs) + 1) * bucketMs;
  const last = limiter.log.length > limiter.head ? limiter.log.at(-1) : undefined;
  if (last !== undefined && last.atMs >= timeMs) last.count++;
  else limiter.log.push({ atMs: timeMs, count: 1 });
  limiter.total++;
  if (limit !== null) limiter.tatMs = Math.max(limiter.tatMs, flowMs) + 60_000 / (pace * limit);
}
