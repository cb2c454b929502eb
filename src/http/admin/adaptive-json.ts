import { formatTime } from "../../config/index.ts";
import type { RoomState } from "../../room/index.ts";

/** How an `adaptive` inlet controls the site's latency; null for other inlets. */
export function adaptiveJson({ adaptive }: Pick<RoomState, "adaptive">) {
  if (adaptive === undefined) return null;
  return {
    rate_per_minute: adaptive.ratePerMinute,
    target_ms: rounded(adaptive.targetMs, 10),
    latency_ms: rounded(adaptive.latencyMs, 10),
    baseline_ms: rounded(adaptive.baselineMs, 10),
    error_rate: rounded(adaptive.errorRate, 10_000),
    decision: adaptive.decision,
    reason: adaptive.reason,
    decided_at: adaptive.decidedMs === 0 ? null : formatTime(adaptive.decidedMs),
  };
}

function rounded(value: number | null, to: number): number | null {
  return value === null ? null : Math.round(value * to) / to;
}
