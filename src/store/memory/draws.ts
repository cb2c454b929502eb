import { isComing } from "../../core/draw/progress.ts";
import { moveOver, normalizeGaps, placesBetween } from "../../core/gaps.ts";
import type { Draw, DrawCommitment, DrawOutcome, Gap, KnownPlace } from "../contract/room-store.ts";
import { addAdvance } from "./advances.ts";
import type { DrawData, RoomData } from "./data.ts";

/** What is added beyond makes the oldest forgotten. */
export const maxDraws = 16;
const entriesAfterMs = 5_000;
/** An opening that comes later than the schedule says by more has a time of its own. */
const punctualMs = 2_000;
/** Every process knows the last number by then. */
const settleMs = 2_500;
const beaconPatienceMs = 30_000;

function comingDraw({ draws }: RoomData): DrawData | undefined {
  return draws.findLast(isComing);
}

/** Nothing is served: the order of those who have entered is being fixed. */
export function isDrawing({ draws }: RoomData): boolean {
  return draws.some(({ stage }) => stage === "closing" || stage === "closed");
}

/** A prequeue has begun, and nothing binds the seed of its draw yet. */
export function lacksCommitment(room: RoomData): boolean {
  const draw = comingDraw(room);
  return room.basePhase === "prequeue" && draw !== undefined && draw.first > 0 && draw.commitment === "";
}

/** Numbers of a cancelled draw are in none. Where nobody has entered, the last number is the one before the first. */
export function isEntryOf(draw: DrawData, number: number): boolean {
  if (draw.stage === "cancelled" || draw.first === 0 || number < draw.first) return false;
  return isComing(draw) || number <= draw.last;
}

/** What the ticket names. */
export function numberOf({ position, entry }: KnownPlace): number {
  return position === 0 ? 0 : (entry?.number ?? position);
}

/** The first number of a draw that has begun and whose last one is not fixed; 0 for none. */
export function firstComing(room: RoomData): number {
  return comingDraw(room)?.first ?? 0;
}

/** Whether a draw has begun whose last number is not fixed. */
export function isTakingEntries(room: RoomData): boolean {
  return firstComing(room) > 0;
}

/**
 * The gaps that a step of the serving counter skips. Those among the numbers of a draw that is to come will be behind its entries,
 * so that a step before the draw serves as many places as it says; and in one that is not settled visitors may stand.
 */
export function gapsToSkip(room: RoomData): readonly Gap[] {
  const end = Math.min(firstComing(room) || Number.POSITIVE_INFINITY, room.unsettledFrom || Number.POSITIVE_INFINITY);
  if (end === Number.POSITIVE_INFINITY) return room.gaps;
  return room.gaps.filter(({ from }) => from < end).map(({ from, to }) => ({ from, to: Math.min(to, end - 1) }));
}

/** Whether the position is known: no draw has the number, or it was computed by the one that has. */
export function isPlaced(room: RoomData, place: KnownPlace): boolean {
  const number = numberOf(place);
  const draw = room.draws.find((one) => isEntryOf(one, number));
  if (draw === undefined) return (place.entry ?? null) === null;
  return draw.stage === "drawn" && draw.id === place.entry?.draw;
}

/**
 * What the base phase means for the draw; whatever it was before, and once as often as again. Not while the room is forgotten:
 * nobody knows then where the numbers stand.
 */
export function followPhase(room: RoomData): void {
  if (room.basePhase === "prequeue") beginEntries(room);
  else if (room.basePhase === "idle") reopenEntries(room);
  else if (room.basePhase === "open") endEntries(room);
  else cancel(room);
}

function beginEntries(room: RoomData): void {
  reopenEntries(room);
  const settings = room.settings.effective.draw;
  const coming = comingDraw(room);
  if ((coming?.first ?? 0) > 0 || settings?.order !== "random") return;
  const draw = coming ?? addDraw(room);
  draw.first = room.queued + 1;
  draw.usesBeacon = settings.beacon !== "none";
}

function addDraw(room: RoomData): DrawData {
  const draw: DrawData = {
    id: nextId(room),
    stage: "committed",
    keyId: "",
    commitment: "",
    chain: null,
    usesBeacon: room.settings.effective.draw?.beacon === "drand",
    first: 0,
    last: 0,
    gaps: [],
    closesMs: 0,
    seed: "",
    beacon: null,
    atFlowMs: 0,
  };
  room.draws = [...room.draws, draw].slice(-maxDraws);
  return draw;
}

function nextId({ draws }: RoomData): number {
  return (draws.at(-1)?.id ?? 0) + 1;
}

/** The phase went back before the entries were closed: they are taken again. */
function reopenEntries(room: RoomData): void {
  const draw = comingDraw(room);
  if (draw?.stage !== "closing") return;
  draw.stage = "committed";
  draw.closesMs = 0;
  draw.atFlowMs = 0;
}

