/**
 * How a room went: of each ten seconds and of each minute of the wall clock, what has happened in it and how the room stood at its end.
 * A slot is closed by the first call that comes after it, so its figures are seen up to about a second late; what a slot has counted is the
 * difference of counters that the room keeps anyway, so all slots together say what the counters do. What has no place in a row's numbers
 * is counted with the next.
 *
 * What others remember after a loss is in no slot: a recovery ends the slot that was open, and another one begins with it. A slot in which
 * nobody called is not written. A quiet one, in which nothing happened or changed, is counted at the row before it. Where the clock was
 * set back, what happens is added to the rows of that time.
 */
import type { OpenStatistics, StatisticsReport } from "../../store/contract/room-records.ts";
import { publishRefusals } from "../events/events.ts";
import { planLimit } from "../groups.ts";
import { peopleWaiting, phaseOf } from "../holds.ts";
import { liveCount } from "../inlet.ts";
import { sizeOf } from "../ports/sets.ts";
import { readSlot, type SlotRow, type StatisticsRing, writeSlot } from "../ports/statistics-ring.ts";
import { absentPlaces, placesBetween } from "../positions.ts";
import type { Room } from "../room.ts";
import type { Reporter } from "../rows.ts";
import { boundSample, countPages, forgetPages, recordPages } from "./presence.ts";

export const slotMs = 10_000;
const slotsPerMinute = 6;
/** Of ports/statistics-ring.ts. */
const tensSize = 289;
const minutesSize = 2_161;
/** A run of quiet slots has a row at least every twelve hours, and every day: what is read of it is bounded. */
const tensQuietMost = 4_320;
const minutesQuietMost = 1_440;
const reportersMost = 64;

/** Reasons of refusals; see ports/statistics-ring.ts. */
const reasons = 14;
const loss = 2;
/** Where these stand among what a row has counted; see ports/statistics-ring.ts. */
const joined = 0;
const refusedByRate = 14;
const refusedByEntries = 24;
const refusedByNetwork = 25;

/** Begins to record as of now, at the beginning of a room or behind a recovery. */
export function beginStatistics(room: Room, isNew: boolean): void {
  room.statistics.minute = [];
  room.statistics.minuteFlags = isNew ? 0 : loss;
  forgetPages(room);
  beginSlot(room, Math.floor(room.atMs / slotMs), isNew ? 0 : loss);
  room.statistics.base = countsOf(room);
}

/** Before a recovery merges what others remember: what was counted until now is in the slot that was open, and nothing else. */
export function interruptStatistics(room: Room): void {
  if (room.statistics.slot === 0) return;
  closeSlot(room, noGauges(), loss);
  closeMinute(room, noGauges());
  room.statistics.slot = 0;
}

/** Closes the slot that is over, if any, and takes in what a process reports. */
export function recordStatistics(room: Room, report: StatisticsReport | null): void {
  if (room.statistics.slot === 0) beginStatistics(room, false);
  if (isSlotOver(room.statistics.slot, room.atMs)) moveOn(room, Math.floor(room.atMs / slotMs));
  if (report !== null) takeReport(room, report);
}

/** Whether the slot that is open is not the one of now. Where the clock was set back by a moment, it stays open. */
export function isSlotOver(open: number, nowMs: number): boolean {
  const slot = Math.floor(nowMs / slotMs);
  return slot !== open && slot !== open - 1;
}

function moveOn(room: Room, slot: number): void {
  const open = room.statistics.slot;
  const isNext = slot === open + 1;
  const gauges = isNext ? gaugesOf(room) : noGauges();
  closeSlot(room, gauges, isNext ? 0 : partial);
  const minute = minuteOf(slot);
  if (minute !== minuteOf(open)) {
    if (!isNext) room.statistics.minuteFlags = Math.max(room.statistics.minuteFlags, partial);
    const pages = countPages(room, room.statistics.minuteFlags === 0, minute);
    const sums = room.statistics.minute;
    publishRefusals(
      room,
      sums[joined] ?? 0,
      sums[refusedByRate] ?? 0,
      sums[refusedByEntries] ?? 0,
      sums[refusedByNetwork] ?? 0,
    );
    closeMinute(room, withPages(gauges, pages, room.presence.pagesShift));
    room.statistics.minuteFlags = isNext ? 0 : partial;
    if (!isNext) forgetPages(room);
  }
  beginSlot(room, slot, isNext ? 0 : partial);
  boundSample(room);
}

function minuteOf(slot: number): number {
  return Math.floor(slot / slotsPerMinute);
}

