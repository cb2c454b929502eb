/**
 * Claims the admission of a place. A claim is judged in the order of `claim` and `claimWithPlace`: a live admission logs in in every
 * phase; then a proof from before this incarnation, a phase that passes through, a bypass link; then the place. No 60 s see more
 * admissions than the limit.
 *
 * That a place was claimed or left is kept in one bit for as long as the edition lasts, whatever becomes of the admission's record: no
 * change of settings, no step back and forth and no copy of an unclaimed ticket makes two admissions of one. An entry that is not drawn,
 * or whose position the caller does not know, is used up by an admission that bypasses the line.
 */
import type { ClaimRequest, ClaimResult, LinkClaim } from "../store/contract/room-claim.ts";
import type { AdmittedVia } from "../store/contract/room-places.ts";
import { isAdaptive, ratePerMinute } from "./adaptive.ts";
import { logAdmission } from "./admission-log.ts";
import {
  currentRecord,
  extendRecord,
  hasText,
  isLive,
  lapseAdmissions,
  newRecord,
  pruneEnded,
  putRecord,
  recallRecord,
  recordAddress,
  recordFromProof,
  rewriteRecord,
} from "./admissions.ts";
import { isVoided } from "./draw/voids.ts";
import { publishAdmission } from "./events/events.ts";
import { recordContention, recordShared, sharedDelay } from "./groups.ts";
import { drawIdOf, isLimited, isLineOver, isOnHold, isPlaced, numberOf, peopleWaiting, phaseOf } from "./holds.ts";
import { capacityFree } from "./inlet.ts";
import { limiterSlot, pruneLog, recordAdmission } from "./limiter.ts";
import { isElsewhere, isLinkVoid, isPlaceOfKey, useLink, wasClaimed } from "./places.ts";
import { type AdmissionRecord, countRecords } from "./ports/lists.ts";
import { addPosition, hasPosition } from "./ports/sets.ts";
import {
  addPendingBypass,
  addPendingClaim,
  hasExpired,
  pendingRank,
  prunePendingClaims,
  removePendingClaim,
} from "./positions.ts";
import { countOutflow, recordEntered, recordShow } from "./progress.ts";
import { forgetPush } from "./push-rows.ts";
import type { Room } from "./room.ts";

/** More than one, so that claims clean up faster than they make. */
const cleanedPerClaim = 2;
const prunedPerClaim = 500;

export interface ClaimAnswer {
  readonly result: ClaimResult["result"];
  /** Of admissions. */
  readonly record?: AdmissionRecord;
  readonly isNew?: boolean;
  /** Of claims that are held, and how many claims of lower positions are pending. */
  readonly hold?: ClaimHold;
  readonly rank?: number;
}

function answered(result: ClaimResult["result"]): ClaimAnswer {
  return { result };
}

function withRecord(result: ClaimResult["result"], isNew: boolean, record: AdmissionRecord): ClaimAnswer {
  return { result, isNew, record };
}

export function claim(room: Room, request: ClaimRequest): ClaimAnswer {
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
  if (passVia !== null && request.isSilent !== true) return pass(room, request, passVia, record);
  if (request.bypass !== null) return bypass(room, request, request.bypass, record);
  if (!hasPlace) return answered(isClosed(room) ? "closed" : "no_place");
  return claimWithPlace(room, request, record);
}

