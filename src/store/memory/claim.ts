import { isAdaptive, ratePerMinute } from "../../core/adaptive/rate.ts";
import { hasExpired } from "../../core/advances.ts";
import { noteCame, noteShow } from "../../core/batches.ts";
import { peopleWaiting } from "../../core/clocks.ts";
import { isPlaced } from "../../core/draw/marks.ts";
import { phaseOf } from "../../core/holds.ts";
import { knock, knockFirst, knockRank, pruneKnocks, stopKnocking, stopKnockingFirst } from "../../core/knocks.ts";
import { pruneLog, recordAdmission } from "../../core/limiter.ts";
import { countOutflow } from "../../core/outflow.ts";
import { idleEndsMs } from "../../core/phases.ts";
import { addPosition, hasPosition } from "../../core/ports/position-set.ts";
import { noteEntered } from "../../core/progress.ts";
import { toFlow } from "../../core/told-times.ts";
import type { AdmittedVia, BypassClaim, ClaimRequest, ClaimResult } from "../contract/room-store.ts";
import { logAdmission } from "./admission-log.ts";
import {
  currentRecord,
  extendRecord,
  lapseAdmissions,
  noteAddress,
  noteChange,
  pruneEnded,
  putAdmission,
  recallAdmission,
  toAdmission,
  usedAfter,
} from "./admissions.ts";
import { wasClaimed } from "./claimed.ts";
import type { AdmissionRecord, GroupData, RoomData } from "./data.ts";
import { doorSlot } from "./door.ts";
import { noteAsking, recordShared } from "./groups.ts";
import { isElsewhere } from "./moves.ts";
import { drawIdOf, numberOf } from "./places.ts";
import { flowTimes } from "./told-times.ts";
import { isLinkVoid, useLink } from "./used-links.ts";

/** More than one, so that claims clean up faster than they make. */
const cleanedPerClaim = 2;

/** Claims the place's admission. The order of the checks is that of `ClaimResult`. */
export function claim(room: RoomData, group: GroupData | null, request: ClaimRequest): ClaimResult {
  const hasPlace = request.position > 0;
  const number = numberOf(request);
  if (hasPlace && request.edition < room.edition) return { result: "old_edition" };
  if (hasPlace && request.edition > room.edition) return { result: "newer_edition" };

  const record = currentRecord(room, request.sub);
  if (record !== undefined && record.ended === null) return useAdmission(room, record, request);
  const proven = recordFromProof(room, request, record);
  if (proven !== null) {
    recallAdmission(room, proven);
    return useAdmission(room, proven, request);
  }
  const passVia = request.isSilent === true ? null : passedBy(room);
  if (passVia !== null) return pass(room, group, request, passVia);
  if (request.bypass !== null) return bypass(room, group, request, request.bypass);
  if (!hasPlace) return { result: isClosed(room) ? "closed" : "no_place" };
  if (isElsewhere(room, number, request.sub)) return { result: "moved" };
  const isKnown = isPlaced(room, numberOf(request), drawIdOf(request));
  if (request.proof !== null || (isKnown && wasClaimed(room, request, request.sub))) return { result: "ended" };
  const hasLeft = hasPosition(room.usedEntries, number) || (isKnown && hasPosition(room.leftPlaces, request.position));
  return hasLeft ? { result: "left" } : claimPlace(room, group, request);
}

function isClosed({ basePhase }: RoomData): boolean {
  return basePhase === "idle" || basePhase === "ended";
}

/** The phase without a line that everybody passes through just now; null for none. */
function passedBy(room: RoomData): AdmittedVia | null {
  const phase = phaseOf(room);
  const { whenIdle, whenEnded } = room.settings.effective;
  if (phase === "idle" && whenIdle === "pass_through") return "idle";
  if (phase === "ended" && whenEnded === "pass_through") return "ended";
  return phase === "passthrough" ? "passthrough" : null;
}

function pass(room: RoomData, group: GroupData | null, request: ClaimRequest, via: AdmittedVia): ClaimResult {
  room.counts.passed++;
  pruneLog(room);
  return admit(room, group, { ...request, position: takePlace(room, request) }, via);
}

/**
 * The place that goes with an admission beside the line; 0 where there is none, or it was claimed, left or moved to another. An
 * entry that is not drawn is used up.
 */
function takePlace(room: RoomData, request: ClaimRequest): number {
  const { position, sub } = request;
  const number = numberOf(request);
  if (number === 0 || number > room.queued || isElsewhere(room, number, sub)) return 0;
  if (!isPlaced(room, numberOf(request), drawIdOf(request))) {
    addPosition(room.usedEntries, number);
    return 0;
  }
  const isUsed = hasPosition(room.usedEntries, number) || hasPosition(room.leftPlaces, position);
  return isUsed || wasClaimed(room, request, sub) ? 0 : position;
}

/** The place that was claimed once; a number whose position is not known is used up. */
function provenPlace(room: RoomData, request: ClaimRequest): number {
  if (request.position === 0 || isPlaced(room, numberOf(request), drawIdOf(request))) return request.position;
  const number = numberOf(request);
  if (number <= room.queued) addPosition(room.usedEntries, number);
  return 0;
}

