/** Finds the void that applies to an entry, or to a visitor who joins, as last synced. */
import { isComing } from "../../core/draw/progress.ts";
import { blockLength } from "../../core/ports/entry-blocks.ts";
import type { Draw, EntryVoid, Gap, RoomState } from "../../store/contract/room-store.ts";
import { numberOf, type Place } from "../tickets/ticket.ts";

/** Which of a room's draws takes entries, now or at the next prequeue; undefined where nothing is committed to. */
export function comingDraw({ draws }: Pick<RoomState, "draws">): Draw | undefined {
  return draws.find((draw) => isComing(draw) && draw.commitment !== "");
}

/** The first that stands and has the place; null for none. */
export function voidOf(state: RoomState | null, place: Place): EntryVoid | null {
  if (state === null || state.voids.length === 0 || place.edition !== state.edition) return null;
  const number = numberOf(place);
  return state.voids.find((each) => each.restoredMs === 0 && hasNumber(each.numbers, number)) ?? null;
}

/** The void that keeps visitors from joining from these blocks; null for none. @param row see `BlockRows` */
export function voidOfRow(state: RoomState | null, row: string): EntryVoid | null {
  if (row === "" || state === null || state.voids.length === 0) return null;
  const draw = comingDraw(state);
  const blocks = [row.slice(0, blockLength), row.slice(blockLength)];
  const keepsOut = (each: EntryVoid) =>
    each.restoredMs === 0 && each.draw === draw?.id && blocks.some((block) => each.blocks.includes(block));
  return state.voids.find(keepsOut) ?? null;
}

function hasNumber(stretches: readonly Gap[], number: number): boolean {
  return stretches.some(({ from, to }) => number >= from && number <= to);
}

/** How many entries. */
export function voidedEntriesOf({ numbers }: Pick<EntryVoid, "numbers">): number {
  return numbers.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** How often entries of a draw were voided, or given back. */
export function voidChangesOf({ voids }: Pick<RoomState, "voids">, { id }: Pick<Draw, "id">): number {
  return voids.reduce((sum, { draw, restoredMs }) => (draw === id ? sum + (restoredMs > 0 ? 2 : 1) : sum), 0);
}