/** Judges the claim of a place where no admission is live, nobody passes through, and no bypass link is presented. */
function claimWithPlace(room: Room, request: ClaimRequest, record: AdmissionRecord | null): ClaimAnswer {
  if (isElsewhere(room, numberOf(request), request.sub)) return answered("moved");
  if (isVoided(room, numberOf(request), request.position)) return answered("voided");
  if (!isPlaceOfKey(room, request)) return answered("moved");
  const isPositioned = isPlaced(room, numberOf(request), drawIdOf(request));
  const isUsed = isPositioned && wasClaimed(room, request.position, numberOf(request), request.sub, record);
  if (request.proof !== null || isUsed) return answered("ended");
  if (hasPosition(room.usedEntries, numberOf(request))) return answered("left");
  if (isPositioned && hasPosition(room.leftPlaces, request.position)) return answered("left");
  if (numberOf(request) > room.serving && numberOf(request) > room.queued) return answered("beyond");
  if (isClosed(room)) return answered("closed");
  if (room.basePhase === "prequeue" || !isPositioned) return answered("waiting");
  if (request.position > room.serving) return answered("waiting");
  if (phaseOf(room) !== "open") return answered("paused");
  if (hasExpired(room, request.position, request.joinedMs)) return answered("expired");
  return admitOrHold(room, request, record);
}

function isClosed(room: Room): boolean {
  return room.basePhase === "idle" || room.basePhase === "ended" || isLineOver(room);
}

/** The phase without a line that everybody passes through just now; null for none. */
function passedBy(room: Room): AdmittedVia | null {
  const phase = phaseOf(room);
  if (phase === "idle" && room.whenIdle === "pass_through") return "idle";
  // Of a room that is sold out, not: the site has nothing for so many.
  if (phase === "ended" && room.whenEnded === "pass_through" && !isLineOver(room)) return "ended";
  if (phase === "passthrough") return "passthrough";
  return null;
}

/** Of so many admissions on record, live ones and those that ended lately, newcomers wait in a room that everybody passes. Those in line do not. */
const passedMost = 1_000_000;
const crowdedRetryMs = 10_000;

function pass(room: Room, request: ClaimRequest, via: AdmittedVia, record: AdmissionRecord | null): ClaimAnswer {
  if (record === null && request.position === 0 && countRecords(room.admissions) >= passedMost) {
    return holdClaim(room, { by: "capacity", retryMs: crowdedRetryMs, isRoomLimited: false }, 0);
  }
  room.counts.passed++;
  pruneLog(room);
  return admit(room, request, takePlace(room, request, record), via, record);
}

/**
 * The place that goes with an admission beside the line; 0 where there is none, or it was claimed, left or moved to another. An
 * entry that is not drawn is used up.
 */
function takePlace(room: Room, request: ClaimRequest, record: AdmissionRecord | null): number {
  const number = numberOf(request);
  if (number === 0 || number > room.queued || isElsewhere(room, number, request.sub)) return 0;
  if (isVoided(room, number, request.position)) return 0;
  if (!isPlaceOfKey(room, request)) return 0;
  if (!isPlaced(room, number, drawIdOf(request))) {
    addPosition(room.usedEntries, number);
    return 0;
  }
  if (hasPosition(room.usedEntries, number) || hasPosition(room.leftPlaces, request.position)) return 0;
  return wasClaimed(room, request.position, number, request.sub, record) ? 0 : request.position;
}

function holdClaim(room: Room, hold: ClaimHold, rank: number): ClaimAnswer {
  if (hold.by === "limit") recordContention(room, hold.isRoomLimited);
  return { result: "held", hold, rank };
}

/** Ahead of the line, and within the same limits. */
function bypass(room: Room, request: ClaimRequest, link: LinkClaim, record: AdmissionRecord | null): ClaimAnswer {
  if (isLinkVoid(room, room.usedLinks, link)) return answered("void");
  prunePendingClaims(room, prunedPerClaim);
  pruneLog(room);
  const hold = claimHold(room, 0);
  if (hold !== null) {
    addPendingBypass(room);
    return holdClaim(room, hold, 0);
  }
  useLink(room, link);
  removePendingClaim(room, 0);
  room.counts.bypassed++;
  return admit(room, request, takePlace(room, request, record), "bypass", record);
}

