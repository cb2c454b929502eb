import type { EventEmitter } from "node:events";
import type { AddressBuckets } from "../lib/address-buckets.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Admission, RoomMessage, RoomSettings, RoomState, RoomStore } from "../store/contract/room-store.ts";
import type { DrawSource } from "./draw/draw-source.ts";
import { RoomDraws } from "./draw/room-draws.ts";
import type { RoomEvents } from "./events.ts";
import { RoomAdmissions } from "./operator/room-admissions.ts";
import { RoomLog } from "./operator/room-log.ts";
import { inOrderFor } from "./operator/room-message.ts";
import { RoomOperations } from "./operator/room-operations.ts";
import type { Availability } from "./replica/interruptions.ts";
import type { RoomReplica } from "./replica/room-replica.ts";
import { RoomSync } from "./replica/room-sync.ts";
import { type Presented, type Ticket, type TicketCodec, ticketWithoutPlace } from "./tickets/ticket.ts";
import { createVisitorId } from "./tickets/visitor.ts";
import { type Entrance, entranceOf } from "./visitor/entrance.ts";
import { describePlace, type PlaceStatus } from "./visitor/place-status.ts";
import { type ClaimAnswer, type ClaimOptions, RoomClaims } from "./visitor/room-claims.ts";
import { type JoinResult, RoomJoins } from "./visitor/room-joins.ts";
import { RoomMoves } from "./visitor/room-moves.ts";

export type { ClaimAnswer, JoinResult };

export interface WaitingRoomParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly replica: RoomReplica;
  readonly tickets: TicketCodec;
  /** What draws are made of; null: none can be. */
  readonly drawSource: DrawSource | null;
  readonly fileSettings: RoomSettings;
  /** Tag of the language in which it speaks to those whose own it has no words in; null: that of its first words. */
  readonly language: () => string | null;
  /** No ticket of this room can exist yet. */
  readonly isNewRoom: boolean;
  /** By which joins are limited per address. */
  readonly addresses: AddressBuckets;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: EventEmitter<RoomEvents>;
}

/** One waiting room, as one process sees it. */
export class WaitingRoom {
  readonly id: string;
  /** Admissions, live or ended. */
  readonly admissions: RoomAdmissions;
  /** What operators do. */
  readonly operations: RoomOperations;
  /** Places that are carried to another browser. */
  readonly moves: RoomMoves;
  /** What is public of the draws. */
  readonly draws: RoomDraws;
  /** The admission log. */
  readonly log: RoomLog;
  readonly #parts: WaitingRoomParts;
  readonly #replica: RoomReplica;
  readonly #sync: RoomSync;
  readonly #claims: RoomClaims;
  readonly #joins: RoomJoins;

  constructor(parts: WaitingRoomParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#replica = parts.replica;
    const sync = new RoomSync(parts);
    this.#sync = sync;
    this.admissions = new RoomAdmissions({ ...parts, sync });
    this.operations = new RoomOperations({ ...parts, sync });
    this.moves = new RoomMoves({ ...parts, sync });
    this.log = new RoomLog({ ...parts, state: () => this.state });
    this.draws = new RoomDraws({ ...parts, source: parts.drawSource });
    this.#claims = new RoomClaims({ ...parts, sync });
    this.#joins = new RoomJoins({ ...parts, sync, joinRate: () => this.settings.joinsPerAddress });
  }

  get availability(): Availability {
    return this.#sync.availability;
  }

  /** Milliseconds until a recovery is over, as last reported; null when there is none. */
  get recoveringMs(): number | null {
    return this.#sync.interruptions.recoveringMs;
  }

  /** The last synced state; null before the first sync. */
  get state(): RoomState | null {
    return this.#replica.state;
  }

  /**
   * The state as reported to visitors: while a room with a limit recovers, nobody is admitted for the rest of the
   * recovery and the hold that follows, which the state from before the loss does not contain.
   */
  get reportedState(): RoomState | null {
    const { state } = this;
    if (state === null || this.availability !== "recovering") return state;
    return this.#replica.beforeHold(state);
  }

  /** Whether nobody is admitted for a while after a recovery, because recent admissions are unknown. */
  get isHeld(): boolean {
    const state = this.reportedState;
    return state !== null && state.holdRemainingMs > 0;
  }

