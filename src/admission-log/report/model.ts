import type { LoggedCounts } from "../lines.ts";
import type { Verification } from "../verifier.ts";
import type { EditionRows, GatheredLog, Situation } from "./gathered.ts";
import { type Quantiles, quantilesOf } from "./numbers.ts";
import { type OrderKept, orderKept } from "./order.ts";
import { largestWindow, type OutflowBin, outflowBins, windowsOverLimit } from "./outflow.ts";

/** A stretch of time in which the room did not let anybody in as it does else. */
export interface Stretch {
  readonly kind: "paused" | "not_logged";
  readonly reason: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The report on one edition of a room's log. Times in milliseconds. */
export interface FairnessReport {
  readonly room: string | null;
  readonly verification: Verification;
  /** All of the log, oldest first. */
  readonly editions: readonly { readonly edition: number; readonly admissions: number }[];
  readonly edition: number;
  /** Of its first and last admission, by the store's clock; null without any. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly admissions: number;
  readonly via: Readonly<Record<string, number>>;
  readonly order: OrderKept;
  readonly waits: Quantiles | null;
  /** How many waited at most this long; the last entry is the longest wait. */
  readonly waitBins: readonly { readonly upToMs: number; readonly admissions: number }[];
  /** What was counted in this edition, as far as the log says; null where it does not. */
  readonly counts: LoggedCounts | null;
  readonly bins: readonly OutflowBin[];
  readonly largestByFlow: number;
  readonly largestByWall: { readonly admissions: number; readonly fromMs: number } | null;
  readonly windowsOverLimit: number;
  /** Whether any limit was in force at all. */
  readonly isLimited: boolean;
  readonly situations: readonly Situation[];
  readonly stretches: readonly Stretch[];
  readonly recoveries: readonly { readonly atMs: number; readonly heard: number }[];
  readonly increments: { readonly steps: number; readonly places: number };
  /** Admissions of the line by order of admission (rank, from 1) and position, thinned out for a figure. */
  readonly orderPoints: readonly (readonly [number, number])[];
}

const mostPoints = 600;
const waitBinCount = 30;

/** @param edition null for the last one with admissions. @returns null where the log has no such edition */
export function createReport(
  log: GatheredLog,
  verification: Verification,
  edition: number | null,
): FairnessReport | null {
  const all = [...log.editions.values()];
  const rows =
    edition === null ? (all.findLast(({ times }) => times.length > 0) ?? all.at(-1)) : log.editions.get(edition);
  if (rows === undefined) return null;
  const times = rows.times.values();
  const waits = rows.waits.values();
  const positions = rows.positions.values();
  const flow = rows.limitedFlow.values();
  const limits = rows.limits.values();
  return {
    room: verification.room,
    verification,
    editions: all.map((each) => ({ edition: each.edition, admissions: each.times.length })),
    edition: rows.edition,
    fromMs: times[0] ?? null,
    toMs: times.at(-1) ?? null,
    admissions: times.length,
    via: Object.fromEntries(rows.via),
    order: orderKept(positions),
    waits: quantilesOf(waits),
    waitBins: binWaits(waits),
    counts: countsOf(rows),
    bins: outflowBins(times, (fromMs, toMs) => limitsIn(rows.situations, fromMs, toMs)),
    largestByFlow: largestWindow(flow)?.admissions ?? 0,
    largestByWall: largestWindow(times.toSorted()),
    windowsOverLimit: windowsOverLimit(flow, limits),
    isLimited: limits.some((limit) => Number.isFinite(limit)),
    situations: rows.situations,
    stretches: stretchesOf(rows),
    recoveries: rows.recoveries,
    increments: rows.increments,
    orderPoints: thinned(positions),
  };
}

function countsOf({ countsBefore: before, countsAfter: after }: EditionRows): LoggedCounts | null {
  if (before === null || after === null) return null;
  return {
    joined: after.joined - before.joined,
    entered: after.entered - before.entered,
    passed: after.passed - before.passed,
    bypassed: after.bypassed - before.bypassed,
    no_shows: after.no_shows - before.no_shows,
    left: after.left - before.left,
  };
}

function limitsIn(situations: readonly Situation[], fromMs: number, toMs: number): (number | null)[] {
  return situations
    .filter((each, index) => each.fromMs < toMs && (situations[index + 1]?.fromMs ?? toMs) > fromMs)
    .map(({ limit }) => limit);
}

function stretchesOf({ situations, offs, lastMs }: EditionRows): Stretch[] {
  const paused = situations.flatMap((each, index): Stretch[] => {
    const toMs = situations[index + 1]?.fromMs ?? lastMs;
    return each.phase === "paused" ? [{ kind: "paused", reason: each.phaseReason, fromMs: each.fromMs, toMs }] : [];
  });
  const dark = offs.map((fromMs): Stretch => {
    const toMs = situations.find((each) => each.fromMs > fromMs)?.fromMs ?? lastMs;
    return { kind: "not_logged", reason: null, fromMs, toMs };
  });
  return [...paused, ...dark].sort((a, b) => a.fromMs - b.fromMs);
}

function binWaits(waits: Float64Array): { upToMs: number; admissions: number }[] {
  if (waits.length === 0) return [];
  const longest = waits.reduce((max, wait) => Math.max(max, wait), 0);
  // Whole seconds, so that the table reads well.
  const widthMs = Math.max(1_000, Math.ceil(longest / waitBinCount / 1_000) * 1_000);
  const bins = new Array<number>(Math.floor(longest / widthMs) + 1).fill(0);
  for (const wait of waits) {
    const bin = Math.floor(wait / widthMs);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins.map((admissions, bin) => ({ upToMs: (bin + 1) * widthMs, admissions }));
}

function thinned(positions: Float64Array): (readonly [number, number])[] {
  const step = Math.max(1, Math.ceil(positions.length / mostPoints));
  const points: (readonly [number, number])[] = [];
  for (let rank = 0; rank < positions.length; rank += step) points.push([rank + 1, positions[rank] ?? 0]);
  return points;
}
