/** What a store is asked for as the core takes it, and what the core answers as a store reports it. */
import type { ClaimResult } from "../../store/contract/room-claim.ts";
import type { Seen, SeenIncarnation } from "../../store/contract/room-facts.ts";
import type { Admission } from "../../store/contract/room-state.ts";
import type { Contribution, JoinRange, KeyedJoins, Outcome } from "../../store/contract/room-store.ts";
import type { EntryVoid, RestoreAnswer, VoidAnswer } from "../../store/contract/room-void.ts";
import type { ClaimAnswer } from "../claim.ts";
import { joinRetryMs } from "../join.ts";
import type { Offer } from "../recovery/contribute.ts";
import { lapsedBy, reportedEnd } from "../wall-times.ts";
import { rowLength } from "./entry-blocks.ts";
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
  const ended = record.ended ?? lapsedBy(times.flowMs, times.idleEndedMs, record);
  const place = { position, ...(entry && { entry }) };
  const uses = { ...(taken && { taken: [...taken] }), ...(addresses && { addresses: [...addresses] }) };
  const visitByFlowMs = record.visitByFlowMs ?? null;
  const visit = visitByFlowMs !== null && { visitByMs: times.nowMs + (visitByFlowMs - times.flowMs) };
  const logins = [...record.logins];
  const end = { expiresMs, expiresFlowMs, ended, ...visit };
  return { sub, edition, ...place, usedPosition, via, admittedMs, ...end, logins, ...uses };
}

export function reportClaim(answer: ClaimAnswer, times: AdmissionTimes): ClaimResult {
  const { result, isNew = false, record, hold, rank = 0 } = answer;
  if (hold !== undefined) return { result: "held", retryMs: hold.retryMs, rank, by: hold.by };
  if (record === undefined) return { result } as ClaimResult;
  const admission = reportAdmission(record, times);
  return result === "admitted" ? { result, isNew, admission } : ({ result, admission } as ClaimResult);
}

export function seenOf(incarnation: SeenIncarnation): Seen {
  if (incarnation !== null && typeof incarnation === "object") return incarnation;
  return { incarnation: incarnation ?? "", flowMs: 0, edition: 0, queued: 0 };
}

/** @param toText makes JSON, in which equal settings have equal texts */
export function offerOf(contribution: Contribution, toText: (settings: object) => string): Offer {
  const { fileSettings, memory, isNewRoom, seen = null } = contribution;
  const settings = memory && {
    effective: toText(memory.settings.effective),
    file: toText(memory.settings.file),
    live: toText(memory.settings.live),
  };
  const draws = memory?.draws?.map((draw) => ({ ...draw, atFlowMs: 0 })) ?? [];
  const voids = memory?.voids?.map((entryVoid) => ({ ...entryVoid })) ?? [];
  const offered = memory && settings && { ...memory, settings, draws, voids, keys: memory.keys ?? [] };
  return { file: toText(fileSettings), isNew: isNewRoom, seen: seenOf(seen), memory: offered };
}

/** @throws RangeError for a count that a join cannot have, and for rows of another */
export function checkJoin(count: number, rows: string): void {
  if (rows !== "" && rows.length !== count * rowLength) throw new RangeError(`rows of another number than ${count}`);
  if (!Number.isInteger(count) || count < 1 || count > maxJoin) throw new RangeError(`cannot join ${count} at once`);
}

const maxJoin = 10_000;

/** @throws RangeError for as many keys as cannot join at once */
export function checkKeyCount({ keys }: KeyedJoins): void {
  if (keys.length < 1 || keys.length > maxKeyedJoin) throw new RangeError(`${keys.length} keys cannot join at once`);
}

/** A script takes some milliseconds for so many. */
const maxKeyedJoin = 500;

/** A join that is not possible yet is asked for again, as in a recovery. */
export function reportJoin<Range extends JoinRange>(outcome: Outcome<Range | null>): Outcome<Range> {
  if (outcome.result !== "ok") return outcome;
  const { value } = outcome;
  return value === null ? { result: "recovering", remainingMs: joinRetryMs } : { result: "ok", value };
}

/** What a void, or taking one back, did. @param read the void as it is reported */
export function reportVoid<V>(
  { result, stored }: { readonly result: string; readonly stored?: V },
  read: (stored: V) => EntryVoid,
): VoidAnswer & RestoreAnswer {
  return { result, ...(stored !== undefined && { void: read(stored) }) } as VoidAnswer & RestoreAnswer;
}
