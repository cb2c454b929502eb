/**
 * Merging by maximum what a process remembers: counters within the higher edition, the most admissions that any remembers live at a time,
 * and of gaps what both call one. What is a gap up to a memory's queue counter is a bound, since checkpoints are rounded up, and
 * no evidence that a position was handed out.
 */
import type { AdaptiveMemory, RoomMemory } from "../../store/contract/room-state.ts";
import { mergeLapses } from "../admissions/lapses.ts";
import { addAdvance } from "../advances.ts";
import { firstComing, isFixedEntry } from "../draw/marks.ts";
import { mergeVoids } from "../draw/voids.ts";
import { agreedGaps, lastHandedOut, normalizeGaps } from "../gaps.ts";
import type { DrawData, Room, VoidData } from "../room.ts";
import type { Gap, Lapse } from "../rows.ts";
import { putEffective } from "../settings.ts";
import { toFlow } from "../wall-times.ts";
import { gapsAfterMerge, knowsMoreOfDraws, mergeDraws } from "./draw-merge.ts";
import { voidEdition } from "./edition.ts";
import { isInGap, skipTo } from "./gaps.ts";

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
