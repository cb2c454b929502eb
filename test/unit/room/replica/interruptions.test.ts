import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import type { RoomEvents } from "../../../../src/room/events.ts";
import { Interruptions } from "../../../../src/room/replica/interruptions.ts";
import { RoomRecoveringError } from "../../../../src/room/replica/recovery-client.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

test.each([
  ["a recovery alone", ["recovering"], ["room.recovering", "room.recovery_over"]],
  ["an outage alone", ["away"], ["store.away", "store.back"]],
  ["both", ["away", "recovering"], ["store.away", "room.recovering", "store.back", "room.recovery_over"]],
])("%s: what is told to begin is told to end, and nothing else", async (_, causes, expected) => {
  const events = new EventEmitter<RoomEvents>();
  const reported: string[] = [];
  for (const name of ["store.away", "store.back", "room.recovering", "room.recovery_over"] as const) {
    events.on(name, () => reported.push(name));
  }
  const interruptions = new Interruptions("tickets", createMovedClock(), events);
  for (const cause of causes) {
    const error = cause === "away" ? new StoreUnavailableError() : new RoomRecoveringError(2_500);
    await interruptions.watch(Promise.reject(error)).catch(() => {});
  }
  await interruptions.watch(Promise.resolve());
  await interruptions.watch(Promise.resolve());
  expect(reported).toEqual(expected);
});
