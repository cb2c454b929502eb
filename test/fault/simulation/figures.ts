/** The runs that docs/flow.md shows. */
import { type ArrivalRate, between, flashCrowd, steady, together } from "./arrivals.ts";
import { type Drawing, draw, each, perMinute } from "./figure.ts";
import type { Scenario } from "./run.ts";
import type { Series } from "./series.ts";
import { type People, plainPeople } from "./visitors.ts";

export interface Figure {
  readonly file: string;
  readonly scenario: Scenario;
  draw(series: Series): string;
}

const minuteMs = 60_000;

export function figures(seed: string): Figure[] {
  return [periodicFigure(seed), maxActiveFigure(seed)];
}

const came = { label: "came", kind: "inflow", value: perMinute(({ joined }) => joined) } as const;
const wentIn = { label: "went in", kind: "outflow", value: perMinute(({ admitted }) => admitted) } as const;
const waiting = { label: "in line", kind: "waiting", value: each((point) => point.waiting) } as const;

function periodicFigure(seed: string): Figure {
  const untilMs = 40 * minuteMs;
  const drawing: Drawing = {
    title: "A crowd, a pause and two changes of the limit",
    description:
      "Visitors who come and who go in by the minute, against the outflow limit, and people in line, over forty minutes. The outflow follows the limit and never exceeds it.",
    upperLabel: "visitors per minute (more than 1,500 came at the height of the crowd)",
    upperMost: 1_500,
    lowerLabel: "people in line",
    lines: [came, wentIn, { label: "limit", kind: "limit", value: each(({ limitPerMinute }) => limitPerMinute) }],
    lowerLines: [waiting],
  };
  return {
    file: "flow-periodic.svg",
    scenario: shown({
      name: "figure periodic",
      seed,
      room: { inlet: { type: "periodic", outflowPerMinute: 600 } },
      people: { absentShare: 0.3 },
      rate: between(5_000, untilMs, together(steady(400), flashCrowd(10_000, 2 * minuteMs, 4 * minuteMs))),
      faults: [
        { fault: "limit", atMs: 10 * minuteMs, outflowPerMinute: 300 },
        { fault: "pause", atMs: 16 * minuteMs, forMs: 2 * minuteMs },
        { fault: "limit", atMs: 22 * minuteMs, outflowPerMinute: 900 },
      ],
      untilMs,
    }),
    draw: (series) => draw(series, drawing),
  };
}

function maxActiveFigure(seed: string): Figure {
  const untilMs = 60 * minuteMs;
  const drawing: Drawing = {
    title: "At most 200 at a time, half of the visitors absent",
    description:
      "Live admissions against max_active, and people in line, over an hour. The site stays full while anyone waits, and is never fuller than max_active.",
    upperLabel: "live admissions",
    upperMost: 240,
    lowerLabel: "people in line",
    lines: [
      { label: "live", kind: "outflow", value: each(({ live }) => live) },
      { label: "max_active", kind: "limit", value: each(({ maxActive }) => maxActive) },
    ],
    lowerLines: [waiting],
  };
  return {
    file: "flow-max-active.svg",
    scenario: shown({
      name: "figure max_active",
      seed,
      room: { inlet: { type: "max_active", maxActive: 200 }, durationMs: 5 * minuteMs },
      people: { absentShare: 0.5, completingShare: 0.5, completingMeanMs: 2 * minuteMs },
      rate: between(5_000, untilMs - 20 * minuteMs, together(steady(90), flashCrowd(2_000, minuteMs, 4 * minuteMs))),
      faults: [],
      untilMs,
    }),
    draw: (series) => draw(series, drawing),
  };
}

interface Shown extends Pick<Scenario, "name" | "seed" | "room" | "faults" | "untilMs"> {
  readonly people: Partial<People>;
  readonly rate: ArrivalRate;
}

/** One in twenty of the absent looks again after a while; the whole run is shown. */
function shown({ name, seed, people, rate, untilMs, ...part }: Shown): Scenario {
  return {
    ...part,
    name,
    seed: `${seed} ${name}`,
    store: "memory",
    gateways: 2,
    people: { ...plainPeople, lateShare: 0.05, lateMeanMs: 10 * minuteMs, ...people },
    arrivals: { rate, untilMs, sliceMs: 100, isBulk: true },
    measured: { fromMs: 0, untilMs },
    untilMs,
    drainMs: null,
    isThorough: false,
    askedShare: 0,
  };
}
