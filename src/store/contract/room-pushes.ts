/**
 * Visitors who are notified by Web Push that their turn is near, and that it has come. Types only; part of the contract in room-store.ts.
 *
 * A subscription belongs to a place, and goes with it: it is kept until the visitor's turn was told, the place was left, claimed or
 * moved, the line has ended, or an edition begins. A room keeps 50,000.
 */
import type { PlaceClaimed } from "./room-draw.ts";

/** `near`: the turn will come soon. `turn`: it has come. */
export type PushStage = "near" | "turn";

export interface PushSubscriptionRequest extends PlaceClaimed {
  readonly sub: string;
  readonly edition: number;
  /** Visitors up to this position are told of their turn alone: it is near already. */
  readonly nearThrough: number;
  /** Where and how to notify, as the caller reads it. */
  readonly text: string;
}

/** `over`: nothing would be told: no push is kept in this room, the turn has come, or the place is not the visitor's. */
export type PushSubscriptionAnswer = "kept" | "full" | "over";

/**
 * What became of a notification. `done`: it was accepted, or is given up. `gone`: there is no such subscription any more. `failed`: it
 * comes again.
 */
export interface PushSettlement {
  readonly id: string;
  readonly outcome: "done" | "gone" | "failed";
  /** Of one that failed, in milliseconds of the flow clock. */
  readonly retryMs: number;
}

/** The place that a draw has given to a visitor. */
export interface DrawnPush extends UndrawnPush {
  readonly position: number;
}

/** An entry whose draw is drawn: the caller computes its place. */
export interface UndrawnPush {
  readonly sub: string;
  readonly number: number;
  /** Of the draw. */
  readonly draw: number;
}

export interface PushTakeRequest {
  readonly settled: readonly PushSettlement[];
  readonly placed: readonly DrawnPush[];
  /** The turn of places up to this one is near. */
  readonly nearThrough: number;
  /** At most 100; 0 takes nothing. */
  readonly limit: number;
}

/** A notification that the caller alone sends, and settles within 30 s of the flow clock; else it comes again, to any process. */
export interface TakenPush {
  readonly id: string;
  readonly sub: string;
  readonly stage: PushStage;
  readonly text: string;
  /** How often it was taken, this time included. */
  readonly attempt: number;
  /** It does not come again. */
  readonly isLast: boolean;
}

export interface TakenPushes {
  readonly taken: readonly TakenPush[];
  /** At most 100; the caller names their places with its next call. */
  readonly undrawn: readonly UndrawnPush[];
  /** So many subscriptions there are, and notifications under way. */
  readonly stored: number;
}
