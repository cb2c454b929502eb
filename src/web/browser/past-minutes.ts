/** How far the line has moved in each of the last minutes, by the answers that a page has had. Pure functions. */

/** An answer: the server's time in milliseconds since 1970, and the serving position. */
export type Point = readonly [atMs: number, serving: number];

const minuteMs = 60_000;
export const minutesMax = 10;
const reachMs = minutesMax * minuteMs;
/** So many answers at the fastest pace are more than ten minutes. */
const pointsMax = 400;

/** Stored points; [] if the stored value is anything else. */
export function readPoints(stored: unknown): readonly Point[] {
  return Array.isArray(stored) && stored.every(isPoint) ? stored.reduce(addPoint, []) : [];
}

function isPoint(value: unknown): value is Point {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}

/**
 * Answers that are older than the last one say nothing new; after a line was moved back, or the clock, what was before it counts no
 * more.
 */
export function addPoint(points: readonly Point[], [atMs, serving]: Point): readonly Point[] {
  const sinceMs = atMs - reachMs;
  const [lastMs, reached] = points[points.length - 1] ?? [-Infinity, -Infinity];
  const isAnew = atMs < lastMs - reachMs || (atMs > lastMs && serving < reached);
  if (isAnew) return [[atMs, serving]];
  if (atMs <= lastMs) return points;
  // One of them is older, so that all of the first minute is known.
  const first = points.findIndex((_, index) => (points[index + 1]?.[0] ?? atMs) > sinceMs);
  return [...points.slice(Math.max(0, first)), [atMs, serving] as const].slice(-pointsMax);
}

/** @returns positions by minute, the last one last; only minutes of which both ends are known, as if the line moved evenly between two answers */
export function pastMinutes(points: readonly Point[]): number[] {
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last) return [];
  const minutes = Math.min(minutesMax, Math.floor((last[0] - first[0]) / minuteMs));
  const ends = Array.from({ length: minutes + 1 }, (_, index) =>
    servingAt(points, last[0] - (minutes - index) * minuteMs),
  );
  return ends.slice(1).map((serving, index) => Math.round(serving) - Math.round(ends[index] ?? 0));
}

/** @param atMs not before the first point, and not after the last */
function servingAt(points: readonly Point[], atMs: number): number {
  const next = points.findIndex(([ms]) => ms >= atMs);
  const [toMs, to] = points[next] ?? [atMs, 0];
  const [fromMs, from] = points[next - 1] ?? [toMs, to];
  return toMs === fromMs ? to : from + ((atMs - fromMs) / (toMs - fromMs)) * (to - from);
}
