import { ratePerMinute } from "../../core/adaptive/rate.ts";
import { addAdvance } from "../../core/advances.ts";
import { addBatch, expectedShows, settleBatches, showRate } from "../../core/batches.ts";
import { capacityFree } from "../../core/capacity.ts";
import { isHeld, isInletOn, peopleWaiting } from "../../core/clocks.ts";
import { gapsToSkip } from "../../core/draw/draws.ts";
import { isDrawing } from "../../core/draw/marks.ts";
import { moveOver, placesBetween } from "../../core/gaps.ts";
import { phaseOf } from "../../core/holds.ts";
import { pruneKnocks } from "../../core/knocks.ts";
import { pruneLog, slotsNow } from "../../core/limiter.ts";
import { noteServed } from "../../core/progress.ts";
import type { GroupData, RoomData } from "./data.ts";
import { planLimit, sharedSlotsNow } from "./groups.ts";

const targetMs = 3_000;
const reserveMs = 10_000;
const maxMarginMs = 6_000;
const marginUpMs = 600;
const marginDownMs = 6;
const minPresentRate = 0.05;
const beforeHoldEndsMs = 5_000;

/** Serves so many more places. */
export function serve(room: RoomData, places: number): void {
  if (places <= 0) return;
  const from = room.serving;
  const isLine = peopleWaiting(room) > places;
  room.serving = moveOver(gapsToSkip(room), from, places);
  if (isLine) noteServed(room, placesBetween(room.gaps, from, room.serving));
  addAdvance(room);
  addBatch(room, from, room.serving, "inlet");
}

/** Whether an inlet may move the line of itself now. */
function mayServe(room: RoomData): boolean {
  if (room.settings.effective.inlet.type === "manual" || phaseOf(room) !== "open" || isDrawing(room)) return false;
  if (isHeld(room) && room.flowMs < room.holdUntilMs - beforeHoldEndsMs) return false;
  return isInletOn(room);
}

/** Whether one more could be admitted now: the limiter has a slot, and the room a place. */
function couldAdmit(room: RoomData): boolean {
  return room.tatMs <= room.flowMs && (capacityFree(room) ?? 1) >= 1;
}

/**
 * The margin above the target: grows when nobody knocks though one more could be admitted, and shrinks slowly. Visitors who
 * take long to show up, and the luck of small numbers, would else leave outflow unused. One idle second in a hundred
 * keeps it where it is. Where hardly anybody shows up at all, it would only serve places in vain.
 */
function adaptMargin(room: RoomData): void {
  const isIdle = room.knocks.order.length === 0 && couldAdmit(room);
  const isStarving = isIdle && showRate(room) >= minPresentRate;
  const marginMs = room.pull.marginMs + (isStarving ? marginUpMs : -marginDownMs);
  room.pull.marginMs = Math.min(maxMarginMs, Math.max(0, marginMs));
}

/**
 * `max_active`: who comes late or not at all would leave places free, so that a few more are called, who wait at the door
 * for somebody to leave: by the margin up to one, or as many as leave in 10 s.
 */
function reserve(room: RoomData): number {
  const { inlet, admission } = room.settings.effective;
  const most = Math.max(1, ((inlet.maxActive ?? 0) * reserveMs) / admission.durationMs);
  return (room.pull.marginMs / maxMarginMs) * most;
}

/**
 * How many visitors shall be at the door: 3 s of outflow and the margin, as many as there is room for and the reserve, or
 * the less of both.
 */
function target(room: RoomData, group: GroupData | null): number {
  const limit = planLimit(room, group);
  const flow = limit === null ? null : Math.max(1, (limit * (targetMs + room.pull.marginMs)) / 60_000);
  const free = capacityFree(room);
  return Math.min(flow ?? Number.POSITIVE_INFINITY, free === null ? Number.POSITIVE_INFINITY : free + reserve(room));
}

function serveToTarget(room: RoomData, group: GroupData | null): void {
  const waiting = peopleWaiting(room);
  if (waiting <= 0) return;
  const wanted =
    (target(room, group) - room.knocks.order.length - expectedShows(room, showRate(room))) / showRate(room);
  serve(room, Math.min(Math.floor(wanted + 0.5), waiting));
}

/** The inlets `periodic`, `adaptive` and `max_active`, at most once in a second of the flow clock. */
export function runInlet(room: RoomData, group: GroupData | null): void {
  const second = Math.floor(room.flowMs / 1_000);
  if (second <= room.pull.second) return;
  room.pull.second = second;
  settleBatches(room);
  if (!mayServe(room) || peopleWaiting(room) <= 0) return;
  adaptMargin(room);
  serveToTarget(room, group);
}

/** `max_active`: an admission has ended, and the next visitor is served at once. */
export function refill(room: RoomData, group: GroupData | null): void {
  if (room.settings.effective.inlet.type === "max_active" && mayServe(room)) serveToTarget(room, group);
}

/** How many newcomers may pass without waiting, where nobody waits. */
export function placesServedAtOnce(room: RoomData, group: GroupData | null): number {
  if (!mayServe(room) || isHeld(room)) return 0;
  pruneKnocks(room, 500);
  pruneLog(room);
  const { outflowPerMinute: limit } = room.settings.effective.inlet;
  const rate = ratePerMinute(room);
  const slots = Math.min(
    limit === null || rate === null ? Number.POSITIVE_INFINITY : slotsNow(room, limit, rate),
    sharedSlotsNow(room, group),
    capacityFree(room) ?? Number.POSITIVE_INFINITY,
  );
  return Math.max(0, Math.floor(slots - room.knocks.order.length - expectedShows(room, showRate(room))));
}
