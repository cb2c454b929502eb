/**
 * Shared outflows: one limiter for several rooms, on a flow clock of its own. For planning, its limit is shared by weight among the rooms
 * that have people waiting. For claims, each admission adds 1 ÷ weight to its room's counter, and a room that is ahead of the least
 * counter of those asking (refused lately) must yield: so what one leaves, the others use.
 */

import { ratePerMinute } from "./adaptive.ts";
import { clampStep } from "./holds.ts";
import { addLog, latestTat, limiterSlot, pruneLog, recordAdmission, slotsNow } from "./limiter.ts";
import type { Group, Room, Share } from "./room.ts";

/** So long after a refusal a room counts as asking, and after people were seen in its line as having demand. */
const contendingMs = 5_000;
/** How far, in milliseconds of the shared limit, a room may get ahead of one that is asking. */
const leadMs = 4_000;
const yieldMs = 250;

/** Moves the clock of the shared outflow that the room takes part in, and says in it what the room's part is. */
export function openGroup(room: Room): void {
  const group = room.group;
  if (group === null) return;
  const limit = room.sharedLimit ?? 1;
  group.flowMs += clampStep(room.atMs - group.atMs);
  group.atMs = room.atMs;
  pruneLog(group);
  // What the room admitted before counts too.
  if (room.logGroup !== room.sharedId) {
    addLog(group, room);
    room.logGroup = room.sharedId;
  }
  // A limit that was raised counts from now on, not from the slot that the old pace had reached.
  group.tatMs = Math.min(group.tatMs, latestTat(limit, group.flowMs, limit));
  group.own.weight = room.sharedWeight ?? 1;
  group.own.ownLimit = ratePerMinute(room);
}

function isRecent(group: Group, timeMs: number): boolean {
  return timeMs > 0 && group.flowMs - timeMs <= contendingMs;
}

function weightOf(shares: readonly Share[]): number {
  let weight = 0;
  for (const share of shares) weight += share.weight;
  return weight;
}

/**
 * A room's share of the shared limit among those with demand, by weight. What a limit of their own keeps others from using
 * goes to the rest.
 */
function shareOfLimit(group: Group, limit: number): number {
  const roomShare = group.own;
  let open = group.shares.filter((share) => share === roomShare || isRecent(group, share.demandMs));
  let left = limit;
  let isSettled = false;
  while (!isSettled) {
    const weights = weightOf(open);
    const rest: Share[] = [];
    let taken = 0;
    for (const share of open) {
      const most = share !== roomShare && share.ownLimit !== null ? share.ownLimit : left;
      if (most < (left * share.weight) / weights) taken += most;
      else rest.push(share);
    }
    if (rest.length === open.length) isSettled = true;
    else {
      open = rest;
      left -= taken;
    }
  }
  return (left * roomShare.weight) / weightOf(open);
}

/** The limit that binds the room for planning: its own rate, or its share of the shared limit; null for none. */
export function planLimit(room: Room): number | null {
  const rate = ratePerMinute(room);
  if (room.group === null || room.sharedLimit === null) return rate;
  const part = shareOfLimit(room.group, room.sharedLimit);
  return Math.min(part, rate ?? part);
}

export function recordDemand(room: Room, hasDemand: boolean): void {
  if (room.group !== null && hasDemand) room.group.own.demandMs = room.group.flowMs;
}

/** Whether another room is asking. One that is never refused would never ask, so nobody has a burst then. */
function doOthersContend(group: Group): boolean {
  return group.shares.some((share) => share !== group.own && isRecent(group, share.askedMs));
}

/** Whether the room has had so much more than its share that those who ask go first. */
function mustYield(group: Group, limit: number): boolean {
  const roomShare = group.own;
  let least: number | null = null;
  let weights = roomShare.weight;
  for (const share of group.shares) {
    if (share !== roomShare && isRecent(group, share.askedMs)) {
      least = Math.min(least ?? share.counter, share.counter);
      weights += share.weight;
    }
  }
  if (least === null) return false;
  // Neither what it left to others counts for it, nor what nobody else wanted against it.
  if (!isRecent(group, roomShare.askedMs)) roomShare.counter = least;
  const lead = Math.max(1, (limit * leadMs) / 60_000) / weights + 1 / roomShare.weight;
  return roomShare.counter - Math.min(least, roomShare.counter) > lead;
}

/** Milliseconds until the shared limit lets the (rank + 1)-th admission of the room through. */
export function sharedDelay(room: Room, rank: number, nobodyWaits: boolean): number {
  const group = room.group;
  if (group === null || room.sharedLimit === null) return 0;
  const limit = room.sharedLimit;
  const isAlone = nobodyWaits && !doOthersContend(group);
  const slotMs = limiterSlot(group, limit, rank, isAlone, limit) - group.flowMs;
  return mustYield(group, limit) ? Math.max(slotMs, yieldMs) : slotMs;
}

/** How many admissions the shared limit has room for at this moment; null without one. */
export function sharedSlotsNow(room: Room): number | null {
  if (room.group === null || room.sharedLimit === null) return null;
  return doOthersContend(room.group) ? 0 : slotsNow(room.group, room.sharedLimit, room.sharedLimit);
}

/** Whom its own limit keeps out is not asking for more of the shared one: others need not yield to it. */
export function recordContention(room: Room, isRoomLimited: boolean): void {
  if (room.group !== null) room.group.own.askedMs = isRoomLimited ? 0 : room.group.flowMs;
}

/**
 * @param counts Those who pass where there is no line use up the limit, and it is not their room that took from others.
 */
export function recordShared(room: Room, counts: boolean): void {
  const group = room.group;
  if (group === null || room.sharedLimit === null) return;
  recordAdmission(group, room.sharedLimit, room.sharedLimit);
  const roomShare = group.own;
  if (counts) roomShare.counter += 1 / roomShare.weight;
}
