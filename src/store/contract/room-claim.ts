/** Claiming, leaving and moving places, and who is notified of the turn. Types only; part of the contract in room-store.ts. */
import type { PlaceClaimed } from "./room-places.ts";
import type { Admission } from "./room-state.ts";

/** `position` is 0 without a place; edition and join time then do not count. */
export interface ClaimRequest extends PlaceClaimed {
  readonly sub: string;
  readonly edition: number;
  /** Join time of the place, on the claim clock, as the join answered it. */
  readonly joinedMs: number;
  /** Names the authorization request to be answered (see `Admission.logins`); null claims without a login (JSON API). */
  readonly login: string | null;
  /** A short name of the visitor's address; null where it is not known, or there is no login. */
  readonly address: string | null;
  readonly proof: AdmissionProof | null;
  /** The bypass link that the visitor came with, which lets in once and ahead of the line; null for none. */
  readonly bypass: LinkClaim | null;
  /** The name of the visitor's key, where one is needed to join; see room-joins.ts. Absent: none is. */
  readonly key?: string | null;
  /** Whether a program claims, so that no phase lets the visitor pass. Absent: the visitor does. */
  readonly isSilent?: boolean;
}

/** The admission that a claimed ticket proves, by the wall clock. Its end may be out of date where admissions are sliding. */
export type AdmissionProof = Pick<Admission, "admittedMs" | "expiresMs" | "via">;

/** A link that can be used once. */
export interface LinkClaim {
  /** Names the link; the same for every holder. */
  readonly id: string;
  /** Now, in milliseconds. */
  readonly madeMs: number;
  readonly expiresMs: number;
}

/**
 * The answer to a claim. Idempotent but for the login that it records: a place is admitted once, and so is a link (rule 3).
 * core/claim.ts has the order in which a claim is judged.
 */
export type ClaimResult =
  /** Not `isNew`: the admission was live, or the proof revived one from before this incarnation. Its login is recorded now. */
  | { result: "admitted"; isNew: boolean; admission: Admission }
  /** A live admission that gives no code: for this login again, beyond `loginsPerAdmission`, or from one address too many. */
  | { result: "answered" | "exhausted" | "too_many_addresses"; admission: Admission }
  /**
   * Ready to enter, and kept out by the hold after a `recovery`, the outflow `limit` (own or shared) or `capacity`. Claim again after
   * `retryMs` (100…4,000), within 5 s of the flow clock. `rank`: so many ready visitors go first.
   */
  | { result: "held"; retryMs: number; rank: number; by: "recovery" | "limit" | "capacity" }
  | { result: RefusedClaim };

/**
 * - `old_edition`, `newer_edition`: the place is not of the room's edition. A newer one proves a loss.
 * - `beyond`: neither handed out nor served, which proves a loss, too.
 * - `void`: the bypass link was used, is over, is from before this incarnation, or is made more than 5 s ahead of now.
 * - `no_place`: there is a line, and the visitor has no place in it. `closed`: idle or ended, and not passing through.
 * - `voided`: an operator has voided the entry.
 * - `moved`, `left`: the place was moved to another visitor, or the visitor's key has another one; or the visitor has left it.
 * - `ended`: the place was claimed, at any time of the edition, or its proof does not count.
 * - `waiting`: not served, or an entry whose position is not drawn or not known.
 * - `paused`: something holds the room. `expired`: the place was not claimed in time.
 */
export type RefusedClaim =
  | "waiting"
  | "beyond"
  | "paused"
  | "expired"
  | "ended"
  | "left"
  | "moved"
  | "voided"
  | "closed"
  | "no_place"
  | "void"
  | "old_edition"
  | "newer_edition";

export interface LeaveRequest extends PlaceClaimed {
  readonly sub: string;
  readonly edition: number;
}

export interface MoveRequest extends PlaceClaimed {
  readonly edition: number;
  /** Join time of the place, on the claim clock. */
  readonly joinedMs: number;
  /** Whose place it was when the link was made, and whose it is to be. */
  readonly from: string;
  readonly to: string;
  readonly link: LinkClaim;
}

// Visitors who are notified that their turn is near, and that it has come.
//
// A subscription belongs to a place, and goes with it: it is kept until the visitor's turn was told, the place was left, claimed or
// moved, the line has ended, or an edition begins. A room keeps 50,000.

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
