import type { ClaimRequest, ClaimResult } from "../room-store.ts";
import { currentRecord, lapseAdmissions, noteChange, pruneEnded, putAdmission, toAdmission } from "./admissions.ts";
import { servedAt } from "./advances.ts";
import { isHeld, outflowLimit } from "./clocks.ts";
import type { AdmissionRecord, RoomData } from "./data.ts";
import { isExempt, isKnocking, knock, knockRank, pruneKnocks, stopKnocking } from "./knocks.ts";
import { limiterSlot, pruneLog, recordAdmission } from "./limiter.ts";
import { countOutflow } from "./outflow.ts";
import { hasPosition } from "./position-set.ts";
import { noteShow } from "./pull.ts";

const maxRetryMs = 4_000;
const minRetryMs = 100;
/** More than one, so that claims clean up faster than they make. */
const cleanedPerClaim = 2;

/** Claims the place's admission. The order of the checks is that of `ClaimResult`. */
export function claim(room: RoomData, request: ClaimRequest): ClaimResult {
  if (request.edition < room.edition) return { result: "old_edition" };
  if (request.edition > room.edition) return { result: "newer_edition" };

  const record = currentRecord(room, request.sub);
  if (record !== undefined && record.ended === null) return useAdmission(room, record, request.login);
  const proven = recordFromProof(room, request, record);
  if (proven !== null) {
    putAdmission(room, proven);
    return useAdmission(room, proven, request.login);
  }
  if (wasClaimed(room, request, record) || request.proof !== null) return { result: "ended" };
  return hasPosition(room.left, request.position) ? { result: "left" } : claimPlace(room, request);
}

function wasClaimed(room: RoomData, { position }: ClaimRequest, record: AdmissionRecord | undefined): boolean {
  if (hasPosition(room.claimed, position)) return true;
  // Positions of one visitor only grow, so a lower one than the admitted one has had its turn too.
  return record !== undefined && record.edition === room.edition && position <= record.position;
}

function claimPlace(room: RoomData, request: ClaimRequest): ClaimResult {
  const { position, joinedMs } = request;
  if (position > room.serving) return { result: position > room.queued ? "beyond" : "waiting" };
  if (room.phase !== "open") return { result: "paused" };
  const { claimWithinMs } = room.settings.effective.admission;
  const isLate = room.claimMs > Math.max(joinedMs, servedAt(room, position)) + claimWithinMs;
  if (isLate && !isExempt(room, position)) return { result: "expired" };
  return admitOrHold(room, request);
}

function admitOrHold(room: RoomData, request: ClaimRequest): ClaimResult {
  const { position } = request;
  const limit = outflowLimit(room);
  pruneKnocks(room, 500);
  pruneLog(room.limiter, room.flowMs);
  noteShow(room, position, isKnocking(room, position));
  if (limit !== null) {
    const rank = knockRank(room, position);
    const slotMs = limiterSlot(room.limiter, limit, room.flowMs, rank);
    const openMs = isHeld(room) ? Math.max(slotMs, room.holdUntilMs) : slotMs;
    if (openMs > room.flowMs) {
      knock(room, position);
      const retryMs = Math.min(maxRetryMs, Math.max(minRetryMs, Math.ceil(openMs - room.flowMs)));
      return { result: "held", retryMs, rank };
    }
  }
  return admit(room, request, limit);
}

function admit(room: RoomData, request: ClaimRequest, limit: number | null): ClaimResult {
  const { sub, edition, position, joinedMs, login } = request;
  recordAdmission(room.limiter, limit, room.flowMs);
  countOutflow(room);
  stopKnocking(room, position);
  const record: AdmissionRecord = {
    sub,
    edition,
    position,
    admittedMs: room.atMs,
    expiresMs: room.atMs + room.settings.effective.admission.durationMs,
    ended: null,
    logins: login === null ? [] : [login],
    claimMs: Math.max(room.claimMs, joinedMs),
  };
  putAdmission(room, record);
  lapseAdmissions(room, cleanedPerClaim);
  pruneEnded(room, cleanedPerClaim);
  return { result: "admitted", isNew: true, admission: toAdmission(record, room.atMs) };
}

/** A login under a live admission: one code per authorization request, at most `loginsPerAdmission`. */
function useAdmission(room: RoomData, record: AdmissionRecord, login: string | null): ClaimResult {
  const isAnswered = login !== null && record.logins.includes(login);
  const isExhausted = record.logins.length >= room.settings.effective.admission.loginsPerAdmission;
  if (login !== null && !isAnswered && !isExhausted) {
    record.logins.push(login);
    noteChange(room, record.sub);
  }
  const admission = toAdmission(record, room.atMs);
  if (isAnswered) return { result: "answered", admission };
  if (login !== null && isExhausted) return { result: "exhausted", admission };
  return { result: "admitted", isNew: false, admission };
}

/** The admission that a claimed ticket proves, if it is older than this life and the store knows nothing later. */
function recordFromProof(
  room: RoomData,
  request: ClaimRequest,
  record: AdmissionRecord | undefined,
): AdmissionRecord | null {
  const { sub, edition, position, joinedMs, proof } = request;
  if (proof === null || proof.admittedMs >= room.lifeStartedMs || proof.expiresMs <= room.atMs) return null;
  if (record !== undefined && record.admittedMs >= proof.admittedMs) return null;
  const claimMs = Math.max(room.claimMs, joinedMs);
  return { sub, edition, position, ...proof, ended: null, logins: [], claimMs };
}
