/**
 * How many visitors have the page open: a known share of the pages says so once a minute, and the store counts those of a minute without
 * keeping any of them. The share is such that few thousand do, however many wait: pages are asked as soon as the share is known to them,
 * and a smaller share is in force at once, so that a crowd never asks at its full size.
 */
import type { Presence } from "../../store/contract/room-records.ts";
import { peopleWaiting } from "../holds.ts";
import { addNumbers, clearNumbers, countNumbers, sizeOf } from "../ports/sets.ts";
import { absentPlaces } from "../positions.ts";
import type { Room } from "../room.ts";

/** Pages in the sample: no more than the first; after a change between the second and half of it; when fewer than the third, more are asked. */
const mostPages = 16_384;
const wantedPages = 8_192;
const fewestPages = 2_048;
/** All pages have learnt of a larger share, and have said once that they are open. */
const learntMinutes = 4;

/** Those who may have the page open. */
function audience(room: Room): number {
  return peopleWaiting(room) + absentPlaces(room) + sizeOf(room.pendingClaims);
}

/** The least shift from `least` on with which no more than so many are in the sample. */
function shiftFor(people: number, most: number, least: number): number {
  let shift = least;
  let sampled = people;
  let halved = 0;
  while (halved < least) {
    sampled /= 2;
    halved++;
  }
  while (sampled > most) {
    sampled /= 2;
    shift++;
  }
  return shift;
}

/** A crowd that has grown: fewer are asked from now on. What this minute has counted until now is of another share. */
export function boundSample(room: Room): void {
  const people = audience(room);
  const shift = room.presence.shift;
  if (shiftFor(people, mostPages, shift) === shift) return;
  room.presence.shift = shiftFor(people, wantedPages, shift);
  room.presence.countedShift = Math.max(room.presence.countedShift, room.presence.shift);
  room.presence.isMixed = true;
}

/** A crowd that has become smaller. */
function widenSample(room: Room, minute: number): void {
  const people = audience(room);
  const shift = room.presence.shift;
  if (shift > 0 && shiftFor(people, fewestPages, 0) < shift) {
    room.presence.shift = shiftFor(people, wantedPages, 0);
    room.presence.widenedMinute = minute;
  }
  const isLearnt = minute - room.presence.widenedMinute >= learntMinutes || minute < room.presence.widenedMinute;
  if (isLearnt) room.presence.countedShift = room.presence.shift;
}

/** Pages of the sample that were open in this minute. */
export function recordPages(room: Room, positions: readonly number[]): void {
  if (positions.length > 0) addNumbers(room.openPages, positions);
}

/**
 * The end of a minute: what it has counted, of one in 2^`countedShift` pages, and one more; 0 where that is not known. Begins the next.
 *
 * @param isWhole whether it was recorded from beginning to end
 * @param next the minute that begins
 */
export function countPages(room: Room, isWhole: boolean, next: number): number {
  const pages = countNumbers(room.openPages);
  const counted = isWhole && !room.presence.isMixed ? pages + 1 : 0;
  room.presence.pages = counted;
  room.presence.pagesShift = room.presence.countedShift;
  room.presence.minute = next;
  if (pages > 0) clearNumbers(room.openPages);
  room.presence.isMixed = false;
  widenSample(room, next);
  return counted;
}

/** Nobody knows what this minute has counted until now. */
export function forgetPages(room: Room): void {
  clearNumbers(room.openPages);
  room.presence.pages = 0;
  room.presence.isMixed = true;
}

export function presenceOf(room: Room): Presence {
  return { shift: room.presence.shift, countedShift: room.presence.countedShift, counted: lastCount(room) };
}

function lastCount(room: Room): Presence["counted"] {
  const pages = room.presence.pages;
  if (pages === 0) return null;
  return { pages: pages - 1, shift: room.presence.pagesShift, atMs: room.presence.minute * 60_000 };
}
