import { mergeLog } from "../../core/admission-log.ts";
import { mergeLapses } from "../../core/admissions/lapses.ts";
import { mergeAdmissions } from "../../core/admissions/merge.ts";
import { firstComing, isFixedEntry } from "../../core/draw/marks.ts";
import { agreedGaps, normalizeGaps } from "../../core/gaps.ts";
import { mergeMoves } from "../../core/moves.ts";
import { clearRows } from "../../core/ports/advance-rows.ts";
import { clearHolders } from "../../core/ports/holders.ts";
import { clearPositions } from "../../core/ports/position-set.ts";
import { clearSet } from "../../core/ports/scored-set.ts";
import type { AdaptiveMemory, RoomCounts, RoomMemory } from "../contract/room-store.ts";
import { noCounts, type RoomData } from "./data.ts";
import { gapsAfterMerge, mergeDraws } from "./draw-merge.ts";
import { putSettings } from "./settings.ts";
import { lapsesToFlow } from "./told-times.ts";

/** A ticket that was presented is offered as a memory of version 0: it knows a position and no more. */
export function isTicket(memory: RoomMemory): boolean {
  return memory.version === 0;
}

const countNames = Object.keys(noCounts) as (keyof RoomCounts)[];

/** Merges what one process remembers by maximum. */
export function mergeMemory(room: RoomData, memory: RoomMemory): void {
  mergeCounters(room, memory);
  mergePhase(room, memory);
  if (memory.adaptive !== undefined) mergeAdaptive(room, memory.adaptive);
  if (memory.log !== undefined) mergeLog(room, memory.log.last, memory.log.sealed.seq, memory.log.sealed.hash);
  mergeAdmissions(room, memory.admissions, null);
  mergeMoves(room, memory.edition, memory.queued, memory.moves);
}

/** The lower rate is the safer one, and so is the baseline by which a lower latency is too much. */
function mergeAdaptive({ adaptive }: RoomData, { ratePerMinute, baselineMs }: AdaptiveMemory): void {
  adaptive.rate = adaptive.rate === 0 ? ratePerMinute : Math.min(adaptive.rate, ratePerMinute);
  if (baselineMs !== null) adaptive.baselineMs = Math.min(adaptive.baselineMs ?? baselineMs, baselineMs);
}

export function mergeCounters(room: RoomData, memory: RoomMemory): void {
  room.claimMs = Math.max(room.claimMs, memory.claimMs);
  room.idleEndedMs = Math.max(room.idleEndedMs, memory.idleEndedMs);
  for (const name of countNames) room.counts[name] = Math.max(room.counts[name], memory.counts[name]);
  room.rememberedLapses = mergeLapses(room.rememberedLapses, lapsesToFlow(room, memory.liveLapses));
  room.joinPeak = Math.max(room.joinPeak, memory.joinsPerSecondPeak);
  if (memory.edition < room.edition) return;
  if (memory.edition > room.edition) voidEdition(room, memory.edition);
  const known = room.queued;
  room.queued = Math.max(room.queued, memory.queued);
  room.serving = Math.max(room.serving, memory.serving);
  room.expiredThrough = Math.max(room.expiredThrough, memory.expiredThrough);
  mergeDraws(room, memory.draws);
  const theirs = gapsAfterMerge(memory.gaps, memory.draws ?? [], room.draws);
  const own = isTicket(memory) ? room.gaps : agreedGaps(room.gaps, theirs, memory.queued);
  room.gaps = normalizeGaps([...own, ...agreedGaps(theirs, room.gaps, known)]);
  if (isTicket(memory)) takeNumberIn(room, memory.queued);
}

/**
 * A ticket proves that its number was handed out, and so were those of the same gap before it: numbers are handed out in a row.
 * In a draw to come that begins with its first number; what is a gap behind a fixed draw stays one.
 */
export function takeNumberIn(room: RoomData, number: number): void {
  if (isFixedEntry(room, number)) return;
  const first = firstComing(room);
  const before = first > 0 && number >= first ? first - 1 : 0;
  room.gaps = normalizeGaps(
    room.gaps.flatMap((gap) => {
      if (number < gap.from || number > gap.to) return [gap];
      return [
        { from: gap.from, to: before },
        { from: number + 1, to: gap.to },
      ];
    }),
  );
}

/** Counters at 0; places, gaps and rows void; nothing is claimed or left. */
export function voidEdition(room: RoomData, edition: number): void {
  room.edition = edition;
  room.queued = 0;
  room.serving = 0;
  room.servingHigh = 0;
  room.expiredThrough = 0;
  room.gaps = [];
  room.draws = [];
  room.drawMarks = [];
  room.unsettledFrom = 0;
  room.settlesMs = 0;
  clearRows(room.rows);
  clearPositions(room.claimedPlaces);
  clearPositions(room.leftPlaces);
  clearPositions(room.usedEntries);
  clearHolders(room.holders);
  clearSet(room.moves);
  clearSet(room.usedMoves);
}

export function mergePhase(room: RoomData, memory: RoomMemory): void {
  if (memory.version === room.version) {
    room.scheduleMarkMs = Math.max(room.scheduleMarkMs, memory.scheduleMarkMs);
  }
  if (memory.version <= room.version) return;
  const isFirst = room.version === 0;
  room.version = memory.version;
  room.basePhase = memory.basePhase;
  room.holds = [...memory.holds];
  // The mark belongs to the phase: what came after it is still to be carried out.
  room.scheduleMarkMs = memory.scheduleMarkMs;
  putSettings(room, memory.settings, isFirst);
}
