/**
 * Records by id: admissions by visitor, moved places by the ticket's number. In Redis a hash of JSON, in which what is null is missing.
 * What was changed of a record is kept when it is written.
 */
import type { DrawnEntry } from "../../store/contract/room-draw.ts";
import type { AdmissionEnd, AdmittedVia } from "../../store/contract/room-facts.ts";

/** An `Admission` as it is kept. */
export interface AdmissionRecord {
  readonly sub: string;
  readonly edition: number;
  readonly position: number;
  readonly entry: DrawnEntry | null;
  /** See `Admission`. */
  usedPosition: number;
  readonly via: AdmittedVia;
  readonly admittedMs: number;
  /** What was reported; see `wallExpiresMs`. */
  expiresMs: number;
  /** When it began and ends on the flow clock, which decides. */
  admittedFlowMs: number;
  expiresFlowMs: number;
  /** Until when, on the flow clock, the site must have seen the visitor; null: it has, or it need not. */
  visitByFlowMs: number | null;
  ended: AdmissionEnd | null;
  logins: string[];
  taken: string[] | null;
  addresses: string[] | null;
  /** Claim clock at the admission, and no earlier than the place was joined: its last window begins by then. */
  readonly claimMs: number;
}

export interface Records<Id extends string | number, R> {
  readonly isCollection?: true;
  readonly byId: Map<Id, R>;
}

export function createRecords<Id extends string | number, R>(): Records<Id, R> {
  return { byId: new Map() };
}

export function readRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id): R | null {
  return records.byId.get(id) ?? null;
}

export function writeRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id, record: R): void {
  records.byId.set(id, record);
}

export function forgetRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id): void {
  records.byId.delete(id);
}

export function countRecords<Id extends string | number, R>(records: Records<Id, R>): number {
  return records.byId.size;
}
