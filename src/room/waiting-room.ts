import { isSlotOver, slotMs } from "../core/statistics/statistics.ts";
import type { Random } from "../lib/clock-and-random.ts";
import type {
  Admission,
  DeviceBinding,
  EntryVoid,
  MoveRule,
  RoomMessage,
  RoomState,
} from "../store/contract/room-store.ts";
import { type BlockRows, createBlockRows } from "./draw/block-rows.ts";
import { createDrawRounds } from "./draw/draw-keeper.ts";
import type { DrawSource } from "./draw/draw-source.ts";
import { takesEntries, voidOf } from "./draw/entries.ts";
import { createEntryVoids, type EntryVoids } from "./draw/entry-voids.ts";
import { createRoomDraws, type RoomDraws } from "./draw/room-draws.ts";
import { type Entrance, entranceOf, redirectOf } from "./line.ts";
import { RoomAdmissions } from "./operator/room-admissions.ts";
import { createRoomLog, type RoomLog } from "./operator/room-log.ts";
import { inOrderFor } from "./operator/room-message.ts";
import { RoomOperations } from "./operator/room-operations.ts";
import { SyncedRoom, type SyncedRoomParts } from "./replica/synced-room.ts";
import { arrivalsMs, arrivalsOf, type Forecast, forecast } from "./statistics/forecast.ts";
import {
  type CheckOutcome,
  createSoftBlocks,
  type RefusalReason,
  type SoftBlocks,
  type SoftBlocksSeen,
  StatisticsReporter,
} from "./statistics/process-counts.ts";
import { readStatistics, type StatisticsRange, type StatisticsStep } from "./statistics/room-statistics.ts";
import {
  createVisitorId,
  type Presented,
  type Ticket,
  type TicketCodec,
  ticketWithoutPlace,
} from "./tickets/ticket.ts";
import { type AwayAdmissions, createAwayAdmissions } from "./visitor/away-admissions.ts";
import { type Claim, createClaim } from "./visitor/claims.ts";
import type { JoinLimits } from "./visitor/join-limits.ts";
import { createJoins, type JoinResult, type Joins } from "./visitor/joins.ts";
import { Moves } from "./visitor/moves.ts";
import { createPassers, type Passers } from "./visitor/passers.ts";
import { describePlace, type PlaceStatus } from "./visitor/place-status.ts";
import { RoomPushes } from "./visitor/room-pushes.ts";
import type { SharedJoinCounts } from "./visitor/shared-joins.ts";

export interface WaitingRoomParts extends SyncedRoomParts {
  /** What draws are made of; null: none can be. */
  readonly drawSource: DrawSource | null;
  readonly tickets: TicketCodec;
  /** Tag of the language in which it speaks to those whose own it has no words in; null: that of its first words. */
  readonly language: () => string | null;
  /** By which joins are limited per address. */
  readonly joinLimits: JoinLimits;
  /** By which all processes count joins together; absent or null: this one counts alone. */
  readonly joinCounts?: SharedJoinCounts | null | undefined;
  readonly random: Random;
  /** Whether commands to the store fail at once now, so that nobody waits for any. Default: never. */
  readonly isStoreCutOff?: (() => boolean) | undefined;
  /** How many processes run, as far as this one knows. Default: one. */
  readonly processCount?: (() => number) | undefined;
}

/** The store's: a recovery, and the hold that follows one where the limiter's log may be lost, in milliseconds. */
const recoveryMs = 2_500;
const holdMs = 60_000;

/** As the statistics call them. */
const joinRefusals = {
  full: "full",
  closed: "closed",
  too_many: "too_many_from_address",
  refused: "network_refused",
  later: "unavailable",
} as const satisfies Record<Exclude<JoinResult["result"], "joined" | "voided">, RefusalReason>;

