import { expect, test } from "vitest";
import { estimateWait, nearThrough } from "../../../src/room/line.ts";
import type { RoomState } from "../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSharedWorld } from "./processes.ts";

async function stateOf(outflowPerMinute: number | null): Promise<RoomState> {
  const inlet = { ...manualSettings.inlet, type: outflowPerMinute === null ? "manual" : "periodic", outflowPerMinute };
  const settings = { ...manualSettings, inlet } as RoomState["settings"]["effective"];
  const one = createSharedWorld("near").process("one", { isNewInstallation: true, settings });
  await one.refresh();
  if (one.room.state === null) throw new Error("no state");
  return { ...one.room.state, serving: 1_000, queued: 50_000 };
}

test("the turn is near when the long end of the estimate is three minutes at most", async () => {
  const state = await stateOf(600);
  const near = nearThrough(state);
  expect(estimateWait(state, near - 1_001)?.high).toBe(180);
  expect(estimateWait(state, near - 1_000 + 60)?.high).toBeGreaterThan(180);
  // Nobody holds the places of a gap.
  const withGap = { ...state, gaps: [{ from: 1_100, to: 1_299 }] };
  expect(nearThrough(withGap)).toBe(near + 200);
  expect(nearThrough({ ...state, queued: 1_200 })).toBe(1_200);
  expect(nearThrough({ ...state, holdRemainingMs: 600_000 })).toBe(1_000);
});

test("the turn is near for those with ten people ahead at most where nobody can estimate", async () => {
  expect(nearThrough(await stateOf(null))).toBe(1_011);
});
