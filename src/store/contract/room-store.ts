/**
 * What a store of waiting rooms promises: what each operation does, its units and its errors. How the rules decide stands once, in
 * src/core; `memory/` and `redis/` run it, and the suite in test/contract shows that they do. Rule numbers are those of
 * docs/architecture.md.
 *
 * All times are milliseconds of the store's clocks: **now**, the wall clock of its server; the **flow clock**, which never jumps nor
 * runs backwards (limits, recovery, the end of admissions); the **claim clock**, which besides stands still while the line does (claim
 * windows). See core/holds.ts.
 *
 * Every operation that changes something is atomic, and runs against the room's own settings: a limit is never an argument. The store
 * repeats none; a caller that repeats one gives a `requestId` where repeating would count twice. Each throws
 * `StoreUnavailableError` when the store does not answer; whether it took place is then unknown.
 *
 * **Incarnation.** A room's state belongs to one incarnation of the store, which ends when the state is missing (FLUSHALL) or another
 * server run id answers than the one recorded in it (restart, failover, restored snapshot). Callers pass the incarnation they know
 * with the latest that they have seen of it: an older state was put back in place, which is a loss like any other. See `Outcome`.
 */

import type {
  ClaimRequest,
  ClaimResult,
  LeaveRequest,
  MoveRequest,
  PushSubscriptionAnswer,
  PushSubscriptionRequest,
  PushTakeRequest,
  TakenPushes,
} from "./room-claim.ts";
import type { EventText } from "./room-events.ts";
import type {
  AdmissionEnd,
  DrawCommitment,
  DrawOutcome,
  EntryBlocksPage,
  JoinRange,
  KeyedJoins,
  KeyedRange,
  KeyPage,
  RestoreAnswer,
  RestoreRequest,
  Seen,
  SeenIncarnation,
  VoidAnswer,
  VoidRequest,
} from "./room-places.ts";
import type { LogHead, LogMark, LogPage, StatisticsPage, StatisticsReport, StatisticsTier } from "./room-records.ts";
import type { RoomSettings, RoomSettingsPatch } from "./room-settings.ts";
import type { AdminStep, Admission, LoadReport, MovedPlace, RoomMemory, RoomState, StepAnswer } from "./room-state.ts";

export type * from "./room-claim.ts";
export type * from "./room-events.ts";
export type * from "./room-places.ts";
export type * from "./room-records.ts";
export type * from "./room-settings.ts";
export type * from "./room-state.ts";
export type * from "./shared.ts";

/**
 * What every operation on a room answers.
 *
 * - `recover`: the state is missing, of another incarnation than the caller's, or older than what the caller has seen; or the caller
 *   gave no incarnation. The operation was not carried out: the caller calls `contribute` with what it remembers, and repeats it.
 * - `recovering`: the room is in recovery for `remainingMs` more: no positions, no advances, no claims.
 */
export type Outcome<T> =
  | { result: "ok"; value: T }
  | { result: "recover" }
  | { result: "recovering"; remainingMs: number };

export interface Contribution {
  readonly room: string;
  /** The settings of this process's configuration file: seeds a room that nobody remembers. */
  readonly fileSettings: RoomSettings;
  /**
   * Null when this process remembers nothing. Parts of a large memory may come in several calls: every
   * field but `admissions`, `moves` and `keys` is the same in each, and at most 500 of the first two and 2,000 keys go in one.
   */
  readonly memory: RoomMemory | null;
  /** The incarnation that this process knew, or left its checkpoints in, and what it saw of it. A state that is older was put back: recovery begins. */
  readonly seen?: Seen | null;
  /**
   * True when no ticket of this room can exist as far as this process knows (its keys were made just now, or the room was
   * added to a remembered installation). Others may know better.
   */
  readonly isNewRoom: boolean;
}

/**
 * A login whose client is to be notified that the admission has ended. A process that takes it notifies the client and says so with its
 * next call; until then the login comes again, after 30 s of the flow clock and then after twice as long each time, nine times at
 * most. So nothing is lost when a process dies, and of many processes one takes it.
 */
export interface EndedLogin {
  /** `ATTEMPT:ADMITTED_MS:SUB:CLIENT`: how often it was taken, this time included; the admission; and the client. */
  readonly id: string;
  /** It does not come again. */
  readonly isLast: boolean;
}

