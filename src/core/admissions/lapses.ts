/** Until when how many admissions are live: the same rule in a store and for checkpoints. */
import type { Lapse } from "../../store/contract/room-state.ts";
import { sortBy } from "../ports/sorting.ts";

/** So many more are live until then, as the one and as the other says. */
interface LiveUntil {
  readonly untilMs: number;
  readonly inA: number;
  readonly inB: number;
}

function isLater(one: LiveUntil, other: LiveUntil): boolean {
  return one.untilMs > other.untilMs;
}

/**
 * Merges what two memories say of the same admissions: at each time as many are live as the higher of both says. So a memory of
 * a busier time does not hide admissions that last longer. The result is in ascending order.
 */
export function mergeLapses(a: readonly Lapse[], b: readonly Lapse[]): Lapse[] {
  const ofBoth: LiveUntil[] = [];
  for (const lapse of a) ofBoth.push({ untilMs: lapse.untilMs, inA: lapse.count, inB: 0 });
  for (const lapse of b) ofBoth.push({ untilMs: lapse.untilMs, inA: 0, inB: lapse.count });
  sortBy(ofBoth, isLater);
  const latestFirst: Lapse[] = [];
  let liveInA = 0;
  let liveInB = 0;
  let live = 0;
  for (const change of ofBoth) {
    liveInA += change.inA;
    liveInB += change.inB;
    const more = Math.max(liveInA, liveInB) - live;
    live += more;
    const last = latestFirst[latestFirst.length - 1];
    if (last !== undefined && last.untilMs === change.untilMs) {
      latestFirst[latestFirst.length - 1] = { untilMs: last.untilMs, count: last.count + more };
    } else if (more > 0) latestFirst.push({ untilMs: change.untilMs, count: more });
  }
  const ascending: Lapse[] = [];
  while (latestFirst.length > 0) {
    const latest = latestFirst.pop();
    if (latest !== undefined) ascending.push(latest);
  }
  return ascending;
}
