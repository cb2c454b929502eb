/**
 * Claims the admission of a place. The order of the checks is that of `ClaimResult`. A place is admitted once, and so is a bypass
 * link; no 60 s see more admissions than the limit.
 */
import type { ClaimResult, LinkClaim } from "../store/contract/room-claim.ts";
import type { DrawnEntry } from "../store/contract/room-draw.ts";
import type { AdmittedVia } from "../store/contract/room-facts.ts";
import { isAdaptive, ratePerMinute } from "./adaptive/rate.ts";
import { logAdmission } from "./admission-log.ts";
import {
  currentRecord,
  extendRecord,
  hasText,
  isLive,
  lapseAdmissions,
  noteAddress,
  pruneEnded,
  putRecord,
  recallRecord,
  rewriteRecord,
  usedAfter,
} from "./admissions/admissions.ts";
import { hasExpired } from "./advances.ts";
import { noteCame, noteShow } from "./batches.ts";
import { claimHold, type Held } from "./claim-hold.ts";
import { isLimited, peopleWaiting } from "./clocks.ts";
import { isPlaced } from "./draw/marks.ts";
import { noteAsking, recordShared } from "./groups.ts";
import { phaseOf } from "./holds.ts";
import { pruneLog, recordAdmission } from "./limiter.ts";
import { isElsewhere, wasClaimed } from "./moves.ts";
import { countOutflow } from "./outflow.ts";
import {
  addPendingBypass,
  addPendingClaim,
  pendingRank,
  prunePendingClaims,
  removePendingBypass,
  removePendingClaim,
} from "./pending-claims.ts";
import { idleEndsMs } from "./phases.ts";
import { addPosition, hasPosition } from "./ports/position-set.ts";
import type { AdmissionRecord } from "./ports/records.ts";
import { noteEntered } from "./progress.ts";
import type { Group, Room } from "./room.ts";
import { isLinkVoid, useLink } from "./used-links.ts";
import { toFlow } from "./wall-times.ts";

/** More than one, so that claims clean up faster than they make. */
const cleanedPerClaim = 2;
const prunedPerClaim = 500;

/** Who claims, and with what. Position and number are 0 without a place. */
export interface Claim {
  readonly sub: string;
  readonly edition: number;
  readonly position: number;
  /** What the ticket names: of what the place was drawn, else the position. */
  readonly number: number;
  /** Of what draw; null where the caller knows of none. */
  readonly drawId: number | null;
  /** Claim clock. */
  readonly joinedMs: number;
  readonly login: string | null;
  readonly address: string | null;
  readonly proof: { readonly admittedMs: number; readonly expiresMs: number; readonly via: AdmittedVia } | null;
  readonly bypass: LinkClaim | null;
  readonly isSilent: boolean;
}

export interface ClaimAnswer {
  readonly result: ClaimResult["result"];
  readonly isNew: boolean;
  /** Of admissions. */
  readonly record: AdmissionRecord | null;
  /** Of claims that are held, and how many claims of lower positions are pending. */
  readonly held: Held | null;
  readonly rank: number;
}

function answered(result: ClaimResult["result"]): ClaimAnswer {
  return { result, isNew: false, record: null, held: null, rank: 0 };
}

function withRecord(result: ClaimResult["result"], isNew: boolean, record: AdmissionRecord): ClaimAnswer {
  return { result, isNew, record, held: null, rank: 0 };
}

export function claim(room: Room, group: Group | null, request: Claim): ClaimAnswer {
  const hasPlace = request.position > 0;
  if (hasPlace && request.edition < room.edition) return answered("old_edition");
  if (hasPlace && request.edition > room.edition) return answered("newer_edition");
  const record = currentRecord(room, request.sub);
  if (record !== null && isLive(record)) return useAdmission(room, record, request);
  const proven = recordFromProof(room, request, record);
  if (proven !== null) {
    recallRecord(room, proven, record);
    return useAdmission(room, proven, request);
  }
  const passVia = passedBy(room);
  if (passVia !== null && !request.isSilent) return pass(room, group, request, passVia, record);
  if (request.bypass !== null) return bypass(room, group, request, request.bypass, record);
  if (!hasPlace) return answered(isClosed(room) ? "closed" : "no_place");
  return claimWithPlace(room, group, request, record);
}

/** A visitor who is not in, and does not bypass the queue. */
function claimWithPlace(room: Room, group: Group | null, request: Claim, record: AdmissionRecord | null): ClaimAnswer {
  if (isElsewhere(room, request.number, request.sub)) return answered("moved");
  const isKnown = isPlaced(room, request.number, request.drawId);
  const isUsed = isKnown && wasClaimed(room, request.position, request.number, request.sub, record);
  if (request.proof !== null || isUsed) return answered("ended");
  if (hasPosition(room.usedEntries, request.number)) return answered("left");
  if (isKnown && hasPosition(room.leftPlaces, request.position)) return answered("left");
  if (request.number > room.serving && request.number > room.queued) return answered("beyond");
  if (isClosed(room)) return answered("closed");
  if (room.basePhase === "prequeue" || !isKnown) return answered("waiting");
  if (request.position > room.serving) return answered("waiting");
  if (phaseOf(room) !== "open") return answered("paused");
  if (hasExpired(room, request.position, request.joinedMs)) return answered("expired");
  return admitOrHold(room, group, request, record);
}

function isClosed(room: Room): boolean {
  return room.basePhase === "idle" || room.basePhase === "ended";
}

