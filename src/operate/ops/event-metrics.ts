import { type Aggregator, Counter, Gauge } from "prom-client";
import type { Deliveries, EventStreams } from "../events/index.ts";

/** What is sent of events, as this process knows it. */
export interface EventFigures {
  readonly deliveries: Pick<Deliveries, "figures">;
  readonly streams: Pick<EventStreams, "count">;
}

export type Sample = [labels: Record<string, string>, value: number];
export type Read = (
  Kind: typeof Gauge | typeof Counter,
  name: string,
  help: string,
  labelNames: string[],
  samples: () => Sample[],
  together?: Aggregator,
) => unknown;

/** Metrics of webhooks and streams. Webhooks are those that there are, at most 50. */
export function addEventMetrics(read: Read, { deliveries, streams }: EventFigures): void {
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
  read(
    Gauge,
    "usher_event_streams",
    "Streams of events that readers have open at this process",
    [],
    () => [[{}, streams.count]],
    "sum",
  );
}
