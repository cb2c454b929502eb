import type { InletSettings, RoomSettings } from "../../../src/store/contract/room-settings.ts";
import { manualSettings, withPatch } from "../../support/room-settings.ts";
import { type DrawPlan, withDraw } from "./draw-plan.ts";

/** What a scenario says of its room; the rest is as in a plain configuration file. */
export interface RoomPlan {
  readonly inlet: Partial<InletSettings> & Pick<InletSettings, "type">;
  readonly durationMs?: number;
  readonly claimWithinMs?: number;
  readonly maxWaiting?: number | null;
  readonly draw?: DrawPlan;
  /** Rows of the admission log that are kept. */
  readonly logRowsMax?: number;
}

/** @param beginsMs the wall clock at the beginning */
export function settingsOf(plan: RoomPlan, beginsMs: number): RoomSettings {
  const { inlet, maxWaiting = null, draw, logRowsMax, ...admission } = plan;
  // Places go from hand to hand as often as they like, those to be drawn, too.
  const settings = { ...withPatch(manualSettings, { inlet, maxWaiting, admission }), moves: "unlimited" as const };
  return withDraw(logRowsMax === undefined ? settings : { ...settings, logRowsMax }, draw, beginsMs);
}
