/** Records and answers of the core as a store reports them. */
import type { ClaimResult } from "../../store/contract/room-claim.ts";
import type { Admission } from "../../store/contract/room-state.ts";
import type { ClaimAnswer } from "../claim.ts";
import { hasLapsedBy, reportedEnd } from "../wall-times.ts";
import type { AdmissionRecord } from "./records.ts";

/** The times by which an admission is judged. */
export interface AdmissionTimes {
  readonly nowMs: number;
  readonly flowMs: number;
  readonly idleEndedMs: number;
}

/** An admission as it is reported; one past its end, or of an idle phase that is over, is `expired`. */
export function reportAdmission(record: AdmissionRecord, times: AdmissionTimes): Admission {
  const { sub, edition, position, entry, usedPosition, via, admittedMs, expiresFlowMs, taken, addresses } = record;
  const wallMs = times.nowMs + (expiresFlowMs - times.flowMs);
  const expiresMs = reportedEnd(wallMs, record.expiresMs, record.ended !== null);
  const ended = record.ended ?? (hasLapsedBy(times.flowMs, times.idleEndedMs, record) ? "expired" : null);
  const place = { position, ...(entry && { entry }) };
  const uses = { ...(taken && { taken: [...taken] }), ...(addresses && { addresses: [...addresses] }) };
  const logins = [...record.logins];
  return { sub, edition, ...place, usedPosition, via, admittedMs, expiresMs, expiresFlowMs, ended, logins, ...uses };
}

export function reportClaim(answer: ClaimAnswer, times: AdmissionTimes): ClaimResult {
  const { result, isNew = false, record, held, rank = 0 } = answer;
  if (held !== undefined) return { result: "held", retryMs: held.retryMs, rank, by: held.by };
  if (record === undefined) return { result } as ClaimResult;
  const admission = reportAdmission(record, times);
  return result === "admitted" ? { result, isNew, admission } : ({ result, admission } as ClaimResult);
}
