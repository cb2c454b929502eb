import type { InletSettings, RoomSettings } from "../../../src/store/room-settings.ts";
import { manualSettings, withPatch } from "../../support/room-settings.ts";

/** What a scenario says of its room; the rest is as in a plain configuration file. */
export interface RoomPlan {
  readonly inlet: Partial<InletSettings> & Pick<InletSettings, "type">;
  readonly durationMs?: number;
  readonly claimWithinMs?: number;
  readonly maxWaiting?: number | null;
}

export function settingsOf({ inlet, maxWaiting = null, ...admission }: RoomPlan): RoomSettings {
  return withPatch(manualSettings, { inlet, maxWaiting, admission });
}