/** Ahead of the line, and within the same limits. */
function bypass(room: RoomData, group: GroupData | null, request: ClaimRequest, link: BypassClaim): ClaimResult {
  if (isLinkVoid(room, room.usedLinks, link)) return { result: "void" };
  pruneKnocks(room, 500);
  pruneLog(room);
  const held = doorSlot(room, group, 0);
  if (held !== null) {
    knockFirst(room);
    if (held.by === "limit") noteAsking(room, group, held.isOwn);
    return { result: "held", retryMs: held.retryMs, rank: 0, by: held.by };
  }
  useLink(room, link);
  stopKnockingFirst(room);
  room.counts.bypassed++;
  return admit(room, group, { ...request, position: takePlace(room, request) }, "bypass");
}

function claimPlace(room: RoomData, group: GroupData | null, request: ClaimRequest): ClaimResult {
  const { position, joinedMs } = request;
  const number = numberOf(request);
  if (number > room.serving && number > room.queued) return { result: "beyond" };
  if (isClosed(room)) return { result: "closed" };
  if (room.basePhase === "prequeue" || !isPlaced(room, numberOf(request), drawIdOf(request)))
    return { result: "waiting" };
  if (position > room.serving) return { result: "waiting" };
  if (phaseOf(room) !== "open") return { result: "paused" };
  if (hasExpired(room, position, joinedMs)) return { result: "expired" };
  return admitOrHold(room, group, request);
}

function admitOrHold(room: RoomData, group: GroupData | null, request: ClaimRequest): ClaimResult {
  const { position } = request;
  pruneKnocks(room, 500);
  pruneLog(room);
  noteShow(room, position);
  const rank = knockRank(room, position);
  const held = doorSlot(room, group, rank);
  if (held !== null) {
    knock(room, position);
    if (held.by === "limit") noteAsking(room, group, held.isOwn);
    return { result: "held", retryMs: held.retryMs, rank, by: held.by };
  }
  // It was counted as a no-show when its time was over, and comes after all.
  if (position <= room.expiredThrough) room.counts.noShows = Math.max(0, room.counts.noShows - 1);
  room.counts.entered++;
  noteCame(room);
  if (peopleWaiting(room) > 0) noteEntered(room);
  return admit(room, group, request, "queue");
}

function admit(room: RoomData, group: GroupData | null, request: ClaimRequest, via: AdmittedVia): ClaimResult {
  const { sub, position, joinedMs, login, address } = request;
  const { inlet, admission } = room.settings.effective;
  recordAdmission(room, inlet.outflowPerMinute, ratePerMinute(room));
  if (isAdaptive(room)) room.adaptive.admittedNow++;
  recordShared(room, group, via === "queue" || via === "bypass");
  countOutflow(room);
  if (position > 0) stopKnocking(room, position);
  const slidMs = room.atMs + admission.durationMs;
  const expiresMs = via === "idle" ? Math.min(slidMs, idleEndsMs(room) ?? Number.POSITIVE_INFINITY) : slidMs;
  const record: AdmissionRecord = {
    sub,
    edition: room.edition,
    position,
    ...(position > 0 && request.entry && { entry: request.entry }),
    usedPosition: usedAfter(room.admissions.get(sub), room.edition, position),
    via,
    admittedMs: room.atMs,
    expiresMs,
    admittedFlowMs: room.flowMs,
    expiresFlowMs: toFlow(room, expiresMs),
    ended: null,
    logins: login === null ? [] : [login],
    ...(address !== null && { addresses: [address] }),
    claimMs: Math.max(room.claimMs, position > 0 ? joinedMs : 0),
  };
  putAdmission(room, record);
  logAdmission(room, request, via, joinedMs);
  lapseAdmissions(room, cleanedPerClaim);
  pruneEnded(room, cleanedPerClaim);
  return { result: "admitted", isNew: true, admission: toAdmission(room, record) };
}

/** A login under a live admission: one code per authorization request, at most `loginsPerAdmission`. */
function useAdmission(room: RoomData, record: AdmissionRecord, { login, address }: ClaimRequest): ClaimResult {
  const use = noteAddress(room, record, address);
  if (use === "refused") return { result: "too_many_addresses", admission: toAdmission(room, record) };
  const isAnswered = login !== null && record.logins.includes(login);
  const isExhausted = record.logins.length >= room.settings.effective.admission.loginsPerAdmission;
  if (login !== null && !isAnswered && !isExhausted) {
    record.logins.push(login);
    if (!extendRecord(room, record)) noteChange(room, record.sub);
  } else if (use === "new") noteChange(room, record.sub);
  const admission = toAdmission(room, record);
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
  const { sub, edition, joinedMs, proof } = request;
  if (proof === null || proof.admittedMs >= room.lifeStartedMs || proof.expiresMs <= room.atMs) return null;
  if (proof.via === "idle" && proof.admittedMs <= room.idleEndedMs) return null;
  if (record !== undefined && record.admittedMs >= proof.admittedMs) return null;
  const position = provenPlace(room, request);
  const claimMs = Math.max(room.claimMs, joinedMs);
  const used = usedAfter(record, edition, position);
  const times = flowTimes(room, proof);
  const place = { position, ...(position > 0 && request.entry && { entry: request.entry }) };
  return { sub, edition, ...place, usedPosition: used, ...proof, ...times, ended: null, logins: [], claimMs };
}
