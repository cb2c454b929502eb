/**
 * Merges by maximum what processes remember: counters within the higher edition, at each time the most live admissions that any memory has, and
 * only those gaps on which both sides agree. A gap that reaches a memory's queue counter is only an upper bound, because checkpoints are rounded
 * up; it is no evidence that a position was issued.
 */

import type { Draw } from "../../store/contract/room-places.ts";
import type { AdaptiveMemory, Admission, RoomMemory } from "../../store/contract/room-state.ts";
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
} from "../admissions.ts";
import { drawOf, gapsByDraw, maxDraws, putDraws } from "../draw/draws.ts";
import { mergeVoids } from "../draw/voids.ts";
import { drawProgress, firstComing, isBetter, isFixedEntry, isFromBefore, toFlow } from "../holds.ts";
import { type AdmissionRecord, readRecord, sortBy } from "../ports/lists.ts";
import { addAdvance, agreedGaps, lastHandedOut, normalizeGaps } from "../positions.ts";
import type { DrawData, Room, VoidData } from "../room.ts";
import type { Gap, Lapse } from "../rows.ts";
import { putEffective } from "../settings.ts";
import { isInGap, skipTo, voidEdition } from "./gaps.ts";

/** What a process remembers, with settings as JSON, and draws as they are kept. */
export interface Memory extends Omit<RoomMemory, "settings" | "draws" | "voids"> {
  readonly draws: readonly DrawData[];
  readonly voids: readonly VoidData[];
  readonly settings: { readonly effective: string; readonly file: string; readonly live: string };
}

/** A ticket that was presented is offered as a memory of version 0: it knows a position and no more. */
export function isTicket(memory: Memory): boolean {
  return memory.version === 0;
}

/** The lower rate is the safer one, and so is the baseline by which a lower latency is too much. */
export function mergeAdaptive(room: Room, remembered: AdaptiveMemory): void {
  const rate = room.adaptive.rate;
  room.adaptive.rate = rate === 0 ? remembered.ratePerMinute : Math.min(rate, remembered.ratePerMinute);
  if (remembered.baselineMs === null) return;
  room.adaptive.baselineMs = Math.min(room.adaptive.baselineMs ?? remembered.baselineMs, remembered.baselineMs);
}

function mergeCounts(room: Room, counts: RoomMemory["counts"]): void {
  room.counts.joined = Math.max(room.counts.joined, counts.joined);
  room.counts.entered = Math.max(room.counts.entered, counts.entered);
  room.counts.passed = Math.max(room.counts.passed, counts.passed);
  room.counts.bypassed = Math.max(room.counts.bypassed, counts.bypassed);
  room.counts.completed = Math.max(room.counts.completed, counts.completed);
  room.counts.abandoned = Math.max(room.counts.abandoned, counts.abandoned);
  room.counts.loggedOut = Math.max(room.counts.loggedOut, counts.loggedOut);
  room.counts.revoked = Math.max(room.counts.revoked, counts.revoked);
  room.counts.expired = Math.max(room.counts.expired, counts.expired);
  room.counts.noShows = Math.max(room.counts.noShows, counts.noShows);
  room.counts.left = Math.max(room.counts.left, counts.left);
}

export function mergeCounters(room: Room, memory: Memory): void {
  room.claimMs = Math.max(room.claimMs, memory.claimMs);
  room.idleEndedMs = Math.max(room.idleEndedMs, memory.idleEndedMs);
  mergeCounts(room, memory.counts);
  const lapses = memory.liveLapses.map(
    (lapse): Lapse => ({ untilMs: toFlow(room, lapse.untilMs), count: lapse.count }),
  );
  room.rememberedLapses = mergeLapses(room.rememberedLapses, lapses);
  room.joinPeak = Math.max(room.joinPeak, memory.joinsPerSecondPeak);
  if (memory.edition < room.edition) return;
  if (memory.edition > room.edition) voidEdition(room, memory.edition);
  mergePlaces(room, memory);
}

