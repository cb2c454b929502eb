/** The records of admissions that a claim makes: of a new one, and of one that a claimed ticket proves. */
import type { ClaimRequest } from "../../store/contract/room-claim.ts";
import type { DrawnEntry } from "../../store/contract/room-draw.ts";
import type { AdmittedVia } from "../../store/contract/room-facts.ts";
import { drawIdOf, isPlaced, numberOf } from "../draw/marks.ts";
import { idleEndsMs } from "../phases.ts";
import { addPosition } from "../ports/position-set.ts";
import type { AdmissionRecord } from "../ports/records.ts";
import type { Room } from "../room.ts";
import { toFlow } from "../wall-times.ts";
import { usedAfter } from "./admissions.ts";

/** Of what the place was drawn; null where it was not. */
function drawnEntry(request: ClaimRequest, place: number): DrawnEntry | null {
  if (place === 0) return null;
  return request.entry ?? null;
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
  const logins: string[] = [];
  if (request.login !== null) logins.push(request.login);
  let addresses: string[] | null = null;
  if (request.address !== null) addresses = [request.address];
  return {
    sub: request.sub,
    edition: room.edition,
    position: place,
    entry: drawnEntry(request, place),
    usedPosition: usedAfter(earlier, room.edition, place),
    via,
    admittedMs: room.atMs,
    expiresMs,
    admittedFlowMs: room.flowMs,
    expiresFlowMs: toFlow(room, expiresMs),
    ended: null,
    logins,
    taken: null,
    addresses,
    claimMs: Math.max(room.claimMs, place > 0 ? request.joinedMs : 0),
  };
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
  if (proof === null || proof.admittedMs >= room.incarnationStartedMs || proof.expiresMs <= room.atMs) return null;
  if (proof.via === "idle" && proof.admittedMs <= room.idleEndedMs) return null;
  if (record !== null && record.admittedMs >= proof.admittedMs) return null;
  const place = provenPlace(room, request);
  return {
    sub: request.sub,
    edition: request.edition,
    position: place,
    entry: drawnEntry(request, place),
    usedPosition: usedAfter(record, request.edition, place),
    via: proof.via,
    admittedMs: proof.admittedMs,
    expiresMs: proof.expiresMs,
    admittedFlowMs: toFlow(room, proof.admittedMs),
    expiresFlowMs: toFlow(room, proof.expiresMs),
    ended: null,
    logins: [],
    taken: null,
    addresses: null,
    claimMs: Math.max(room.claimMs, request.joinedMs),
  };
}
