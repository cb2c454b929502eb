/** What processes remember of draws: of each the record that has come further counts. */
import type { Draw } from "../../store/contract/room-draw.ts";
import { drawOf, gapsByDraw, maxDraws, putDraws } from "../draw/draws.ts";
import { drawProgress, isBetter } from "../draw/progress.ts";
import { sortBy } from "../ports/sorting.ts";
import type { DrawData, Room } from "../room.ts";
import type { Gap } from "../rows.ts";

/** Whether a memory knows that a draw has come further than the room does. One that was forgotten for its age is no news. */
export function knowsMoreOfDraws(room: Room, theirs: readonly Draw[]): boolean {
  const first = room.draws[0];
  const oldest = first === undefined || room.draws.length < maxDraws ? 0 : first.id;
  for (const draw of theirs) {
    const ours = drawOf(room.draws, draw.id);
    const reached = ours === null ? 0 : drawProgress(ours);
    if (draw.id >= oldest && drawProgress(draw) > reached) return true;
  }
  return false;
}

/** What a late memory knows better of draws that take entries: that they began before, with what was committed to then. */
export function correctDraws(room: Room, theirs: readonly Draw[]): void {
  if (room.draws.length === 0) return;
  for (const draw of theirs) {
    const ours = drawOf(room.draws, draw.id);
    if (ours !== null && drawProgress(ours) === 1 && drawProgress(draw) === 1 && draw.first < ours.first) {
      ours.first = draw.first;
      ours.keyId = draw.keyId;
      ours.commitment = draw.commitment;
      ours.chain = draw.chain;
      ours.usesBeacon = draw.usesBeacon;
    }
  }
  putDraws(room, room.draws);
}

function isOlder(a: DrawData, b: DrawData): boolean {
  return a.id < b.id;
}

/** What others remember of the draws of this edition; its times go by this flow clock. The room's gaps are by the draws as merged. */
export function mergeDraws(room: Room, theirs: readonly DrawData[]): void {
  const before = room.draws;
  if (before.length === 0 && theirs.length === 0) return;
  const merged: DrawData[] = [];
  for (const ours of before) {
    const other = drawOf(theirs, ours.id);
    if (other !== null && isBetter(other, ours)) {
      other.atFlowMs = ours.atFlowMs;
      merged.push(other);
    } else merged.push(ours);
  }
  for (const other of theirs) {
    if (drawOf(merged, other.id) === null) merged.push(other);
  }
  sortBy(merged, isOlder);
  putDraws(room, merged);
  room.gaps = gapsAfterMerge(room.gaps, before, merged);
}

/** Gaps as one side knew them, with its draws, by the draws as merged. */
export function gapsAfterMerge(gaps: readonly Gap[], before: readonly Draw[], merged: readonly Draw[]): readonly Gap[] {
  let all = gaps;
  for (const draw of merged) {
    const earlier = drawOf(before, draw.id);
    if (!areMovedAlike(earlier, draw)) {
      if (earlier !== null && areMoved(earlier)) all = gapsByDraw(all, earlier, true);
      if (areMoved(draw)) all = gapsByDraw(all, draw, false);
    }
  }
  return all;
}

/** Whether gaps among the numbers have become one behind the entries. */
function areMoved(draw: Draw): boolean {
  return draw.stage === "closed" || draw.stage === "drawn";
}

function areMovedAlike(earlier: Draw | null, draw: Draw): boolean {
  if (earlier === null || !areMoved(earlier)) return !areMoved(draw);
  return areMoved(draw) && earlier.first === draw.first && earlier.last === draw.last;
}