/** Which admissions; absent members leave nothing out. */
export interface WantedAdmissions {
  readonly status?: AdmissionEnd | "live" | undefined;
  /** Those of this one, or of all others. */
  readonly edition?: { readonly id: number; readonly isOthers: boolean } | undefined;
}

export interface RoomChanges {
  readonly state: RoomState;
  /** Admissions that were made, used or ended after `since`, oldest change first, at most 500. */
  readonly admissions: readonly Admission[];
  /** Places that were moved after `since`, oldest change first, at most 500. Some may come twice. */
  readonly moves: readonly MovedPlace[];
  /** Pass as `since` next time. */
  readonly cursor: number;
  /** Whether more changes wait than were returned. */
  readonly more: boolean;
  /** Rows of events behind `eventsAfter`, oldest first, at most 100; where that is -1, the newest. */
  readonly events: readonly EventText[];
}

/** The rooms of a store. */
export interface RoomStore {
  /** Whether the limiter's log has every admission of the last minute, whatever else is lost: then no hold follows a recovery. */
  readonly isLogWhole: boolean;
  /** Frees all that is kept of a room that is no more. A call that uses it afterwards finds it missing, as after a loss. */
  forget(room: string): Promise<void>;

  /**
   * Joins recovery with what this process remembers, or adopts the current incarnation. Answers the incarnation to use from now on,
   * and for how long the room still recovers (0: not, or no more).
   *
   * - State missing, of another run id, or older than `seen`: recovery begins, or goes on, for 2,500 ms of the flow clock. Memories are
   *   merged by maximum (see `RoomMemory`), and every other operation answers `recovering`.
   * - State present: a memory that knows more restarts recovery with a new incarnation; any other changes no counter. A changed file
   *   replaces the file's settings.
   * - Nobody remembered anything: the room opens if any contributor says `isNewRoom`, in a store that is not shared at once. Else it
   *   has the hold `recovered` and hands out no positions until an operator resumes it; presented tickets raise its counters.
   *
   * How a recovery merges and ends stands in core/recovery.
   */
  contribute(contribution: Contribution): Promise<{ incarnation: string; remainingMs: number }>;

  /**
   * Keeps the room moving, called about once a second by every process: clocks, schedule, inlet, lapses, pruning, each bounded. Never
   * counts anything twice, however many call. Answers the state, and what changed after `since`; a `since` of another
   * history (beyond the last change) reports everything.
   *
   * @param eventsAfter number of the last event that the caller has seen; -1: it wants the newest; absent: none
   */
  tick(room: string, incarnation: SeenIncarnation, since: number, eventsAfter?: number): Promise<Outcome<RoomChanges>>;

  /**
   * Takes `count` (1…10,000) consecutive positions, or as many as there are (rule 1). A lost reply is a gap that nobody holds. Answers
   * `recovering` (2,000 ms) in a room that nobody remembers, and while a draw to come is not committed to.
   *
   * @param rows of each who joins the blocks of addresses (`EntryBlocksPage`), which are kept while a draw takes entries; "": none are known
   * @throws RangeError for another count, or rows of another
   */
  join(room: string, incarnation: SeenIncarnation, count: number, rows?: string): Promise<Outcome<JoinRange>>;

  /**
   * The blocks that entries came from, from this number on, `count` ≤ 20,000. They are kept until the draw is drawn or cancelled, and not
   * remembered after a loss. Changes nothing and needs no incarnation.
   */
  entryBlocks(room: string, from: number, count: number): Promise<EntryBlocksPage>;

  /**
   * Voids the entries of some blocks, as long as entries are taken: in a prequeue, and until `closesMs`. They take no part in the draw,
   * nobody claims their places, and nobody joins from these blocks until the entries are closed.
   */
  voidEntries(room: string, incarnation: SeenIncarnation, request: VoidRequest): Promise<Outcome<VoidAnswer>>;

  /** Takes a void back, as long as entries are taken. Idempotent. */
  restoreEntries(room: string, incarnation: SeenIncarnation, request: RestoreRequest): Promise<Outcome<RestoreAnswer>>;

