import type { Aggregator, Counter, Gauge } from "prom-client";

export type Sample = [labels: Record<string, string>, value: number];

/**
 * Adds a metric that is read when it is asked for.
 *
 * @param together what becomes of the figures of several workers: counts are added up; a state, which all know, is the greatest
 */
export type Read = (
  Kind: typeof Gauge | typeof Counter,
  name: string,
  help: string,
  labelNames: string[],
  samples: () => Sample[],
  together?: Aggregator,
) => unknown;
