/**
 * What a page needs to choose its next request: clamp(floor, estimated wait ÷ divisor, ceiling) ± 30 % of jitter.
 * Near the front every 2 s, far away every 40 s.
 */
export const pollGuidance = {
  floorMs: 2_000,
  ceilingMs: 40_000,
  divisor: 10,
  /** Milliseconds over which pages spread what all of them would do at one moment: when the doors open. */
  spreadMs: 10_000,
} as const;

/** Milliseconds until a visitor should ask again, without jitter, from the estimate if there is one, else from the people ahead. */
export function pollAfterMs(ahead: number, estimatedHighSec: number | null): number {
  const waitMs = estimatedHighSec === null ? ahead * 1_000 : estimatedHighSec * 1_000;
  return Math.min(pollGuidance.ceilingMs, Math.max(pollGuidance.floorMs, Math.round(waitMs / pollGuidance.divisor)));
}