function beginSlot(room: Room, slot: number, flags: number): void {
  room.statistics.slot = slot;
  room.statistics.flags = flags;
}

/** What the room has counted so far, in the order of `countNames`. */
function countsOf(room: Room): number[] {
  return [
    room.counts.joined,
    servedPlaces(room),
    room.counts.entered,
    room.counts.bypassed,
    room.counts.passed,
    room.counts.completed,
    room.counts.abandoned,
    room.counts.loggedOut,
    room.counts.revoked,
    room.counts.expired,
    room.counts.noShows,
    room.counts.left,
  ];
}

/** What has happened since the slot began. */
function countedOf(room: Room): number[] {
  const base = room.statistics.base;
  const counted: number[] = [];
  for (const count of countsOf(room)) counted.push(fitting(count - (base[counted.length] ?? 0)));
  for (const refused of combined(noRefusals(), room.statistics.refused, 1)) counted.push(fitting(refused));
  return counted;
}

function closeSlot(room: Room, gauges: number[], flags: number): void {
  const counted = countedOf(room);
  keepServed(room);
  room.statistics.base = combined(countsOf(room), leftOver(room, counted), -1);
  room.statistics.refused = refusedBeyond(room, counted);
  room.statistics.minute = combined(counted, room.statistics.minute, 1);
  room.statistics.minuteFlags = Math.max(room.statistics.minuteFlags, room.statistics.flags, flags);
  const row: SlotRow = { flags: Math.max(room.statistics.flags, flags), quiet: 0, counted, gauges };
  room.statistics.tens = putRow(
    room.statisticsTens,
    tensSize,
    room.statistics.tens,
    room.statistics.slot,
    row,
    tensQuietMost,
  );
}

/** Of the counts, what did not fit into the row. */
function leftOver(room: Room, counted: readonly number[]): number[] {
  return combined(combined(countsOf(room), room.statistics.base, -1), counted, -1);
}

function refusedBeyond(room: Room, counted: readonly number[]): number[] {
  const rest: number[] = [];
  for (const count of room.statistics.refused)
    rest.push(count - (counted[counted.length - reasons + rest.length] ?? 0));
  return rest.some((count) => count > 0) ? rest : [];
}

function closeMinute(room: Room, gauges: number[]): void {
  const sums = room.statistics.minute;
  const counted = sums.map((count) => fitting(count));
  const row: SlotRow = { flags: room.statistics.minuteFlags, quiet: 0, counted, gauges };
  const minute = minuteOf(room.statistics.slot);
  room.statistics.minutes = putRow(
    room.statisticsMinutes,
    minutesSize,
    room.statistics.minutes,
    minute,
    row,
    minutesQuietMost,
  );
  const rest = combined(sums, counted, -1);
  room.statistics.minute = rest.some((count) => count !== 0) ? rest : [];
}

