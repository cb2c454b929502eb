/**
 * What a store of waiting rooms promises. `memory/` and `redis/` keep these promises, and the one
 * contract suite in test/contract shows it. Rule numbers are those of the design ("Rules that always
 * hold"); docs/architecture.md lists them.
 *
 * Three clocks, all in milliseconds, all owned by the store:
 *
 * - **now**: the wall clock of the store's server. The schedule goes by it, and what is told of times.
 * - **flow clock**: advances with each script call by the time since the last one, clamped to 0…5 s.
 *   Limiter, inlets, readiness, recovery, hold and admissions go by it, so an idle night, an outage or a clock step
 *   opens no floodgate and ends no admission. It never runs backwards. It starts at `now` when a room is made. Only when
 *   another run of the server goes on with an old state it catches up with `now`: nobody knows how old that is.
 * - **claim clock**: like the flow clock, but it stands still while the room is paused, recovering,
 *   held or drawing. Claim windows go by it, so such time does not count. It starts at `now` when a room is made.
 *
 * Every state-changing operation is one atomic script, run against the room's own settings: a limit is
 * never an argument. No operation is repeated by the store client; a caller that repeats one gives a
 * `requestId` where repeating would otherwise count twice.
 *
 * **Incarnation.** A room's state belongs to one incarnation of the store. An incarnation ends when the state is missing
 * (FLUSHALL) or when another server run id answers than the one recorded in the state (restart,
 * failover, restored snapshot). Callers pass the incarnation they know, with the latest that they have seen of it: a state of the same
 * incarnation that is older (flow clock, edition, queue counter) was put back in place, under the same run id, and so was one of an
 * earlier incarnation; that is a loss like any other. See `Outcome`.
 */

import type { StoreClock } from "../../lib/store-clock.ts";
import type { LogHead, LogMark, LogPage } from "./admission-log.ts";
import type { EndedLogin } from "./ended-logins.ts";
import type { KnownIncarnation, Seen } from "./known-incarnation.ts";
import type { OidcAdapter } from "./oidc-adapter.ts";
import type { ClaimRequest, ClaimResult, LinkClaim } from "./room-claim.ts";
import type { DrawCommitment, DrawOutcome, KnownPlace } from "./room-draw.ts";
import type { RoomSettings, RoomSettingsPatch } from "./room-settings.ts";
import type { Admission, AdmissionEnd, MovedPlace, RoomMemory, RoomState } from "./room-state.ts";
import type { AdminStep, StepAnswer } from "./room-steps.ts";
import type { SharedDocuments } from "./shared-documents.ts";

export type * from "./admission-log.ts";
export type * from "./ended-logins.ts";
export type * from "./known-incarnation.ts";
export type * from "./oidc-adapter.ts";
export type * from "./room-claim.ts";
export type * from "./room-draw.ts";
export type * from "./room-facts.ts";
export type * from "./room-settings.ts";
export type * from "./room-state.ts";
export type * from "./room-steps.ts";
export type * from "./shared-documents.ts";

/**
 * What every operation on a room answers.
 *
 * - `recover`: the state is missing, of another incarnation than the caller's, older than what the caller has seen, or the caller gave no
 *   incarnation. The caller
 *   calls `contribute` with what it remembers and then repeats the operation, which was not carried out.
 * - `recovering`: the room is in recovery for `remainingMs` more: no positions, no advances, no claims.
 */
export type Outcome<T> =
  | { result: "ok"; value: T }
  | { result: "recover" }
  | { result: "recovering"; remainingMs: number };

export interface JoinRange {
  readonly edition: number;
  /** First and last number of the range. `last - first + 1` is the count that was asked for, unless there is a refusal. */
  readonly first: number;
  readonly last: number;
  /**
   * Why fewer, or none, were handed out: `full` (`maxWaiting` is reached), `closed` (the phase has no line: idle, ended,
   * passthrough; none are handed out).
   */
  readonly refusal: "full" | "closed" | null;
  /** The join time of these places, on the claim clock. */
  readonly joinedMs: number;
  readonly serving: number;
}

