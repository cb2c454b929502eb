import type { EventEmitter } from "node:events";
import type { Clock } from "../lib/clock.ts";
import { StoreUnavailableError, UsherError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type {
  AdminStep,
  Admission,
  AdmissionEnd,
  ClaimRequest,
  ClaimResult,
  Outcome,
  RoomSettings,
  RoomSettingsPatch,
  RoomState,
  RoomStore,
} from "../store/room-store.ts";
import { AdvanceLog } from "./advance-log.ts";
import { type Entrance, entranceOf } from "./entrance.ts";
import type { RoomEvents } from "./events.ts";
import { type Availability, Interruptions, isInterruption } from "./interruptions.ts";
import { Joiner } from "./joiner.ts";
import { LifeLine, RoomRecoveringError } from "./life-line.ts";
import { describePlace, type PlaceStatus } from "./place-status.ts";
import type { RoomKnowledge } from "./room-knowledge.ts";
import { StateFeed } from "./state-feed.ts";
import { type Presented, type Ticket, type TicketCodec, ticketWithoutPlace } from "./ticket.ts";
import { createVisitorId } from "./visitor.ts";

export { RoomRecoveringError };

export interface WaitingRoomParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly knowledge: RoomKnowledge;
  readonly tickets: TicketCodec;
  readonly fileSettings: RoomSettings;
  /** No ticket of this room can exist yet. */
  readonly isNewRoom: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: EventEmitter<RoomEvents>;
}

/** `full`: so many wait already that no more are taken. `closed`: the phase has no line to join. */
export type JoinResult =
  | { result: "joined"; ticket: Ticket }
  | { result: "later"; retryMs: number }
  | { result: "full" }
  | { result: "closed" };

export type EnterResult = ClaimResult | { result: "recovering"; remainingMs: number } | { result: "away" };

/** Admission changes are fetched in so many steps per refresh at most. */
const maxChangePages = 20;

/** Visitors who could not be given a position come back after so long. */
const awayRetryMs = 2_000;

/** One waiting room, as one process sees it. */
export class WaitingRoom {
  readonly id: string;
  readonly #parts: WaitingRoomParts;
  readonly #knowledge: RoomKnowledge;
  readonly #line: LifeLine;
  readonly #joiner: Joiner;
  readonly #interruptions: Interruptions;
  readonly #feed: StateFeed;
  readonly #advances = new AdvanceLog();

