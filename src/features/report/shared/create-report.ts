import type { Verification } from "../../../room/admission-log/chain-verifier.ts";
import { countNames, type LoggedCounts } from "../../../room/admission-log/lines.ts";
import type { EditionRows, GatheredLog } from "./gathered.ts";
import {
  countBins,
  largestWindow,
  orderPreserved,
  outflowBins,
  type Quantiles,
  quantilesOf,
  windowsOverLimit,
} from "./statistics.ts";

/** The report on one edition of a room's log: what report.json says, and what the page draws besides. */
export interface FairnessReport {
  readonly json: ReportJson;
  /** How many waited at most this long; the last entry is the longest wait. */
  readonly waitBins: readonly { readonly upToMs: number; readonly admissions: number }[];
  /** Admissions of the line by order of admission (rank, from 1) and position, thinned out for a figure. */
  readonly orderPoints: readonly (readonly [number, number])[];
}

export type ReportJson = ReturnType<typeof jsonOf>;

const mostPoints = 600;
const waitBinCount = 30;

/** @param edition null for the last one with admissions. @returns null where the log has no such edition */
export function createReport(
  { editions }: GatheredLog,
  verification: Verification,
  edition: number | null,
): FairnessReport | null {
  const all = [...editions];
  const [lastWithAny] = all.filter(([, { times }]) => times.length > 0).slice(-1);
  const [last = 0] = lastWithAny ?? all[all.length - 1] ?? [];
  const chosen = edition ?? last;
  const rows = editions.get(chosen);
  if (rows === undefined) return null;
  const totals = all.map(([id, { times }]) => ({ edition: id, admissions: times.length }));
  const json = jsonOf(chosen, rows, totals, verification);
  return { json, waitBins: binWaits(rows.waits), orderPoints: thinned(rows.positions) };
}

/** Times are ISO 8601, UTC; durations milliseconds. @param editions all of the log, oldest first */
function jsonOf(
  edition: number,
  rows: EditionRows,
  editions: readonly { readonly edition: number; readonly admissions: number }[],
  { room, ...log }: Verification,
) {
  const times = Float64Array.from(rows.times);
  const flow = Float64Array.from(rows.limitedFlow);
  const limits = Float64Array.from(rows.limits);
  const byWall = Float64Array.from(times).sort();
  const largestByWall = largestWindow(byWall);
  const isLimited = limits.some((limit) => Number.isFinite(limit));
  const { displacement, ...order } = orderPreserved(Float64Array.from(rows.positions));
  return {
    room,
    edition,
    /** Of the first and the last admission, by the store's clock; null without any. */
    from: times.length === 0 ? null : isoOf(times[0] ?? 0),
    to: times.length === 0 ? null : isoOf(times[times.length - 1] ?? 0),
    log: { chain: log.fault === null ? "holds" : "broken", ...log },
    editions,
    admissions: { total: times.length, via: Object.fromEntries(rows.via) },
    counts: countsOf(rows),
    order: { ...order, displacement: wholeMean(displacement) },
    wait_ms: wholeMean(quantilesOf(Float64Array.from(rows.waits))),
    outflow: {
      largest_60_seconds: largestWindow(flow)?.admissions ?? 0,
      /** Null where no limit was in force at all. */
      windows_over_limit: isLimited ? windowsOverLimit(flow, limits) : null,
      largest_60_seconds_by_wall_clock: largestByWall && {
        admissions: largestByWall.admissions,
        from: isoOf(largestByWall.fromMs),
      },
      bins: outflowBins(byWall, limitsOf(rows)).map(({ fromMs, minutes, admissions, limit }) => ({
        from: isoOf(fromMs),
        minutes,
        admissions,
        outflow_per_minute: limit,
      })),
    },
    in_force: rows.situations,
    interruptions: interruptionsOf(rows),
    recoveries: rows.recoveries,
    increments: rows.increments,
  };
}

function wholeMean(quantiles: Quantiles | null): Quantiles | null {
  return quantiles && { ...quantiles, mean: Math.round(quantiles.mean) };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** What was counted in this edition, as far as the log says; null where it does not. */
function countsOf({ countsBefore: before, countsAfter: after }: EditionRows): LoggedCounts | null {
  if (before === null || after === null) return null;
  return Object.fromEntries(countNames.map((name) => [name, after[name] - before[name]])) as LoggedCounts;
}

/** Every limit in force from one time to another, null for none. */
function limitsOf({ situations }: EditionRows): (fromMs: number, toMs: number) => (number | null)[] {
  const starts = situations.map(({ from }) => Date.parse(from));
  return (fromMs, toMs) =>
    situations
      .filter((_, index) => (starts[index] ?? toMs) < toMs && (starts[index + 1] ?? toMs) > fromMs)
      .map(({ outflow_per_minute }) => outflow_per_minute);
}

/** Stretches of time in which the room did not let anybody in as it does else. */
function interruptionsOf({ situations, offs, lastAt }: EditionRows) {
  const paused = situations.flatMap(({ phase, phase_reason: reason, from }, index) => {
    const to = situations[index + 1]?.from ?? lastAt;
    return phase === "paused" ? [{ kind: "paused" as const, reason, from, to }] : [];
  });
  const dark = offs.map((from) => {
    const to = situations.find((situation) => situation.from > from)?.from ?? lastAt;
    return { kind: "not_logged" as const, reason: null, from, to };
  });
  return [...paused, ...dark].sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

function binWaits(waits: readonly number[]): FairnessReport["waitBins"] {
  if (waits.length === 0) return [];
  const longest = waits.reduce((max, wait) => Math.max(max, wait), 0);
  // Whole seconds, so that the table reads well.
  const widthMs = Math.max(1_000, Math.ceil(longest / waitBinCount / 1_000) * 1_000);
  return countBins(waits, 0, widthMs).map((admissions, bin) => ({ upToMs: (bin + 1) * widthMs, admissions }));
}

function thinned(positions: readonly number[]): (readonly [number, number])[] {
  const step = Math.max(1, Math.ceil(positions.length / mostPoints));
  const points: (readonly [number, number])[] = [];
  for (let rank = 0; rank < positions.length; rank += step) points.push([rank + 1, positions[rank] ?? 0]);
  return points;
}
