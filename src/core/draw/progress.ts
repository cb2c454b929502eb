/** Which record of a draw has come further: wherever such are merged, in a store and among a process's checkpoints. */
import type { Draw, DrawStage } from "../../store/contract/room-draw.ts";

/** Whether entries may still be taken, now or later; there is one such draw at most, the last one. */
export function isComing(draw: { readonly stage: DrawStage }): boolean {
  return draw.stage === "committed" || draw.stage === "closing";
}

/** How far a draw has come for good: 0 when nobody can have entered; begun and committed to: 1; then closed, cancelled, drawn. */
export function drawProgress(draw: Pick<Draw, "stage" | "first" | "commitment">): number {
  if (isComing(draw)) return draw.first > 0 && draw.commitment !== "" ? 1 : 0;
  if (draw.stage === "closed") return 2;
  return draw.stage === "cancelled" ? 3 : 4;
}

/** Of two that have begun the one that began at the lower number, with what was committed to then; of two fixed ones the longer. */
export function isBetter(draw: Draw, other: Draw): boolean {
  const by = drawProgress(draw) - drawProgress(other);
  if (by !== 0) return by > 0;
  if (drawProgress(other) > 1) return draw.last > other.last;
  if (drawProgress(other) === 1 && draw.first !== other.first) return draw.first < other.first;
  if (draw.stage !== other.stage) return draw.stage === "closing";
  return draw.first > other.first || (draw.first === other.first && other.commitment === "" && draw.commitment !== "");
}
