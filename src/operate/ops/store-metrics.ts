import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Read } from "./metric.ts";

/** What this process knows of its store. */
export interface StoreFigures {
  /** Commands sent to the store so far, by name. */
  readonly commandCounts: ReadonlyMap<string, number>;
  /** Calls with the seconds that each command to the store took. */
  readonly onRoundTrip: (listener: (seconds: number) => void) => void;
  /** What keeps commands from a silent store; null where the store is embedded. */
  readonly breaker: { readonly state: keyof typeof breakerStates; readonly openedTotal: number } | null;
}

type Sample = [labels: Record<string, string>, value: number];

const breakerStates = { closed: 0, half_open: 1, open: 2 } as const;

/**
 * Those of the store without a name have no label `store`.
 *
 * @param named the stores by name that rooms are in
 */
export function addStoreMetrics(
  read: Read,
  registers: Registry[],
  figures: StoreFigures,
  named: ReadonlyMap<string, StoreFigures>,
): void {
  const all = [{ labels: {}, figures }, ...[...named].map(([store, its]) => ({ labels: { store }, figures: its }))];
  const roundTrips = new Histogram({
    name: "usher_store_round_trip_seconds",
    help: "From sending a command to Redis to its answer, or to the end of waiting for it",
    labelNames: ["store"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5],
    registers,
  });
  for (const {
    labels,
    figures: { onRoundTrip },
  } of all) {
    roundTrips.zero(labels);
    // Finding a labelled child costs more than observing with it.
    const ofStore = roundTrips.labels(labels);
    onRoundTrip((seconds) => ofStore.observe(seconds));
  }
  read(
    Counter,
    "usher_store_commands_total",
    "Commands sent to the store by this process, by script or command",
    ["command", "store"],
    () =>
      all.flatMap(({ labels, figures: { commandCounts } }) =>
        [...commandCounts].map(([command, count]): Sample => [{ command, ...labels }, count]),
      ),
  );
  const ofBreaker = (
    Kind: typeof Gauge | typeof Counter,
    name: string,
    help: string,
    measure: (it: NonNullable<StoreFigures["breaker"]>) => number,
  ) =>
    read(Kind, name, help, ["store"], () =>
      all.flatMap(({ labels, figures: { breaker } }): Sample[] =>
        breaker === null ? [] : [[labels, measure(breaker)]],
      ),
    );
  ofBreaker(
    Gauge,
    "usher_store_breaker_state",
    "The circuit breaker before Redis: 0 closed; 1 half-open, a probe is under way; 2 open",
    ({ state }) => breakerStates[state],
  );
  ofBreaker(
    Counter,
    "usher_store_breaker_opened_total",
    "Times the circuit breaker opened, as Redis was silent",
    ({ openedTotal }) => openedTotal,
  );
}
