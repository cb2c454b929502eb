/** What a row says of a step, the way back, and what a step that cannot be taken back would do. */

import { peopleWaiting, type RoomState, type WaitingRoom } from "../../../room/index.ts";
import type { Inverse } from "../../audit/index.ts";

export type Step = Parameters<WaitingRoom["operations"]["step"]>[0];

/** What the step changes, alone: all else goes on moving meanwhile. */
export function snapshotFor(step: Step, { holds, basePhase, edition, serving, stock }: RoomState): object {
  switch (step.step) {
    case "pause":
    case "resume":
      return { paused: holds.includes("operator"), recovered: holds.includes("recovered") };
    case "alarm":
      return { alarm: holds.includes("alarm") };
    case "phase":
      return { phase: basePhase };
    case "reset":
      return { edition };
    case "increment":
      return { serving };
    case "stock":
      return { stock: stock.left, sold_out: holds.includes("sold_out") };
    case "exited":
      return {};
  }
}

/** Null where there is none: visitors may have entered by it, or places are void. */
export function inverseOfStep(room: string, step: Step, before: RoomState): Inverse | null {
  const to = (name: string, body: object | null = null): Inverse => ({
    method: "POST",
    path: `/rooms/${room}/${name}`,
    body,
  });
  switch (step.step) {
    case "pause":
      return to("resume");
    case "resume":
      return before.holds.includes("recovered") ? null : to("pause");
    case "alarm":
      return to("alarm", { set: !step.isSet });
    case "phase":
      // Entries have been drawn by then.
      if (before.basePhase === "prequeue") return null;
      return to(before.basePhase === "ended" ? "end" : before.basePhase);
    case "stock":
      return { method: "PUT", path: `/rooms/${room}/stock`, body: { remaining: before.stock.left } };
    default:
      return null;
  }
}

/** A sentence for a step that turns people away or lets them all in; null for any other, and where it would change nothing. */
export function dangerOf(step: Step, state: RoomState): string | null {
  const waiting = peopleWaiting(state);
  const people = waiting === 1 ? "1 person" : `${waiting.toLocaleString("en")} people`;
  if (step.step === "reset") return `${people} would lose their places, and have to join anew`;
  if (step.step !== "phase" || step.phase === state.basePhase) return null;
  if (step.phase === "ended") return `${people} would be turned away`;
  return step.phase === "passthrough"
    ? `${people} would be let in at once, and so would all who arrive later, past any limit`
    : null;
}
