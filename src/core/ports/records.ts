/**
 * Admissions by visitor. In Redis a hash of JSON, in which what is null is missing. What was changed of a record is kept when it is
 * written.
 */
import type { DrawnEntry } from "../../store/contract/room-draw.ts";
import type { AdmittedVia } from "../../store/contract/room-facts.ts";
import type { AdmissionEnd } from "../../store/contract/room-state.ts";

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
  ended: AdmissionEnd | null;
  logins: string[];
  taken: string[] | null;
  addresses: string[] | null;
  /** Claim clock at the admission, and no earlier than the place was joined: its last window begins by then. */
  readonly claimMs: number;
}

export interface Records {
  readonly isCollection?: true;
  readonly bySub: Map<string, AdmissionRecord>;
}

export function createRecords(): Records {
  return { bySub: new Map() };
}

export function readRecord(records: Records, sub: string): AdmissionRecord | null {
  return records.bySub.get(sub) ?? null;
}

export function writeRecord(records: Records, record: AdmissionRecord): void {
  records.bySub.set(record.sub, record);
}

export function forgetRecord(records: Records, sub: string): void {
  records.bySub.delete(sub);
}
