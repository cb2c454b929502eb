/** What an operator, and the site, do to a room. Types only; part of the contract in room-store.ts. */
import type { BasePhase, Phase } from "./room-settings.ts";

/** The room after a step. */
export interface StepAnswer {
  readonly serving: number;
  readonly queued: number;
  readonly waiting: number;
  readonly edition: number;
  readonly phase: Phase;
  /** Of the step `exited` alone: how many were counted, no more than were live. */
  readonly exited?: number;
  /** Of the step `stock` alone: how many are left, as is known now; absent where nobody says. */
  readonly remaining?: number;
}

/**
 * Operations that an operator asks for. A `requestId` makes each safe to repeat for 24 h: the first answer is given again.
 * Null where nobody could repeat it.
 */
export type AdminStep =
  /**
   * Moves the serving counter over `by` places (gaps are skipped free, both ways). Negative moves back, floor 0: those
   * places wait again, and all but the claimed and the left get a fresh window when they are served again. May pass the
   * queue counter. Also while paused.
   */
  | { step: "increment"; by: number }
  /** Holds the room for the reason `operator`; `resume` lifts that one and `recovered`, and no other. */
  | { step: "pause" }
  | { step: "resume" }
  /** The hold `alarm`. */
  | { step: "alarm"; isSet: boolean }
  /**
   * Puts the room into a phase. What holds it stays: only `resume` and `reset` lift `recovered`.
   */
  | { step: "phase"; phase: BasePhase }
  /**
   * So many have left the site, and nobody knows which: they count as live no longer (`max_active`).
   */
  | { step: "exited"; count: number }
  /**
   * So many are left to sell; null: nobody says so any more. At 0 the room is held (`sold_out`). `asOfMs`: when that was so, if the
   * caller says; it counts as now where it is later, and what is older than the last that was told changes nothing.
   */
  | { step: "stock"; remaining: number | null; asOfMs: number | null }
  /**
   * Starts a new edition, max(edition + 1, now in seconds): counters at 0, all places void, no stock told. Limiter, live admissions, phase, counts
   * and settings stay; the hold `recovered` becomes `operator`.
   */
  | { step: "reset" };

/**
 * The load of a site with an `adaptive` inlet: by a probe, `latencyMs` null for one that failed; or as the site itself reports it,
 * each null where it says nothing of it.
 */
export type LoadReport =
  | { readonly source: "probe"; readonly latencyMs: number | null }
  | {
      readonly source: "site";
      readonly latencyMs: number | null;
      /** A fraction. */
      readonly errorRate: number | null;
      /** `off` holds the line until `on`. */
      readonly signal: "on" | "off" | null;
    };
