/** What the charts of a room show, from its recorded figures. */
import type { AdminAnswers } from "../../client/index.ts";
import type { Localized } from "../frame/speech.ts";
import { texts } from "./texts.ts";

type Step = AdminAnswers["StatisticsStep"];
type Statistics = AdminAnswers["Statistics"];
type Value = number | null;

export interface Series {
  readonly title: Localized;
  readonly values: readonly Value[];
  /** A bound rather than a figure. */
  readonly isLimit?: boolean;
  /** Whether its axis is the one on the right, as it counts something else than the others. */
  readonly isOnRight?: boolean;
}

export interface Chart {
  readonly name: keyof typeof texts.charts;
  readonly series: readonly Series[];
}

export interface Charts {
  /** The beginning of each step, in seconds since 1970. Steps before the first of which anything is known are left out. */
  readonly seconds: readonly number[];
  /** The one that tells of the sale comes first. */
  readonly charts: readonly Chart[];
}

/** Something that was done, at its time in seconds since 1970. */
export interface Mark {
  readonly sec: number;
  readonly text: string;
}

/** @param maxActive how many may be inside now; null for no limit */
export function chartsOf({ steps: recorded, step_seconds }: Statistics, maxActive: number | null): Charts {
  const firstKnown = recorded.findIndex(({ waiting, live }) => waiting !== null || live !== null);
  const steps = firstKnown === -1 ? [] : recorded.slice(firstKnown);
  const rate = (of: (step: Step) => Value) => steps.map((step) => perMinute(of(step), step, step_seconds));
  const gauge = (of: (step: Step) => Value) => steps.map(of);
  const admitted = rate((step) => sum(Object.values(step.admitted)));
  const all: Chart[] = [
    {
      name: "sale",
      series: [
        { title: texts.series.waiting, values: gauge(({ waiting }) => waiting) },
        { title: texts.series.admitted, values: admitted, isOnRight: true },
      ],
    },
    {
      name: "rates",
      series: [
        { title: texts.series.arrivals, values: rate(({ arrivals }) => arrivals) },
        { title: texts.series.admitted, values: admitted },
        { title: texts.series.limit, values: gauge(({ limit_per_minute }) => limit_per_minute), isLimit: true },
      ],
    },
    {
      name: "inside",
      series: [
        { title: texts.series.live, values: gauge(({ live }) => live) },
        ...(maxActive === null
          ? []
          : [{ title: texts.series.maxActive, values: steps.map(() => maxActive), isLimit: true }]),
      ],
    },
    {
      name: "missing",
      series: [
        { title: texts.series.absent, values: gauge(({ absent }) => absent) },
        { title: texts.series.noShows, values: gauge(({ no_shows }) => no_shows) },
      ],
    },
    {
      name: "refused",
      series: [
        { title: texts.refusals.rate, values: rate(({ refused }) => refused.too_many_from_address) },
        { title: texts.refusals.entries, values: rate(({ refused }) => refused.too_many_entries) },
        { title: texts.refusals.network, values: rate(({ refused }) => refused.network_refused) },
      ],
    },
    {
      name: "site",
      series: [{ title: texts.series.latency, values: gauge(({ site_latency_ms }) => site_latency_ms) }],
    },
    {
      name: "errors",
      series: [{ title: texts.series.errors, values: gauge(({ site_error_rate }) => percent(site_error_rate)) }],
    },
  ];
  const isMeasured = ({ name, series }: Chart) => {
    const has = (test: (value: number) => boolean) =>
      series.some(({ values }) => values.some((value) => value !== null && test(value)));
    if (name === "refused") return has((value) => value > 0);
    return (name !== "site" && name !== "errors") || has(() => true);
  };
  return { seconds: steps.map(({ at }) => Date.parse(at) / 1_000), charts: all.filter(isMeasured) };
}

/** Of a step that has hardly begun, a rate says nothing. */
function perMinute(count: Value, { recorded_seconds: recorded }: Step, stepSeconds: number): Value {
  if (count === null || recorded < stepSeconds / 2) return null;
  return Math.round((count * 600) / recorded) / 10;
}

/** To two places. */
function percent(fraction: Value): Value {
  return fraction === null ? null : Math.round(fraction * 10_000) / 100;
}

function sum(values: readonly Value[]): Value {
  return values.reduce((total, value) => (value === null || total === null ? null : total + value), 0 as Value);
}

export const ranges = ["15m", "1h", "sale"] as const;
export type Range = (typeof ranges)[number];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** How long figures are kept. */
const retentionMs = 89 * dayMs;

/**
 * From when on, in milliseconds. A sale begins when its schedule says that doors or room open; without one, it is the last day.
 */
export function beginOf(range: Range, scheduled: readonly (string | null)[], nowMs: number): number {
  if (range !== "sale") return nowMs - (range === "15m" ? 15 : 60) * minuteMs;
  const past = scheduled.flatMap((at) => (at === null ? [] : [Date.parse(at)])).filter((atMs) => atMs < nowMs);
  const beginMs = past.length === 0 ? nowMs - dayMs : Math.min(...past);
  return Math.max(beginMs, nowMs - retentionMs);
}
