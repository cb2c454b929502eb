/**
 * Whose a place is: joins give places, to anybody or one to each key; leaving ends one; a link moves one to another visitor.
 *
 * Joins take consecutive positions, and serve those that need not wait. `maxWaiting` bounds the waiting ones: places that are open or served
 * at once do not count. Leaving voids a place for the rest of its edition.
 *
 * Keys have one place each, in rooms that are entered by invitation or identity. Of a key the store knows a name, which is made of it
 * (room/tickets/visitor-key.ts), and the number of its place. A key gets another place when its own is over: it was left, was not
 * claimed in time, or its admission has ended.
 *
 * A place has one holder. It is moved by a link that is used once, and what is moved last is remembered.
 */

import type { ClaimRequest, LeaveRequest, LinkClaim, MoveRequest } from "../store/contract/room-claim.ts";
import type {
  KeyedJoin,
  KeyedJoins,
  KeyedNumber,
  KeyedRange,
  KeyPage,
  PlaceClaimed,
} from "../store/contract/room-places.ts";
import type { MovedPlace } from "../store/contract/room-state.ts";
import type { JoinRange } from "../store/contract/room-store.ts";
import { currentRecord, isLive } from "./admissions.ts";
import { isVoided, keepRows, voidedJoins } from "./draw/voids.ts";
import { drawIdOf, isForgotten, isLineOver, isPlaced, lacksCommitment, numberOf, peopleWaiting } from "./holds.ts";
import { placesServedAtOnce, serve } from "./inlet.ts";
import { type AdmissionRecord, countRecords, forgetRecord, readRecord, writeRecord } from "./ports/lists.ts";
import {
  addPosition,
  hasPosition,
  membersBetween,
  removeLowest,
  removeMember,
  removeMembers,
  type ScoredSet,
  scoreOf,
  scoresBetween,
  setScore,
  sizeOf,
} from "./ports/sets.ts";
import { addTakenPlaces, hasExpired, removePendingClaim, servedAt } from "./positions.ts";
import { addBatch } from "./progress.ts";
import { forgetPush } from "./push-rows.ts";
import type { Room } from "./room.ts";

/** When a join that is not possible yet is to be asked for again. */
export const joinRetryMs = 2_000;

/**
 * Takes up to `count` consecutive positions, and serves those that need not wait. Null while that is not possible yet: nobody
 * remembers the room, or nothing binds the seed of its draw. None are taken where some of those who join come from a voided block.
 *
 * @param rows the blocks of those who join, where they are entries of a draw; else ""
 */
export function join(room: Room, count: number, rows: string): JoinRange | null {
  if (isForgotten(room) || lacksCommitment(room)) return null;
  const first = room.queued + 1;
  const voided = voidedJoins(room, rows);
  const granted = hasLine(room) && voided.length === 0 ? grant(room, count) : 0;
  keepRows(room, first, granted, rows);
  let refusal: JoinRange["refusal"] = null;
  if (!hasLine(room)) refusal = "closed";
  else if (voided.length > 0) refusal = "voided";
  else if (granted < count) {
    refusal = "full";
    // A tick tells it, which costs joins nothing.
    if (room.fullMs === 0) room.fullMs = room.atMs;
  }
  return {
    edition: room.edition,
    first,
    last: room.queued,
    refusal,
    voided,
    joinedMs: room.claimMs,
    serving: room.serving,
  };
}

function hasLine(room: Room): boolean {
  return (room.basePhase === "open" || room.basePhase === "prequeue") && !isLineOver(room);
}

/** Answers how many were given. */
function grant(room: Room, count: number): number {
  const waiting = peopleWaiting(room);
  const open = Math.max(0, room.serving - room.queued);
  const atOnce = waiting === 0 && open === 0 ? placesServedAtOnce(room, count) : 0;
  const left = room.maxWaiting === null ? count : open + atOnce + Math.max(0, room.maxWaiting - waiting);
  const granted = Math.min(count, left);
  if (granted <= 0) return 0;
  const queuedBefore = room.queued;
  room.queued += granted;
  room.counts.joined += granted;
  recordJoins(room, granted);
  if (open > 0) {
    addTakenPlaces(room, queuedBefore);
    addBatch(room, queuedBefore, Math.min(room.serving, room.queued), "inlet");
  }
  serve(room, Math.min(atOnce, granted));
  return granted;
}

