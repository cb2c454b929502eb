import { layGhosts } from "../../core/capacity.ts";
import { isLineMoving } from "../../core/clocks.ts";
import { idleEndsMs } from "../../core/phases.ts";
import { addPosition } from "../../core/ports/position-set.ts";
import { membersBetween, removeMember, setScore } from "../../core/ports/scored-set.ts";
import { noteEndedEarly } from "../../core/progress.ts";
import { toFlow, toWall } from "../../core/told-times.ts";
import type { Admission, AdmissionEnd } from "../contract/room-store.ts";
import type { AdmissionRecord, RoomData } from "./data.ts";
import { lineUpEnded } from "./ended-logins.ts";
import { type Clocks, toldExpiresMs } from "./told-times.ts";

/** How long an ended admission stays on record at least (now), for the operator's list and late claims. */
export const keepEndedMs = 15 * 60_000;
const lookAgainMs = 60_000;
/** So many addresses of one admission are kept. */
const addressesMax = 100;

/** Whether a record that nobody has ended is over all the same. */
function hasLapsed(room: RoomData, { via, admittedMs, expiresFlowMs }: AdmissionRecord, flowMs: number): boolean {
  return expiresFlowMs <= flowMs || (via === "idle" && admittedMs <= room.idleEndedMs);
}

export function toAdmission(room: RoomData, record: AdmissionRecord, clocks: Clocks = room): Admission {
  const { sub, edition, position, entry, usedPosition, via, admittedMs, expiresFlowMs, taken, addresses } = record;
  const expiresMs = toldExpiresMs(clocks, record);
  const ended = record.ended ?? (hasLapsed(room, record, clocks.flowMs) ? "expired" : null);
  const logins = [...record.logins];
  const place = { position, ...(entry && { entry }) };
  const uses = { logins, ...(taken && { taken: [...taken] }), ...(addresses && { addresses: [...addresses] }) };
  return { sub, edition, ...place, usedPosition, via, admittedMs, expiresMs, expiresFlowMs, ended, ...uses };
}

export function noteChange(room: RoomData, sub: string): void {
  room.changeCount++;
  setScore(room.changes, sub, room.changeCount);
}

/** See `Admission.usedPosition`. @param earlier what is on record of the same visitor */
export function usedAfter(earlier: AdmissionRecord | undefined, edition: number, position: number): number {
  return earlier?.edition === edition ? Math.max(position, earlier.usedPosition) : position;
}

/** The places that a visitor has claimed stay so for the rest of their edition. The last one may be lower than another: it was moved to them. */
export function markClaimed(room: RoomData, { edition, position, usedPosition }: Admission | AdmissionRecord): void {
  if (edition !== room.edition) return;
  if (usedPosition > 0) addPosition(room.claimedPlaces, usedPosition);
  if (position > 0 && position !== usedPosition) addPosition(room.claimedPlaces, position);
}

/** Puts the admission on record, in place of any earlier one of the same visitor; its place stays claimed. */
export function putAdmission(room: RoomData, record: AdmissionRecord): void {
  room.admissions.set(record.sub, record);
  markClaimed(room, record);
  removeMember(room.live, record.sub);
  removeMember(room.ended, record.sub);
  removeMember(room.idle, record.sub);
  if (record.ended === null) {
    setScore(room.live, record.sub, record.expiresFlowMs);
    if (record.via === "idle") setScore(room.idle, record.sub, record.admittedMs);
  } else {
    setScore(room.ended, record.sub, Math.max(record.expiresMs, room.atMs) + keepEndedMs);
    lineUpEnded(room, record);
  }
  noteChange(room, record.sub);
}

/**
 * Puts an admission on record that others remember or prove. One from before this life that was not among the live ones may
 * have been counted as a ghost since, so it takes the place of one.
 */
export function recallAdmission(room: RoomData, record: AdmissionRecord): void {
  const isFromBefore = record.admittedMs < room.lifeStartedMs;
  if (room.admissions.get(record.sub)?.ended === null) useUpExit(room);
  else if (isFromBefore && record.ended === null && !hasLapsed(room, record, room.flowMs)) layGhosts(room, 1);
  putAdmission(room, record);
}

const countOf = {
  expired: "expired",
  logout: "loggedOut",
  completed: "completed",
  abandoned: "abandoned",
  revoked: "revoked",
} as const;

export function endRecord(room: RoomData, record: AdmissionRecord, end: AdmissionEnd): void {
  record.expiresMs = toldExpiresMs(room, record);
  record.ended = end;
  room.counts[countOf[end]]++;
  // Who had exited has been counted.
  if (end !== "expired" && room.exited === 0 && isLineMoving(room)) noteEndedEarly(room, 1);
  useUpExit(room);
  putAdmission(room, record);
  room.exited = Math.min(room.exited, room.live.order.length);
}

/** Whose admission ends is taken to be one of those who had exited: nobody is taken off twice. */
export function useUpExit(room: RoomData): void {
  room.exited = Math.max(0, room.exited - 1);
}

