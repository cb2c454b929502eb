/** Admissions on record: how they begin, are extended, lapse, end and are forgotten. */
import type { AdmissionEnd } from "../../store/contract/room-facts.ts";
import { removeUnaccounted } from "../capacity.ts";
import { isLineMoving } from "../clocks.ts";
import { publishEvent } from "../events/rows.ts";
import { refill } from "../inlet.ts";
import { idleEndsMs } from "../phases.ts";
import { addPosition } from "../ports/position-set.ts";
import { type AdmissionRecord, forgetRecord, readRecord, writeRecord } from "../ports/records.ts";
import { membersBetween, removeMember, setScore, sizeOf } from "../ports/scored-set.ts";
import { recordEndedEarly } from "../progress.ts";
import type { Room } from "../room.ts";
import { isFromBefore, lapsedBy, reportedEnd, toFlow, toWall } from "../wall-times.ts";
import { lineUpEnded } from "./ended-logins.ts";

/** How long an ended admission stays on record at least (now), for the operator's list and late claims. */
export const keepEndedMs = 900_000;
const lookAgainMs = 60_000;
/** So many addresses of one admission are kept. */
const addressesMax = 100;

export function isLive(record: AdmissionRecord): boolean {
  return record.ended === null;
}

/** How a live admission is over by now; null where it is not. */
export function lapseOf(room: Room, record: AdmissionRecord): AdmissionEnd | null {
  return lapsedBy(room.flowMs, room.idleEndedMs, record);
}

export function wallExpiresMs(room: Room, record: AdmissionRecord): number {
  return reportedEnd(toWall(room, record.expiresFlowMs), record.expiresMs, !isLive(record));
}

export function recordChange(room: Room, sub: string): void {
  room.changeCount++;
  setScore(room.changes, sub, room.changeCount);
}

/** Keeps a record whose times and end are as they were. */
export function rewriteRecord(room: Room, record: AdmissionRecord): void {
  writeRecord(room.admissions, record.sub, record);
  recordChange(room, record.sub);
}

/** See `Admission.usedPosition`. @param earlier what is on record of the same visitor */
export function usedAfter(earlier: AdmissionRecord | null, edition: number, position: number): number {
  if (earlier === null || earlier.edition !== edition) return position;
  return Math.max(position, earlier.usedPosition);
}

/** The places that a visitor has claimed stay so for the rest of their edition. The last one may be lower than another: it was moved to them. */
export function markClaimed(room: Room, edition: number, used: number, position: number): void {
  if (edition !== room.edition) return;
  if (used > 0) addPosition(room.claimedPlaces, used);
  if (position > 0 && position !== used) addPosition(room.claimedPlaces, position);
}

/**
 * Puts the admission on record, in place of any earlier one of the same visitor; its place stays claimed.
 *
 * @param earlier one that it replaces; null where that cannot be live and of an idle phase
 */
export function putRecord(room: Room, record: AdmissionRecord, earlier: AdmissionRecord | null): void {
  markClaimed(room, record.edition, record.usedPosition, record.position);
  const wasIdle = earlier !== null && earlier.via === "idle";
  if (wasIdle || record.via === "idle") removeMember(room.idle, record.sub);
  const wasUnvisited = earlier !== null && earlier.visitByFlowMs !== null;
  if (wasUnvisited || record.visitByFlowMs !== null) removeMember(room.unvisited, record.sub);
  if (isLive(record)) {
    setScore(room.live, record.sub, record.expiresFlowMs);
    removeMember(room.ended, record.sub);
    if (record.via === "idle") setScore(room.idle, record.sub, record.admittedMs);
    if (record.visitByFlowMs !== null) setScore(room.unvisited, record.sub, record.visitByFlowMs);
  } else {
    removeMember(room.live, record.sub);
    setScore(room.ended, record.sub, Math.max(record.expiresMs, room.atMs) + keepEndedMs);
    lineUpEnded(room, record);
  }
  rewriteRecord(room, record);
}

/**
 * Puts an admission on record that others remember or prove. One from before this incarnation that was not among the live ones may
 * have been counted as an unaccounted admission since, so it takes the place of one.
 */
export function recallRecord(room: Room, record: AdmissionRecord, earlier: AdmissionRecord | null): void {
  if (earlier !== null && isLive(earlier)) useUpExit(room);
  else if (isFromBefore(room, record.admittedMs) && isLive(record) && lapseOf(room, record) === null)
    removeUnaccounted(room, 1);
  putRecord(room, record, earlier);
}

function countEnd(room: Room, why: AdmissionEnd): void {
  if (why === "expired") room.counts.expired++;
  else if (why === "logout") room.counts.loggedOut++;
  else if (why === "completed") room.counts.completed++;
  else if (why === "abandoned") room.counts.abandoned++;
  else room.counts.revoked++;
}

export function endRecord(room: Room, record: AdmissionRecord, why: AdmissionEnd): void {
  record.expiresMs = wallExpiresMs(room, record);
  record.ended = why;
  countEnd(room, why);
  if (room.tellsAdmissions) publishEvent(room, "x", `:${why}:${record.sub}`);
  // Who had exited has been counted.
  if (why !== "expired" && room.exited === 0 && isLineMoving(room)) recordEndedEarly(room, 1);
  useUpExit(room);
  putRecord(room, record, null);
  boundExits(room);
}