  /**
   * Gives each key its place of this edition: the one that it has, unless that is over (left, not claimed in time, its admission ended),
   * else the next position. So a key has one place, however many ask at once. A place that was drawn is over only as far as the caller
   * knows where it is. `recovering` as `join` answers it. Beyond 2,000,000 keys no more get a place (`full`).
   *
   * A loss forgets no key that a process remembers (`RoomMemory.keys`): of two numbers the last one given again counts, else
   * the lowest. A claim with the name of a key (`ClaimRequest.key`) is judged by it, and takes the place of one that is known of no more.
   *
   * @throws RangeError for more keys than 500, or none
   */
  joinKeys(room: string, incarnation: SeenIncarnation, request: KeyedJoins): Promise<Outcome<KeyedRange>>;

  /** The keys with a place behind `after`, lowest first, `limit` ≤ 2,000. Numbers only grow, so these are the new ones. */
  listKeys(room: string, incarnation: SeenIncarnation, after: number, limit: number): Promise<Outcome<KeyPage>>;

  /**
   * Carries out 1…64 claims, one after the other and each by itself: all of them in one operation. Answers them in their order.
   *
   * @throws RangeError for another number of claims
   */
  claim(
    room: string,
    incarnation: SeenIncarnation,
    claims: readonly ClaimRequest[],
  ): Promise<Outcome<readonly ClaimResult[]>>;

  /**
   * Voids the place for the rest of its edition. Idempotent; leaving a place of another edition, one beyond the queue
   * counter, or one that was moved to another visitor, changes nothing. An entry that is left before it is drawn keeps its share
   * in the draw: its place counts as a no-show when it was served.
   */
  leave(room: string, incarnation: SeenIncarnation, leave: LeaveRequest): Promise<Outcome<void>>;

  /**
   * Carries an unclaimed place to another visitor, by a link that is used once; from then on the place is that visitor's
   * alone. In every phase, held or not. Answers the place as it is theirs, also when asked again, by whatever link. Null, and nothing
   * has changed: the place is of another edition, beyond the queue counter, claimed, left or expired; it was moved to another than
   * `from`; or the link is void (as a bypass link is).
   *
   * The store remembers the holders of the last 100,000 places that were moved in the edition, and as many used links. Of an
   * older one, and after a loss of which nobody remembers it, the one of the two who claims first has it.
   */
  move(room: string, incarnation: SeenIncarnation, move: MoveRequest): Promise<Outcome<MovedPlace | null>>;

  /**
   * Answers the admissions on record, live or ended, of 1 to 64 visitors, in the order of `subs`; null for a visitor without one. Changes
   * nothing and needs no incarnation.
   */
  admissions(room: string, subs: readonly string[]): Promise<(Admission | null)[]>;

  /** Ends a live admission and answers it; null when the visitor has none on record. Idempotent: the first end stays. */
  endAdmission(
    room: string,
    incarnation: SeenIncarnation,
    sub: string,
    end: AdmissionEnd,
  ): Promise<Outcome<Admission | null>>;

  /**
   * A refresh of tokens: answers the admission on record, extended if it is live and admissions are sliding: to
   * max(expiresMs, min(now + durationMs, admittedMs + maxDurationMs)), all on the flow clock.
   */
  renewAdmission(room: string, incarnation: SeenIncarnation, sub: string): Promise<Outcome<Admission | null>>;

  /**
   * Hands out logins whose client is to be notified that the admission has ended, those due first, `limit` ≤ 500; and forgets
   * those whose clients were notified, by the ids they were taken with.
   */
  takeEndedLogins(
    room: string,
    incarnation: SeenIncarnation,
    done: readonly string[],
    limit: number,
  ): Promise<Outcome<EndedLogin[]>>;

  /** Keeps where to notify the visitor, in place of what was kept of them before. Idempotent. */
  keepPush(
    room: string,
    incarnation: SeenIncarnation,
    request: PushSubscriptionRequest,
  ): Promise<Outcome<PushSubscriptionAnswer>>;

  /** The visitor is not notified any more. Idempotent. */
  dropPush(room: string, incarnation: SeenIncarnation, sub: string): Promise<Outcome<void>>;

  /** Notes what became of notifications that were taken, and hands out those that are due, each to one process. */
  takePushes(room: string, incarnation: SeenIncarnation, request: PushTakeRequest): Promise<Outcome<TakenPushes>>;

  /**
   * A site has seen the visitor: the admission lasts its time, where it would have ended without (`firstVisitWithinMs`). Answers the
   * admission on record. Idempotent.
   */
  recordVisit(room: string, incarnation: SeenIncarnation, sub: string): Promise<Outcome<Admission | null>>;