/** Phase, holds and settings of the higher version. */
export function mergePhase(room: Room, memory: Memory): void {
  if (memory.version === room.version) room.scheduleMarkMs = Math.max(room.scheduleMarkMs, memory.scheduleMarkMs);
  if (memory.version <= room.version) return;
  const isFirst = room.version === 0;
  room.version = memory.version;
  room.basePhase = memory.basePhase;
  room.phaseSinceMs = room.atMs;
  room.holds = memory.holds;
  // The mark belongs to the phase: what came after it is still to be carried out.
  room.scheduleMarkMs = memory.scheduleMarkMs;
  room.file = memory.settings.file;
  room.liveChanges = memory.settings.live;
  putEffective(room, memory.settings.effective, isFirst);
}

/** The stock that was told last. What it holds follows when all is merged. */
export function mergeStock(room: Room, memory: Memory): void {
  const stock = memory.stock ?? null;
  if (stock === null || stock.mark <= room.stockMark) return;
  room.stockLeft = stock.left;
  room.stockAsOfMs = stock.asOfMs;
  room.stockMark = stock.mark;
}

/** Of the same edition. */
function mergePlaces(room: Room, memory: Memory): void {
  const queuedBefore = room.queued;
  room.queued = Math.max(room.queued, memory.queued);
  room.serving = Math.max(room.serving, memory.serving);
  room.expiredThrough = Math.max(room.expiredThrough, memory.expiredThrough);
  mergeDraws(room, memory.draws);
  mergeVoids(room, memory.voids);
  const theirs = gapsAfterMerge(memory.gaps, memory.draws, room.draws);
  const ours = room.gaps;
  const gaps: Gap[] = agreedGaps(theirs, ours, queuedBefore);
  for (const gap of isTicket(memory) ? ours : agreedGaps(ours, theirs, memory.queued)) gaps.push(gap);
  room.gaps = normalizeGaps(gaps);
  if (isTicket(memory)) takeNumberIn(room, memory.queued);
}

/**
 * A ticket proves that its number was handed out, and so were those of the same gap before it: numbers are handed out in a row.
 * In a draw to come that begins with its first number; what is a gap behind a fixed draw stays one.
 */
export function takeNumberIn(room: Room, number: number): void {
  if (isFixedEntry(room, number)) return;
  const first = firstComing(room);
  const before = first > 0 && number >= first ? first - 1 : 0;
  const gaps: Gap[] = [];
  for (const gap of room.gaps) {
    if (number < gap.from || number > gap.to) gaps.push(gap);
    else {
      gaps.push({ from: gap.from, to: before });
      gaps.push({ from: number + 1, to: gap.to });
    }
  }
  room.gaps = normalizeGaps(gaps);
}

/**
 * Whether a memory that comes when recovery is over knows of something later than the room: an edition, a position, a draw that has come
 * further, or a higher serving counter than the edition ever had (an operator's step back is no loss).
 */
export function knowsMore(room: Room, memory: Memory): boolean {
  if (memory.edition !== room.edition) return memory.edition > room.edition;
  const last = lastHandedOut(memory.gaps, memory.queued);
  if (last > room.queued || knowsMoreOfDraws(room, memory.draws)) return true;
  return memory.serving > room.servingHigh && !isInGap(room, last);
}

/**
 * Whatever loss made a gap: what the memory knows to have been handed out is none. What merely may have been, as far as it
 * knows, becomes one, so that nobody else gets it.
 */
export function takePositionsIn(room: Room, memory: Memory): void {
  const theirs = gapsAfterMerge(memory.gaps, memory.draws, room.draws);
  room.gaps = normalizeGaps(agreedGaps(room.gaps, theirs, memory.queued));
  if (memory.queued > room.queued) skipTo(room, memory.queued);
  if (room.serving > room.servingHigh) addAdvance(room);
}

// What processes remember of draws: of each the record that has come further counts.

/** Whether a memory knows that a draw has come further than the room does. One that was forgotten for its age is no news. */
function knowsMoreOfDraws(room: Room, theirs: readonly Draw[]): boolean {
  const first = room.draws[0];
  const oldest = first === undefined || room.draws.length < maxDraws ? 0 : first.id;
  for (const draw of theirs) {
    const ours = drawOf(room.draws, draw.id);
    const reached = ours === null ? 0 : drawProgress(ours);
    if (draw.id >= oldest && drawProgress(draw) > reached) return true;
  }
  return false;
}