function noRefusals(): number[] {
  return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

function noGauges(): number[] {
  return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

/** In the order of `gaugeNames`; how many have the page open is known of minutes alone. */
function gaugesOf(room: Room): number[] {
  const limit = room.limit;
  const rate = planLimit(room);
  const latencyMs = room.adaptive.latencyMs ?? room.health.latencyMs;
  const errorRate = room.adaptive.errorRate;
  return [
    peopleWaiting(room),
    sizeOf(room.pendingClaims),
    absentPlaces(room),
    Math.max(0, liveCount(room)),
    limit === null ? 0 : limit + 1,
    rate === null ? 0 : Math.floor(rate * 10 + 0.5) + 1,
    latencyMs === null ? 0 : Math.floor(latencyMs + 0.5) + 1,
    0,
    0,
    errorRate === null ? 0 : Math.floor(errorRate * 10_000 + 0.5) + 1,
    phaseCode(room),
  ];
}

function withPages(gauges: readonly number[], pages: number, shift: number): number[] {
  const all: number[] = [];
  for (const gauge of gauges) {
    if (all.length === 7) all.push(pages);
    else if (all.length === 8) all.push(pages === 0 ? 0 : shift);
    else all.push(gauge);
  }
  return all;
}

function phaseCode(room: Room): number {
  const phase = phaseOf(room);
  if (phase === "idle") return 1;
  if (phase === "prequeue") return 2;
  if (phase === "open") return 3;
  if (phase === "paused") return 4;
  return phase === "ended" ? 5 : 6;
}

/** Each report counts once. */
function takeReport(room: Room, report: StatisticsReport): void {
  recordPages(room, report.pages);
  if (report.refused.length === 0) return;
  const reporters = room.statistics.reporters;
  const previous = reporters.find((reporter) => reporter.process === report.process);
  if (previous !== undefined && previous.sequence >= report.sequence) return;
  const others = reporters.filter((reporter) => reporter.process !== report.process);
  const latest: Reporter = { process: report.process, sequence: report.sequence };
  others.push(latest);
  while (others.length > reportersMost) others.shift();
  room.statistics.reporters = others;
  room.statistics.refused = combined(combined(noRefusals(), report.refused, 1), room.statistics.refused, 1);
}

/** The slot that is open and its minute, so far. */
export function openStatistics(room: Room): OpenStatistics {
  const counted = countedOf(room);
  return {
    slot: room.statistics.slot,
    flags: room.statistics.flags,
    counted,
    minuteFlags: Math.max(room.statistics.minuteFlags, room.statistics.flags),
    minuteCounted: combined(counted, room.statistics.minute, 1),
    tensLast: room.statistics.tens[0] ?? 0,
    tensQuiet: room.statistics.tens[1] ?? 0,
    minutesLast: room.statistics.minutes[0] ?? 0,
    minutesQuiet: room.statistics.minutes[1] ?? 0,
  };
}

// How rows of slots are put into their ring; what a row says stands in statistics.ts.

/** Nobody recorded all of the slot. */
const partial = 1;
/** What a row can count: three bytes. */
const countedMost = 8_388_607;

function fitting(count: number): number {
  return Math.max(-countedMost, Math.min(countedMost, count));
}

/** The members of both, added up or taken off. The first has no fewer. */
function combined(one: readonly number[], other: readonly number[], sign: number): number[] {
  const sums: number[] = [];
  for (const value of one) sums.push(value + sign * (other[sums.length] ?? 0));
  return sums;
}

/** Answers the mark: the last slot that has a row, how many behind it were quiet, and its gauges. */
function putRow(
  ring: StatisticsRing,
  size: number,
  mark: readonly number[],
  slot: number,
  row: SlotRow,
  quietMost: number,
): number[] {
  const last = mark[0] ?? 0;
  const quiet = mark[1] ?? 0;
  if (slot === last + quiet + 1 && quiet < quietMost && isQuiet(row, mark)) return markOf(last, quiet + 1, row.gauges);
  keepQuiet(ring, size, last, quiet);
  const existing = readSlot(ring, size, slot);
  if (existing !== null) addEarlier(row, existing);
  writeSlot(ring, size, slot, row);
  return markOf(slot, 0, row.gauges);
}

function markOf(last: number, quiet: number, gauges: readonly number[]): number[] {
  const mark = [last, quiet];
  for (const gauge of gauges) mark.push(gauge);
  return mark;
}

function isQuiet(row: SlotRow, mark: readonly number[]): boolean {
  if (row.flags !== 0 || row.counted.some((count) => count !== 0)) return false;
  let index = 2;
  for (const gauge of row.gauges) {
    if (gauge !== mark[index]) return false;
    index++;
  }
  return true;
}

/** Notes at the last row how many behind it were quiet. */
function keepQuiet(ring: StatisticsRing, size: number, last: number, quiet: number): void {
  if (quiet === 0) return;
  const row = readSlot(ring, size, last);
  if (row === null) return;
  row.quiet = Math.max(row.quiet, quiet);
  writeSlot(ring, size, last, row);
}

/** The slot has been there before: the clock was set back. */
function addEarlier(row: SlotRow, earlier: SlotRow): void {
  row.flags = Math.max(row.flags, earlier.flags, partial);
  row.quiet = earlier.quiet;
  row.counted = combined(row.counted, earlier.counted, 1).map((count) => fitting(count));
}

// How many places have been served since the room was made, less those that an operator took back. Counters of positions begin anew with an edition.

function servedPlaces(room: Room): number {
  const from = room.statistics.servedThrough;
  const to = servedThrough(room);
  const moved = to >= from ? placesBetween(room.gaps, from, to) : -placesBetween(room.gaps, to, from);
  return room.statistics.served + moved;
}

/** Places that are open, and that nobody has taken yet, are not served. */
function servedThrough(room: Room): number {
  return Math.min(room.serving, room.queued);
}

/** What was served until now stays counted: of gaps, and of editions, the older ones are forgotten. */
export function keepServed(room: Room): void {
  room.statistics.served = servedPlaces(room);
  room.statistics.servedThrough = servedThrough(room);
}

/** Counters of positions have just begun anew. */
export function beginServed(room: Room): void {
  room.statistics.servedThrough = 0;
}
