/** The inlets, which serve: `periodic` and `adaptive` as many as the limit lets in soon, `max_active` as many as there is room for. */
import { ratePerMinute } from "./adaptive.ts";
import { capacityFree } from "./capacity.ts";
import { isInletOn, isOnHold, peopleWaiting } from "./clocks.ts";
import { gapsToSkip } from "./draw/draws.ts";
import { moveOver, placesBetween } from "./gaps.ts";
import { planLimit, sharedSlotsNow } from "./groups.ts";
import { isDrawing, phaseOf } from "./holds.ts";
import { pruneLog, slotsNow } from "./limiter.ts";
import { sizeOf } from "./ports/sets.ts";
import { addBatch, expectedShows, recordServed, settleBatches, showRate } from "./progress.ts";
import type { Room } from "./room.ts";
import { addAdvance, prunePendingClaims } from "./served-places.ts";

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