export interface LeaveRequest extends KnownPlace {
  readonly sub: string;
  readonly edition: number;
}

export interface MoveRequest extends KnownPlace {
  readonly edition: number;
  /** Join time of the place, on the claim clock. */
  readonly joinedMs: number;
  /** Whose place it was when the link was made, and whose it is to be. */
  readonly from: string;
  readonly to: string;
  readonly link: LinkClaim;
}

export interface Contribution {
  readonly room: string;
  /** The settings of this process's configuration file: seeds a room that nobody remembers. */
  readonly fileSettings: RoomSettings;
  /**
   * Null when this process remembers nothing. Parts of a large memory may come in several calls: every
   * field but `admissions` and `moves` is the same in each, and at most 500 of either go in one.
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
 * What is heard of the load of a site with an `adaptive` inlet: by a probe, `latencyMs` null for one that failed; or from the
 * site itself, each null where it says nothing of it.
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
  /** Places that were moved after `since`, oldest change first, at most 500. Some may be told twice. */
  readonly moves: readonly MovedPlace[];
  /** Pass as `since` next time. */
  readonly cursor: number;
  /** Whether more changes wait than were returned. */
  readonly more: boolean;
}

/**
 * **Phases.** A room has a base phase and a set of holds; `phase` is `paused` while a hold counts (see `HoldReason`), else
 * the base phase. Positions are handed out in prequeue and open, held or not (but not while `recovered`). The line moves and
 * places are claimed in open only. A new room begins in the phase that its schedule says for now: `idle` before its first
 * time, then that of the last time that has passed; `open` without a schedule.
 *
 * **Schedule.** Every operation first carries out the schedule by `now`: of the times in (scheduleMarkMs, now] each, in
 * order, moves the base phase forward in the order idle, prequeue, open, ended, never back, and not out of
 * `passthrough`; the last of them becomes scheduleMarkMs. So each time counts once, what an operator did since stands,
 * and a room that an operator has ended is not opened by a time that comes later. A change of the schedule (in the file
 * or live) is carried out at once in the same way, and so is a time of it that is new, though it lies before
 * scheduleMarkMs (which goes back to now at most: what is still to come counts, if the clock was ahead once); besides,
 * a room that has ended and whose new schedule says another phase for now (the next event) gets that phase.
 *
 * **Transitions**, by schedule or operator, to another base phase than the present one: version + 1. To prequeue, open or
 * ended, from whatever phase: idleEndedMs = now: admissions `via` idle have ended (they leave the live ones a few at a time).
 * To idle: idleEndedMs = min(idleEndedMs, now).
 * To `passthrough`: every place that was handed out is served (serving = max(serving, queued), one advance row).
 *
 * **Draw.** A prequeue in a room whose `draw.order` is `random` is a draw (see room-draw.ts): `first` is the next number when
 * it begins. While no process has committed to its seed, joins answer `recovering` (2,000 ms). From prequeue to open: closing,
 * until closesMs = opensAtMs + 5,000 where the schedule's time was at most 2 s ago, else now + 5,000, which the flow clock
 * counts down; a draw without a commitment is dropped then, since nobody can have entered, and its id is the next one's. The
 * first operation after that closes it: `last` = queue counter (`first` - 1 where nobody entered), and the gaps among its
 * numbers become one gap behind its entries, since numbers in gaps are drawn behind all others. So a step of the serving counter
 * does not skip them before either; places open beyond the entries are open behind that gap then. 2.5 s after the close, when
 * every process knows `last`, it can be drawn; but where a beacon was announced and is not given, after 30 s (by the flow clock).
 * While a draw is closing or closed nothing is served but by an operator, none of its numbers is claimed, and the claim
 * clock stands still. Back to prequeue, or to idle, while committed or closing: the same draw goes on. Back to prequeue
 * later: the next draw, and both are drawn. To passthrough or ended before it is drawn: cancelled. A reset drops all draws; in a
 * prequeue, the next begins. In a forgotten room (hold `recovered`) none begins before an operator resumes it. A 17th draw in an
 * edition makes the oldest forgotten.
 *
 * **Joins that need not wait.** Where the base phase is open, nothing holds the room, nobody waits before the join and the
 * inlet is `periodic` or `adaptive` (between its times) or `max_active`, the join serves of its places at once as many as the limiter
 * admits now (with the tolerance for nobody waiting), less those ready and the shows expected; with
 * `max_active` at most as many as capacity is free for. These are a batch like any other.
 *
 * **maxWaiting.** Joins are refused (`full`) beyond those that are served at once, those that go to open places, and
 * maxWaiting − waiting.
 *
 * **Limiter.** Its pacing has a tolerance of 0.5 s (1 s from 60 a minute up), and while nobody waits (serving >= queued, nobody is ready at a
 * lower position) min(3.5 s, b × interval − 2.05 s) but at least that, b = max(1, floor(limit ÷ 10)), interval = 60 s ÷ (1.03
 * × limit): so no two seconds exceed max(1, limit ÷ 10) (rule 4). Limits up to 5 are kept by even spacing alone: 60.2 s ÷ limit,
 * no tolerance. With a shared limit a claim must pass both.
 *
 * **Adaptive.** The inlet `adaptive` is `periodic` whose pacing, target and share go by a rate between its floor and the limit; the
 * log counts against the limit alone, so that a lower rate counts at once and nobody waits for what was admitted before it. Below
 * the limit the pacing is even: 60 s ÷ rate. Reports are gathered, and a tick decides once in `decideEveryMs` of the flow
 * clock, however many processes report and call: a limit is never an argument. Of an interval the median of the probes and that
 * of the reports count, the worse of both, smoothed by a half; errors as the share of the probes lately that failed, or the mean of
 * what was reported. Above 1.1 × the target: rate × max(0.7, √(target ÷ latency)), where that rises by
 * what it will be in two intervals; above the error rate, or when the site says `off` anew: × 0.7;
 * then for three intervals nothing is changed. Below 0.9 × the target, if the rate is used: + step × min(1, 2 − 2 × latency ÷ target), at
 * least 1. Neither where the latency, at its trend, is on its way: visitors are a load for as long as they stay, so that what was changed
 * shows late. (ahead = latency + 10 intervals' change; no decrease with ahead below the target, no increase above it, and the step by the
 * higher of both.) See `AdaptiveReason` for when it is left as it is. Nothing is decided while the line does not move. The baseline follows
 * each lower latency by a quarter, and higher ones over five minutes, but only where no more are let in than the floor, or the
 * rate has been at the floor for a minute: under load, the latency is what the control makes of it.
 *
 * **Shared outflow.** One limiter (log and pacing) for its rooms, on a flow clock of its own. A room that was refused
 * by it, or by its own share, within 5 s is asking. Each admission adds 1 ÷ weight to its room's share counter; a room
 * that begins to ask starts at the least counter of those asking. A claim is refused (250 ms) while the room's counter
 * is more than max(1, 4 s of the limit) ÷ (sum of weights asking, itself included) + 1 ÷ weight ahead of the least one
 * of those asking. So what one leaves the others may use. While another room is asking, joins are not served at once
 * and the tolerance is the small one: a room that is never refused would never ask. For planning, a room's share is
 * limit × weight ÷ weights of the rooms with people waiting or ready at their ticks within 5 s, itself included; but
 * another room counts for no more than its own limit, and the rest is shared likewise.
 *
 * **Admission log.** Unless `logRowsMax` is 0, each new admission appends a row in the same script, and what the account needs
 * besides has rows of its own, see `LogRow`: a claim and a tick first note what is in force, if it is another than was noted last.
 * Processes compute the chain of hashes and lay its head down (`sealed`); rows are only forgotten, by moving `base`, when they are
 * sealed. Numbers are used once: behind a loss the log goes on at the last number that is remembered + 100,001, and with the head
 * that is remembered where the rows up to it are gone. A memory counts while the room recovers.
 */
