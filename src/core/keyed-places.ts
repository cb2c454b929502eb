/**
 * One place for each key, in rooms that are entered by invitation or identity. Of a key the store knows a name, which is made of it
 * (room/tickets/visitor-key.ts), and the number of its place. A key gets another place when its own is over: it was left, was not
 * claimed in time, or its admission has ended.
 */
import type { ClaimRequest } from "../store/contract/room-claim.ts";
import type {
  KeyedJoin,
  KeyedJoins,
  KeyedNumber,
  KeyedRange,
  KeyPage,
  PlaceClaimed,
} from "../store/contract/room-places.ts";
import { currentRecord, isLive } from "./admissions.ts";
import { drawIdOf, isPlaced, numberOf } from "./holds.ts";
import { join } from "./join.ts";
import { wasClaimed } from "./moves.ts";
import type { AdmissionRecord } from "./ports/records.ts";
import { hasPosition, scoreOf, scoresBetween, setScore, sizeOf } from "./ports/sets.ts";
import type { Room } from "./room.ts";
import { hasExpired, servedAt } from "./served-places.ts";

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
