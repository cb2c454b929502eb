import { gapsByDraw, maxDraws, putDraws } from "../../core/draw/draws.ts";
import { drawProgress, isBetter } from "../../core/draw/progress.ts";
import type { Draw, Gap } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

/** Whether a memory knows that a draw has come further than the room does. One that was forgotten for its age is no news. */
export function knowsMoreOfDraws(room: RoomData, draws: readonly Draw[] = []): boolean {
  const oldest = room.draws.length < maxDraws ? 0 : (room.draws[0]?.id ?? 0);
  return draws.some((theirs) => {
    const own = room.draws.find(({ id }) => id === theirs.id);
    return theirs.id >= oldest && drawProgress(theirs) > (own === undefined ? 0 : drawProgress(own));
  });
}

/** What a late memory knows better of draws that take entries: that they began before, with what was committed to then. */
export function correctDraws(room: RoomData, draws: readonly Draw[] = []): void {
  for (const theirs of draws) {
    const own = room.draws.find(({ id }) => id === theirs.id);
    if (own === undefined || drawProgress(own) !== 1 || drawProgress(theirs) !== 1 || theirs.first >= own.first)
      continue;
    const { first, keyId, commitment, chain, usesBeacon } = theirs;
    Object.assign(own, { first, keyId, commitment, chain, usesBeacon });
  }
  putDraws(room, room.draws);
}

/** What others remember of the draws of this edition: of each the record that has come further. */
export function mergeDraws(room: RoomData, draws: readonly Draw[] = []): void {
  const before = room.draws.map((draw) => ({ ...draw }));
  for (const theirs of draws) {
    const own = room.draws.find(({ id }) => id === theirs.id);
    if (own === undefined) room.draws.push({ ...theirs, atFlowMs: 0 });
    else if (isBetter(theirs, own)) Object.assign(own, theirs);
  }
  putDraws(
    room,
    room.draws.toSorted((a, b) => a.id - b.id),
  );
  room.gaps = gapsAfterMerge(room.gaps, before, room.draws);
}

/** Gaps as one side knew them, with its draws, by the draws as merged. */
export function gapsAfterMerge(gaps: readonly Gap[], before: readonly Draw[], merged: readonly Draw[]): Gap[] {
  return merged.reduce(
    (all, draw) => {
      const known = before.find(({ id }) => id === draw.id);
      if (areSame(known, draw)) return all;
      const numbers = known !== undefined && areMoved(known) ? gapsByDraw(all, known, true) : all;
      return areMoved(draw) ? gapsByDraw(numbers, draw, false) : numbers;
    },
    [...gaps],
  );
}

/** Whether gaps among the numbers have become one behind the entries. */
function areMoved({ stage }: Draw): boolean {
  return stage === "closed" || stage === "drawn";
}

function areSame(known: Draw | undefined, draw: Draw): boolean {
  if (known === undefined || !areMoved(known)) return !areMoved(draw);
  return areMoved(draw) && known.first === draw.first && known.last === draw.last;
}