/** The phase without a line that everybody passes through just now; null for none. */
function passedBy(room: Room): AdmittedVia | null {
  const phase = phaseOf(room);
  if (phase === "idle" && room.whenIdle === "pass_through") return "idle";
  if (phase === "ended" && room.whenEnded === "pass_through") return "ended";
  if (phase === "passthrough") return "passthrough";
  return null;
}

function pass(
  room: Room,
  group: Group | null,
  request: Claim,
  via: AdmittedVia,
  record: AdmissionRecord | null,
): ClaimAnswer {
  room.counts.passed++;
  pruneLog(room);
  return admit(room, group, request, takePlace(room, request, record), via, record);
}

/**
 * The place that goes with an admission beside the line; 0 where there is none, or it was claimed, left or moved to another. An
 * entry that is not drawn is used up.
 */
function takePlace(room: Room, request: Claim, record: AdmissionRecord | null): number {
  const number = request.number;
  if (number === 0 || number > room.queued || isElsewhere(room, number, request.sub)) return 0;
  if (!isPlaced(room, number, request.drawId)) {
    addPosition(room.usedEntries, number);
    return 0;
  }
  if (hasPosition(room.usedEntries, number) || hasPosition(room.leftPlaces, request.position)) return 0;
  return wasClaimed(room, request.position, number, request.sub, record) ? 0 : request.position;
}

/** The place that was claimed once; a number whose position is not known is used up. */
function provenPlace(room: Room, request: Claim): number {
  if (request.position === 0 || isPlaced(room, request.number, request.drawId)) return request.position;
  if (request.number <= room.queued) addPosition(room.usedEntries, request.number);
  return 0;
}

function heldBy(group: Group | null, held: Held, rank: number): ClaimAnswer {
  if (held.by === "limit") noteAsking(group, held.isOwn);
  return { result: "held", isNew: false, record: null, held, rank };
}

/** Ahead of the line, and within the same limits. */
function bypass(
  room: Room,
  group: Group | null,
  request: Claim,
  link: LinkClaim,
  record: AdmissionRecord | null,
): ClaimAnswer {
  if (isLinkVoid(room, room.usedLinks, link)) return answered("void");
  prunePendingClaims(room, prunedPerClaim);
  pruneLog(room);
  const held = claimHold(room, group, 0);
  if (held !== null) {
    addPendingBypass(room);
    return heldBy(group, held, 0);
  }
  useLink(room, link);
  removePendingBypass(room);
  room.counts.bypassed++;
  return admit(room, group, request, takePlace(room, request, record), "bypass", record);
}

function admitOrHold(room: Room, group: Group | null, request: Claim, record: AdmissionRecord | null): ClaimAnswer {
  const position = request.position;
  prunePendingClaims(room, prunedPerClaim);
  pruneLog(room);
  noteShow(room, position);
  // No claim is pending where nothing holds one.
  const rank = isLimited(room) || room.maxActive !== null ? pendingRank(room, position) : 0;
  const held = claimHold(room, group, rank);
  if (held !== null) {
    addPendingClaim(room, position);
    return heldBy(group, held, rank);
  }
  // It was counted as a no-show when its time was over, and comes after all.
  if (position <= room.expiredThrough) room.counts.noShows = Math.max(0, room.counts.noShows - 1);
  room.counts.entered++;
  noteCame(room);
  if (peopleWaiting(room) > 0) noteEntered(room);
  return admit(room, group, request, position, "queue", record);
}

/** Of what the place was drawn; null where it was not. */
function drawnEntry(request: Claim, place: number): DrawnEntry | null {
  if (place === 0 || request.drawId === null) return null;
  return { number: request.number, draw: request.drawId };
}

function admit(
  room: Room,
  group: Group | null,
  request: Claim,
  place: number,
  via: AdmittedVia,
  earlier: AdmissionRecord | null,
): ClaimAnswer {
  recordAdmission(room, room.limit, ratePerMinute(room));
  if (isAdaptive(room)) room.adaptive.admittedNow++;
  recordShared(room, group, via === "queue" || via === "bypass");
  countOutflow(room);
  if (place > 0) removePendingClaim(room, place);
  const record = newRecord(room, request, place, via, earlier);
  putRecord(room, record, null);
  logAdmission(room, place, request.number, via, request.joinedMs);
  lapseAdmissions(room, cleanedPerClaim);
  pruneEnded(room, cleanedPerClaim);
  return withRecord("admitted", true, record);
}

function newRecord(
  room: Room,
  request: Claim,
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

/** A login under a live admission: one code per authorization request, at most `loginsPerAdmission`. */
function useAdmission(room: Room, record: AdmissionRecord, request: Claim): ClaimAnswer {
  const use = noteAddress(room, record, request.address);
  if (use === "refused") return withRecord("too_many_addresses", false, record);
  const isAnswered = request.login !== null && hasText(record.logins, request.login);
  const isExhausted = record.logins.length >= room.loginsPerAdmission;
  if (request.login === null || isAnswered || isExhausted) {
    if (use === "new") rewriteRecord(room, record);
    if (isAnswered) return withRecord("answered", false, record);
    return withRecord(request.login === null ? "admitted" : "exhausted", false, record);
  }
  const logins = record.logins;
  logins.push(request.login);
  if (!extendRecord(room, record)) rewriteRecord(room, record);
  return withRecord("admitted", false, record);
}

/** The admission that a claimed ticket proves, if it is older than this incarnation and the store knows nothing later. */
function recordFromProof(room: Room, request: Claim, record: AdmissionRecord | null): AdmissionRecord | null {
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
