/**
 * What every store of waiting rooms must do, as src/store/room-store.ts promises it. Each store runs all of it from
 * one tiny file. Time stands still in these tests unless a test moves it.
 */
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import type { HarnessFactory, StoreHarness } from "./harness.ts";
import { RoomDriver, type SettingsSketch, settings } from "./room-driver.ts";
import { admin } from "./room-store/admin.ts";
import { advances } from "./room-store/advances.ts";
import { changes } from "./room-store/changes.ts";
import { claims } from "./room-store/claims.ts";
import { clocks } from "./room-store/clocks.ts";
import { inlets } from "./room-store/inlets.ts";
import { joins } from "./room-store/joins.ts";
import { limiter } from "./room-store/limiter.ts";
import { newRooms } from "./room-store/new-rooms.ts";
import { recovery } from "./room-store/recovery.ts";

export interface RoomContext {
  readonly harness: StoreHarness;
  /** A room of its own, not opened yet. */
  room(sketch?: SettingsSketch): RoomDriver;
}

export type RoomTest = (context: RoomContext) => void;

const parts: Record<string, RoomTest> = {
  joins,
  claims,
  limiter,
  inlets,
  advances,
  admin,
  changes,
  clocks,
  "new rooms": newRooms,
  recovery,
};

export function describeRoomStore(name: string, createHarness: HarnessFactory): void {
  describe(`${name} as a room store`, () => {
    let harness: StoreHarness | undefined;
    let count = 0;

    const context: RoomContext = {
      get harness() {
        if (harness === undefined) throw new Error("the harness is made before the first test");
        return harness;
      },
      room: (sketch) => new RoomDriver(context.harness, `room-${++count}`, settings(sketch)),
    };

    beforeAll(async () => {
      harness = await createHarness();
    });
    beforeEach(() => context.harness.wipe());
    afterAll(() => harness?.close());

    for (const [title, part] of Object.entries(parts)) describe(title, () => part(context));
  });
}
