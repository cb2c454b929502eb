/** What is not well of webhooks, by what processes report of them. */
import { expect, test } from "vitest";
import { createDeliveryReport, webhooksHealth } from "../../../../src/features/webhooks/health.ts";

const nowMs = 1_800_000_000_000;
const found = (...selves: unknown[]) =>
  webhooksHealth
    .attention(
      selves.map((self) => webhooksHealth.self.parse(self)),
      nowMs,
    )
    .map(({ code, severity, about }) => [code, severity, about]);

test.each([
  ["a receiver that is behind", { lag_ms: 60_001, given_up_ms: null }, ["webhook_behind", "warning", "w"]],
  ["an event that was given up", { lag_ms: 0, given_up_ms: nowMs - 3_599_000 }, ["webhook_gave_up", "warning", "w"]],
])("%s is told, whichever process sends", (_, figures, expected) => {
  expect(found([], [{ id: "w", ...figures }])).toEqual([expected]);
  expect(found([{ id: "w", lag_ms: 1, given_up_ms: null }], [{ id: "w", ...figures }])).toEqual([expected]);
});

test("nothing is told at the bounds, and of what another build reports otherwise", () => {
  expect(found([{ id: "w", lag_ms: 60_000, given_up_ms: nowMs - 3_600_000 }], { w: 5 })).toEqual([]);
});

test("an event counts as given up from the report that first has it", () => {
  let givenUp = 0;
  let clockMs = 1_000;
  const counts = () => ({ delivered: 0, failed: 0, missed: 0, given_up: givenUp });
  const report = createDeliveryReport(
    { figures: () => [{ webhook: "w", lagMs: 7.4, counts: counts() }] },
    { now: () => clockMs },
  );
  expect(report()).toEqual([{ id: "w", lag_ms: 7, given_up_ms: null }]);
  givenUp = 2;
  clockMs = 2_000;
  expect(report()).toMatchObject([{ given_up_ms: 2_000 }]);
  clockMs = 3_000;
  expect(report()).toMatchObject([{ given_up_ms: 2_000 }]);
});
