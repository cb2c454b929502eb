import { clampStep } from "../../core/clocks.ts";
import type { AdmissionRecord } from "../../core/ports/records.ts";

/** The wall clock and the flow clock at one moment. */
export interface Clocks {
  readonly atMs: number;
  readonly flowMs: number;
}

/** Up to here the clocks agree, and what was told stays the same. */
const agreeMs = 1_000;

/** What the clocks will say in a call at this time. */
export function clocksAt({ atMs, flowMs }: Clocks, nowMs: number): Clocks {
  return { atMs: nowMs, flowMs: flowMs + clampStep(nowMs - atMs) };
}

/** When the admission ends by the wall clock, as far as that can be told. That of an ended one is told no more anew. */
export function wallExpiresMs({ atMs, flowMs }: Clocks, { expiresMs, expiresFlowMs, ended }: AdmissionRecord): number {
  const wallMs = atMs + (expiresFlowMs - flowMs);
  return ended !== null || Math.abs(wallMs - expiresMs) <= agreeMs ? expiresMs : wallMs;
}
