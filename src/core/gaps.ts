/** Gaps: positions that were never handed out. Lists of them ascend. */
import { sortBy } from "./ports/lists.ts";
import type { Gap } from "./rows.ts";

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
    if (gap.to > at) {
      const before = Math.max(0, gap.from - 1 - at);
      if (rest <= before) break;
      rest -= before;
      at = gap.to;
    }
  }
  return at + rest;
}

function moveDown(gaps: readonly Gap[], start: number, by: number): number {
  let at = start;
  let rest = by;
  let index = gaps.length - 1;
  while (index >= 0) {
    const gap = gaps[index];
    if (gap !== undefined && gap.from <= at) {
      const above = Math.max(0, at - gap.to);
      if (rest <= above) break;
      rest -= above;
      at = gap.from - 1;
    }
    index--;
  }
  return Math.max(0, at - rest);
}

function isLower(a: Gap, b: Gap): boolean {
  return a.from < b.from;
}

/** Sorted, joined where they touch, the highest 32 kept. */
export function normalizeGaps(gaps: readonly Gap[]): Gap[] {
  const joined = joinGaps(gaps);
  const beyond = joined.length - maxGaps;
  if (beyond <= 0) return joined;
  let index = 0;
  return joined.filter(() => {
    index++;
    return index > beyond;
  });
}

/** Sorted, joined where they touch. */
export function joinGaps(gaps: readonly Gap[]): Gap[] {
  const sorted = gaps.filter((gap) => gap.from <= gap.to);
  sortBy(sorted, isLower);
  const joined: Gap[] = [];
  for (const gap of sorted) {
    const last = joined[joined.length - 1];
    if (last !== undefined && gap.from <= last.to + 1) {
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, gap.to) };
    } else joined.push(gap);
  }
  return joined;
}

/**
 * What is left of `gaps` when another memory with its own list also knows the positions up to `queued`:
 * a gap only ever shrinks, so where both know, both must agree. Some may come out empty.
 */
export function agreedGaps(gaps: readonly Gap[], others: readonly Gap[], queued: number): Gap[] {
  const agreed: Gap[] = [];
  for (const gap of gaps) {
    agreed.push({ from: Math.max(gap.from, queued + 1), to: gap.to });
    for (const other of others) {
      agreed.push({ from: Math.max(gap.from, other.from), to: Math.min(gap.to, other.to) });
    }
  }
  return agreed;
}

/** The last position that a memory knows to have been handed out: its queue counter may be rounded up, with a gap behind that position. */
export function lastHandedOut(gaps: readonly Gap[], queued: number): number {
  const sorted = normalizeGaps(gaps);
  const top = sorted[sorted.length - 1];
  return top !== undefined && top.to >= queued ? Math.min(queued, top.from - 1) : queued;
}