export interface RoomStore {
  /** Frees all that is kept of a room that is no more. A call that uses it afterwards finds it missing, as after a loss. */
  forget(room: string): Promise<void>;

  /**
   * Joins recovery with what this process remembers, or adopts the current incarnation. Always answers with the
   * incarnation to use from now on.
   *
   * - State present and of the running server: memory that knows more than the recovery did (see below) restarts
   *   recovery, with a new incarnation; otherwise no counter changes, a higher version of the same edition is adopted, and
   *   admissions from before this incarnation are merged (the places of all of them stay claimed). A changed file: `fileSettings` that differ from the stored file
   *   values replace them (version + 1), live changes stay on top; but a live inlet that lacks now what its type
   *   needs (`periodic` and `adaptive` a limit, `max_active` its number) is dropped.
   * - State missing or of another run id: recovery begins (or goes on) for 2,500 ms of the flow clock. What the
   *   old state still says (a restored snapshot) is merged like a contribution. While it lasts every other
   *   operation answers `recovering`.
   * - At its end, by the first call after it, the incarnation begins (`incarnationStartedMs`); if anything was remembered, positions
   *   resume at the merged maximum plus a gap of max(1,000, 5 × joinsPerSecondPeak), which is published in `gaps`; places
   *   that were open beyond the queue counter stay open behind it. Else the gap settles after 55 s (not in `max_active` rooms
   *   without a limit): until then visitors may show that they stand in it, so the serving counter does not skip it, and what was
   *   served of it by then is served behind it. One advance row (serving, now) gives every served place
   *   that had not expired a fresh claim window; rooms with an outflow limit, own or shared, are held for 60 s. Unaccounted admissions, which
   *   count as live for `max_active` until they lapse: those that an old state says already, and the remembered liveLapses
   *   less the live admissions on record and those unaccounted admissions (the earliest lapses first); all together at most maxActive. An
   *   admission from before the incarnation that is live and comes on record then or later, by a memory or a proof, takes the place of
   *   the earliest unaccounted admission, so that a late memory counts as it would have in time.
   * - Nobody remembered anything: `isNewRoom` by any contributor opens it then, without gap or hold, edition = now in
   *   seconds. (A store that is not shared opens it at once: there is nobody else to wait for.) Otherwise it has the phase that its schedule
   *   says and the hold `recovered`, edition 0; while so, joins answer `recovering` (remainingMs 2,000), and presented
   *   tickets raise edition and counters through `contribute` without restarting recovery, while a memory of version 1 or
   *   higher does restart it. The operator's `resume` puts the gap behind the highest position; where no
   *   ticket was seen, it begins an edition, now in seconds.
   * - "Knows more", after recovery: a higher edition; or the same edition with queued > the merged maximum and not
   *   covered by what was handed out since, or serving > the highest serving counter of the edition (an operator's step
   *   back is no loss); or a draw has come further: begun with a commitment, closed, cancelled, drawn (closing may be taken back).
   *   Here queued is the last position that the memory knows to have been handed out: what is a gap up to its queued is a bound,
   *   since checkpoints are rounded up, and no evidence. If that position lies in a gap, no restart is needed: serving is raised. In
   *   either case a gap is what both call one, and positions up to a bound beyond the queue counter become one. A ticket whose
   *   number is in a gap ends it there: its number and those of the gap before it were handed out (in a draw that takes
   *   entries from its first number on; what is a gap behind a fixed draw stays one). Marks that are rounded up always look like more: a process that was merely restarted asks
   *   with memory null first, and offers its checkpoints only if the incarnation is not the one they are of.
   */
  contribute(contribution: Contribution): Promise<{ incarnation: string; recovering: boolean; remainingMs: number }>;

