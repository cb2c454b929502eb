/**
 * The room's draws of this edition: from the prequeue that takes entries to the record that fixes their order.
 *
 * A prequeue of a room that draws begins one at the next number (going back to it goes on with one that takes entries). At the opening
 * entries are taken for 5 s more; then the last number is fixed, and 2.5 s later, when every process knows it, the order, or after 30 s
 * where an announced beacon is not given. Until then nothing is served but by an operator, and the claim clock stands still. A draw
 * without a commitment is dropped at the opening, since nobody can have entered; passthrough and ended cancel one, a reset drops all.
 */
import type { DrawCommitment, DrawOutcome, DrawStage } from "../../store/contract/room-places.ts";
import {
  areEntriesOver,
  cancelledStage,
  closedStage,
  closingStage,
  committedStage,
  drawnStage,
  firstComing,
  isComing,
} from "../holds.ts";
import { addAdvance, joinGaps, moveOver, normalizeGaps, placesBetween } from "../positions.ts";
import type { DrawData, Room } from "../room.ts";
import type { DrawMark, Gap } from "../rows.ts";
import { followDraws, voidedOf } from "./voids.ts";

/** What is added beyond makes the oldest forgotten. */
export const maxDraws = 16;
/** So long after the opening entries are taken. */
export const entriesAfterMs = 5_000;
/** An opening that comes later than the schedule says by more has a time of its own. */
const punctualMs = 2_000;
/** Every process knows the last number by then. */
export const drawSettlesMs = 2_500;
const beaconPatienceMs = 30_000;

function stageMark(stage: DrawStage): number {
  if (stage === "committed") return committedStage;
  if (stage === "closing") return closingStage;
  if (stage === "closed") return closedStage;
  return stage === "cancelled" ? cancelledStage : drawnStage;
}

/** Keeps the draws, and what hot operations go by. */
export function putDraws(room: Room, draws: DrawData[]): void {
  while (draws.length > maxDraws) draws.shift();
  room.draws = draws;
  room.drawMarks = draws.map(
    (draw): DrawMark => ({
      id: draw.id,
      stage: stageMark(draw.stage),
      first: draw.first,
      last: draw.last,
      atFlowMs: draw.atFlowMs,
      isCommitted: draw.commitment === "" ? 0 : 1,
      behind: isFixed(draw) ? behindEntries(draw) : 0,
    }),
  );
  followDraws(room);
}

function isFixed(draw: DrawData): boolean {
  return draw.stage === "closed" || draw.stage === "drawn";
}

/** The first position behind those of the entries. */
function behindEntries(draw: Pick<DrawData, "first" | "last" | "gaps">): number {
  return draw.first + placesBetween(draw.gaps, draw.first - 1, draw.last);
}

export function drawOf<D extends { readonly id: number }>(draws: readonly D[], id: number): D | null {
  return draws.find((draw) => draw.id === id) ?? null;
}

function comingDraw(draws: readonly DrawData[]): DrawData | null {
  return draws.find(isComing) ?? null;
}

function nextDrawId(draws: readonly DrawData[]): number {
  const last = draws[draws.length - 1];
  return last === undefined ? 1 : last.id + 1;
}

/**
 * The gaps that a step of the serving counter skips. Those among the numbers of a draw that is to come will be behind its entries,
 * so that a step before the draw serves as many places as it says; and in one that is not settled visitors may stand.
 */
export function gapsToSkip(room: Room): readonly Gap[] {
  let stop = firstComing(room);
  if (room.unsettledFrom > 0 && (stop === 0 || room.unsettledFrom < stop)) stop = room.unsettledFrom;
  if (stop === 0) return room.gaps;
  return gapsWithin(room.gaps, 1, stop - 1);
}

/**
 * What the base phase means for the draw; whatever it was before, and once as often as again. Not while the room is forgotten:
 * nobody knows then where the numbers stand.
 */
export function followPhase(room: Room): void {
  if (room.basePhase === "prequeue") beginEntries(room);
  else if (room.drawMarks.length === 0) return;
  else if (room.basePhase === "idle") reopenEntries(room);
  else if (room.basePhase === "open") endEntries(room);
  else cancelDraws(room);
}

function addDraw(room: Room, draws: DrawData[]): DrawData {
  const draw: DrawData = {
    id: nextDrawId(draws),
    stage: "committed",
    keyId: "",
    commitment: "",
    chain: null,
    usesBeacon: room.drawBeacon === "drand",
    first: 0,
    last: 0,
    gaps: [],
    closesMs: 0,
    seed: "",
    beacon: null,
    atFlowMs: 0,
  };
  draws.push(draw);
  return draw;
}

function beginEntries(room: Room): void {
  reopenEntries(room);
  const draws = room.draws;
  const coming = comingDraw(draws);
  if ((coming !== null && coming.first > 0) || room.drawOrder !== "random") return;
  const draw = coming ?? addDraw(room, draws);
  draw.first = room.queued + 1;
  draw.usesBeacon = room.drawBeacon !== "none";
  putDraws(room, draws);
}

/** The phase went back before the entries were closed: they are taken again. */
function reopenEntries(room: Room): void {
  const draw = comingDraw(room.draws);
  if (draw === null || draw.stage !== "closing") return;
  draw.stage = "committed";
  draw.closesMs = 0;
  draw.atFlowMs = 0;
  putDraws(room, room.draws);
}

