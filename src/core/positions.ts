/**
 * What became of positions: which were never handed out (gaps, whose lists ascend), when those that were handed out were served, and which of them
 * do not expire because the limiter refused their claims.
 */
import {
  appendRow,
  cutRows,
  dropRows,
  firstRows,
  lastRow,
  lastRowUntil,
  replaceRow,
  rowOf,
  sortBy,
} from "./ports/lists.ts";
import {
  countBelow,
  countPositions,
  removeMember,
  removeMembers,
  scoreAt,
  scoreOf,
  setScore,
  takeBelow,
} from "./ports/sets.ts";
import { createPendingClaims, type Room } from "./room.ts";
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

const absentMs = 30_000;

/** Records that places up to the serving counter are served as of now. */
export function addAdvance(room: Room): void {
  if (room.serving > room.servingHigh) room.servingHigh = room.serving;
  addRow(room, room.serving);
}

/** Open places beyond `queuedBefore` were taken just now: they are served as of now, whenever they were opened. */
export function addTakenPlaces(room: Room, queuedBefore: number): void {
  cutAdvances(room, queuedBefore);
  addRow(room, Math.min(room.serving, room.queued));
}

/** Advances close together share a row. */
function addRow(room: Room, to: number): void {
  const grainMs = Math.max(1_000, room.claimWithinMs / 1_000);
  const last = lastRow(room.rows);
  if (last !== null && room.claimMs - last.sinceMs < grainMs) {
    replaceRow(room.rows, last, { to, sinceMs: last.sinceMs, atMs: room.claimMs });
  } else appendRow(room.rows, { to, sinceMs: room.claimMs, atMs: room.claimMs });
}

function cutAdvances(room: Room, to: number): void {
  const cut = cutRows(room.rows, to);
  if (cut === null) return;
  const last = lastRow(room.rows);
  const lastTo = last === null ? 0 : last.to;
  if (lastTo < to) appendRow(room.rows, { to, sinceMs: cut.sinceMs, atMs: cut.atMs });
}

/** Takes back advances beyond the serving counter, which an operator has moved back. */
export function takeBackAdvances(room: Room): void {
  // They get another window, and count when that is over.
  room.counts.noShows = Math.max(0, room.counts.noShows - unusedPlaces(room, room.serving, room.expiredThrough));
  room.expiredThrough = Math.min(room.expiredThrough, room.serving);
  cutAdvances(room, room.serving);
}

/** When the place was served, claim clock; before all times when its row is gone. */
export function servedAt(room: Room, position: number): number {
  if (position <= room.expiredThrough) return 0;
  const row = rowOf(room.rows, position);
  return row === null ? 0 : row.atMs;
}

/** Whether a served place was not claimed in time, and the limiter has not kept it from that. */
export function hasExpired(room: Room, position: number, joinedMs: number): boolean {
  const servedMs = Math.max(joinedMs, servedAt(room, position));
  return room.claimMs > servedMs + room.claimWithinMs && !isExempt(room, position);
}

/**
 * Drops the rows whose places were served longer than `claimWithinMs` ago, at most `limit`, up to the first place whose
 * claim is held: it has not expired, and a recovery must know.
 */
export function expireAdvances(room: Room, limit: number): void {
  const oldestMs = room.claimMs - room.claimWithinMs;
  const lowest = lowestRefused(room);
  let dropped = 0;
  let last = 0;
  for (const row of firstRows(room.rows, limit)) {
    if (row.atMs >= oldestMs || (lowest !== null && row.to >= lowest)) break;
    last = row.to;
    dropped++;
  }
  if (dropped === 0) return;
  dropRows(room.rows, dropped);
  // Open places that nobody has taken yet have their time before them.
  const through = Math.max(room.expiredThrough, Math.min(last, room.queued));
  room.counts.noShows += unusedPlaces(room, room.expiredThrough, through);
  room.expiredThrough = through;
}

/** Places in (low, high] that were handed out, and neither claimed nor left. */
function unusedPlaces(room: Room, low: number, high: number): number {
  const last = Math.min(high, room.queued);
  if (last <= low) return 0;
  const used = countPositions(room.claimedPlaces, low + 1, last) + countPositions(room.leftPlaces, low + 1, last);
  return Math.max(0, placesBetween(room.gaps, low, last) - used);
}

/** Places served more than 30 s ago that may still be claimed. */
export function absentPlaces(room: Room): number {
  const row = lastRowUntil(room.rows, room.claimMs - absentMs);
  return row === null ? 0 : unusedPlaces(room, room.expiredThrough, row.to);
}

// Claims that the limiter refused lately: those of lower positions go first, and their places do not expire.

const pendingClaimMs = 5_000;
/** A place that the limiter refused within this time (claim clock) does not expire. */
const exemptMs = 30_000;

/** Forgets those that were not made again for 5 s of the flow clock, at most `limit`. */
export function prunePendingClaims(room: Room, limit: number): void {
  removeMembers(room.pendingClaims, takeBelow(room.pendingClaimTimes, room.flowMs - pendingClaimMs, limit));
  removeMembers(room.held, takeBelow(room.heldTimes, room.claimMs - exemptMs, limit));
}

/** The lowest place that was refused lately; rows with such places do not expire. Null for none. */
function lowestRefused(room: Room): number | null {
  return scoreAt(room.held, 0);
}

/** How many claims of lower positions are pending. */
export function pendingRank(room: Room, position: number): number {
  return countBelow(room.pendingClaims, position);
}

export function isClaimPending(room: Room, position: number): boolean {
  return scoreOf(room.pendingClaimTimes, position) !== null;
}

/** Whether the limiter has kept this place from being claimed lately, so that it does not expire. */
function isExempt(room: Room, position: number): boolean {
  const refusedMs = scoreOf(room.heldTimes, position);
  return refusedMs !== null && refusedMs >= room.claimMs - exemptMs;
}

export function addPendingClaim(room: Room, position: number): void {
  setScore(room.pendingClaims, position, position);
  setScore(room.pendingClaimTimes, position, room.flowMs);
  setScore(room.heldTimes, position, room.claimMs);
  setScore(room.held, position, position);
}

/** A claim by a bypass link is pending at position 0, before all places. It keeps no place from expiring. */
export function addPendingBypass(room: Room): void {
  setScore(room.pendingClaims, 0, 0);
  setScore(room.pendingClaimTimes, 0, room.flowMs);
}

export function removePendingClaim(room: Room, position: number): void {
  if (removeMember(room.pendingClaims, position)) removeMember(room.pendingClaimTimes, position);
  if (removeMember(room.heldTimes, position)) removeMember(room.held, position);
}

export function clearPendingClaims(room: Room): void {
  Object.assign(room, createPendingClaims());
}
