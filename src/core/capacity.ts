/**
 * How many admissions are live, and may be. After a loss those that were live and are not on record count as unaccounted until they would
 * lapse; an admission from before the loss that comes on record later takes the place of the earliest, so that a late memory
 * counts as it would have in time.
 */
import { isLineMoving, toWall } from "./clocks.ts";
import { sortBy } from "./ports/lists.ts";
import { countBelow, scoreAt, sizeOf } from "./ports/sets.ts";
import { recordEndedEarly } from "./progress.ts";
import type { Room } from "./room.ts";
import type { Lapse } from "./rows.ts";

const maxLapses = 8;

/** Those that have lapsed and are not yet cleaned up are taken to be the ones that had exited, and both to lapse first. */
function pastCount(room: Room): number {
  const lapsed = countBelow(room.live, room.flowMs + 1);
  return lapsed + Math.max(0, room.exited - lapsed);
}

/** Live admissions. */
export function liveCount(room: Room): number {
  return sizeOf(room.live) - pastCount(room);
}

/** What may be live though nobody knows the admission. */
function unaccountedCount(room: Room): number {
  return sumOf(lapsesAhead(room, room.unaccounted));
}

/** How many more admissions may be live; null without such a bound. */
export function capacityFree(room: Room): number | null {
  if (room.inletType !== "max_active" || room.maxActive === null) return null;
  return room.maxActive - liveCount(room) - unaccountedCount(room);
}

/** So many unaccounted admissions, the earliest first, have turned out to be admissions that are known, or to have left. */
export function removeUnaccounted(room: Room, unaccounted: number): void {
  if (unaccounted <= 0 || room.unaccounted.length === 0) return;
  const rest: Lapse[] = [];
  let left = unaccounted;
  for (const lapse of room.unaccounted) {
    const laid = lapse.untilMs > room.flowMs ? Math.min(left, lapse.count) : 0;
    left -= laid;
    rest.push({ untilMs: lapse.untilMs, count: lapse.count - laid });
  }
  room.unaccounted = rest;
}

/** So many have left the site, nobody knows who: live ones first, then unaccounted admissions. Answers how many there were to leave. */
export function recordExits(room: Room, exits: number): number {
  const live = sizeOf(room.live);
  const left = Math.min(exits, live - room.exited + unaccountedCount(room));
  if (isLineMoving(room)) recordEndedEarly(room, left);
  removeUnaccounted(room, room.exited + exits - live);
  room.exited = Math.min(room.exited + exits, live);
  return left;
}

export function pruneUnaccounted(room: Room): void {
  if (room.unaccounted.length === 0) return;
  room.unaccounted = lapsesAhead(room, room.unaccounted).filter((lapse) => lapse.count > 0);
}

/** When admissions lapse, live and unaccounted ones, in at most eight steps, the earliest by itself; each is late rather than early. */
export function liveLapses(room: Room): Lapse[] {
  if (room.inletType !== "max_active") return [];
  const skipped = pastCount(room);
  const live = sizeOf(room.live) - skipped;
  const lapses = lapsesAhead(room, room.unaccounted);
  let counted = 0;
  let step = 0;
  // The first by itself, and the others in seven steps.
  while (step < maxLapses) {
    const upTo = Math.min(1, live) + Math.floor((Math.max(0, live - 1) * step) / (maxLapses - 1));
    if (upTo > counted) {
      const untilMs = scoreAt(room.live, skipped + upTo - 1);
      if (untilMs !== null) lapses.push({ untilMs, count: upTo - counted });
    }
    counted = upTo;
    step++;
  }
  return joinLapses(lapses).map((lapse): Lapse => ({ untilMs: toWall(room, lapse.untilMs), count: lapse.count }));
}

function isEarlierLapse(a: Lapse, b: Lapse): boolean {
  if (a.untilMs !== b.untilMs) return a.untilMs < b.untilMs;
  return a.count < b.count;
}

/** At most eight, the earliest by itself. */
function joinLapses(found: readonly Lapse[]): Lapse[] {
  const lapses = found.filter((lapse) => lapse.count > 0);
  sortBy(lapses, isEarlierLapse);
  const earliest = lapses[0];
  if (earliest === undefined) return [];
  if (earliest.count > 1) lapses[0] = { untilMs: earliest.untilMs, count: earliest.count - 1 };
  else lapses.shift();
  while (lapses.length >= maxLapses) joinFirstTwo(lapses);
  const joined: Lapse[] = [{ untilMs: earliest.untilMs, count: 1 }];
  for (const lapse of lapses) joined.push(lapse);
  return joined;
}

function joinFirstTwo(lapses: Lapse[]): void {
  const first = lapses.shift();
  const second = lapses[0];
  if (first === undefined || second === undefined) return;
  lapses[0] = { untilMs: second.untilMs, count: first.count + second.count };
}

function lapsesAhead(room: Room, lapses: readonly Lapse[]): Lapse[] {
  return lapses.filter((lapse) => lapse.untilMs > room.flowMs);
}

function sumOf(lapses: readonly Lapse[]): number {
  let sum = 0;
  for (const lapse of lapses) sum += lapse.count;
  return sum;
}

/**
 * The end of a recovery. Unaccounted admissions that the state knows stay; what was remembered to be live beyond them, and beyond the
 * admissions on record, becomes unaccounted, too: no more in all than may be live.
 */
export function addUnaccounted(room: Room): void {
  const unaccounted = lapsesAhead(room, room.unaccounted);
  const remembered = lapsesAhead(room, room.rememberedLapses);
  room.rememberedLapses = [];
  room.unaccounted = [];
  if (room.inletType !== "max_active" || room.maxActive === null) return;
  const live = liveCount(room);
  for (const lapse of withoutFirst(remembered, live + sumOf(unaccounted))) unaccounted.push(lapse);
  sortBy(unaccounted, isEarlierLapse);
  room.unaccounted = withoutFirst(unaccounted, sumOf(unaccounted) - (room.maxActive - live));
}

/** All but the first so many. */
function withoutFirst(lapses: readonly Lapse[], count: number): Lapse[] {
  let left = Math.max(0, count);
  const remaining: Lapse[] = [];
  for (const lapse of lapses) {
    const dropped = Math.min(left, lapse.count);
    left -= dropped;
    if (lapse.count > dropped) remaining.push({ untilMs: lapse.untilMs, count: lapse.count - dropped });
  }
  return remaining;
}
