import { Counter, Gauge } from "prom-client";
import type { Read, Sample } from "../../operate/ops/metric.ts";
import type { Deliveries } from "./deliveries.ts";

/** Webhooks are those that there are, at most 50, so their ids may be labels. */
export function addWebhookMetrics(read: Read, { deliveries }: { readonly deliveries: Pick<Deliveries, "figures"> }) {
  read(
    Counter,
    "usher_webhook_deliveries_total",
    "Attempts to send events to webhooks by this process, by what became of them",
    ["webhook", "result"],
    () =>
      deliveries
        .figures()
        .flatMap(({ webhook, counts }) =>
          Object.entries(counts).map(([result, count]): Sample => [{ webhook, result }, count]),
        ),
  );
  read(
    Gauge,
    "usher_webhook_lag_seconds",
    "Age of the oldest event that this process has for a webhook and has not delivered; 0 for none",
    ["webhook"],
    () => deliveries.figures().map(({ webhook, lagMs }): Sample => [{ webhook }, lagMs / 1_000]),
  );
}
