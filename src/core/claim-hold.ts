/** What keeps a served place from being claimed now. */
import { ratePerMinute } from "./adaptive/rate.ts";
import { capacityFree } from "./capacity.ts";
import { isLimited, isOnHold } from "./clocks.ts";
import { sharedDelay } from "./groups.ts";
import { limiterSlot } from "./limiter.ts";
import type { Room } from "./room.ts";

const maxRetryMs = 4_000;
const minRetryMs = 100;
const capacityRetryMs = 2_000;

export interface ClaimHold {
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
export function claimHold(room: Room, rank: number): ClaimHold | null {
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
