/** Which record of a draw has come further: the same rule in the embedded store, in lua/lib/draw-merge.lua, and for a process's marks. */
import type { Draw, DrawStage } from "../../store/contract/room-draw.ts";

/** What is never taken back, unlike closing. */
const endStages: readonly DrawStage[] = ["closed", "cancelled", "drawn"];

/** Whether entries may still be taken, now or later; there is one such draw at most, the last one. */
export function isComing({ stage }: Pick<Draw, "stage">): boolean {
  return !endStages.includes(stage);
}

/** How far a draw has come for good: 0 when nobody can have entered; begun and committed to: 1; then closed, cancelled, drawn. */
export function progressOf(draw: Pick<Draw, "stage" | "first" | "commitment">): number {
  if (isComing(draw)) return draw.first > 0 && draw.commitment !== "" ? 1 : 0;
  return 2 + endStages.indexOf(draw.stage);
}

/** Of two that have begun the one that began at the lower number, with what was committed to then; of two fixed ones the longer. */
export function isBetter(draw: Draw, known: Draw): boolean {
  const by = progressOf(draw) - progressOf(known);
  if (by !== 0) return by > 0;
  if (progressOf(known) > 1) return draw.last > known.last;
  if (progressOf(known) === 1 && draw.first !== known.first) return draw.first < known.first;
  if (draw.stage !== known.stage) return draw.stage === "closing";
  return draw.first > known.first || (draw.first === known.first && known.commitment === "" && draw.commitment !== "");
}