  /**
   * Keeps the room moving, called about once a second by every process: advances the clocks, carries out the schedule, lets
   * the inlet serve (at most once per second of the flow clock however many call), ends lapsed
   * admissions, expires places and prunes, each bounded per call; and answers the state and what
   * changed. Never counts anything twice.
   *
   * An inlet serves (target − ready − shows still expected) ÷ show rate, rounded, never beyond the queue counter. Nothing is
   * served but in open, not held, not recovering, not in the hold after a recovery (but from 5 s before its end). The show
   * rate is the fraction of served places that claimed or claimed within the show time, smoothed, at least 0.02.
   *
   * - `periodic` and `adaptive`: show time 5 s, and 30 s of those whom an operator calls, who ask less often; target = 3 s of the limit that binds (own, or the share), at least one place, and growing by up
   *   to 6 s when nobody is ready though the limiter would admit: late shows and small numbers would else waste
   *   outflow. Only from `startsAtMs` until `endsAtMs`.
   * - `max_active`: show time 30 s; target = capacity free
   *   (maxActive − live admissions − unaccounted admissions) and a reserve who are held by `capacity`, growing up to max(1, 10 s × maxActive ÷
   *   durationMs) when nobody is ready though a place is free; with a limit, the target of `periodic` if that is less. It serves also
   *   at once when an admission ends.
   *
   * Batches: places served within one second of the flow clock are one batch if they are in a row and have one show time; at
   * most 40 are kept. The shows expected of a batch fade from its 15th to its 30th second.
   *
   * `since` from another history (beyond the last change) tells everything. An ended admission stays on record for at least
   * 15 minutes after it ended or would have lapsed, and as long as a recovery would open its place again, if it has one.
   * New claims forget and lapse a few as well, so that cleaning keeps up with them.
   */
  tick(room: string, incarnation: KnownIncarnation, since: number): Promise<Outcome<RoomChanges>>;

