import { ratePerMinute } from "../../core/adaptive/rate.ts";
import { capacityFree } from "../../core/capacity.ts";
import { isHeld, isLimited } from "../../core/clocks.ts";
import { limiterSlot } from "../../core/limiter.ts";
import type { GroupData, RoomData } from "./data.ts";
import { sharedDelay } from "./groups.ts";

const maxRetryMs = 4_000;
const minRetryMs = 100;
const capacityRetryMs = 2_000;

export interface Held {
  readonly by: "recovery" | "limit" | "capacity";
  readonly retryMs: number;
  /** Whether the room's own limit would keep the place out, whatever the shared one says. */
  readonly isOwn: boolean;
}

/**
 * What keeps a served place from being claimed now; null for nothing. The log must have been pruned.
 *
 * @param rank how many knock at lower positions; they go first
 */
export function doorSlot(room: RoomData, group: GroupData | null, rank: number): Held | null {
  const free = capacityFree(room);
  const { outflowPerMinute } = room.settings.effective.inlet;
  const nobodyWaits = room.serving >= room.queued && rank === 0;
  const rate = ratePerMinute(room);
  const slotMs =
    outflowPerMinute === null || rate === null
      ? 0
      : limiterSlot(room, outflowPerMinute, rank, nobodyWaits, rate) - room.flowMs;
  const limitMs = isLimited(room) ? Math.max(slotMs, sharedDelay(room, group, rank, nobodyWaits)) : 0;
  const isOwn = slotMs > 0;
  if (isHeld(room)) {
    return { by: "recovery", retryMs: retryAfterMs(Math.max(limitMs, room.holdUntilMs - room.flowMs)), isOwn };
  }
  if (free !== null && rank >= free) return { by: "capacity", retryMs: capacityRetryMs, isOwn };
  return limitMs > 0 ? { by: "limit", retryMs: retryAfterMs(limitMs), isOwn } : null;
}

/** In two halves what is too long for one: a page asks no more than once a second, and would come late for a short rest. */
function retryAfterMs(ms: number): number {
  const wholeMs = Math.max(minRetryMs, Math.ceil(ms));
  return wholeMs <= maxRetryMs ? wholeMs : Math.min(maxRetryMs, Math.ceil(wholeMs / 2));
}