/** One waiting room, as one process sees it: what visitors and operators may do in it, and what is shown to them. */
export class WaitingRoom extends SyncedRoom {
  readonly admissions: RoomAdmissions;
  readonly operations: RoomOperations;
  readonly moves: Moves;
  readonly pushes: RoomPushes;
  readonly draws: RoomDraws;
  readonly voids: EntryVoids;
  readonly log: RoomLog;
  readonly join: Joins["join"];
  readonly claim: Claim;
  readonly away: AwayAdmissions;
  readonly passers: Passers;
  readonly #joins: Joins;
  readonly #rows: BlockRows;
  readonly #softBlocks: SoftBlocks;
  readonly #reporter: StatisticsReporter;
  readonly #keepDraws: (() => Promise<boolean>) | null;
  readonly #parts: WaitingRoomParts;
  /** Of each state the one that is reported while the room recovers: pages are compiled once for each. */
  readonly #heldStates = new WeakMap<RoomState, RoomState>();

  constructor(parts: WaitingRoomParts) {
    super(parts);
    this.#parts = parts;
    this.#reporter = new StatisticsReporter(parts.random);
    this.admissions = new RoomAdmissions(this, parts.isStoreCutOff);
    this.operations = new RoomOperations(this);
    this.moves = new Moves(this);
    this.pushes = new RoomPushes(this);
    this.log = createRoomLog(this);
    this.draws = createRoomDraws(this, parts.drawSource);
    this.#rows = createBlockRows(this, parts.drawSource);
    this.voids = createEntryVoids(this, this.#rows);
    this.#keepDraws = parts.drawSource && createDrawRounds(this, parts.drawSource);
    const { joinLimits: limits, joinCounts: counts = null, random, isStoreCutOff } = parts;
    this.#softBlocks = createSoftBlocks(parts.clock);
    const softBlocks = this.#softBlocks;
    this.passers = createPassers(this, limits);
    this.away = createAwayAdmissions(this, parts.processCount ?? (() => 1));
    const ofJoins = { limits, softBlocks, counts, random, isStoreCutOff, rows: this.#rows, away: this.away };
    this.#joins = createJoins(this, ofJoins);
    this.join = async (...request) => {
      const answer = await this.#joins.join(...request);
      this.#noteJoin(answer);
      return answer;
    };
    this.claim = createClaim(this, this.away, (reason) => this.#reporter.refuse(reason), isStoreCutOff);
  }

  /**
   * The state as reported to visitors: while a room recovers, nobody is admitted for the rest of the recovery and, where
   * it has a limit, of the hold that may follow, which the state from before the loss does not contain.
   */
  get reportedState(): RoomState | null {
    const { state, availability } = this;
    if (availability === "away") return this.away.reportedState ?? state;
    if (state === null || availability !== "recovering") return state;
    const { outflowPerMinute, sharedOutflow } = state.settings.effective.inlet;
    const isLimited = outflowPerMinute !== null || sharedOutflow !== null;
    const holdRemainingMs = recoveryMs + (isLimited && !this.isLogWhole ? holdMs : 0);
    const reported = this.#heldStates.get(state) ?? { ...state, holdRemainingMs };
    this.#heldStates.set(state, reported);
    return reported;
  }

  /** As reported to visitors: where the room lets them in without the store, pages that wait for a place go on as soon as nobody waits in line. */
  get reportedAvailability(): WaitingRoom["availability"] {
    return this.availability === "away" && this.away.isLineEmpty ? "ready" : this.availability;
  }

  /** Whether nobody is admitted for a while after a recovery, because recent admissions are unknown. */
  get isOnHold(): boolean {
    return (this.reportedState?.holdRemainingMs ?? 0) > 0;
  }

  /** Until when nobody is admitted after a recovery, by this process's clock; null when admissions go on. */
  get holdUntilMs(): number | null {
    const state = this.reportedState;
    if (state === null || state.holdRemainingMs <= 0 || state.phase === "passthrough") return null;
    if (this.availability !== "recovering") return this.refreshedMs + state.holdRemainingMs;
    // What was synced is from before the loss, of whatever age.
    return this.clock.now() + (this.interruptions.recoveringMs ?? 0) - recoveryMs + state.holdRemainingMs;
  }

  /** Milliseconds for which nobody is admitted yet; 0 when admissions go on. */
  get holdLeftMs(): number {
    return Math.max(0, (this.holdUntilMs ?? 0) - this.clock.now());
  }

  /** Why a place is void, where it is that of an entry that an operator has voided, as last synced; null where it is not. */
  voidOf(ticket: Ticket): EntryVoid | null {
    return voidOf(this.state, this.place(ticket));
  }

  /** Whether a draw takes entries, as last synced: what is voided can be given back. */
  get isTakingEntries(): boolean {
    return this.state !== null && takesEntries(this.state);
  }

  /** What a visitor without a place meets, as last synced. */
  get entrance(): Entrance {
    return entranceOf(this.state);
  }

  /** Where visitors are sent who meet no line, by `when_idle` and `when_ended`; null where they stay. */
  get redirect(): string | null {
    return this.isOpeningOverdue ? null : redirectOf(this.state);
  }

  /** How often a place may go to another browser. That of a key is its visitor's in each; one that is bound stays in its own. */
  get moveRule(): MoveRule {
    return this.isByKey || this.deviceBinding !== "none" ? "never" : (this.settings.moves ?? "once");
  }

  /** Whether places are bound to the browser. That of a key is its visitor's in each. */
  get deviceBinding(): DeviceBinding {
    return this.isByKey ? "none" : (this.settings.deviceBinding ?? "none");
  }

  get title(): string {
    return this.settings.title;
  }

  /**
   * The operator's message as last synced, the room's own language first; null for none. The file's message may not be
   * in force.
   */
  get message(): RoomMessage | null {
    const message = this.state?.settings.effective.message;
    return message ? inOrderFor(message, this.#parts.language()) : null;
  }

  /** Whether the schedule's next time has passed, and the store has not said so: it is away, or about to. */
  get isOpeningOverdue(): boolean {
    const { state } = this;
    if (state === null) return false;
    const { prequeueAtMs, opensAtMs } = state.settings.effective.schedule;
    const next = [prequeueAtMs, opensAtMs].find((atMs) => atMs !== null && atMs > state.scheduleMarkMs);
    return next != null && next <= (this.storeNowMs ?? 0);
  }

  /** When the line begins, in milliseconds, as the schedule says; null when it does not. */
  get lineBeginsMs(): number | null {
    const { prequeueAtMs, opensAtMs } = this.settings.schedule;
    const nowMs = this.storeNowMs ?? 0;
    return [prequeueAtMs, opensAtMs].find((atMs) => atMs !== null && atMs > nowMs) ?? null;
  }

  /** When people are let in, where that is later than the line begins; null where it is not, or nobody has said. */
  get entryBeginsMs(): number | null {
    const { opensAtMs } = this.settings.schedule;
    const { lineBeginsMs } = this;
    return opensAtMs !== null && lineBeginsMs !== null && opensAtMs > lineBeginsMs ? opensAtMs : null;
  }

  /** The zone (IANA name) in which the organiser writes times; undefined for UTC. */
  get timeZone(): string | undefined {
    return this.settings.timeZone;
  }

  /** The latest time to which an admission may be extended, in milliseconds. */
  latestEndMs({ admittedMs, expiresMs }: Pick<Admission, "admittedMs" | "expiresMs">): number {
    const { maxDurationMs } = this.settings.admission;
    return maxDurationMs === null ? expiresMs : Math.max(expiresMs, admittedMs + maxDurationMs);
  }

  read(token: string | undefined): Presented {
    const presented = this.#parts.tickets.decode(this.id, token);
    return presented.kind === "ticket" ? { kind: "ticket", ticket: this.place(presented.ticket) } : presented;
  }

  encode(ticket: Ticket): string {
    return this.#parts.tickets.encode(ticket);
  }

  /**
   * A visitor who needs no place where everybody passes; their ticket only says who they are.
   *
   * @param name of the visitor's key (tickets/visitor-key.ts); default: somebody new
   */
  visitorWithoutPlace(name?: string): Ticket {
    const sub = name === undefined ? createVisitorId(this.id, this.#parts.random) : `${this.id}.${name}`;
    return ticketWithoutPlace(this.id, sub);
  }

  /**
   * The status of a ticket's place; null before the first sync.
   *
   * @param state by default with the effects of joins since
   */
  describe(presented: Ticket, state: RoomState | null = this.#latestReported): PlaceStatus | null {
    return state && describePlace(state, this.replica, this.place(presented));
  }

  get #latestReported(): RoomState | null {
    const { availability } = this;
    if (availability === "away") return this.away.reportedState ?? this.replica.latest;
    return availability === "recovering" ? this.reportedState : this.replica.latest;
  }

  #noteJoin(answer: JoinResult): void {
    const { result } = answer;
    if (result === "joined") this.#softBlocks.join();
    // Where everybody passes, no place is needed.
    if (result === "joined" || result === "voided" || (result === "closed" && this.entrance === "pass")) return;
    const isOfEntries = result === "too_many" && answer.why === "entries";
    this.#reporter.refuse(isOfEntries ? "too_many_entries" : joinRefusals[result]);
  }

  /** Whom this process refused a place lately, and why. */
  get softBlocks(): SoftBlocksSeen {
    return this.#softBlocks.seen;
  }

  /** @param block of the visitor's address @param isHarder whether the work that is asked is harder than the least */
  recordCheck(outcome: CheckOutcome, block: string | null, isHarder: boolean): void {
    this.#softBlocks.check(outcome, block, isHarder);
    this.emit("join.checked", { outcome });
  }

  /**
   * Refuses a join by a rule of `address_rules`.
   *
   * @param block of the visitor's address
   * @param request its id, which the visitor may quote
   */
  refuseNetwork(rule: string, block: string | null, request: string): JoinResult {
    this.#softBlocks.refuse("network", block, rule);
    this.emit("join.network_refused", { rule, request });
    this.#reporter.refuse("network_refused");
    return { result: "refused" };
  }

  /** Gives up the place, and ends the admission if there is one. */
  async leave(ticket: Ticket): Promise<void> {
    if (ticket.position > 0) await this.leavePlace(ticket);
    // The cookie may be from before the claim, so it does not prove whether there is an admission.
    await this.admissions.end(ticket.sub, "logout");
  }

  /** Gives up the place alone. */
  async leavePlace(ticket: Ticket): Promise<void> {
    if (this.isAhead(ticket)) await this.verifyAhead(ticket);
    const { sub, edition, position, entry = null } = this.place(ticket);
    await this.run("leave", { sub, edition, position, entry });
    this.emit("place.left", { sub });
  }

  /** Draws what is due, besides. */
  override async refresh(): Promise<void> {
    this.#joins.report();
    this.away.keepTime();
    await super.refresh();
    await this.#joins.tell();
    if (await this.#keepDraws?.()) await super.refresh();
    await this.#recordStatistics();
  }

  /** Closes the slot of the statistics that is over, and tells what only this process knows. */
  async #recordStatistics(): Promise<void> {
    const { state } = this;
    if (state === null) return;
    const report = this.#reporter.next(state.presence);
    if (report === null && !isSlotOver(state.statisticsSlot, state.nowMs)) return;
    await this.run("recordStatistics", report);
    this.#reporter.confirm(report);
  }

  /**
   * How the room went. @throws StoreUnavailableError
   */
  statistics(range: StatisticsRange): Promise<StatisticsStep[]> {
    return readStatistics(this.store, this.name, range, this.nowMs);
  }

  /**
   * How the line goes on, by the newcomers of the last minutes; null before the first sync.
   *
   * @param outflowPerMinute what if it let in so many a minute; null: as it is
   * @throws StoreUnavailableError
   */
  async forecast(outflowPerMinute: number | null): Promise<Forecast | null> {
    const { reportedState: state } = this;
    if (state === null) return null;
    const toMs = Math.ceil(this.nowMs / slotMs) * slotMs;
    const steps = await this.statistics({ fromMs: toMs - arrivalsMs, toMs, stepMs: slotMs });
    return forecast(state, arrivalsOf(steps, slotMs), outflowPerMinute);
  }

  /**
   * A page shows the visitor's place at this moment. It is counted, and not kept.
   *
   * @param rank of the position in the sample; see public-status/presence.ts
   */
  recordPage({ edition, position }: Pick<Ticket, "edition" | "position">, rank: number): void {
    const { state } = this;
    if (state?.edition === edition && position > 0) this.#reporter.recordPage(state.presence, position, rank);
  }
}
