/** The records of admissions that a claim makes: of a new one, and of one that a claimed ticket proves. */
import type { AdmissionProof, ClaimRequest } from "../../store/contract/room-claim.ts";
import type { DrawnEntry } from "../../store/contract/room-draw.ts";
import type { AdmittedVia } from "../../store/contract/room-facts.ts";
import { drawIdOf, isPlaced, numberOf } from "../draw/marks.ts";
import { idleEndsMs } from "../phases.ts";
import { addPosition } from "../ports/position-set.ts";
import type { AdmissionRecord } from "../ports/records.ts";
import type { Room } from "../room.ts";
import { isFromBefore, toFlow } from "../wall-times.ts";
import { usedAfter } from "./admissions.ts";

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
