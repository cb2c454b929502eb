/**
 * The inlets, which serve: `periodic` and `adaptive` as many as the limit lets in soon, `max_active` as many as there is room for.
 *
 * How much room there is follows from how many admissions are live. After a loss those that were live and are not on record count as
 * unaccounted until they would lapse; an admission from before the loss that comes on record later takes the place of the earliest, so that a late
 * memory counts as it would have in time.
 */
import { ratePerMinute } from "./adaptive.ts";
import { gapsToSkip } from "./draw/draws.ts";
import { planLimit, sharedSlotsNow } from "./groups.ts";
import { isDrawing, isInletOn, isLineMoving, isOnHold, peopleWaiting, phaseOf, toWall } from "./holds.ts";
import { pruneLog, slotsNow } from "./limiter.ts";
import { sortBy } from "./ports/lists.ts";
import { countBelow, scoreAt, sizeOf } from "./ports/sets.ts";
import { addAdvance, moveOver, placesBetween, prunePendingClaims } from "./positions.ts";
import { addBatch, expectedShows, recordEndedEarly, recordServed, settleBatches, showRate } from "./progress.ts";
import type { Room } from "./room.ts";
import type { Lapse } from "./rows.ts";

const inletTargetMs = 3_000;
const reserveMs = 10_000;
const maxMarginMs = 6_000;
const marginUpMs = 600;
const marginDownMs = 6;
const minPresentRate = 0.05;
const beforeHoldEndsMs = 5_000;

/** Serves so many more places. */
export function serve(room: Room, places: number): void {
  if (places <= 0) return;
  const from = room.serving;
  const isLine = peopleWaiting(room) > places;
  room.serving = moveOver(gapsToSkip(room), from, places);
  if (isLine) recordServed(room, placesBetween(room.gaps, from, room.serving));
  addAdvance(room);
  addBatch(room, from, room.serving, "inlet");
}

/** Whether an inlet may move the line of itself now. */
function mayServe(room: Room): boolean {
  if (room.inletType === "manual" || phaseOf(room) !== "open" || isDrawing(room)) return false;
  if (isOnHold(room) && room.flowMs < room.holdUntilMs - beforeHoldEndsMs) return false;
  return isInletOn(room);
}

/** Whether one more could be admitted now: the limiter has a slot, and the room a place. */
function couldAdmit(room: Room): boolean {
  return room.tatMs <= room.flowMs && (capacityFree(room) ?? 1) >= 1;
}

/**
 * The margin above the target: grows when no claim is pending though one more could be admitted, and shrinks slowly. Visitors who
 * take long to show up, and the luck of small numbers, would else leave outflow unused. One idle second in a hundred
 * keeps it where it is. Where hardly anybody shows up at all, it would only serve places in vain.
 */
function adaptMargin(room: Room): void {
  const isIdle = sizeOf(room.pendingClaims) === 0 && couldAdmit(room);
  const isStarving = isIdle && showRate(room) >= minPresentRate;
  const marginMs = room.pull.marginMs + (isStarving ? marginUpMs : -marginDownMs);
  room.pull.marginMs = Math.min(maxMarginMs, Math.max(0, marginMs));
}

/**
 * `max_active`: visitors who come late or not at all would leave places free, so a few more are called, who wait, ready to
 * enter, until a visitor leaves: by the margin up to one, or as many as leave in 10 s.
 */
function reserveOf(room: Room): number {
  const most = Math.max(1, ((room.maxActive ?? 0) * reserveMs) / room.durationMs);
  return (room.pull.marginMs / maxMarginMs) * most;
}

/**
 * How many visitors shall be ready to enter: 3 s of outflow and the margin, as many as there is room for and the
 * reserve, or the less of both; null for all.
 */
function targetOfClaims(room: Room): number | null {
  const limit = planLimit(room);
  const free = capacityFree(room);
  const most = free !== null ? free + reserveOf(room) : null;
  if (limit === null) return most;
  const flow = Math.max(1, (limit * (inletTargetMs + room.pull.marginMs)) / 60_000);
  return Math.min(flow, most ?? flow);
}

function serveToTarget(room: Room): void {
  const waiting = peopleWaiting(room);
  if (waiting <= 0) return;
  const target = targetOfClaims(room);
  if (target === null) {
    serve(room, waiting);
    return;
  }
  const wanted = (target - sizeOf(room.pendingClaims) - expectedShows(room, showRate(room))) / showRate(room);
  serve(room, Math.min(Math.floor(wanted + 0.5), waiting));
}

/** The inlets `periodic`, `adaptive` and `max_active`, at most once in a second of the flow clock. */
export function runInlet(room: Room): void {
  const second = Math.floor(room.flowMs / 1_000);
  if (second <= room.pull.second) return;
  room.pull.second = second;
  settleBatches(room);
  if (!mayServe(room) || peopleWaiting(room) <= 0) return;
  adaptMargin(room);
  serveToTarget(room);
}

/** `max_active`: an admission has ended, and the next visitor is served at once. */
export function refill(room: Room): void {
  if (room.inletType === "max_active" && mayServe(room)) serveToTarget(room);
}

/**
 * How many newcomers may pass without waiting, where nobody waits and at most `most` come: as many as the limits and the capacity
 * admit now, less those who are ready or expected.
 */
export function placesServedAtOnce(room: Room, most: number): number {
  if (!mayServe(room) || isOnHold(room)) return 0;
  prunePendingClaims(room, 500);
  pruneLog(room);
  const claiming = sizeOf(room.pendingClaims) + expectedShows(room, showRate(room));
  let places = most;
  const shared = sharedSlotsNow(room);
  if (shared !== null) places = Math.min(places, Math.floor(shared - claiming));
  const free = capacityFree(room);
  if (free !== null) places = Math.min(places, Math.floor(free - claiming));
  const rate = ratePerMinute(room);
  if (room.limit !== null && rate !== null) {
    places = Math.min(places, Math.floor(slotsNow(room, room.limit, rate) - claiming));
  }
  return Math.max(0, places);
}

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
