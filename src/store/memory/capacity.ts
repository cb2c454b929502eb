import type { Lapse } from "../room-store.ts";
import type { RoomData } from "./data.ts";
import { countBelow } from "./scored-set.ts";

const maxLapses = 8;

/** Live admissions. Those that have lapsed and are not yet cleaned up are taken to be the ones that had exited. */
export function liveCount(room: RoomData): number {
  const lapsed = countBelow(room.live, room.atMs + 1);
  return room.live.order.length - lapsed - Math.max(0, room.exited - lapsed);
}

/** What may be live though nobody knows the admission. */
export function ghostCount(room: RoomData): number {
  return room.ghosts.reduce((sum, { untilMs, count }) => (untilMs > room.atMs ? sum + count : sum), 0);
}

/** How many more admissions may be live; null without such a bound. */
export function capacityFree(room: RoomData): number | null {
  const { type, maxActive } = room.settings.effective.inlet;
  return type !== "max_active" || maxActive === null ? null : maxActive - liveCount(room) - ghostCount(room);
}

/** A ghost has turned out to be an admission that is known. */
export function layGhost(room: RoomData): void {
  const first = room.ghosts.findIndex(({ untilMs, count }) => untilMs > room.atMs && count > 0);
  room.ghosts = room.ghosts.map((lapse, i) => (i === first ? { ...lapse, count: lapse.count - 1 } : lapse));
}

export function pruneGhosts(room: RoomData): void {
  room.ghosts = room.ghosts.filter(({ untilMs, count }) => untilMs > room.atMs && count > 0);
}

/** When live admissions and ghosts lapse, in at most eight steps; each is late rather than early. */
export function liveLapses(room: RoomData): Lapse[] {
  if (room.settings.effective.inlet.type !== "max_active") return [];
  const lapsed = countBelow(room.live, room.atMs + 1);
  // Those that have exited are taken to be the ones that lapse first.
  const skipped = lapsed + Math.max(0, room.exited - lapsed);
  const live = room.live.order.length - skipped;
  const lapses: Lapse[] = [];
  let counted = 0;
  for (let step = 1; step <= maxLapses; step++) {
    const upTo = Math.floor((live * step) / maxLapses);
    const last = room.live.order[skipped + upTo - 1];
    if (upTo > counted && last !== undefined) lapses.push({ untilMs: last.score, count: upTo - counted });
    counted = upTo;
  }
  return joinLapses([...room.ghosts.filter(({ untilMs }) => untilMs > room.atMs), ...lapses]);
}

function joinLapses(lapses: readonly Lapse[]): Lapse[] {
  const sorted = lapses.toSorted((a, b) => a.untilMs - b.untilMs || a.count - b.count);
  while (sorted.length > maxLapses) {
    const [first, second] = sorted.splice(0, 2);
    if (first === undefined || second === undefined) break;
    sorted.unshift({ untilMs: second.untilMs, count: first.count + second.count });
  }
  return sorted;
}

/** The end of a recovery: what was remembered to be live, less what is known to be, counts until it would have lapsed. */
export function raiseGhosts(room: RoomData): void {
  const { type, maxActive } = room.settings.effective.inlet;
  const remembered = room.rememberedLapses.filter(({ untilMs }) => untilMs > room.atMs);
  room.rememberedLapses = [];
  room.ghosts = [];
  if (type !== "max_active" || maxActive === null) return;
  const live = liveCount(room);
  const sum = remembered.reduce((total, { count }) => total + count, 0);
  let tooMany = Math.max(live, sum - (maxActive - live));
  for (const { untilMs, count } of remembered) {
    const kept = Math.max(0, count - tooMany);
    tooMany = Math.max(0, tooMany - count);
    if (kept > 0) room.ghosts.push({ untilMs, count: kept });
  }
}