/** What a late memory knows better of draws that take entries: that they began before, with what was committed to then. */
export function correctDraws(room: Room, theirs: readonly Draw[]): void {
  if (room.draws.length === 0) return;
  for (const draw of theirs) {
    const ours = drawOf(room.draws, draw.id);
    if (ours !== null && drawProgress(ours) === 1 && drawProgress(draw) === 1 && draw.first < ours.first) {
      ours.first = draw.first;
      ours.keyId = draw.keyId;
      ours.commitment = draw.commitment;
      ours.chain = draw.chain;
      ours.usesBeacon = draw.usesBeacon;
    }
  }
  putDraws(room, room.draws);
}

function isOlder(a: DrawData, b: DrawData): boolean {
  return a.id < b.id;
}

/** What others remember of the draws of this edition; its times go by this flow clock. The room's gaps are by the draws as merged. */
function mergeDraws(room: Room, theirs: readonly DrawData[]): void {
  const before = room.draws;
  if (before.length === 0 && theirs.length === 0) return;
  const merged: DrawData[] = [];
  for (const ours of before) {
    const other = drawOf(theirs, ours.id);
    if (other !== null && isBetter(other, ours)) {
      other.atFlowMs = ours.atFlowMs;
      merged.push(other);
    } else merged.push(ours);
  }
  for (const other of theirs) {
    if (drawOf(merged, other.id) === null) merged.push(other);
  }
  sortBy(merged, isOlder);
  putDraws(room, merged);
  room.gaps = gapsAfterMerge(room.gaps, before, merged);
}

/** Gaps as one side knew them, with its draws, by the draws as merged. */
function gapsAfterMerge(gaps: readonly Gap[], before: readonly Draw[], merged: readonly Draw[]): readonly Gap[] {
  let all = gaps;
  for (const draw of merged) {
    const earlier = drawOf(before, draw.id);
    if (!areMovedAlike(earlier, draw)) {
      if (earlier !== null && areMoved(earlier)) all = gapsByDraw(all, earlier, true);
      if (areMoved(draw)) all = gapsByDraw(all, draw, false);
    }
  }
  return all;
}

/** Whether gaps among the numbers have become one behind the entries. */
function areMoved(draw: Draw): boolean {
  return draw.stage === "closed" || draw.stage === "drawn";
}

function areMovedAlike(earlier: Draw | null, draw: Draw): boolean {
  if (earlier === null || !areMoved(earlier)) return !areMoved(draw);
  return areMoved(draw) && earlier.first === draw.first && earlier.last === draw.last;
}

// Admissions that others remember: the later one of a visitor counts; of two equal ones ended beats live, and the later end counts.

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

// Until when how many admissions are live: the same rule in a store and for checkpoints.

/** So many more are live until then, as the one and as the other says. */
interface LiveUntil {
  readonly untilMs: number;
  readonly inA: number;
  readonly inB: number;
}

function isLater(one: LiveUntil, other: LiveUntil): boolean {
  return one.untilMs > other.untilMs;
}

/**
 * Merges what two memories say of the same admissions: at each time as many are live as the higher of both says. So a memory of
 * a busier time does not hide admissions that last longer. The result is in ascending order.
 */
export function mergeLapses(a: readonly Lapse[], b: readonly Lapse[]): Lapse[] {
  const ofBoth: LiveUntil[] = [];
  for (const lapse of a) ofBoth.push({ untilMs: lapse.untilMs, inA: lapse.count, inB: 0 });
  for (const lapse of b) ofBoth.push({ untilMs: lapse.untilMs, inA: 0, inB: lapse.count });
  sortBy(ofBoth, isLater);
  const latestFirst: Lapse[] = [];
  let liveInA = 0;
  let liveInB = 0;
  let live = 0;
  for (const change of ofBoth) {
    liveInA += change.inA;
    liveInB += change.inB;
    const more = Math.max(liveInA, liveInB) - live;
    live += more;
    const last = latestFirst[latestFirst.length - 1];
    if (last !== undefined && last.untilMs === change.untilMs) {
      latestFirst[latestFirst.length - 1] = { untilMs: last.untilMs, count: last.count + more };
    } else if (more > 0) latestFirst.push({ untilMs: change.untilMs, count: more });
  }
  const ascending: Lapse[] = [];
  while (latestFirst.length > 0) {
    const latest = latestFirst.pop();
    if (latest !== undefined) ascending.push(latest);
  }
  return ascending;
}
