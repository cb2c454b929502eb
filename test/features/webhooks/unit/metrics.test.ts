import { Counter, Gauge } from "prom-client";
import { expect, test } from "vitest";
import { addWebhookMetrics } from "../../../../src/features/webhooks/metrics.ts";

test("attempts are counted by what became of them, and the lag is in seconds", () => {
  const counts = { delivered: 4, failed: 3, given_up: 2, missed: 1 };
  const found: unknown[] = [];
  addWebhookMetrics((Kind, name, _help, _labels, samples) => found.push([Kind, name, samples()]), {
    deliveries: { figures: () => [{ webhook: "hook", counts, lagMs: 1_500 }] },
  });
  expect(found).toEqual([
    [
      Counter,
      "usher_webhook_deliveries_total",
      Object.entries(counts).map(([result, count]) => [{ webhook: "hook", result }, count]),
    ],
    [Gauge, "usher_webhook_lag_seconds", [[{ webhook: "hook" }, 1.5]]],
  ]);
});
