/** Admissions on record: how they begin, are extended, lapse, end and are forgotten, and which clients must be notified of their end. */

import type { AdmissionProof, ClaimRequest } from "../store/contract/room-claim.ts";
import type { AdmissionEnd, AdmittedVia, DrawnEntry } from "../store/contract/room-places.ts";
import type { EndedLogin } from "../store/contract/room-store.ts";
import { publishEvent } from "./events/events.ts";
import {
  drawIdOf,
  isFromBefore,
  isLineMoving,
  isPlaced,
  lapsedBy,
  numberOf,
  reportedEnd,
  toFlow,
  toWall,
} from "./holds.ts";
import { refill, removeUnaccounted } from "./inlet.ts";
import { idleEndsMs } from "./phases.ts";
import { type AdmissionRecord, forgetRecord, readRecord, writeRecord } from "./ports/lists.ts";
import { addMember, addPosition, membersBetween, removeHighest, removeMember, setScore, sizeOf } from "./ports/sets.ts";
import { afterColon, clientOf, leadingNumber, textOf } from "./ports/texts.ts";
import { recordEndedEarly } from "./progress.ts";
import type { Room } from "./room.ts";

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

function recordChange(room: Room, sub: string): void {
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

function endRecord(room: Room, record: AdmissionRecord, why: AdmissionEnd): void {
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

// The records of admissions that a claim makes: of a new one, and of one that a claimed ticket proves.

/** Of what the place was drawn; null where it was not. */
function drawnEntry(request: ClaimRequest, place: number): DrawnEntry | null {
  if (place === 0) return null;
  return request.entry ?? null;
}

/** @param earlier what is on record of the same visitor */
function recordOf(
  room: Room,
  request: ClaimRequest,
  edition: number,
  place: number,
  joinedMs: number,
  proof: AdmissionProof,
  earlier: AdmissionRecord | null,
): AdmissionRecord {
  return {
    sub: request.sub,
    edition,
    position: place,
    entry: drawnEntry(request, place),
    usedPosition: usedAfter(earlier, edition, place),
    via: proof.via,
    admittedMs: proof.admittedMs,
    expiresMs: proof.expiresMs,
    admittedFlowMs: toFlow(room, proof.admittedMs),
    expiresFlowMs: toFlow(room, proof.expiresMs),
    visitByFlowMs: null,
    ended: null,
    logins: [],
    taken: null,
    addresses: null,
    claimMs: Math.max(room.claimMs, joinedMs),
  };
}

export function newRecord(
  room: Room,
  request: ClaimRequest,
  place: number,
  via: AdmittedVia,
  earlier: AdmissionRecord | null,
): AdmissionRecord {
  const idleEnd = via === "idle" ? (idleEndsMs(room) ?? 0) : 0;
  const slidMs = room.atMs + room.durationMs;
  const expiresMs = idleEnd > 0 ? Math.min(slidMs, idleEnd) : slidMs;
  const joinedMs = place > 0 ? request.joinedMs : 0;
  const proof = { via, admittedMs: room.atMs, expiresMs };
  const record = recordOf(room, request, room.edition, place, joinedMs, proof, earlier);
  const logins = record.logins;
  if (request.login !== null) logins.push(request.login);
  if (request.address !== null) record.addresses = [request.address];
  if (room.firstVisitWithinMs !== null) record.visitByFlowMs = room.flowMs + room.firstVisitWithinMs;
  return record;
}

/** The place that was claimed once; a number whose position is not known is used up. */
function provenPlace(room: Room, request: ClaimRequest): number {
  if (request.position === 0 || isPlaced(room, numberOf(request), drawIdOf(request))) return request.position;
  if (numberOf(request) <= room.queued) addPosition(room.usedEntries, numberOf(request));
  return 0;
}

/**
 * The admission that a claimed ticket proves, if it is older than this incarnation and the store knows nothing later. A ticket knows the
 * wall clock alone: if that was set since, the admission lasts longer by the step, or shorter.
 */
export function recordFromProof(
  room: Room,
  request: ClaimRequest,
  record: AdmissionRecord | null,
): AdmissionRecord | null {
  const proof = request.proof;
  if (proof === null || !isFromBefore(room, proof.admittedMs) || proof.expiresMs <= room.atMs) return null;
  if (proof.via === "idle" && proof.admittedMs <= room.idleEndedMs) return null;
  if (record !== null && record.admittedMs >= proof.admittedMs) return null;
  // The join counts also where the position of its number is not known: the record is kept as long as the ticket may be shown.
  return recordOf(room, request, request.edition, provenPlace(room, request), request.joinedMs, proof, record);
}

// Logins whose client is to be notified that the admission has ended: `ATTEMPTS:ADMITTED_MS:SUB:CLIENT`, by when they are due. A login
// names its client behind a colon; each client is lined up once. An ended admission that a memory brings is lined up again: after
// a loss nobody knows who was notified.

const maxAttempts = 9;
const firstRetryMs = 30_000;
const maxEndedLogins = 100_000;

/** Lines up the clients that want to be notified that the admission is over. */
function lineUpEnded(room: Room, record: AdmissionRecord): void {
  for (const login of record.logins) {
    const client = clientOf(login);
    if (client !== null) {
      const member = `0:${textOf(record.admittedMs)}:${record.sub}:${client}`;
      addMember(room.endedLogins, member, room.flowMs);
      if (sizeOf(room.endedLogins) > maxEndedLogins) removeHighest(room.endedLogins);
    }
  }
}

/** How long after so many attempts the next one comes. */
function retryMsAfter(attempt: number): number {
  let retryMs = firstRetryMs;
  let doubled = 1;
  while (doubled < attempt) {
    retryMs *= 2;
    doubled++;
  }
  return retryMs;
}

/** Forgets those whose client was notified, and hands out those that are due. */
export function takeEndedLogins(room: Room, notified: readonly string[], limit: number): EndedLogin[] {
  for (const id of notified) removeMember(room.endedLogins, id);
  const taken: EndedLogin[] = [];
  for (const member of membersBetween(room.endedLogins, 0, room.flowMs, limit)) {
    removeMember(room.endedLogins, member);
    const attempt = leadingNumber(member) + 1;
    const id = `${textOf(attempt)}:${afterColon(member)}`;
    const isLast = attempt >= maxAttempts;
    if (!isLast) setScore(room.endedLogins, id, room.flowMs + retryMsAfter(attempt));
    taken.push({ id, isLast });
  }
  return taken;
}