function recordJoins(room: Room, count: number): void {
  const second = Math.floor(room.flowMs / 1_000);
  const seconds = room.joinSeconds;
  const last = seconds[seconds.length - 1];
  if (last !== undefined && last.second === second) last.count += count;
  else seconds.push({ second, count });
  while (seconds.length > 10) seconds.shift();
  room.joinSeconds = seconds;
}

// Voids a place for the rest of its edition. A place that was left is not admitted. Idempotent.

export function leave(room: Room, place: LeaveRequest): void {
  const number = numberOf(place);
  const position = place.position;
  if (place.edition !== room.edition || isElsewhere(room, number, place.sub)) return;
  if (room.hasPush) forgetPush(room, place.sub);
  const isPositioned = isPlaced(room, number, drawIdOf(place));
  if (isPositioned) removePendingClaim(room, position);
  // Nobody holds a place that was not handed out yet; the ticket proves a loss, which its holder reports by claiming.
  if (number > room.queued || hasPosition(room.usedEntries, number)) return;
  // Where it will stand, or stands, is not known; else a place that was claimed is used up already, and one counts once.
  if (!isPositioned) addPosition(room.usedEntries, number);
  else if (hasPosition(room.claimedPlaces, position) || hasPosition(room.leftPlaces, position)) return;
  else addPosition(room.leftPlaces, position);
  room.counts.left++;
}

/** So many keys have a place in one edition; then nobody else gets one, as if the line were full. */
const maxKeys = 2_000_000;

/**
 * A key's score is the number of its place. Where it is not the key's first of the edition, half a one is added: such a number was
 * given because all before it were over, so it counts more than they do.
 */
const again = 0.5;

/** Answers the better of two scores of one key: the last that was given again, else the lowest. */
function betterScore(one: number, other: number): number {
  const isOneAgain = one !== Math.floor(one);
  if (isOneAgain !== (other !== Math.floor(other))) return isOneAgain ? one : other;
  return isOneAgain ? Math.max(one, other) : Math.min(one, other);
}

/** What others remember of an edition. @param queued their queue counter */
export function mergeKeys(room: Room, edition: number, queued: number, keys: readonly KeyedNumber[]): void {
  if (edition !== room.edition) return;
  for (const one of keys) {
    if (one.number <= queued) mergeKey(room, one.name, one.isAgain ? one.number + again : one.number);
  }
}

function mergeKey(room: Room, name: string, score: number): void {
  const existing = scoreOf(room.keyedPlaces, name);
  if (existing === null) {
    if (sizeOf(room.keyedPlaces) < maxKeys) setScore(room.keyedPlaces, name, score);
    return;
  }
  const better = betterScore(existing, score);
  if (better !== existing) setScore(room.keyedPlaces, name, better);
}

/** Those with a number behind `after`, lowest first. */
export function listKeys(room: Room, after: number, limit: number): KeyPage {
  const keys: KeyedNumber[] = [];
  for (const found of scoresBetween(room.keyedPlaces, after + 1, room.queued + again, limit)) {
    const number = Math.floor(found.score);
    keys.push({ name: found.member, number, isAgain: found.score !== number });
  }
  return { edition: room.edition, keys };
}

/** Of a place that is not drawn, or whose position the caller knows; 0 for any other. */
function positionOf(room: Room, number: number, supplied: PlaceClaimed | null): number {
  if (supplied === null || numberOf(supplied) !== number) return isPlaced(room, number, null) ? number : 0;
  return isPlaced(room, number, drawIdOf(supplied)) ? supplied.position : 0;
}

/**
 * Whether nobody can enter by the place any more. Of one that was drawn, or will be, only where the position is known.
 *
 * @param supplied the place as the caller knows it; null for none
 */
function isPlaceOver(
  room: Room,
  number: number,
  supplied: PlaceClaimed | null,
  sub: string,
  record: AdmissionRecord | null,
): boolean {
  if (hasPosition(room.usedEntries, number)) return true;
  const position = positionOf(room, number, supplied);
  if (position === 0) return false;
  if (hasPosition(room.leftPlaces, position)) return true;
  if (wasClaimed(room, position, number, sub, record)) return record === null || !isLive(record);
  return position <= room.serving && hasExpired(room, position, 0);
}

/** The number of the place that a live admission of this edition was given for; 0 where there is none. */
function admittedNumber(room: Room, record: AdmissionRecord | null): number {
  if (record === null || !isLive(record) || record.edition !== room.edition) return 0;
  const entry = record.entry ?? null;
  return entry === null ? record.position : entry.number;
}