  /** Takes `count` (1…10,000) consecutive positions, or as many as there are (rule 1). A lost reply is a gap that nobody holds. */
  join(room: string, incarnation: KnownIncarnation, count: number): Promise<Outcome<JoinRange>>;

  claim(room: string, incarnation: KnownIncarnation, claim: ClaimRequest): Promise<Outcome<ClaimResult>>;

  /**
   * Voids the place for the rest of its edition. Idempotent; leaving a place of another edition, one beyond the queue
   * counter, or one that was moved to somebody else, changes nothing. An entry that is left before it is drawn keeps its share
   * in the draw: its place counts as a no-show when it was served.
   */
  leave(room: string, incarnation: KnownIncarnation, leave: LeaveRequest): Promise<Outcome<void>>;

  /**
   * Carries an unclaimed place to another visitor, by a link that is used once; from then on the place is that visitor's
   * alone. Carried out in every phase, held or not. Answers the place as it is theirs, also when this is asked again, by
   * whatever link. Null, and nothing has changed: the place is of another edition, beyond the queue counter, claimed (see `ClaimResult`;
   * as asked by `from`), left or expired; or it was moved to somebody else than `from`; or the link is void (as a bypass link is).
   *
   * The store remembers the holders of the last 100,000 places that were moved in the edition, and as many used links. Of an
   * older one, and after a loss of which nobody remembers it, the one of the two who claims first has it.
   */
  move(room: string, incarnation: KnownIncarnation, move: MoveRequest): Promise<Outcome<MovedPlace | null>>;

  /** The admission on record, live or ended, or null. Changes nothing and needs no incarnation. */
  admission(room: string, sub: string): Promise<Admission | null>;

  /** Ends a live admission and answers it; null when the visitor has none on record. Idempotent: the first end stays. */
  endAdmission(
    room: string,
    incarnation: KnownIncarnation,
    sub: string,
    end: AdmissionEnd,
  ): Promise<Outcome<Admission | null>>;

  /**
   * A refresh of tokens: answers the admission on record, extended if it is live and admissions are sliding: to
   * max(expiresMs, min(now + durationMs, admittedMs + maxDurationMs)), all on the flow clock.
   */
  renewAdmission(room: string, incarnation: KnownIncarnation, sub: string): Promise<Outcome<Admission | null>>;

  /**
   * Hands out logins whose client is to be told that the admission has ended, those due first, `limit` ≤ 500; and forgets
   * those whose clients were told, by the ids they were taken with.
   */
  takeEndedLogins(
    room: string,
    incarnation: KnownIncarnation,
    told: readonly string[],
    limit: number,
  ): Promise<Outcome<EndedLogin[]>>;

