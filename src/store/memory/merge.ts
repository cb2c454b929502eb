import { mergeLog } from "../../core/admission-log.ts";
import { mergeAdmissions } from "../../core/admissions/merge.ts";
import { mergeMoves } from "../../core/moves.ts";
import { mergeAdaptive, mergeCounters } from "../../core/recovery/merge.ts";
import { putEffective } from "../../core/settings.ts";
import { stableText } from "../../lib/stable-text.ts";
import type { RoomMemory } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

/** Merges what one process remembers by maximum. */
export function mergeMemory(room: RoomData, memory: RoomMemory): void {
  mergeCounters(room, memory);
  mergePhase(room, memory);
  if (memory.adaptive !== undefined) mergeAdaptive(room, memory.adaptive);
  if (memory.log !== undefined) mergeLog(room, memory.log.last, memory.log.sealed.seq, memory.log.sealed.hash);
  mergeAdmissions(room, memory.admissions, null);
  mergeMoves(room, memory.edition, memory.queued, memory.moves);
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
  const { effective, file, live } = memory.settings;
  room.file = stableText(file);
  room.liveChanges = stableText(live);
  putEffective(room, stableText(effective), isFirst);
}
