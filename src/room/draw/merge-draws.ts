import { isBetter } from "../../core/draw/progress.ts";
import type { Draw } from "../../store/contract/room-store.ts";

/** Two memories of the draws of an edition, as the store merges them: of each the record that has come further. */
export function mergeDraws(a: readonly Draw[], b: readonly Draw[]): Draw[] {
  const merged = new Map(a.map((draw) => [draw.id, draw]));
  for (const draw of b) {
    const known = merged.get(draw.id);
    if (known === undefined || isBetter(draw, known)) merged.set(draw.id, draw);
  }
  return [...merged.values()].toSorted((one, other) => one.id - other.id);
}