  constructor(parts: WaitingRoomParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#knowledge = parts.knowledge;
    this.#line = new LifeLine(parts.id, parts.store, parts.knowledge, parts.fileSettings, parts.isNewRoom);
    this.#interruptions = new Interruptions(parts.id, parts.clock, parts.events);
    this.#feed = new StateFeed(parts.id, parts, this.#advances);
    this.#joiner = new Joiner(async (count) => {
      const range = await this.#run((life) => parts.store.join(parts.id, life, count));
      const joined = range.last - range.first + 1;
      if (joined > 0) {
        this.#knowledge.learnRange(range);
        parts.events.emit("tickets.joined", { room: parts.id, count: joined });
      }
      if (range.refusal !== null) {
        parts.events.emit("join.refused", { room: parts.id, reason: range.refusal, count: count - joined });
      }
      return range;
    });
  }

  get availability(): Availability {
    return this.#interruptions.availability;
  }

  /** What was last heard from the store; null before the first answer. */
  get state(): RoomState | null {
    return this.#knowledge.state;
  }

  /** Whether nobody is admitted for a while after a recovery, because it is not known who was admitted lately. */
  get isHeld(): boolean {
    const { state } = this;
    return state !== null && state.holdRemainingMs > 0;
  }

  /** What a visitor without a place meets, as last heard. */
  get entrance(): Entrance {
    return entranceOf(this.state);
  }

  get title(): string {
    return (this.state?.settings.effective ?? this.#parts.fileSettings).title;
  }

  get fileSettings(): RoomSettings {
    return this.#parts.fileSettings;
  }

  /** When `state` was heard, by this process's clock, in milliseconds. */
  get refreshedMs(): number {
    return this.#feed.heardMs;
  }

  read(token: string | undefined): Presented {
    return this.#parts.tickets.decode(this.id, token);
  }

  encode(ticket: Ticket): string {
    return this.#parts.tickets.encode(ticket);
  }

  /**
   * Gives a visitor the next position. `later` when nobody can be given one just now: those who came during an
   * interruption go first when it is over, oldest first.
   *
   * @param known a ticket of the visitor whose place is void; they stay the same visitor.
   * @param arrivedMs when the visitor came, by the clock of a process.
   */
  async join(known: Ticket | null, arrivedMs: number): Promise<JoinResult> {
    const delayMs = this.#interruptions.delayOfJoinMs(arrivedMs);
    if (delayMs > 0) return { result: "later", retryMs: delayMs };
    try {
      if (this.state === null) await this.refresh();
      const answer = await this.#joiner.join();
      if (typeof answer === "string") {
        // The phase, or the line, is not what this process last heard.
        await this.catchUp();
        return { result: answer };
      }
      const { edition, position, joinedMs } = answer;
      const ticket: Ticket = {
        room: this.id,
        sub: known?.sub ?? createVisitorId(this.id, this.#parts.random),
        edition,
        position,
        joinedMs,
        requests: known?.requests ?? [],
        restarts: 0,
        claim: null,
      };
      return { result: "joined", ticket };
    } catch (error) {
      if (!isInterruption(error)) throw error;
      this.#interruptions.noteTurnedAway();
      return { result: "later", retryMs: error instanceof RoomRecoveringError ? error.remainingMs : awayRetryMs };
    }
  }

  /** A visitor who needs no place where everybody passes; their ticket only says who they are. */
  visitorWithoutPlace(): Ticket {
    return ticketWithoutPlace(this.id, createVisitorId(this.id, this.#parts.random));
  }

  /**
   * Asks to enter: with a place, without one where everybody passes, or again with an admission. Idempotent but for the login it records.
   *
   * @param login hash of the authorization request to be answered; null for none.
   */
  async enter(ticket: Ticket, login: string | null): Promise<EnterResult> {
    try {
      const claim: ClaimRequest = {
        sub: ticket.sub,
        edition: ticket.edition,
        position: ticket.position,
        joinedMs: ticket.joinedMs,
        login,
        proof: ticket.claim,
      };
      let result = await this.#claim(claim);
      if (result.result === "beyond" || result.result === "newer_edition") {
        await this.#reportLoss(ticket);
        result = await this.#claim(claim);
      }
      if (result.result !== "admitted") {
        this.#parts.events.emit("claim.refused", { room: this.id, reason: result.result });
        return result;
      }
      const { sub, position, edition, via } = result.admission;
      this.#knowledge.learnAdmissions([result.admission]);
      this.#parts.events.emit("admission.granted", {
        room: this.id,
        sub,
        position,
        edition,
        via,
        isNew: result.isNew,
        isLogin: login !== null,
      });
      return result;
    } catch (error) {
      if (error instanceof RoomRecoveringError) {
        this.#parts.events.emit("claim.refused", { room: this.id, reason: "recovering" });
        return { result: "recovering", remainingMs: error.remainingMs };
      }
      if (error instanceof StoreUnavailableError) return { result: "away" };
      throw error;
    }
  }

  /**
   * Checks a ticket that is ahead of what this process knows: after a refresh it is either plain, or it
   * proves that the store lost something, and recovery begins.
   */
  async verifyAhead(ticket: Ticket): Promise<void> {
    try {
      await this.refresh();
      if (!this.isAhead(ticket)) return;
      await this.#reportLoss(ticket);
      // Learns that recovery has begun, or what the store knows now.
      await this.refresh();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  /** Whether a ticket is ahead of what this process last heard: of a newer edition or behind the queue counter. */
  isAhead(ticket: Ticket): boolean {
    return this.#knowledge.isAhead(ticket);
  }

  /** Gives up the place, and ends the admission if there is one. */
  async leave(ticket: Ticket, end: AdmissionEnd = "abandoned"): Promise<void> {
    const { sub, edition, position, joinedMs } = ticket;
    if (position > 0 && this.isAhead(ticket)) await this.verifyAhead(ticket);
    if (position > 0) {
      await this.#run((life) => this.#parts.store.leave(this.id, life, { sub, edition, position, joinedMs }));
      this.#parts.events.emit("place.left", { room: this.id, sub });
    }
    // The cookie may be from before the claim, so it does not tell whether there is an admission.
    await this.endAdmission(sub, end);
  }

  /** The admission on record, live or ended. Asks the store. */
  admission(sub: string): Promise<Admission | null> {
    return this.#parts.store.admission(this.id, sub);
  }

  /**
   * A refresh of tokens: the admission on record, extended where admissions are sliding; null without one.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async renew(sub: string): Promise<Admission | null> {
    const admission = await this.#run((life) => this.#parts.store.renewAdmission(this.id, life, sub));
    if (admission !== null) this.#knowledge.learnAdmissions([admission]);
    if (admission?.ended === null) this.#parts.events.emit("admission.renewed", { room: this.id, sub });
    return admission;
  }

  /** The latest time to which an admission may be extended, in milliseconds. */
  latestEndMs({ admittedMs, expiresMs }: Admission): number {
    const { maxDurationMs } = (this.state?.settings.effective ?? this.#parts.fileSettings).admission;
    return maxDurationMs === null ? expiresMs : Math.max(expiresMs, admittedMs + maxDurationMs);
  }

  /** When the line begins, in milliseconds, as the schedule says; null when it does not. */
  get lineBeginsMs(): number | null {
    const { prequeueAtMs, opensAtMs } = (this.state?.settings.effective ?? this.#parts.fileSettings).schedule;
    const nowMs = this.state?.nowMs ?? 0;
    return [prequeueAtMs, opensAtMs].find((atMs) => atMs !== null && atMs > nowMs) ?? null;
  }

  /** Whether this process knows that the visitor's admission is live. */
  knowsAdmitted(sub: string): boolean {
    const admission = this.#knowledge.admission(sub);
    return admission?.ended === null && admission.expiresMs > (this.state?.nowMs ?? 0);
  }

  /** What this process heard of the room's health URL. A store that is away is no error here. */
  async reportHealth(isHealthy: boolean): Promise<void> {
    try {
      await this.#run((life) => this.#parts.store.reportHealth(this.id, life, isHealthy));
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  async endAdmission(sub: string, end: AdmissionEnd): Promise<Admission | null> {
    const wasOver = this.#knowledge.admission(sub)?.ended != null;
    const admission = await this.#run((life) => this.#parts.store.endAdmission(this.id, life, sub, end));
    if (admission !== null) {
      this.#knowledge.learnAdmissions([admission]);
      if (!wasOver) this.#parts.events.emit("admission.ended", { room: this.id, sub, end: admission.ended ?? end });
    }
    return admission;
  }

  listAdmissions(cursor: number, limit: number): Promise<{ admissions: Admission[]; cursor: number | null }> {
    return this.#parts.store.listAdmissions(this.id, cursor, limit);
  }

  /**
   * @param requestId makes the step safe to repeat for a day; null for none
   * @throws UsherError `idempotency_key_reused` when `requestId` was used for another step
   */
  async adminStep(step: AdminStep, requestId: string | null, admin: string) {
    const answer = await this.#run((life) => this.#parts.store.adminStep(this.id, life, step, requestId));
    if ("conflict" in answer) {
      throw new UsherError("idempotency_key_reused", "this Idempotency-Key was used for another request", {
        status: 422,
      });
    }
    const { step: name, ...detail } = step;
    this.#parts.events.emit("room.admin_step", { room: this.id, step: name, detail, admin });
    await this.catchUp();
    return answer;
  }

  /** @throws UsherError `conflict` when somebody else changed the room at the same time. */
  async changeSettings(live: RoomSettingsPatch, effective: RoomSettings, expectedVersion: number, admin: string) {
    const changed = await this.#run((life) =>
      this.#parts.store.changeSettings(this.id, life, live, effective, expectedVersion),
    );
    if (changed === null) {
      throw new UsherError("conflict", "the room was changed at the same time; read it and try again", { status: 409 });
    }
    this.#parts.events.emit("room.settings_changed", { room: this.id, version: changed.version, admin });
    await this.catchUp();
    return changed;
  }

  /** What a ticket's holder is told; null before the store was ever heard. */
  describe(ticket: Ticket): PlaceStatus | null {
    const state = this.state;
    return state === null ? null : describePlace(state, ticket, this.#knowledge.admission(ticket.sub), this.#advances);
  }

  /**
   * Moves the room and hears its state. Called about once a second, and after an operator's step.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async refresh(): Promise<void> {
    for (let page = 0; page < maxChangePages; page++) {
      const changes = await this.#run((life) => this.#parts.store.tick(this.id, life, this.#feed.cursor));
      if (!this.#feed.hear(changes)) return;
    }
  }

  /** After something that was done: whoever asked must not be told that it failed because the store went away since. */
  async catchUp(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  #claim(claim: ClaimRequest): Promise<ClaimResult> {
    return this.#run((life) => this.#parts.store.claim(this.id, life, claim));
  }

  async #reportLoss(ticket: Ticket): Promise<void> {
    const memory = this.#knowledge.recallFromTicket(ticket);
    if (memory !== null) await this.#line.offer(memory);
  }

  #run<T>(operation: (life: string | null) => Promise<Outcome<T>>): Promise<T> {
    return this.#interruptions.watch(this.#line.run(operation));
  }
}
