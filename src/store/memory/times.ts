/** A moment on two clocks of a machine: the wall clock, which may be set, and the time since it started, which only grows. */
export interface Moment {
  readonly wallMs: number;
  readonly uptimeMs: number;
}

export type Times = () => Moment;

/**
 * How long ago a moment was that another process wrote down: never more than it was, unless the wall clock was set forward and the
 * disk is in another machine by now.
 */
export function sinceMs(then: Moment, now: Moment): number {
  // A machine that started since did so later than that.
  const upMs = now.uptimeMs < then.uptimeMs ? now.uptimeMs : now.uptimeMs - then.uptimeMs;
  return Math.max(0, Math.min(now.wallMs - then.wallMs, upMs));
}
