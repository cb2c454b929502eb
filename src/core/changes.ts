/** What has changed since a process asked last: admissions on record and moved places, by the number of their last change. */
import type { MovedPlace } from "../store/contract/room-state.ts";
import type { WantedAdmissions } from "../store/contract/room-store.ts";
import { lapseOf } from "./admissions/admissions.ts";
import { type AdmissionRecord, readRecord } from "./ports/records.ts";
import { membersBetween, type ScoredSet, scoreOf } from "./ports/scored-set.ts";
import type { Room } from "./room.ts";

/** Looked at in one call, where only some are wanted. */
const looksMax = 1_000;

export interface Changes<M> {
  readonly members: M[];
  /** Of the last one, or of the room where there are no more. */
  readonly cursor: number;
  readonly more: boolean;
}

/** Those changed after `since`, oldest change first, at most `limit`. */
export function changesSince<M extends string | number>(
  room: Room,
  changes: ScoredSet<M>,
  since: number,
  limit: number,
): Changes<M> {
  // A number from the future is of another history: everything is news to that caller.
  const after = since > room.changeCount ? 0 : since;
  const members = membersBetween(changes, after + 1, room.changeCount, limit + 1);
  if (members.length <= limit) return { members, cursor: room.changeCount, more: false };
  members.pop();
  const last = members[members.length - 1];
  if (last === undefined) return { members, cursor: after, more: true };
  return { members, cursor: scoreOf(changes, last) ?? after, more: true };
}

/** Who holds these places, by their numbers. */
export function movedPlaces(room: Room, numbers: readonly number[]): MovedPlace[] {
  const moves: MovedPlace[] = [];
  for (const number of numbers) {
    const moved = readRecord(room.holders, number);
    if (moved !== null) moves.push(moved);
  }
  return moves;
}

function isWanted(room: Room, record: AdmissionRecord, wanted: WantedAdmissions): boolean {
  const status = record.ended ?? lapseOf(room, record) ?? "live";
  if (wanted.status !== undefined && wanted.status !== status) return false;
  const edition = wanted.edition;
  return edition === undefined || (record.edition === edition.id) !== edition.isOthers;
}

export interface AdmissionPage {
  readonly records: AdmissionRecord[];
  /** Null where there are no more. */
  readonly cursor: number | null;
}

/** A page of the admissions that are wanted. Where only some are, at most 1,000 are looked at. */
export function listAdmissions(room: Room, since: number, limit: number, wanted: WantedAdmissions): AdmissionPage {
  const areAllWanted = wanted.status === undefined && wanted.edition === undefined;
  const page = changesSince(room, room.changes, since, areAllWanted ? limit : looksMax);
  const records: AdmissionRecord[] = [];
  let last = "";
  for (const sub of page.members) {
    if (records.length >= limit) return { records, cursor: scoreOf(room.changes, last) };
    const record = readRecord(room.admissions, sub);
    if (record !== null && isWanted(room, record, wanted)) records.push(record);
    last = sub;
  }
  return { records, cursor: page.more ? page.cursor : null };
}
