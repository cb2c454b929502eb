/** What is not well of the beacon, by what processes report of their fetches. */
import { expect, test } from "vitest";
import { beaconHealth } from "../../../../src/features/beacon/gateway.ts";

const nowMs = 1_800_000_000_000;
const found = (...selves: unknown[]) =>
  beaconHealth
    .attention(
      selves.map((self) => beaconHealth.self.parse(self)),
      nowMs,
    )
    .map(({ code, severity, about }) => [code, severity, about]);

test("a beacon that is away is told", () => {
  const failing = { fetched_ms: nowMs - 9_000, failed_ms: nowMs - 6_000 };
  expect(found(failing)).toEqual([["beacon_fails", "warning", null]]);
  expect(found({ fetched_ms: null, failed_ms: null }, failing)).toEqual([["beacon_fails", "warning", null]]);
});

test("one that was fetched since, by whatever process, is not, nor what another build reports otherwise", () => {
  expect(found({ fetched_ms: nowMs - 1, failed_ms: nowMs - 6_000 })).toEqual([]);
  expect(found({ fetched_ms: null, failed_ms: nowMs - 6_000 }, { fetched_ms: nowMs - 1, failed_ms: null })).toEqual([]);
  expect(found({ fetched_ms: null, failed_ms: nowMs - 3_600_000 }, "x")).toEqual([]);
});

test("the last of all processes is shown", () => {
  const selves = [
    { fetched_ms: nowMs - 5_000, failed_ms: null },
    { fetched_ms: nowMs, failed_ms: null },
  ];
  expect(beaconHealth.answerOf(selves)).toEqual({ fetched_at: new Date(nowMs).toISOString(), failed_at: null });
});
