import type { Draw, DrawStage } from "../../store/room-store.ts";

/** What is never taken back, unlike closing. */
const endStages: readonly DrawStage[] = ["closed", "cancelled", "drawn"];

/** Two memories of the draws of an edition, as the store merges them: of each the record that has come further. */
export function mergeDraws(a: readonly Draw[], b: readonly Draw[]): Draw[] {
  const merged = new Map(a.map((draw) => [draw.id, draw]));
  for (const draw of b) {
    const known = merged.get(draw.id);
    if (known === undefined || isBetter(draw, known)) merged.set(draw.id, draw);
  }
  return [...merged.values()].toSorted((one, other) => one.id - other.id);
}

/** 0 when nobody can have entered; begun and committed to: 1; then closed, cancelled, drawn. */
function progressOf({ stage, first, commitment }: Draw): number {
  const end = endStages.indexOf(stage);
  return end < 0 ? Number(first > 0 && commitment !== "") : 2 + end;
}

/** Of two that have begun the one that began at the lower number, with what was committed to then; of two fixed ones the longer. */
function isBetter(draw: Draw, known: Draw): boolean {
  const by = progressOf(draw) - progressOf(known);
  if (by !== 0) return by > 0;
  if (progressOf(known) > 1) return draw.last > known.last;
  if (progressOf(known) === 1 && draw.first !== known.first) return draw.first < known.first;
  if (draw.stage !== known.stage) return draw.stage === "closing";
  return draw.first > known.first || (draw.first === known.first && known.commitment === "" && draw.commitment !== "");
}
