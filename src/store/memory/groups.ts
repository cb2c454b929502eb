import { ratePerMinute } from "../../core/adaptive/rate.ts";
import { clampStep } from "../../core/clocks.ts";
import { addLog, latestTat, limiterSlot, pruneLog, recordAdmission, slotsNow } from "../../core/limiter.ts";
import { createCountLog } from "../../core/ports/count-log.ts";
import type { GroupData, MemoryData, RoomData, Share } from "./data.ts";

/** So long after a refusal a room counts as asking, and after people were seen in its line as having demand. */
const askingMs = 5_000;
/** How far, in milliseconds of the shared limit, a room may get ahead of one that is asking. */
const leadMs = 4_000;
const yieldMs = 250;

/** The shared outflow that the room takes part in, its clock moved; null for none. */
export function groupOf(data: MemoryData, room: RoomData): GroupData | null {
  const { sharedOutflow, weight } = room.settings.effective.inlet;
  if (sharedOutflow === null) {
    room.logGroup = "";
    return null;
  }
  const { atMs } = room;
  const group = data.groups.get(sharedOutflow.id) ?? {
    atMs,
    flowMs: atMs,
    log: createCountLog(),
    logTotal: 0,
    tatMs: 0,
    shares: new Map(),
  };
  data.groups.set(sharedOutflow.id, group);
  group.flowMs += clampStep(atMs - group.atMs);
  group.atMs = atMs;
  pruneLog(group);
  // What the room admitted before counts too.
  if (room.logGroup !== sharedOutflow.id) addLog(group, room);
  room.logGroup = sharedOutflow.id;
  // A limit that was raised counts from now on, not from the slot that the old pace had reached.
  const limit = sharedOutflow.outflowPerMinute;
  group.tatMs = Math.min(group.tatMs, latestTat(limit, group.flowMs, limit));
  const share = shareOf(group, room);
  share.weight = weight ?? sharedOutflow.weight;
  share.ownLimit = ratePerMinute(room);
  return group;
}

function shareOf(group: GroupData, { name }: RoomData): Share {
  const share = group.shares.get(name) ?? { weight: 1, ownLimit: null, counter: 0, askedMs: 0, demandMs: 0 };
  group.shares.set(name, share);
  return share;
}

function isAsking(group: GroupData, share: Share): boolean {
  return share.askedMs > 0 && group.flowMs - share.askedMs <= askingMs;
}

/**
 * A room's share of a shared limit among those with demand, by weight. What a limit of their own keeps others from using
 * goes to the rest.
 */
function shareOfLimit(group: GroupData, own: Share, limit: number): number {
  const hasDemand = ({ demandMs }: Share) => demandMs > 0 && group.flowMs - demandMs <= askingMs;
  let open = [...group.shares.values()].filter((share) => share === own || hasDemand(share));
  let left = limit;
  for (;;) {
    const weights = open.reduce((sum, { weight }) => sum + weight, 0);
    const isCapped = (share: Share) =>
      share !== own && share.ownLimit !== null && share.ownLimit < (left * share.weight) / weights;
    const capped = open.filter(isCapped);
    if (capped.length === 0) return (left * own.weight) / weights;
    open = open.filter((share) => !capped.includes(share));
    left -= capped.reduce((sum, { ownLimit }) => sum + (ownLimit ?? 0), 0);
  }
}

/** The limit that binds the room for planning: its own rate, or its share of the shared limit. */
export function planLimit(room: RoomData, group: GroupData | null): number | null {
  const { sharedOutflow } = room.settings.effective.inlet;
  const own = ratePerMinute(room);
  if (group === null || sharedOutflow === null) return own;
  const part = shareOfLimit(group, shareOf(group, room), sharedOutflow.outflowPerMinute);
  return Math.min(part, own ?? part);
}

export function noteDemand(room: RoomData, group: GroupData | null, hasDemand: boolean): void {
  if (group !== null && hasDemand) shareOf(group, room).demandMs = group.flowMs;
}

/** Whether another room is asking. One that is never refused would never ask, so nobody has a burst then. */
function doOthersAsk(group: GroupData, own: Share): boolean {
  return [...group.shares.values()].some((share) => share !== own && isAsking(group, share));
}

/** Whether the room has had so much more than its share that those who ask go first. */
function mustYield(room: RoomData, group: GroupData, limit: number): boolean {
  const own = shareOf(group, room);
  let least = Number.POSITIVE_INFINITY;
  let weights = own.weight;
  for (const share of group.shares.values()) {
    if (share === own || !isAsking(group, share)) continue;
    least = Math.min(least, share.counter);
    weights += share.weight;
  }
  if (least === Number.POSITIVE_INFINITY) return false;
  // Neither what it left to others counts for it, nor what nobody else wanted against it.
  if (!isAsking(group, own)) own.counter = least;
  const lead = Math.max(1, (limit * leadMs) / 60_000) / weights + 1 / own.weight;
  return own.counter - Math.min(least, own.counter) > lead;
}

/** Milliseconds until the shared limit lets the (rank + 1)-th admission of the room through. */
export function sharedDelay(room: RoomData, group: GroupData | null, rank: number, nobodyWaits: boolean): number {
  const { sharedOutflow } = room.settings.effective.inlet;
  if (group === null || sharedOutflow === null) return 0;
  const limit = sharedOutflow.outflowPerMinute;
  const isAlone = nobodyWaits && !doOthersAsk(group, shareOf(group, room));
  const slotMs = limiterSlot(group, limit, rank, isAlone, limit) - group.flowMs;
  return mustYield(room, group, limit) ? Math.max(slotMs, yieldMs) : slotMs;
}

export function sharedSlotsNow(room: RoomData, group: GroupData | null): number {
  const { sharedOutflow } = room.settings.effective.inlet;
  if (group === null || sharedOutflow === null) return Number.POSITIVE_INFINITY;
  if (doOthersAsk(group, shareOf(group, room))) return 0;
  return slotsNow(group, sharedOutflow.outflowPerMinute, sharedOutflow.outflowPerMinute);
}

/** Whom its own limit keeps out is not asking for more of the shared one: others need not yield to it. */
export function noteAsking(room: RoomData, group: GroupData | null, isOwnLimit: boolean): void {
  if (group !== null) shareOf(group, room).askedMs = isOwnLimit ? 0 : group.flowMs;
}

/**
 * @param counts Those who pass where there is no line use up the limit, and it is not their room that took from others.
 */
export function recordShared(room: RoomData, group: GroupData | null, counts: boolean): void {
  const { sharedOutflow } = room.settings.effective.inlet;
  if (group === null || sharedOutflow === null) return;
  recordAdmission(group, sharedOutflow.outflowPerMinute, sharedOutflow.outflowPerMinute);
  const share = shareOf(group, room);
  if (counts) share.counter += 1 / share.weight;
}
