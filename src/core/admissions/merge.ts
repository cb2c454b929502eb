/** Admissions that others remember: the later one of a visitor counts; of two equal ones ended beats live, and the later end counts. */
import type { Admission } from "../../store/contract/room-state.ts";
import { type AdmissionRecord, readRecord } from "../ports/records.ts";
import type { Room } from "../room.ts";
import { isFromBefore, toFlow } from "../wall-times.ts";
import {
  boundExits,
  isLive,
  keepEndedMs,
  markClaimed,
  markVisited,
  putRecord,
  recallRecord,
  usedAfter,
  useUpExit,
  wallExpiresMs,
} from "./admissions.ts";

/** @param isLate recovery is over: what was admitted since is not taken over */
export function mergeAdmissions(room: Room, admissions: readonly Admission[], isLate: boolean): void {
  for (const admission of admissions) {
    // Whenever that was, the place stays claimed.
    markClaimed(room, admission.edition, admission.usedPosition, admission.position);
    const isRetained = admission.expiresMs + keepEndedMs > room.atMs;
    if (isRetained && (!isLate || isFromBefore(room, admission.admittedMs))) mergeAdmission(room, admission);
  }
  boundExits(room);
}

function mergeAdmission(room: Room, admission: Admission): void {
  const record = readRecord(room.admissions, admission.sub);
  if (record === null || admission.admittedMs > record.admittedMs) {
    room.isWhole = false;
    recallRecord(room, asRecord(room, admission, record), record);
  } else if (admission.admittedMs === record.admittedMs && unite(room, record, admission)) {
    putRecord(room, record, record);
  }
}

function copyOf(texts: readonly string[]): string[] {
  return texts.map((text) => text);
}

function asRecord(room: Room, admission: Admission, earlier: AdmissionRecord | null): AdmissionRecord {
  return {
    sub: admission.sub,
    edition: admission.edition,
    position: admission.position,
    entry: admission.entry ?? null,
    usedPosition: usedAfter(earlier, admission.edition, admission.usedPosition),
    via: admission.via,
    admittedMs: admission.admittedMs,
    expiresMs: admission.expiresMs,
    admittedFlowMs: toFlow(room, admission.admittedMs),
    expiresFlowMs: toFlow(room, admission.expiresMs),
    visitByFlowMs: admission.visitByMs !== undefined ? toFlow(room, admission.visitByMs) : null,
    ended: admission.ended,
    logins: copyOf(admission.logins),
    taken: admission.taken !== undefined ? copyOf(admission.taken) : null,
    addresses: admission.addresses !== undefined ? copyOf(admission.addresses) : null,
    claimMs: room.claimMs,
  };
}

/** Whether the other list has more; its texts are added. */
function uniteTexts(list: string[], others: readonly string[]): boolean {
  const added = others.filter((text) => !list.includes(text));
  for (const text of added) list.push(text);
  return added.length > 0;
}

/** Adds to the record what the same admission, as others remember it, knows more. Answers whether it did. */
function unite(room: Room, record: AdmissionRecord, admission: Admission): boolean {
  let isMore = false;
  let expiresMs = wallExpiresMs(room, record);
  if (admission.expiresMs > expiresMs) {
    expiresMs = admission.expiresMs;
    record.admittedFlowMs = toFlow(room, admission.admittedMs);
    record.expiresFlowMs = toFlow(room, admission.expiresMs);
    isMore = true;
  }
  if (isLive(record) && admission.ended !== null) {
    record.ended = admission.ended;
    useUpExit(room);
    isMore = true;
  }
  if (admission.visitByMs === undefined && markVisited(room, record)) isMore = true;
  if (uniteTexts(record.logins, admission.logins)) isMore = true;
  const taken = record.taken ?? [];
  if (uniteTexts(taken, admission.taken ?? [])) {
    record.taken = taken;
    isMore = true;
  }
  const addresses = record.addresses ?? [];
  if (uniteTexts(addresses, admission.addresses ?? [])) {
    record.addresses = addresses;
    isMore = true;
  }
  // A record that stays as it is goes on to report what it did.
  if (isMore) record.expiresMs = expiresMs;
  return isMore;
}