function endEntries(room: Room): void {
  const draw = comingDraw(room.draws);
  if (draw === null || draw.stage === "closing" || draw.first === 0) return;
  if (draw.commitment === "") {
    const others = room.draws.filter((other) => other.id !== draw.id);
    putDraws(room, others);
    return;
  }
  const opensAtMs = room.opensAtMs ?? 0;
  const isPunctual = opensAtMs > 0 && opensAtMs <= room.atMs && room.atMs - opensAtMs <= punctualMs;
  draw.stage = "closing";
  draw.closesMs = (isPunctual ? opensAtMs : room.atMs) + entriesAfterMs;
  draw.atFlowMs = room.flowMs + draw.closesMs - room.atMs;
  putDraws(room, room.draws);
}

function cancelDraws(room: Room): void {
  for (const draw of room.draws) {
    if (draw.first > 0 && draw.stage !== "drawn" && draw.stage !== "cancelled") {
      if (draw.stage === "closed") room.gaps = gapsByDraw(room.gaps, draw, true);
      draw.stage = "cancelled";
    }
  }
  putDraws(room, room.draws);
}

/** Closes the entries when their time is over. */
export function closeEntries(room: Room): void {
  if (!areEntriesOver(room)) return;
  for (const draw of room.draws) {
    if (draw.stage === "closing") closeDraw(room, draw);
  }
  putDraws(room, room.draws);
}

function closeDraw(room: Room, draw: DrawData): void {
  draw.stage = "closed";
  draw.last = room.queued;
  const missing = gapsWithin(room.gaps, draw.first, draw.last);
  for (const stretch of voidedOf(room, draw.id)) missing.push(stretch);
  draw.gaps = joinGaps(missing);
  draw.atFlowMs = room.flowMs;
  room.gaps = gapsByDraw(room.gaps, draw, false);
  // Places that an operator has opened beyond the entries are open behind the gap now.
  skipGapsFrom(room, draw.first);
}

/** What was served from this position on is served behind the gaps that there are now. */
export function skipGapsFrom(room: Room, from: number): void {
  const served = moveOver(room.gaps, from - 1, room.serving - from + 1);
  if (served <= room.serving) return;
  room.serving = served;
  addAdvance(room);
}

function gapsWithin(gaps: readonly Gap[], first: number, last: number): Gap[] {
  const within = gaps.map((gap): Gap => ({ from: Math.max(gap.from, first), to: Math.min(gap.to, last) }));
  return within.filter((gap) => gap.from <= gap.to);
}

/** Gaps in positions, once a draw is closed: those among its numbers are one gap behind its entries; unless it is cancelled. */
export function gapsByDraw(
  gaps: readonly Gap[],
  draw: Pick<DrawData, "first" | "last" | "gaps">,
  isCancelled: boolean,
): Gap[] {
  const all: Gap[] = [];
  for (const gap of gaps) {
    all.push({ from: gap.from, to: Math.min(gap.to, draw.first - 1) });
    all.push({ from: Math.max(gap.from, draw.last + 1), to: gap.to });
  }
  if (isCancelled) {
    for (const gap of draw.gaps) all.push(gap);
  } else all.push({ from: behindEntries(draw), to: draw.last });
  return normalizeGaps(all);
}

/** Publishes what binds the seed of the draw that waits for it, or of the next one. Of a draw that has begun the first commitment counts. */
export function commitDraw(room: Room, offer: DrawCommitment): void {
  if (offer.edition !== room.edition || offer.edition === 0) return;
  const draws = room.draws;
  const coming = comingDraw(draws);
  if (offer.id !== (coming === null ? nextDrawId(draws) : coming.id)) return;
  if (coming !== null && coming.first > 0 && coming.commitment !== "") return;
  const draw = coming ?? addDraw(room, draws);
  draw.keyId = offer.keyId;
  draw.commitment = offer.commitment;
  draw.chain = offer.chain;
  putDraws(room, draws);
}

/** Draws a closed draw if it is time. Answers whether it is drawn now, by whomever: the first outcome counts. */
export function fixDraw(room: Room, outcome: DrawOutcome): boolean {
  if (outcome.edition !== room.edition) return false;
  const draw = drawOf(room.draws, outcome.id);
  if (draw === null) return false;
  if (draw.stage !== "closed") return draw.stage === "drawn";
  const waitMs = draw.usesBeacon && outcome.beacon === null ? beaconPatienceMs : drawSettlesMs;
  if (room.flowMs < draw.atFlowMs + waitMs) return false;
  draw.stage = "drawn";
  draw.seed = outcome.seed;
  if (draw.usesBeacon) draw.beacon = outcome.beacon;
  putDraws(room, room.draws);
  return true;
}

/**
 * An incarnation begins: the times of its draws go by its flow clock, and by the phase that it begins in. A prequeue that went by arrival
 * goes on so.
 */
export function resumeDraws(room: Room): void {
  const draws = room.draws;
  for (const draw of draws) {
    const leftMs = Math.min(entriesAfterMs, Math.max(0, draw.closesMs - room.atMs));
    if (draw.stage === "closing") draw.atFlowMs = room.flowMs + leftMs;
    if (draw.stage === "closed") draw.atFlowMs = room.flowMs;
  }
  if (draws.length > 0) putDraws(room, draws);
  if (room.basePhase === "prequeue") reopenEntries(room);
  else followPhase(room);
}