  /**
   * Takes a login of a live admission: a token that was handed over for it counts once, whichever process is shown it.
   * Null, and nothing has changed: there is no live admission, no such login under it, or it was taken before.
   */
  takeLogin(
    room: string,
    incarnation: KnownIncarnation,
    sub: string,
    login: string,
  ): Promise<Outcome<Admission | null>>;

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
    incarnation: KnownIncarnation,
    step: AdminStep,
    requestId: string | null,
  ): Promise<Outcome<StepAnswer | { conflict: true }>>;

  /**
   * What one process heard of the room's health URL. `unhealthyAfter` failures in a row set the hold `unhealthy`,
   * `healthyAfter` successes in a row lift it. Without a gate it changes nothing; settings without a gate lift it.
   */
  reportHealth(room: string, incarnation: KnownIncarnation, isHealthy: boolean): Promise<Outcome<void>>;

  /** Notes what was heard of the site's load; see "Adaptive". Other inlets than `adaptive` take no notice. */
  reportLoad(room: string, incarnation: KnownIncarnation, report: LoadReport): Promise<Outcome<void>>;

  /**
   * Publishes what binds the seed of a draw, that which is committed or closing, or else the next one. Of a draw that has begun (first > 0) the first one counts, whatever is asked
   * later; of one that has not, the last one. Another edition, edition 0, or another id changes nothing.
   */
  commitDraw(room: string, incarnation: KnownIncarnation, commitment: DrawCommitment): Promise<Outcome<void>>;

  /** Draws a closed draw if it is time (see "Draw"). Answers whether it is drawn now, by whomever; the first outcome counts. In any phase. */
  fixDraw(room: string, incarnation: KnownIncarnation, outcome: DrawOutcome): Promise<Outcome<boolean>>;

  /** Replaces the live changes if the room is still at `expectedVersion`; answers null when it is not. */
  changeSettings(
    room: string,
    incarnation: KnownIncarnation,
    live: RoomSettingsPatch,
    effective: RoomSettings,
    expectedVersion: number,
  ): Promise<Outcome<{ version: number } | null>>;

  /**
   * Rows of the admission log behind `after`, at most `limit` (1…1,000). Changes nothing and needs no incarnation. See "Admission log".
   */
  readLog(room: string, after: number, limit: number): Promise<LogPage>;

  /**
   * Moves a mark of the log on, if it still stands at `from`; answers whether it did. The sealed one goes no further than the
   * last row, the base no further than what is sealed; neither goes back.
   */
  moveLogMark(room: string, mark: LogMark, from: LogHead, to: LogHead): Promise<boolean>;
}

/** A store as a whole: rooms, shared documents, oidc-provider's records, and what processes must agree on. */
export interface Store {
  readonly rooms: RoomStore;
  readonly documents: SharedDocuments;
  /** The adapter for one oidc-provider model (`Session`, `Grant`, `AccessToken`, …). */
  oidcAdapter(model: string): OidcAdapter;
  /** Whether several processes may share this store. */
  readonly isShared: boolean;
  /** Its wall clock. */
  readonly clock: StoreClock;
  /**
   * Connects and checks what the store must be: version, `maxmemory-policy noeviction`, scripts permitted.
   * @throws SetupError that says what is wrong and what to do. A store that merely does not answer yet is no error.
   */
  start(): Promise<{ warnings: string[] }>;
  /**
   * What `start` would refuse of the store as it is now, in its words: it may have come late, or been set up anew since. Null: nothing.
   * @throws StoreUnavailableError
   */
  unfit(): Promise<string | null>;
  /**
   * Records this process's key fingerprints (key id by purpose, the signing key first) and answers those that the
   * running processes agreed on before: the first process to call lays them down; `replace` lays them down anew.
   */
  agreeOnKeys(fingerprints: Readonly<Record<string, string>>, replace: boolean): Promise<Record<string, string>>;
  /** Commands sent so far, by name of the script or command; for metrics and the benchmark. */
  readonly commandCounts: ReadonlyMap<string, number>;
  close(): Promise<void>;
}
