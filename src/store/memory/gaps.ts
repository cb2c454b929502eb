import type { Gap } from "../contract/room-store.ts";

const maxGaps = 32;

/** Places in (low, high] that were handed out, or will be: positions less gaps. */
export function placesBetween(gaps: readonly Gap[], low: number, high: number): number {
  let places = Math.max(0, high - low);
  for (const gap of gaps) {
    const overlap = Math.min(gap.to, high) - Math.max(gap.from - 1, low);
    if (overlap > 0) places -= overlap;
  }
  return places;
}

/** The counter after moving it from `start` over `by` places; gaps cost nothing. Never below 0. */
export function moveOver(gaps: readonly Gap[], start: number, by: number): number {
  return by >= 0 ? moveUp(gaps, start, by) : moveDown(gaps, start, -by);
}

function moveUp(gaps: readonly Gap[], start: number, by: number): number {
  let at = start;
  let rest = by;
  for (const gap of gaps) {
    if (gap.to <= at) continue;
    const before = Math.max(0, gap.from - 1 - at);
    if (rest <= before) break;
    rest -= before;
    at = gap.to;
  }
  return at + rest;
}

function moveDown(gaps: readonly Gap[], start: number, by: number): number {
  let at = start;
  let rest = by;
  for (const gap of gaps.toReversed()) {
    if (gap.from > at) continue;
    const above = Math.max(0, at - gap.to);
    if (rest <= above) break;
    rest -= above;
    at = gap.from - 1;
  }
  return Math.max(0, at - rest);
}

/** Sorted, joined where they touch, the highest 32 kept. */
export function normalizeGaps(gaps: readonly Gap[]): Gap[] {
  const joined: { from: number; to: number }[] = [];
  for (const gap of gaps.filter((g) => g.from <= g.to).toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && gap.from <= last.to + 1) last.to = Math.max(last.to, gap.to);
    else joined.push({ ...gap });
  }
  return joined.slice(-maxGaps);
}

/**
 * What is left of `gaps` when another memory with its own list also knows the positions up to `queued`:
 * a gap only ever shrinks, so where both know, both must agree. Some may come out empty.
 */
export function agreedGaps(gaps: readonly Gap[], others: readonly Gap[], queued: number): Gap[] {
  return gaps.flatMap(({ from, to }) => [
    { from: Math.max(from, queued + 1), to },
    ...others.map((other) => ({ from: Math.max(from, other.from), to: Math.min(to, other.to) })),
  ]);
}

/** The last position that a memory knows to have been handed out: its queue counter may be rounded up, with a gap behind that position. */
export function lastHandedOut(gaps: readonly Gap[], queued: number): number {
  const top = normalizeGaps(gaps).at(-1);
  return top !== undefined && top.to >= queued ? Math.min(queued, top.from - 1) : queued;
}