function admitOrHold(room: Room, request: ClaimRequest, record: AdmissionRecord | null): ClaimAnswer {
  const position = request.position;
  prunePendingClaims(room, prunedPerClaim);
  pruneLog(room);
  recordShow(room, position);
  // No claim is pending where nothing holds one.
  const rank = isLimited(room) || room.maxActive !== null ? pendingRank(room, position) : 0;
  const hold = claimHold(room, rank);
  if (hold !== null) {
    addPendingClaim(room, position);
    return holdClaim(room, hold, rank);
  }
  // It was counted as a no-show when its time was over, and comes after all.
  if (position <= room.expiredThrough) room.counts.noShows = Math.max(0, room.counts.noShows - 1);
  room.counts.entered++;
  room.pull.came++;
  if (peopleWaiting(room) > 0) recordEntered(room);
  return admit(room, request, position, "queue", record);
}

function admit(
  room: Room,
  request: ClaimRequest,
  place: number,
  via: AdmittedVia,
  earlier: AdmissionRecord | null,
): ClaimAnswer {
  recordAdmission(room, room.limit, ratePerMinute(room));
  if (isAdaptive(room)) room.adaptive.admittedNow++;
  recordShared(room, via === "queue" || via === "bypass");
  countOutflow(room);
  if (place > 0) removePendingClaim(room, place);
  if (room.hasPush) forgetPush(room, request.sub);
  const record = newRecord(room, request, place, via, earlier);
  putRecord(room, record, null);
  logAdmission(room, place, numberOf(request), via, request.joinedMs);
  if (room.tellsAdmissions) publishAdmission(room, request.sub, place, via);
  lapseAdmissions(room, cleanedPerClaim);
  pruneEnded(room, cleanedPerClaim);
  return withRecord("admitted", true, record);
}

/** A login under a live admission: one code per authorization request, at most `loginsPerAdmission`. */
function useAdmission(room: Room, record: AdmissionRecord, request: ClaimRequest): ClaimAnswer {
  const use = recordAddress(room, record, request.address);
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

// What keeps a served place from being claimed now.

const maxRetryMs = 4_000;
const minRetryMs = 100;
const capacityRetryMs = 2_000;

interface ClaimHold {
  readonly by: "recovery" | "limit" | "capacity";
  readonly retryMs: number;
  /** Whether the room's own limit would keep the place out, whatever the shared one says. */
  readonly isRoomLimited: boolean;
}

/**
 * What keeps a served place from being claimed now; null for nothing. The log must have been pruned.
 *
 * @param rank pending claims of lower positions; they go first
 */
function claimHold(room: Room, rank: number): ClaimHold | null {
  const free = capacityFree(room);
  const nobodyWaits = room.serving >= room.queued && rank === 0;
  const slotMs = roomDelay(room, rank, nobodyWaits);
  const limitMs = isLimited(room) ? Math.max(slotMs, sharedDelay(room, rank, nobodyWaits)) : 0;
  const isRoomLimited = slotMs > 0;
  if (isOnHold(room)) {
    return { by: "recovery", retryMs: retryAfterMs(Math.max(limitMs, room.holdUntilMs - room.flowMs)), isRoomLimited };
  }
  if (free !== null && rank >= free) return { by: "capacity", retryMs: capacityRetryMs, isRoomLimited };
  if (limitMs > 0) return { by: "limit", retryMs: retryAfterMs(limitMs), isRoomLimited };
  return null;
}

function roomDelay(room: Room, rank: number, nobodyWaits: boolean): number {
  const rate = ratePerMinute(room);
  if (room.limit === null || rate === null) return 0;
  return limiterSlot(room, room.limit, rank, nobodyWaits, rate) - room.flowMs;
}

/** In two halves what is too long for one: a page asks no more than once a second, and would come late for a short rest. */
function retryAfterMs(ms: number): number {
  const wholeMs = Math.max(minRetryMs, Math.ceil(ms));
  return wholeMs <= maxRetryMs ? wholeMs : Math.min(maxRetryMs, Math.ceil(wholeMs / 2));
}
