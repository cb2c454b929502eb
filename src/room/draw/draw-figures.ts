/** How many take part in a draw, and when it is drawn. */
import { drawSettlesMs, entriesAfterMs } from "../../core/draw/draws.ts";
import type { Draw, RoomState } from "../../store/contract/room-store.ts";
import { publishedMs, roundOfDraw } from "../draw-recipe/index.ts";
import { gapBetween } from "../line.ts";

/** Whether it is fixed who takes part. */
export function isFixed({ stage }: Pick<Draw, "stage">): boolean {
  return stage === "closed" || stage === "drawn";
}

/**
 * How many have a number in the draw: so far, as long as entries are taken. Null before the first can be, and where the draw was
 * called off.
 */
export function participantsOf(
  { queued, gaps, voidedEntries = 0 }: Pick<RoomState, "queued" | "gaps"> & Partial<Pick<RoomState, "voidedEntries">>,
  draw: Draw,
): number | null {
  const { stage, first } = draw;
  if (first === 0 || stage === "cancelled") return null;
  // What is drawn has its own gaps: those of the room are gaps in places.
  const [last, missing, voided] = isFixed(draw) ? [draw.last, draw.gaps, 0] : [queued, gaps, voidedEntries];
  return Math.max(0, last - first + 1 - voided - gapBetween(missing, first - 1, last + 1));
}

/** When entries are no longer taken, as far as that can be said; now (ms). */
export function closesMs({ settings }: RoomState, draw: Draw): number | null {
  if (draw.closesMs > 0) return draw.closesMs;
  const { opensAtMs } = settings.effective.schedule;
  return draw.stage === "committed" && opensAtMs !== null ? opensAtMs + entriesAfterMs : null;
}

/** The beacon's round of the draw; null without a beacon, and while it is not known. */
export function roundOf(state: RoomState, draw: Draw): number | null {
  const ms = closesMs(state, draw);
  return !draw.usesBeacon || draw.chain === null || ms === null ? null : roundOfDraw(draw.chain, ms);
}

/**
 * When the places are drawn at the earliest; now (ms). Later where the beacon's number is late. Null while nobody knows, and once it is
 * over.
 */
export function dueMs(state: RoomState, draw: Draw): number | null {
  const { stage, chain } = draw;
  if (stage === "drawn" || stage === "cancelled") return null;
  // A time that was passed over opens nothing any more.
  const opensAtMs = state.settings.effective.schedule.opensAtMs ?? 0;
  if (stage === "committed" && opensAtMs <= state.scheduleMarkMs) return null;
  const ms = closesMs(state, draw);
  const round = roundOf(state, draw);
  if (ms === null) return null;
  return round === null || chain === null
    ? ms + drawSettlesMs
    : Math.max(ms + drawSettlesMs, publishedMs(chain, round));
}
