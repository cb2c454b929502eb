/** What an operator does to a room. Types only; part of the contract in room-store.ts. */
import type { BasePhase, Phase } from "./room-settings.ts";

export interface Counters {
  readonly serving: number;
  readonly queued: number;
  readonly waiting: number;
}

/** The room after a step. */
export interface StepAnswer extends Counters {
  readonly edition: number;
  readonly phase: Phase;
  /** Of the step `exited` alone: how many were counted, no more than were live. */
  readonly exited?: number;
}

/**
 * Operations that an operator asks for. A `requestId` makes each safe to repeat for 24 h: the first answer is given again.
 * Null where nobody could repeat it.
 */
export type AdminStep =
  /**
   * Moves the serving counter over `by` places (gaps are skipped free, both ways). Negative moves back, floor 0: those
   * places wait again, and all but the claimed and the left get a fresh window when they are served again. May pass the
   * queue counter. Also while paused. It counts as progress for `manual` without a limit only: elsewhere the inlet or the
   * limit is the pace.
   */
  | { step: "increment"; by: number }
  /** Holds the room for the reason `operator`; `resume` lifts that one and `recovered`, and no other. */
  | { step: "pause" }
  | { step: "resume" }
  /** The hold `alarm`. */
  | { step: "alarm"; isSet: boolean }
  /**
   * Puts the room into a phase (see "Phases" at `RoomStore`). Does not touch what holds it, but `recovered`, which only
   * `resume` and `reset` lift.
   */
  | { step: "phase"; phase: BasePhase }
  /**
   * So many have left the site, and it is not known who: they count as live no longer (`max_active`). The next ones that
   * end, in whatever way, are taken to be those. Beyond the live ones they are taken off the unaccounted admissions, the earliest first.
   */
  | { step: "exited"; count: number }
  /**
   * Starts a new edition: counters at 0; places, gaps, rows, ready visitors forgotten; nothing is claimed or left; edition becomes
   * max(edition + 1, now in seconds), so editions differ even across forgotten histories. Limiter, live
   * admissions, phase, counts and settings stay; the hold `recovered` becomes `operator`, for a new edition has no past.
   */
  | { step: "reset" };