  /**
   * Takes a login of a live admission, which a site has then seen: a token that was handed over for it counts once, whichever process is shown it.
   * Null, and nothing has changed: there is no live admission, no such login under it, or it was taken before.
   */
  takeLogin(room: string, incarnation: SeenIncarnation, sub: string, login: string): Promise<Outcome<Admission | null>>;

  /**
   * Admissions on record by order of last change, `limit` ≤ 500; `cursor` null at the end. Of those that are not `wanted` at most
   * 1,000 are looked at in one call, so a page may have fewer than `limit`, or none, and still not be the last.
   */
  listAdmissions(
    room: string,
    cursor: number,
    limit: number,
    wanted?: WantedAdmissions,
  ): Promise<{ admissions: Admission[]; cursor: number | null }>;

  /** Carries out an operator's step, once per `requestId` if there is one. `conflict`: it was used for another step. */
  adminStep(
    room: string,
    incarnation: SeenIncarnation,
    step: AdminStep,
    requestId: string | null,
  ): Promise<Outcome<StepAnswer | { conflict: true }>>;

  /** The answer that `adminStep` gave to `requestId`; null where it was not used for a day. Carries nothing out. */
  repeatedStep(
    room: string,
    incarnation: SeenIncarnation,
    step: AdminStep,
    requestId: string,
  ): Promise<Outcome<StepAnswer | { conflict: true } | null>>;

  /**
   * What one process found at the room's health URL: how many milliseconds the site took, or null for a failure. `unhealthyAfter` failures
   * in a row set the hold `unhealthy`, `healthyAfter` successes in a row lift it. Without a gate it changes nothing; settings without a
   * gate lift it.
   */
  reportHealth(room: string, incarnation: SeenIncarnation, latencyMs: number | null): Promise<Outcome<void>>;

  /** Notes the site's load, by which an inlet `adaptive` decides in a later tick. Other inlets take no notice. */
  reportLoad(room: string, incarnation: SeenIncarnation, report: LoadReport): Promise<Outcome<void>>;

  /**
   * Publishes what binds the seed of a draw, that which is committed or closing, or else the next one. Of a draw that has begun
   * (first > 0) the first commitment counts; of one that has not, the last one. Another edition, edition 0, or another id changes nothing.
   */
  commitDraw(room: string, incarnation: SeenIncarnation, commitment: DrawCommitment): Promise<Outcome<void>>;

  /**
   * Draws a draw that has been closed for 2.5 s, or for 30 s where an announced beacon is not given. Answers whether it is drawn now,
   * by whichever process; the first outcome counts. In any phase.
   */
  fixDraw(room: string, incarnation: SeenIncarnation, outcome: DrawOutcome): Promise<Outcome<boolean>>;

  /** Replaces the live changes if the room is still at `expectedVersion`; answers null when it is not. */
  changeSettings(
    room: string,
    incarnation: SeenIncarnation,
    live: RoomSettingsPatch,
    effective: RoomSettings,
    expectedVersion: number,
  ): Promise<Outcome<{ version: number } | null>>;

  /**
   * Closes the slot of the statistics that is over, where there is one (`statisticsSlot` of the state), and takes in what a process
   * reports; null: nothing. Called by every process when its tick says so: the first closes the slot, the others find it closed.
   */
  recordStatistics(room: string, incarnation: SeenIncarnation, report: StatisticsReport | null): Promise<Outcome<void>>;

  /**
   * The rows of these chunks of sixty slots, `count` ≤ 120, and the slot that is open. Changes nothing and needs no incarnation.
   * A slot has no row where nobody recorded it, and where it is one of the quiet ones behind another.
   */
  readStatistics(room: string, tier: StatisticsTier, firstChunk: number, count: number): Promise<StatisticsPage>;

  /** Rows of the admission log behind `after`, at most `limit` (1…1,000). Changes nothing and needs no incarnation. */
  readLog(room: string, after: number, limit: number): Promise<LogPage>;

  /**
   * Moves a head of the log on, if it still stands at `from`; answers whether it did. The sealed one goes no further than the
   * last row, the base no further than what is sealed; neither goes back.
   */
  moveLogMark(room: string, mark: LogMark, from: LogHead, to: LogHead): Promise<boolean>;
}
