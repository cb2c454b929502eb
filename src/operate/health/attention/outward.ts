import { type Attention, type Installation, seconds, warning } from "./attention.ts";

const reportedMs = 3_600_000;

/** The beacon that is asked for public random numbers. */
export function attentionOfBeacon({ processes, nowMs }: Installation): Attention[] {
  const running = processes.filter(({ isMissing }) => !isMissing).map(({ self }) => self);
  const found: Attention[] = [];
  const last = (member: "fetched_ms" | "failed_ms") => Math.max(0, ...running.map(({ beacon }) => beacon[member] ?? 0));
  const failedMs = last("failed_ms");
  if (failedMs > last("fetched_ms") && nowMs - failedMs < reportedMs) {
    const text = `The public random numbers for draws could not be fetched ${seconds(nowMs - failedMs)} ago. See that the gateways reach a mirror of the beacon before a draw needs it.`;
    found.push(warning({ code: "beacon_fails", text }));
  }
  return found;
}