  /** What a visitor without a place meets, as last synced. */
  get entrance(): Entrance {
    return entranceOf(this.state);
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

  /** In force as last synced; before that, those of this process's file. */
  get settings(): RoomSettings {
    return this.state?.settings.effective ?? this.#parts.fileSettings;
  }

  /** When `state` was synced, by this process's clock, in milliseconds. */
  get refreshedMs(): number {
    return this.#sync.syncedMs;
  }

  /** The serving counter, as of the last state or the last join. */
  get serving(): number {
    return this.#replica.serving;
  }

  /** The store's wall clock by now, as far as this process knows, in milliseconds; null before the first sync. */
  get storeNowMs(): number | null {
    const sinceMs = this.#parts.clock.now() - this.refreshedMs;
    return this.state === null ? null : this.state.nowMs + Math.max(0, sinceMs);
  }

  read(token: string | undefined): Presented {
    const presented = this.#parts.tickets.decode(this.id, token);
    return presented.kind === "ticket" ? { kind: "ticket", ticket: this.place(presented.ticket) } : presented;
  }

  /** The ticket with its position as this process knows it by now: a number that was drawn is another. */
  place(ticket: Ticket): Ticket {
    return this.#replica.place(ticket);
  }

  encode(ticket: Ticket): string {
    return this.#parts.tickets.encode(ticket);
  }

  /**
   * Gives a visitor the next position. `later` while no positions can be given; visitors who came during an
   * interruption go first when it is over, oldest first.
   *
   * @param known a ticket of the visitor whose place is void; they stay the same visitor.
   * @param arrivedMs when the visitor came, by the clock of a process.
   * @param addressOf tells under which address the join is counted (lib/address-block.ts); null: it is not.
   */
  join(known: Ticket | null, arrivedMs: number, addressOf?: () => string | null): Promise<JoinResult> {
    return this.#joins.join(known, arrivedMs, addressOf);
  }

  /** A visitor who needs no place where everybody passes; their ticket only says who they are. */
  visitorWithoutPlace(): Ticket {
    return ticketWithoutPlace(this.id, createVisitorId(this.id, this.#parts.random));
  }

  /**
   * Claims an admission: with a place, without one where everybody passes, or again with a live admission. Idempotent but for
   * the login it records.
   *
   * @param login names the authorization request to be answered (see `Admission.logins`); null for none.
   */
  claim(ticket: Ticket, login: string | null, options: ClaimOptions = {}): Promise<ClaimAnswer> {
    return this.#claims.claim(ticket, login, options);
  }

  /**
   * Checks a ticket that this process cannot explain: after a refresh it is either explained, or it proves a loss in the store.
   * Then recovery begins; or, where only a coming draw would leave its number out, the draw includes it.
   */
  verifyAhead(ticket: Ticket): Promise<void> {
    return this.#sync.verifyAhead(ticket);
  }

  /** Whether a ticket is ahead of the last synced state: of a newer edition or behind the queue counter. */
  isAhead(ticket: Ticket): boolean {
    return this.#replica.isAhead(ticket);
  }

  /** Whether a ticket is ahead, or proves otherwise what this process has not synced. */
  isNews(ticket: Ticket): boolean {
    return this.#replica.isNews(ticket);
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
    await this.#sync.run((incarnation) =>
      this.#parts.store.leave(this.id, incarnation, { sub, edition, position, entry }),
    );
    this.#parts.events.emit("place.left", { room: this.id, sub });
  }

  /** The latest time to which an admission may be extended, in milliseconds. */
  latestEndMs({ admittedMs, expiresMs }: Admission): number {
    const { maxDurationMs } = this.settings.admission;
    return maxDurationMs === null ? expiresMs : Math.max(expiresMs, admittedMs + maxDurationMs);
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

  /**
   * The status of a ticket's place; null before the first sync.
   *
   * @param state by default with the effects of joins since
   */
  describe(presented: Ticket, state: RoomState | null = this.#latestReported): PlaceStatus | null {
    if (state === null) return null;
    const ticket = this.place(presented);
    const facts = { isElsewhere: this.#replica.isElsewhere(ticket), isAhead: this.isAhead(ticket) };
    return describePlace(state, ticket, this.#replica.admission(ticket.sub), this.#sync.advances, facts);
  }

  get #latestReported(): RoomState | null {
    return this.availability === "recovering" ? this.reportedState : this.#replica.latest;
  }

  /**
   * Advances the room and syncs its state. Called about once a second.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async refresh(): Promise<void> {
    this.#joins.report();
    await this.#sync.refresh();
  }

  /** See `RoomSync.catchUp`. */
  catchUp(): Promise<void> {
    return this.#sync.catchUp();
  }
}