/** As a join of the place would have answered it, and no later than its turn came: asking again makes no window longer. */
function joinedMsOf(room: Room, number: number, supplied: PlaceClaimed | null): number {
  const position = positionOf(room, number, supplied);
  if (position === 0 || position > room.serving) return room.claimMs;
  return Math.max(servedAt(room, position), room.claimMs - room.claimWithinMs);
}

/** What is known of a key that joins. */
interface Found {
  readonly name: string;
  /** 0: it gets the next one. */
  readonly number: number;
  readonly score: number | null;
}

/** By which of its names a key has a place, or a live admission: of an earlier edition, or of one whose keys were lost. Else the first. */
function nameOfKey(room: Room, keyJoin: KeyedJoin, prefix: string): string {
  for (const name of keyJoin.names) {
    if (scoreOf(room.keyedPlaces, name) !== null) return name;
  }
  for (const name of keyJoin.names) {
    const record = currentRecord(room, `${prefix}${name}`);
    if (record !== null && isLive(record)) return name;
  }
  for (const name of keyJoin.names) return name;
  return "";
}

function findKey(room: Room, keyJoin: KeyedJoin, prefix: string): Found {
  const name = nameOfKey(room, keyJoin, prefix);
  const score = scoreOf(room.keyedPlaces, name);
  const sub = `${prefix}${name}`;
  const record = currentRecord(room, sub);
  const number = score === null ? admittedNumber(room, record) : Math.floor(score);
  const isGood = number > 0 && !isPlaceOver(room, number, keyJoin.place ?? null, sub, record);
  return { name, number: isGood ? number : 0, score };
}

/** Gives each key its place: the one that it has, or the next. Null as `join` answers it. */
export function joinKeys(room: Room, request: KeyedJoins): KeyedRange | null {
  const found: Found[] = [];
  let wanted = 0;
  let unknown = 0;
  for (const keyJoin of request.keys) {
    const match = findKey(room, keyJoin, request.prefix);
    found.push(match);
    if (match.number === 0) wanted++;
    if (match.score === null) unknown++;
  }
  // All or none: a batch is small.
  const isFull = unknown > 0 && sizeOf(room.keyedPlaces) + unknown > maxKeys;
  const range = join(room, isFull ? 0 : wanted, "");
  if (range === null) return null;
  return {
    edition: range.edition,
    first: range.first,
    last: range.last,
    refusal: isFull && range.refusal === null ? "full" : range.refusal,
    voided: range.voided,
    joinedMs: range.joinedMs,
    serving: range.serving,
    places: placesOf(room, request, found, range.first, range.last),
  };
}

function placesOf(room: Room, request: KeyedJoins, found: readonly Found[], first: number, last: number) {
  const places: KeyedRange["places"][number][] = [];
  let next = first;
  for (const keyJoin of request.keys) {
    const match = found[places.length];
    if (match === undefined) return places;
    let number = match.number;
    let joinedMs = room.claimMs;
    let isAgain = match.score !== null;
    if (number > 0) {
      isAgain = match.score !== null && match.score !== number;
      joinedMs = joinedMsOf(room, number, keyJoin.place ?? null);
      if (match.score === null) setScore(room.keyedPlaces, match.name, number);
    } else if (next <= last) {
      number = next;
      next++;
      setScore(room.keyedPlaces, match.name, isAgain ? number + again : number);
    }
    places.push({ name: match.name, number, isAgain, joinedMs });
  }
  return places;
}

/** Whether the visitor may claim the place: it is the one of the key, or none is known, and then this is it. Without a key always. */
export function isPlaceOfKey(room: Room, request: ClaimRequest): boolean {
  const name = request.key ?? null;
  if (name === null) return true;
  const number = numberOf(request);
  // A number that was never handed out proves a loss: the claim is judged by that.
  if (number > room.queued && number > room.serving) return true;
  const score = scoreOf(room.keyedPlaces, name);
  if (score === null) {
    if (sizeOf(room.keyedPlaces) < maxKeys) setScore(room.keyedPlaces, name, number);
    return true;
  }
  return Math.floor(score) === number;
}

/** Beyond so many places the one that was moved longest ago is forgotten. */
const maxMoves = 100_000;

/** Whether the place was moved to somebody else. */
export function isElsewhere(room: Room, number: number, sub: string): boolean {
  const holder = readRecord(room.holders, number);
  return holder !== null && holder.sub !== sub;
}

/**
 * Whether the place was claimed, or its turn is past because the visitor was admitted with a higher one.
 *
 * @param record the visitor's
 */
