import type { Lapse } from "../contract/room-store.ts";
import { isLineMoving } from "./clocks.ts";
import type { RoomData } from "./data.ts";
import { noteEndedEarly } from "./progress.ts";
import { countBelow } from "./scored-set.ts";
import { toWall } from "./told-times.ts";

const maxLapses = 8;

/** Live admissions. Those that have lapsed and are not yet cleaned up are taken to be the ones that had exited. */
export function liveCount(room: RoomData): number {
  const lapsed = countBelow(room.live, room.flowMs + 1);
  return room.live.order.length - lapsed - Math.max(0, room.exited - lapsed);
}

/** What may be live though nobody knows the admission. */
export function ghostCount(room: RoomData): number {
  return room.ghosts.reduce((sum, { untilMs, count }) => (untilMs > room.flowMs ? sum + count : sum), 0);
}

/** How many more admissions may be live; null without such a bound. */
export function capacityFree(room: RoomData): number | null {
  const { type, maxActive } = room.settings.effective.inlet;
  return type !== "max_active" || maxActive === null ? null : maxActive - liveCount(room) - ghostCount(room);
}

/** So many ghosts, the earliest first, have turned out to be admissions that are known, or to have left. */
export function layGhosts(room: RoomData, ghosts: number): void {
  let left = ghosts;
  room.ghosts = room.ghosts.map((lapse) => {
    const laid = lapse.untilMs > room.flowMs ? Math.min(left, lapse.count) : 0;
    left -= laid;
    return { ...lapse, count: lapse.count - laid };
  });
}

/** So many have left the site, nobody knows who: live ones first, then ghosts. Answers how many there were to leave. */
export function noteExits(room: RoomData, exits: number): number {
  const live = room.live.order.length;
  const left = Math.min(exits, live - room.exited + ghostCount(room));
  if (isLineMoving(room)) noteEndedEarly(room, left);
  layGhosts(room, Math.max(0, room.exited + exits - live));
  room.exited = Math.min(room.exited + exits, live);
  return left;
}

export function pruneGhosts(room: RoomData): void {
  room.ghosts = room.ghosts.filter(({ untilMs, count }) => untilMs > room.flowMs && count > 0);
}

/** When live admissions and ghosts lapse, in at most eight steps, the earliest by itself; each is late rather than early. */
export function liveLapses(room: RoomData): Lapse[] {
  if (room.settings.effective.inlet.type !== "max_active") return [];
  const lapsed = countBelow(room.live, room.flowMs + 1);
  // Those that have exited are taken to be the ones that lapse first.
  const skipped = lapsed + Math.max(0, room.exited - lapsed);
  const live = room.live.order.length - skipped;
  const lapses: Lapse[] = [];
  let counted = 0;
  // The first by itself, and the others in seven steps.
  for (let step = 0; step < maxLapses; step++) {
    const upTo = Math.min(1, live) + Math.floor((Math.max(0, live - 1) * step) / (maxLapses - 1));
    const last = room.live.order[skipped + upTo - 1];
    if (upTo > counted && last !== undefined) lapses.push({ untilMs: last.score, count: upTo - counted });
    counted = upTo;
  }
  const ghosts = room.ghosts.filter(({ untilMs }) => untilMs > room.flowMs);
  const told = joinLapses([...ghosts, ...lapses]);
  return told.map(({ untilMs, count }) => ({ untilMs: toWall(room, untilMs), count }));
}

function joinLapses(lapses: readonly Lapse[]): Lapse[] {
  const [earliest, ...others] = lapses.filter(({ count }) => count > 0).toSorted(byTime);
  if (earliest === undefined) return [];
  if (earliest.count > 1) others.unshift({ ...earliest, count: earliest.count - 1 });
  while (others.length >= maxLapses) {
    const [first, second] = others.splice(0, 2);
    if (first === undefined || second === undefined) break;
    others.unshift({ untilMs: second.untilMs, count: first.count + second.count });
  }
  return [{ ...earliest, count: 1 }, ...others];
}

/**
 * The end of a recovery. Ghosts that the state knows stay; what was remembered to be live beyond them, and beyond the
 * admissions on record, becomes ghosts too: no more in all than may be live.
 */
export function raiseGhosts(room: RoomData): void {
  const { type, maxActive } = room.settings.effective.inlet;
  const isAhead = ({ untilMs }: Lapse) => untilMs > room.flowMs;
  const known = room.ghosts.filter(isAhead);
  const remembered = room.rememberedLapses.filter(isAhead);
  room.rememberedLapses = [];
  room.ghosts = [];
  if (type !== "max_active" || maxActive === null) return;
  const live = liveCount(room);
  const ghosts = [...known, ...withoutFirst(remembered, live + sumOf(known))].toSorted(byTime);
  room.ghosts = withoutFirst(ghosts, sumOf(ghosts) - (maxActive - live));
}

function byTime(a: Lapse, b: Lapse): number {
  return a.untilMs - b.untilMs || a.count - b.count;
}

export function sumOf(lapses: readonly Lapse[]): number {
  return lapses.reduce((sum, { count }) => sum + count, 0);
}

/** All but the first so many. */
function withoutFirst(lapses: readonly Lapse[], count: number): Lapse[] {
  let left = Math.max(0, count);
  const kept: Lapse[] = [];
  for (const lapse of lapses) {
    const dropped = Math.min(left, lapse.count);
    left -= dropped;
    if (lapse.count > dropped) kept.push({ untilMs: lapse.untilMs, count: lapse.count - dropped });
  }
  return kept;
}