function endEntries(room: RoomData): void {
  const draw = comingDraw(room);
  if (draw === undefined || draw.stage === "closing" || draw.first === 0) return;
  if (draw.commitment === "") {
    room.draws = room.draws.filter((other) => other !== draw);
    return;
  }
  const { opensAtMs } = room.settings.effective.schedule;
  const isPunctual = opensAtMs !== null && opensAtMs <= room.atMs && room.atMs - opensAtMs <= punctualMs;
  draw.stage = "closing";
  draw.closesMs = (isPunctual ? opensAtMs : room.atMs) + entriesAfterMs;
  draw.atFlowMs = room.flowMs + draw.closesMs - room.atMs;
}

function cancel(room: RoomData): void {
  for (const draw of room.draws) {
    if (draw.first === 0 || draw.stage === "drawn" || draw.stage === "cancelled") continue;
    const before = draw.stage;
    draw.stage = "cancelled";
    if (before === "closed") room.gaps = gapsByDraw(room.gaps, draw);
  }
}

/** Closes the entries when their time is over. */
export function closeEntries(room: RoomData): void {
  if (room.holds.includes("recovered")) return;
  const draw = room.draws.find(({ stage }) => stage === "closing");
  if (draw === undefined || room.flowMs < draw.atFlowMs) return;
  draw.stage = "closed";
  draw.last = room.queued;
  draw.gaps = gapsWithin(room, draw.first, draw.last);
  draw.atFlowMs = room.flowMs;
  room.gaps = gapsByDraw(room.gaps, draw);
  if (room.serving < draw.first) return;
  // Places that an operator has opened beyond the entries are open behind the gap now.
  const served = moveOver(room.gaps, draw.first - 1, room.serving - draw.first + 1);
  if (served <= room.serving) return;
  room.serving = served;
  addAdvance(room);
}

function gapsWithin({ gaps }: Pick<RoomData, "gaps">, first: number, last: number) {
  return gaps
    .map(({ from, to }) => ({ from: Math.max(from, first), to: Math.min(to, last) }))
    .filter(({ from, to }) => from <= to);
}

/** Gaps in positions, once a draw is closed: those among its numbers are one gap behind its entries; unless it is cancelled. */
export function gapsByDraw(gaps: RoomData["gaps"], { stage, first, last, gaps: own }: Draw): RoomData["gaps"] {
  const others = gaps.flatMap(({ from, to }) => [
    { from, to: Math.min(to, first - 1) },
    { from: Math.max(from, last + 1), to },
  ]);
  const behind = { from: first + placesBetween(own, first - 1, last), to: last };
  return normalizeGaps([...others, ...(stage === "cancelled" ? own : [behind])]);
}

export function commitDraw(room: RoomData, { edition, id, keyId, commitment, chain }: DrawCommitment): void {
  if (edition !== room.edition || edition === 0) return;
  const coming = comingDraw(room);
  if (id !== (coming?.id ?? nextId(room))) return;
  if (coming !== undefined && coming.first > 0 && coming.commitment !== "") return;
  const draw = coming ?? addDraw(room);
  draw.keyId = keyId;
  draw.commitment = commitment;
  draw.chain = chain;
}

/** Whether it is drawn now. */
export function fixDraw(room: RoomData, { edition, id, seed, beacon }: DrawOutcome): boolean {
  const draw = room.draws.find((one) => one.id === id);
  if (edition !== room.edition || draw === undefined) return false;
  if (draw.stage !== "closed") return draw.stage === "drawn";
  const waitMs = draw.usesBeacon && beacon === null ? beaconPatienceMs : settleMs;
  if (room.flowMs < draw.atFlowMs + waitMs) return false;
  draw.stage = "drawn";
  draw.seed = seed;
  draw.beacon = draw.usesBeacon ? beacon : null;
  return true;
}

/** As it is told. */
export function toDraw({ atFlowMs: _, ...draw }: DrawData): Draw {
  return { ...draw, gaps: [...draw.gaps] };
}

/**
 * A life begins: the times of its draws go by its flow clock, and by the phase that it begins in. A prequeue that went by arrival
 * goes on so.
 */
export function resumeDraws(room: RoomData): void {
  for (const draw of room.draws) {
    const leftMs = Math.min(entriesAfterMs, Math.max(0, draw.closesMs - room.atMs));
    if (draw.stage === "closing") draw.atFlowMs = room.flowMs + leftMs;
    if (draw.stage === "closed") draw.atFlowMs = room.flowMs;
  }
  if (room.basePhase === "prequeue") reopenEntries(room);
  else followPhase(room);
}
