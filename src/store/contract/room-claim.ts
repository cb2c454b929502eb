/** A claim and its answer, and the order in which it is judged. Types only; part of the contract in room-store.ts. */
import type { KnownPlace } from "./room-draw.ts";
import type { AdmittedVia } from "./room-facts.ts";
import type { Admission } from "./room-state.ts";

/** `position` is 0 without a place; edition and join time then do not count. */
export interface ClaimRequest extends KnownPlace {
  readonly sub: string;
  readonly edition: number;
  /** Join time of the place, on the claim clock, as the join answered it. */
  readonly joinedMs: number;
  /** Names the authorization request to be answered (see `Admission.logins`); null claims without a login (JSON API). */
  readonly login: string | null;
  /** A short name of the visitor's address; null where it is not known, or there is no login. */
  readonly address: string | null;
  /** The admission that a claimed ticket proves, if the visitor presents one. */
  readonly proof: { readonly admittedMs: number; readonly expiresMs: number; readonly via: AdmittedVia } | null;
  /** The bypass link that the visitor came with, which lets in once and ahead of the line; null for none. */
  readonly bypass: BypassClaim | null;
  /** Whether nobody came by themselves, so that no phase lets anybody pass. Absent: somebody did. */
  readonly isSilent?: boolean;
}

export type BypassClaim = LinkClaim;

/** A link that can be used once. */
export interface LinkClaim {
  /** Names the link; the same for every holder. */
  readonly id: string;
  /** Now, in milliseconds. */
  readonly madeMs: number;
  readonly expiresMs: number;
}

/**
 * The answer to a claim. The checks run in this order:
 *
 * 1. `old_edition` / `newer_edition`: there is a place, and it is not of the room's edition. (A newer one proves a loss.)
 * 2. A live admission of this sub, at any position: `admitted` with `isNew: false` and the login recorded (and the
 *    admission extended, where admissions are sliding); or `answered` (this login was recorded before), or `exhausted`
 *    (`loginsPerAdmission` reached). Before these: `too_many_addresses`, if it is used from an address that is not on record and
 *    `addressesPerAdmission` are; else the address is recorded. In every phase; paused and held rooms still log live admissions in.
 * 3. A proof whose `admittedMs` < `incarnationStartedMs` and `expiresMs` > now, of a sub that has no admission on
 *    record with `admittedMs` >= the proof's: the admission is re-created as it was (no outflow is counted,
 *    it is not a new admission; an unaccounted admission becomes it, where there are any), and 2 applies. Its `via` is that of the proof.
 *    A ticket knows the wall clock alone, so if that was set since the ticket was written, the admission lasts longer by the
 *    step, though from now on no longer than its whole time, or shorter.
 * 4. Not silent, and a phase that passes through (`passthrough`; `idle` and `ended` where the settings say so), not held: `admitted` with
 *    `isNew: true`, `via` the phase, with the place if it has one that was neither claimed, left nor moved to another (it is
 *    claimed then), else with position 0. Recorded by limiter and measures, not limited. An idle admission lapses at the schedule's next
 *    time at the latest.
 * 5. With a bypass link, in every other phase, held or not:
 *    - `void`: the link was used, or now > its `expiresMs`, or it was made before this incarnation (which may have forgotten that it
 *      was used), or more than 5 s ahead of now (the clock was set back since);
 *    - `held` as in 15, but at rank 0: it goes first, though within all limits (rules 4 and 5). It is ready as position 0;
 *    - else `admitted` with `isNew: true`, `via` bypass and the place as in 4. The link is used then. Counted in `bypassed`,
 *      recorded by both limiters and the outflow measure; it is no progress of the line and no show.
 *    Answers of 1 to 4 do not use the link. That it was used is kept until a day after it expires, whatever the clock does.
 *    A number whose position is not known (see 12) is used up by an admission of 3, 4 or 5, which has position 0.
 * 6. No place: `closed` in the phases idle and ended, else `no_place`.
 * 7. `moved`: the place was moved (see `RoomStore.move`), and its holder is another visitor.
 * 8. `ended`: this place was claimed, at any time of the edition; or the admission on record is of a later place of the
 *    same visitor and edition, and the place was not moved to them; or a proof was presented that does not count.
 * 9. `left`: the visitor left this place, at any time of the edition; or used its number up, as an entry, by 3, 4 or 5.
 * 10. `beyond`: number > queue counter and > serving. The ticket proves that the store lost joins.
 * 11. `closed`: the phase is idle or ended, not passing through.
 * 12. `waiting`: position > serving counter, or the phase is prequeue (whatever the counter says); or the number is an entry
 *    of a draw that is not drawn, or its position was not computed by that draw (see "Draw" at `RoomStore`): then
 *    the position is not known, and what this list judges by positions is passed over.
 * 13. `paused`.
 * 14. `expired`: claim clock > max(joinedMs, time it was served) + claimWithinMs, unless the limiter held the place within
 *    the last 30 s of the claim clock (which stands still in a pause, so that a pause costs no ready visitor the place).
 *    A place at or below the serving counter whose advance row is gone counts as served before all rows.
 * 15. `held`: `by` the hold after a `recovery`, the outflow `limit` (own or shared), or `capacity` (`max_active`: live
 *    admissions, unaccounted ones, and ready visitors at lower positions, leave none free). The place is ready for the
 *    next 5 s of the flow clock. `retryMs` is the time to its slot by rank among the ready positions,
 *    lowest first, at most 4,000 and at least 100; 2,000 for `capacity`.
 * 16. `admitted` with `isNew: true`. Recorded by the limiter and the outflow measure.
 *
 * Claims are idempotent but for the login they record. That a place was claimed, or left, is kept in one bit for as long
 * as the edition lasts, whatever becomes of the admission's record: no change of `claimWithinMs`, no step back and forth
 * and no copy of an unclaimed ticket makes two admissions of one (rule 3). In a loss these bits are lost with the store;
 * those of the admissions that are remembered come back with them. The limiter is described in DESIGN §4 and
 * belongs to the room: editions and resets do not refill it.
 */
export type ClaimResult =
  | { result: "admitted"; isNew: boolean; admission: Admission }
  | { result: "held"; retryMs: number; rank: number; by: "recovery" | "limit" | "capacity" }
  | {
      result:
        | "waiting"
        | "beyond"
        | "paused"
        | "expired"
        | "ended"
        | "left"
        | "moved"
        | "closed"
        | "no_place"
        | "void"
        | "old_edition"
        | "newer_edition";
    }
  | { result: "answered" | "exhausted" | "too_many_addresses"; admission: Admission };
