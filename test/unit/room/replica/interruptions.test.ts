import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { RoomRecoveringError } from "../../../../src/room/replica/recovery-client.ts";
import { Interruptions } from "../../../../src/room/replica/synced-room.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

test.each([
  ["a recovery alone", ["recovering"], ["room.recovering", "room.recovery_over"]],
  ["an outage alone", ["away"], ["store.away", "store.back"]],
  ["both", ["away", "recovering"], ["store.away", "room.recovering", "store.back", "room.recovery_over"]],
])("%s: what is told to begin is told to end, and nothing else", async (_, causes, expected) => {
  const reported: string[] = [];
  const interruptions = new Interruptions(createMovedClock(), (name) => reported.push(name));
  for (const cause of causes) {
    const error = cause === "away" ? new StoreUnavailableError() : new RoomRecoveringError(2_500);
    await interruptions.watch(Promise.reject(error)).catch(() => {});
  }
  await interruptions.watch(Promise.resolve());
  await interruptions.watch(Promise.resolve());
  expect(reported).toEqual(expected);
});
