import type { Lapse } from "../contract/room-store.ts";
import type { AdmissionRecord } from "./data.ts";

/** The wall clock and the flow clock at one moment. */
export interface Clocks {
  readonly atMs: number;
  readonly flowMs: number;
}

/** Up to here the clocks agree, and what was told stays the same. */
const agreeMs = 1_000;

/** A time of the wall clock, as the flow clock will see it. */
export function toFlow({ atMs, flowMs }: Clocks, wallMs: number): number {
  return flowMs + (wallMs - atMs);
}

export function toWall({ atMs, flowMs }: Clocks, ms: number): number {
  return atMs + (ms - flowMs);
}

/** When the admission ends by the wall clock, as far as that can be told. That of an ended one is told no more anew. */
export function toldExpiresMs(clocks: Clocks, { expiresMs, expiresFlowMs, ended }: AdmissionRecord): number {
  const wallMs = toWall(clocks, expiresFlowMs);
  return ended !== null || Math.abs(wallMs - expiresMs) <= agreeMs ? expiresMs : wallMs;
}

/** What others remember of an admission, or prove, on the flow clock. */
export function flowTimes(clocks: Clocks, { admittedMs, expiresMs }: { admittedMs: number; expiresMs: number }) {
  return { admittedFlowMs: toFlow(clocks, admittedMs), expiresFlowMs: toFlow(clocks, expiresMs) };
}

export function lapsesToFlow(clocks: Clocks, lapses: readonly Lapse[]): Lapse[] {
  return lapses.map(({ untilMs, count }) => ({ untilMs: toFlow(clocks, untilMs), count }));
}
