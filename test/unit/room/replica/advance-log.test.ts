import { expect, test } from "vitest";
import { AdvanceLog } from "../../../../src/room/replica/advance-log.ts";
import type { RoomState } from "../../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../../support/room-settings.ts";

const stateAt = (edition: number, serving: number, claimMs: number) =>
  ({ edition, serving, claimMs, settings: { effective: manualSettings } }) as RoomState;

test("places are known to be served when the process first synced it", () => {
  const log = new AdvanceLog();
  log.sync(stateAt(1, 10, 1_000));
  log.sync(stateAt(1, 15, 2_000));
  log.sync(stateAt(1, 15, 3_000));
  log.sync(stateAt(1, 40, 4_000));
  expect(log.servedMs(10)).toBeNull();
  expect(log.servedMs(11)).toBe(2_000);
  expect(log.servedMs(15)).toBe(2_000);
  expect(log.servedMs(40)).toBe(4_000);
  expect(log.servedMs(41)).toBeNull();
});

test("what an operator takes back is served anew, and a new edition begins anew", () => {
  const log = new AdvanceLog();
  log.sync(stateAt(1, 0, 1_000));
  log.sync(stateAt(1, 30, 2_000));
  log.sync(stateAt(1, 20, 3_000));
  log.sync(stateAt(1, 30, 4_000));
  expect(log.servedMs(25)).toBe(4_000);
  log.sync(stateAt(2, 5, 5_000));
  expect(log.servedMs(5)).toBe(5_000);
  expect(log.servedMs(25)).toBeNull();
});

test("it forgets what can no longer be claimed, and never grows beyond a thousand advances", () => {
  const log = new AdvanceLog();
  log.sync(stateAt(1, 0, 0));
  for (let i = 1; i <= 5_000; i++) log.sync(stateAt(1, i, i));
  expect(log.servedMs(3_999)).toBeNull();
  expect(log.servedMs(4_500)).toBe(4_500);
  log.sync(stateAt(1, 5_001, 10_000_000));
  expect(log.servedMs(4_500)).toBeNull();
  expect(log.servedMs(5_001)).toBe(10_000_000);
});
