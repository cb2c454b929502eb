/** Until when how many admissions are live: the same rule in the embedded store, in lua/lib/merge.lua, and for checkpoints. */
import type { Lapse } from "../../store/contract/room-state.ts";

/**
 * Merges what two memories say of the same admissions: at each time as many are live as the higher of both says. So a memory of
 * a busier time does not hide admissions that last longer. The result is in ascending order.
 */
export function mergeLapses(a: readonly Lapse[], b: readonly Lapse[]): Lapse[] {
  const ofBoth: { untilMs: number; inA: number; inB: number }[] = [];
  for (const { untilMs, count } of a) ofBoth.push({ untilMs, inA: count, inB: 0 });
  for (const { untilMs, count } of b) ofBoth.push({ untilMs, inA: 0, inB: count });
  ofBoth.sort((one, other) => other.untilMs - one.untilMs);
  const latestFirst: { untilMs: number; count: number }[] = [];
  let liveInA = 0;
  let liveInB = 0;
  let live = 0;
  for (const { untilMs, inA, inB } of ofBoth) {
    liveInA += inA;
    liveInB += inB;
    const more = Math.max(liveInA, liveInB) - live;
    live += more;
    const last = latestFirst.at(-1);
    if (last?.untilMs === untilMs) last.count += more;
    else if (more > 0) latestFirst.push({ untilMs, count: more });
  }
  return latestFirst.reverse();
}