export function wasClaimed(
  room: Room,
  position: number,
  number: number,
  sub: string,
  record: AdmissionRecord | null,
): boolean {
  if (hasPosition(room.claimedPlaces, position)) return true;
  if (record === null || record.edition !== room.edition || position > record.usedPosition) return false;
  // Positions that a visitor is given only grow, but those that were moved to them.
  const holder = readRecord(room.holders, number);
  return holder === null || holder.sub !== sub;
}

function putMove(room: Room, moved: MovedPlace): void {
  room.changeCount++;
  writeRecord(room.holders, moved.number, moved);
  setScore(room.moves, moved.number, room.changeCount);
  if (countRecords(room.holders) <= maxMoves) return;
  for (const oldest of membersBetween(room.moves, 0, room.changeCount, 1)) {
    removeMember(room.moves, oldest);
    forgetRecord(room.holders, oldest);
  }
}

/** When the place was moved last; 0 for never. */
function movedAt(room: Room, number: number): number {
  const moved = readRecord(room.holders, number);
  return moved === null ? 0 : moved.movedMs;
}

/** What others remember of an edition; the last move of a place counts. @param queued their queue counter */
export function mergeMoves(room: Room, edition: number, queued: number, moves: readonly MovedPlace[]): void {
  if (edition !== room.edition) return;
  for (const moved of moves) {
    if (moved.number <= queued && moved.movedMs > movedAt(room, moved.number)) {
      putMove(room, moved);
      room.isWhole = false;
    }
  }
}

/** Whether the room's rule lets the place go to another browser. */
function mayMove(room: Room, number: number, request: MoveRequest): boolean {
  if (room.moveRule === "unlimited") return true;
  return room.moveRule === "once" && movedAt(room, number) === 0 && isPlaced(room, number, drawIdOf(request));
}

/** Null where it was not moved. */
export function move(room: Room, request: MoveRequest): MovedPlace | null {
  const number = numberOf(request);
  if (isOver(room, request, number)) return null;
  const holder = readRecord(room.holders, number);
  if (holder !== null && holder.sub === request.to) return holder;
  if (isElsewhere(room, number, request.from)) return null;
  if (!mayMove(room, number, request)) return null;
  if (isLinkVoid(room, room.usedMoves, request.link)) return null;
  setScore(room.usedMoves, request.link.id, request.link.expiresMs);
  if (sizeOf(room.usedMoves) > maxUsedMoves) removeLowest(room.usedMoves);
  const movedMs = Math.max(room.atMs, movedAt(room, number) + 1);
  const moved: MovedPlace = { number, sub: request.to, movedMs };
  putMove(room, moved);
  if (room.hasPush) forgetPush(room, request.from);
  return moved;
}

/** Whether nobody may claim the place any more, or never might. */
function isOver(room: Room, request: MoveRequest, number: number): boolean {
  if (request.edition !== room.edition || number > room.queued || hasPosition(room.usedEntries, number)) return true;
  if (isVoided(room, number, request.position)) return true;
  if (!isPlaced(room, number, drawIdOf(request))) return false;
  if (hasPosition(room.leftPlaces, request.position)) return true;
  const record = readRecord(room.admissions, request.from);
  if (wasClaimed(room, request.position, number, request.from, record)) return true;
  return request.position <= room.serving && hasExpired(room, request.position, request.joinedMs);
}

/** How long beyond its end a link stays known as used, so that setting the clock back gives it no second life. */
const keepUsedMs = 86_400_000;
/** Processes know the store's time a little differently. */
const aheadMs = 5_000;
const prunedPerUse = 100;
/** Visitors make links as they like. As with the places that they move, those that expire last are remembered. */
const maxUsedMoves = 100_000;

/** Whether a link is good for nothing: used, over, or of a time that the room knows nothing of. @param used those of its kind */
export function isLinkVoid(room: Room, used: ScoredSet<string>, link: LinkClaim): boolean {
  if (scoreOf(used, link.id) !== null) return true;
  const fromMs = room.linksFromMs > 0 ? room.linksFromMs : room.incarnationStartedMs;
  return room.atMs > link.expiresMs || link.madeMs < fromMs || link.madeMs > room.atMs + aheadMs;
}

export function useLink(room: Room, link: LinkClaim): void {
  removeMembers(room.usedLinks, membersBetween(room.usedLinks, 0, room.atMs - keepUsedMs, prunedPerUse));
  setScore(room.usedLinks, link.id, link.expiresMs);
}
