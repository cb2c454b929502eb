import { hasLapsed } from "../../core/admissions/admissions.ts";
import { type AdmissionRecord, readRecord } from "../../core/ports/records.ts";
import { membersBetween } from "../../core/ports/scored-set.ts";
import type { Admission } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";
import { type Clocks, wallExpiresMs } from "./wall-times.ts";

/** A record as it is told. */
export function toAdmission(room: RoomData, record: AdmissionRecord, clocks: Clocks = room): Admission {
  const { sub, edition, position, entry, usedPosition, via, admittedMs, expiresFlowMs, taken, addresses } = record;
  const expiresMs = wallExpiresMs(clocks, record);
  const ended = record.ended ?? (hasLapsed(clocks === room ? room : { ...room, ...clocks }, record) ? "expired" : null);
  const logins = [...record.logins];
  const place = { position, ...(entry && { entry }) };
  const uses = { logins, ...(taken && { taken: [...taken] }), ...(addresses && { addresses: [...addresses] }) };
  return { sub, edition, ...place, usedPosition, via, admittedMs, expiresMs, expiresFlowMs, ended, ...uses };
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
    const record = readRecord(room.admissions, sub);
    const admission = record && toAdmission(room, record, clocks);
    if (admission !== null && isWanted(admission)) admissions.push(admission);
  }
  const more = looks < subs.length;
  const last = more ? subs[looks - 1] : undefined;
  const cursor = last === undefined ? room.changeCount : (room.changes.scores.get(last) ?? after);
  return { admissions, cursor, more };
}
