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
    const own = drawOf(room.draws, draw.id);
    const known = own === null ? 0 : drawProgress(own);
    if (draw.id >= oldest && drawProgress(draw) > known) return true;
  }
  return false;
}

/** What a late memory knows better of draws that take entries: that they began before, with what was committed to then. */
export function correctDraws(room: Room, theirs: readonly Draw[]): void {
  if (room.draws.length === 0) return;
  for (const draw of theirs) {
    const own = drawOf(room.draws, draw.id);
    if (own !== null && drawProgress(own) === 1 && drawProgress(draw) === 1 && draw.first < own.first) {
      own.first = draw.first;
      own.keyId = draw.keyId;
      own.commitment = draw.commitment;
      own.chain = draw.chain;
      own.usesBeacon = draw.usesBeacon;
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
  for (const own of before) {
    const other = drawOf(theirs, own.id);
    if (other !== null && isBetter(other, own)) {
      other.atFlowMs = own.atFlowMs;
      merged.push(other);
    } else merged.push(own);
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
    const known = drawOf(before, draw.id);
    if (!areMovedAlike(known, draw)) {
      if (known !== null && areMoved(known)) all = gapsByDraw(all, known, true);
      if (areMoved(draw)) all = gapsByDraw(all, draw, false);
    }
  }
  return all;
}

/** Whether gaps among the numbers have become one behind the entries. */
function areMoved(draw: Draw): boolean {
  return draw.stage === "closed" || draw.stage === "drawn";
}

function areMovedAlike(known: Draw | null, draw: Draw): boolean {
  if (known === null || !areMoved(known)) return !areMoved(draw);
  return areMoved(draw) && known.first === draw.first && known.last === draw.last;
}
