import { mergeLapses } from "../../core/admissions/lapses.ts";
import { firstComing, isFixedEntry } from "../../core/draw/marks.ts";
import { agreedGaps, normalizeGaps } from "../../core/gaps.ts";
import { clearRows } from "../../core/ports/advance-rows.ts";
import { clearPositions } from "../../core/ports/position-set.ts";
import { clearSet } from "../../core/ports/scored-set.ts";
import type { AdaptiveMemory, Admission, RoomCounts, RoomMemory } from "../contract/room-store.ts";
import { mergeLog } from "./admission-log.ts";
import { keepEndedMs, markClaimed, putAdmission, recallAdmission, usedAfter, useUpExit } from "./admissions.ts";
import { noCounts, type RoomData } from "./data.ts";
import { gapsAfterMerge, mergeDraws } from "./draw-merge.ts";
import { mergeMoves } from "./moves.ts";
import { putSettings } from "./settings.ts";
import { flowTimes, lapsesToFlow, toldExpiresMs } from "./told-times.ts";

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
  if (memory.log !== undefined) mergeLog(room, memory.log);
  mergeAdmissions(room, memory.admissions);
  mergeMoves(room, memory);
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
  room.holders.clear();
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

function united(known: readonly string[] = [], theirs: readonly string[] = []): string[] {
  return [...new Set([...known, ...theirs])];
}

/**
 * The later admission of a visitor counts; of two equal ones ended beats live, the later end counts, and what it was used for is united.
 *
 * @param beforeMs what was admitted from here on is not taken over
 */
export function mergeAdmissions(
  room: RoomData,
  admissions: readonly Admission[],
  beforeMs = Number.POSITIVE_INFINITY,
): void {
  for (const admission of admissions) {
    // Whenever that was, the place stays claimed.
    const { edition, usedPosition } = admission;
    markClaimed(room, admission);
    if (admission.expiresMs + keepEndedMs <= room.atMs || admission.admittedMs >= beforeMs) continue;
    const record = room.admissions.get(admission.sub);
    if (record === undefined || admission.admittedMs > record.admittedMs) {
      const times = flowTimes(room, admission);
      const used = { usedPosition: usedAfter(record, edition, usedPosition) };
      recallAdmission(room, { ...admission, ...used, ...times, logins: [...admission.logins], claimMs: room.claimMs });
      continue;
    }
    if (admission.admittedMs < record.admittedMs) continue;
    const logins = united(record.logins, admission.logins);
    const taken = united(record.taken, admission.taken);
    const addresses = united(record.addresses, admission.addresses);
    const ended = record.ended ?? admission.ended;
    if (ended !== record.ended) useUpExit(room);
    const toldMs = toldExpiresMs(room, record);
    const later = admission.expiresMs > toldMs ? { ...flowTimes(room, admission), expiresMs: admission.expiresMs } : {};
    const isUsedMore =
      logins.length > record.logins.length ||
      taken.length > (record.taken?.length ?? 0) ||
      addresses.length > (record.addresses?.length ?? 0);
    if (!isUsedMore && ended === record.ended && admission.expiresMs <= toldMs) continue;
    const uses = { logins, ...(taken.length > 0 && { taken }), ...(addresses.length > 0 && { addresses }) };
    putAdmission(room, { ...record, expiresMs: toldMs, ...later, ended, ...uses });
  }
  room.exited = Math.min(room.exited, room.live.order.length);
}
