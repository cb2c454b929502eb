import type { FairnessReport } from "./model.ts";
import type { Quantiles } from "./numbers.ts";

/** The report for programs. Times are ISO 8601, UTC; durations milliseconds. */
export function reportJson(report: FairnessReport) {
  const { verification, order, largestByWall } = report;
  return {
    room: report.room,
    edition: report.edition,
    from: isoOf(report.fromMs),
    to: isoOf(report.toMs),
    log: {
      chain: verification.fault === null ? "holds" : "broken",
      fault: verification.fault,
      rows: verification.rows,
      first: verification.first,
      last: verification.last,
      base: verification.base,
      missing: verification.missing,
      heads: verification.heads,
    },
    editions: report.editions,
    admissions: { total: report.admissions, via: report.via },
    counts: report.counts,
    order: {
      admissions: order.admissions,
      inversions: order.inversions,
      pairs: order.pairs,
      ties: order.ties,
      kendall_tau: order.kendallTau,
      displacement: quantilesJson(order.displacement),
    },
    wait_ms: quantilesJson(report.waits),
    outflow: {
      largest_60_seconds: report.largestByFlow,
      windows_over_limit: report.isLimited ? report.windowsOverLimit : null,
      largest_60_seconds_by_wall_clock: largestByWall && {
        admissions: largestByWall.admissions,
        from: isoOf(largestByWall.fromMs),
      },
      bins: report.bins.map(({ fromMs, minutes, admissions, limit }) => ({
        from: isoOf(fromMs),
        minutes,
        admissions,
        outflow_per_minute: limit,
      })),
    },
    in_force: report.situations.map((each) => ({
      from: isoOf(each.fromMs),
      phase: each.phase,
      phase_reason: each.phaseReason,
      inlet: each.inlet,
      outflow_per_minute: each.limit,
      max_active: each.maxActive,
    })),
    interruptions: report.stretches.map(({ kind, reason, fromMs, toMs }) => ({
      kind,
      reason,
      from: isoOf(fromMs),
      to: isoOf(toMs),
    })),
    recoveries: report.recoveries.map(({ atMs, heard }) => ({ at: isoOf(atMs), heard })),
    increments: report.increments,
  };
}

function quantilesJson(quantiles: Quantiles | null) {
  return quantiles && { ...quantiles, mean: Math.round(quantiles.mean) };
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