/** Whose admission ends is taken to be one of those who had exited: nobody is taken off twice. */
export function useUpExit(room: Room): void {
  if (room.exited > 0) room.exited--;
}

export function boundExits(room: Room): void {
  if (room.exited > 0) room.exited = Math.min(room.exited, sizeOf(room.live));
}

/** Where admissions are sliding, a login or refresh moves the end of this one. Answers whether it did. */
export function extendRecord(room: Room, record: AdmissionRecord): boolean {
  if (room.maxDurationMs === null) return false;
  let expiresMs = Math.min(room.flowMs + room.durationMs, record.admittedFlowMs + room.maxDurationMs);
  const idleEnd = record.via === "idle" ? (idleEndsMs(room) ?? 0) : 0;
  if (idleEnd > 0) expiresMs = Math.min(expiresMs, toFlow(room, idleEnd));
  if (expiresMs <= record.expiresFlowMs) return false;
  record.expiresFlowMs = expiresMs;
  record.expiresMs = toWall(room, expiresMs);
  putRecord(room, record, null);
  return true;
}

export function hasText(list: readonly string[] | null, text: string): boolean {
  return (list ?? []).includes(text);
}

/** Records from where an admission is used, unless it was used from as many addresses as may be. It is written by the caller. */
export function recordAddress(
  room: Room,
  record: AdmissionRecord,
  address: string | null,
): "known" | "new" | "refused" {
  if (address === null || hasText(record.addresses, address)) return "known";
  const addresses = record.addresses ?? [];
  if (room.addressesPerAdmission !== null && addresses.length >= room.addressesPerAdmission) return "refused";
  if (addresses.length >= addressesMax) return "known";
  addresses.push(address);
  record.addresses = addresses;
  return "new";
}

/** Takes a login of a live admission, once. Answers the record; null where there is none, no such login, or it was taken before. */
export function takeLogin(room: Room, sub: string, login: string): AdmissionRecord | null {
  const record = currentRecord(room, sub);
  if (record === null || !isLive(record)) return null;
  if (!hasText(record.logins, login) || hasText(record.taken, login)) return null;
  const taken = record.taken ?? [];
  taken.push(login);
  record.taken = taken;
  markVisited(room, record);
  rewriteRecord(room, record);
  return record;
}

/** Marks that the site has seen the visitor, so that the admission lasts its full time. The caller writes the record. Answers whether it changed. */
export function markVisited(room: Room, record: AdmissionRecord): boolean {
  if (record.visitByFlowMs === null) return false;
  record.visitByFlowMs = null;
  removeMember(room.unvisited, record.sub);
  return true;
}

/** The site has seen this visitor. Answers what is on record. */
export function recordVisit(room: Room, sub: string): AdmissionRecord | null {
  const record = currentRecord(room, sub);
  if (record !== null && isLive(record) && markVisited(room, record)) rewriteRecord(room, record);
  return record;
}

/** The record of this visitor; a lapsed one has been ended. */
export function currentRecord(room: Room, sub: string): AdmissionRecord | null {
  const record = readRecord(room.admissions, sub);
  if (record === null || !isLive(record)) return record;
  const lapse = lapseOf(room, record);
  if (lapse !== null) endRecord(room, record, lapse);
  return record;
}

/** Ends the live admission of this visitor. Answers what is on record; the first end stays. */
export function endAdmission(room: Room, sub: string, why: AdmissionEnd): AdmissionRecord | null {
  const record = currentRecord(room, sub);
  if (record !== null && isLive(record)) endRecord(room, record, why);
  refill(room);
  return record;
}

/** Extends the live admission of this visitor, where admissions are sliding. Answers what is on record. */
export function renewAdmission(room: Room, sub: string): AdmissionRecord | null {
  const record = currentRecord(room, sub);
  if (record !== null && isLive(record)) extendRecord(room, record);
  return record;
}

export function lapseAdmissions(room: Room, limit: number): void {
  for (const sub of membersBetween(room.live, 0, room.flowMs, limit)) currentRecord(room, sub);
  for (const sub of membersBetween(room.unvisited, 0, room.flowMs, limit)) currentRecord(room, sub);
  if (room.idleEndedMs === 0) return;
  for (const sub of membersBetween(room.idle, 0, room.idleEndedMs, limit)) currentRecord(room, sub);
}

/** Forgets ended admissions whose place no recovery could open again, at most `limit`. */
export function pruneEnded(room: Room, limit: number): void {
  for (const sub of membersBetween(room.ended, 0, room.atMs, limit)) {
    const record = readRecord(room.admissions, sub);
    if (record !== null && isStillNeeded(room, record)) {
      setScore(room.ended, sub, room.atMs + Math.max(lookAgainMs, windowLeftMs(room, record)));
    } else {
      forgetRecord(room.admissions, sub);
      removeMember(room.ended, sub);
      removeMember(room.changes, sub);
    }
  }
}

/**
 * A recovery gives every place that had not expired a fresh window; only this record says that it was claimed. So no more
 * are kept than places were handed out.
 */
function isStillNeeded(room: Room, record: AdmissionRecord): boolean {
  if (record.edition !== room.edition || record.usedPosition === 0) return false;
  return record.usedPosition > room.expiredThrough || windowLeftMs(room, record) >= 0;
}

function windowLeftMs(room: Room, record: AdmissionRecord): number {
  return record.claimMs + room.claimWithinMs - room.claimMs;
}
