/** The scenarios of `npm run simulate`: steady demand, measured over many minutes after the warm-up. */
import { between, flashCrowd, steady, together } from "./arrivals.ts";
import type { Scenario } from "./run.ts";
import { plainPeople } from "./visitors.ts";
import type { StoreKind } from "./world.ts";

const minuteMs = 60_000;
/** By then a new room is open. */
const doorsOpenMs = 5_000;
const absences = [0, 0.5, 0.9];
/** Of the absent, so many look again after a while. */
const measuredPeople = { ...plainPeople, lateShare: 0.05, lateMeanMs: 10 * minuteMs };
/** Nothing goes wrong, and it ends as it is. */
const plainRun = { gateways: 2, faults: [], drainMs: null, isThorough: false } as const;

export interface GridRow {
  readonly inlet: "periodic" | "max_active";
  readonly size: string;
  readonly absentShare: number;
  readonly scenario: Scenario;
}

export interface GridOptions {
  readonly seed: string;
  readonly isQuick: boolean;
}

export function grid(options: GridOptions): GridRow[] {
  const limits: [number, StoreKind][] = [
    [5, "memory"],
    [60, "memory"],
    [1_000, "memory"],
    [60_000, "memory"],
    [60, "redis"],
    [1_000, "redis"],
  ];
  return [
    ...limits.flatMap(([limit, store]) => absences.map((absentShare) => periodic(limit, store, absentShare, options))),
    ...absences.map((absentShare) => maxActive(200, absentShare, options)),
  ];
}

/** A crowd at the beginning, and from then on as many who look as may enter. */
export function periodic(limit: number, store: StoreKind, absentShare: number, options: GridOptions): GridRow {
  const isLarge = limit >= 10_000;
  const backlogMinutes = isLarge ? 3 : 8;
  const warmUpMinutes = isLarge ? 3 : 6;
  const measuredMinutes = options.isQuick ? 10 : isLarge ? 10 : limit < 60 ? 120 : 30;
  const untilMs = (warmUpMinutes + measuredMinutes) * minuteMs;
  const perMinute = limit / (1 - absentShare);
  const name = `periodic ${limit}/min ${store} ${absentShare * 100}% absent`;
  return {
    inlet: "periodic",
    size: `${limit.toLocaleString("en")}/min`,
    absentShare,
    scenario: {
      name,
      seed: `${options.seed} ${name}`,
      ...plainRun,
      store,
      room: { inlet: { type: "periodic", outflowPerMinute: limit } },
      people: { ...measuredPeople, absentShare },
      arrivals: {
        rate: together(
          flashCrowd(perMinute * backlogMinutes, doorsOpenMs, 5_000),
          between(doorsOpenMs, untilMs, steady(perMinute)),
        ),
        untilMs,
        sliceMs: isLarge ? 50 : 100,
        isBulk: true,
      },
      measured: { fromMs: warmUpMinutes * minuteMs, untilMs },
      untilMs,
      askedShare: Math.min(1, 20_000 / (limit * measuredMinutes)),
    },
  };
}

/** Admissions of five minutes, some of which are done early. */
export function maxActive(active: number, absentShare: number, options: GridOptions): GridRow {
  const measuredMinutes = options.isQuick ? 20 : 120;
  const warmUpMinutes = 20;
  const untilMs = (warmUpMinutes + measuredMinutes) * minuteMs;
  const durationMs = 5 * minuteMs;
  // Half of them are done early, after two minutes on average.
  const stayMinutes = 3.4;
  const perMinute = active / stayMinutes / (1 - absentShare);
  const name = `max_active ${active} memory ${absentShare * 100}% absent`;
  return {
    inlet: "max_active",
    size: `${active} active`,
    absentShare,
    scenario: {
      name,
      seed: `${options.seed} ${name}`,
      ...plainRun,
      store: "memory",
      room: { inlet: { type: "max_active", maxActive: active }, durationMs },
      people: {
        ...measuredPeople,
        absentShare,
        completingShare: 0.5,
        completingMeanMs: 2 * minuteMs,
      },
      arrivals: {
        rate: together(
          flashCrowd((active * 3) / (1 - absentShare), doorsOpenMs, 5_000),
          between(doorsOpenMs, untilMs, steady(perMinute * 1.1)),
        ),
        untilMs,
        sliceMs: 100,
        isBulk: true,
      },
      measured: { fromMs: warmUpMinutes * minuteMs, untilMs },
      untilMs,
      askedShare: 1,
    },
  };
}