/** Where admissions are sliding, a login or refresh moves the end of this one. Answers whether it did. */
export function extendRecord(room: RoomData, record: AdmissionRecord): boolean {
  const { durationMs, maxDurationMs } = room.settings.effective.admission;
  if (maxDurationMs === null) return false;
  const slidMs = Math.min(room.flowMs + durationMs, record.admittedFlowMs + maxDurationMs);
  const expiresFlowMs =
    record.via === "idle" ? Math.min(slidMs, toFlow(room, idleEndsMs(room) ?? Number.POSITIVE_INFINITY)) : slidMs;
  if (expiresFlowMs <= record.expiresFlowMs) return false;
  record.expiresFlowMs = expiresFlowMs;
  record.expiresMs = toWall(room, expiresFlowMs);
  putAdmission(room, record);
  return true;
}

/** Records from where an admission is used, unless it was used from as many addresses as may be. */
export function noteAddress(
  room: RoomData,
  record: AdmissionRecord,
  address: string | null,
): "known" | "new" | "refused" {
  const addresses = record.addresses ?? [];
  if (address === null || addresses.includes(address)) return "known";
  const most = room.settings.effective.admission.addressesPerAdmission ?? null;
  if (most !== null && addresses.length >= most) return "refused";
  if (addresses.length >= addressesMax) return "known";
  record.addresses = [...addresses, address];
  return "new";
}

/** Takes a login of a live admission, once. */
export function takeLogin(room: RoomData, sub: string, login: string): Admission | null {
  const record = currentRecord(room, sub);
  if (record === undefined || record.ended !== null || !record.logins.includes(login)) return null;
  if (record.taken?.includes(login)) return null;
  record.taken = [...(record.taken ?? []), login];
  noteChange(room, sub);
  return toAdmission(room, record);
}

/** The record of this visitor; a lapsed one has been ended. */
export function currentRecord(room: RoomData, sub: string): AdmissionRecord | undefined {
  const record = room.admissions.get(sub);
  if (record !== undefined && record.ended === null && hasLapsed(room, record, room.flowMs)) {
    endRecord(room, record, "expired");
  }
  return record;
}

export function lapseAdmissions(room: RoomData, limit: number): void {
  for (const sub of membersBetween(room.live, 0, room.flowMs, limit)) currentRecord(room, sub);
  for (const sub of membersBetween(room.idle, 0, room.idleEndedMs, limit)) currentRecord(room, sub);
}

/** Forgets ended admissions whose place no recovery could open again, at most `limit`. */
export function pruneEnded(room: RoomData, limit: number): void {
  for (const sub of membersBetween(room.ended, 0, room.atMs, limit)) {
    const record = room.admissions.get(sub);
    if (record !== undefined && isStillNeeded(room, record)) {
      setScore(room.ended, sub, room.atMs + Math.max(lookAgainMs, windowLeftMs(room, record)));
      continue;
    }
    room.admissions.delete(sub);
    removeMember(room.ended, sub);
    removeMember(room.changes, sub);
  }
}

/**
 * A recovery gives every place that had not expired a fresh window; only this record says that it was claimed. So no more
 * are kept than places were handed out.
 */
function isStillNeeded(room: RoomData, record: AdmissionRecord): boolean {
  if (record.edition !== room.edition || record.usedPosition === 0) return false;
  return record.usedPosition > room.expiredThrough || windowLeftMs(room, record) >= 0;
}

function windowLeftMs(room: RoomData, record: AdmissionRecord): number {
  return record.claimMs + room.settings.effective.admission.claimWithinMs - room.claimMs;
}

/** Admissions changed after `since`, oldest change first, with the number of the last one. */
export function changedSince(room: RoomData, since: number, limit: number, clocks: Clocks = room) {
  return wantedSince(room, since, { limit, looksMax: limit }, () => true, clocks);
}

/** Those of them that are wanted. No more than `looksMax` are looked at. */
export function wantedSince(
  room: RoomData,
  since: number,
  { limit, looksMax }: { limit: number; looksMax: number },
  isWanted: (admission: Admission) => boolean,
  clocks: Clocks,
) {
  // A number from the future is of another history: everything is news to that caller.
  const after = since > room.changeCount ? 0 : since;
  const subs = membersBetween(room.changes, after + 1, Number.POSITIVE_INFINITY, looksMax + 1);
  const admissions: Admission[] = [];
  let looks = 0;
  for (const sub of subs) {
    if (looks === looksMax || admissions.length === limit) break;
    looks++;
    const record = room.admissions.get(sub);
    const admission = record && toAdmission(room, record, clocks);
    if (admission !== undefined && isWanted(admission)) admissions.push(admission);
  }
  const more = looks < subs.length;
  const last = more ? subs[looks - 1] : undefined;
  const cursor = last === undefined ? room.changeCount : (room.changes.scores.get(last) ?? after);
  return { admissions, cursor, more };
}
