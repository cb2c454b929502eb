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
import type { RoomEvents } from "./events.ts";
import { type Availability, Interruptions, isInterruption } from "./interruptions.ts";
import { Joiner } from "./joiner.ts";
import { LifeLine, RoomRecoveringError } from "./life-line.ts";
import { describePlace, type PlaceStatus } from "./place-status.ts";
import type { RoomKnowledge } from "./room-knowledge.ts";
import { StateFeed } from "./state-feed.ts";
import type { Presented, Ticket, TicketCodec } from "./ticket.ts";
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

export type JoinResult = { result: "joined"; ticket: Ticket } | { result: "later"; retryMs: number };

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

  constructor(parts: WaitingRoomParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#knowledge = parts.knowledge;
    this.#line = new LifeLine(parts.id, parts.store, parts.knowledge, parts.fileSettings, parts.isNewRoom);
    this.#interruptions = new Interruptions(parts.id, parts.clock, parts.events);
    this.#feed = new StateFeed(parts.id, parts);
    this.#joiner = new Joiner(async (count) => {
      const range = await this.#run((life) => parts.store.join(parts.id, life, count));
      this.#knowledge.learnRange(range);
      parts.events.emit("tickets.joined", { room: parts.id, count });
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
    return state !== null && state.holdRemainingMs > 0 && state.settings.effective.inlet.outflowPerMinute !== null;
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
      const { edition, position, joinedMs } = await this.#joiner.join();
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

  /**
   * Asks to enter with a place, or again with an admission. Idempotent but for the login it records.
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
      const { sub, position, edition } = result.admission;
      this.#knowledge.learnAdmissions([result.admission]);
      this.#parts.events.emit("admission.granted", {
        room: this.id,
        sub,
        position,
        edition,
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

  async leave(ticket: Ticket): Promise<void> {
    const { sub, edition, position, joinedMs } = ticket;
    await this.#run((life) => this.#parts.store.leave(this.id, life, { sub, edition, position, joinedMs }));
    this.#parts.events.emit("place.left", { room: this.id, sub });
    // The cookie may be from before the claim, so it does not tell whether there is an admission.
    await this.endAdmission(sub, "abandoned");
  }

  /** The admission on record, live or ended. Asks the store. */
  admission(sub: string): Promise<Admission | null> {
    return this.#parts.store.admission(this.id, sub);
  }

  async endAdmission(sub: string, end: AdmissionEnd): Promise<Admission | null> {
    const admission = await this.#run((life) => this.#parts.store.endAdmission(this.id, life, sub, end));
    if (admission !== null) {
      this.#knowledge.learnAdmissions([admission]);
      this.#parts.events.emit("admission.ended", { room: this.id, sub, end });
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
    const by = step.step === "increment" ? { by: step.by } : {};
    this.#parts.events.emit("room.admin_step", { room: this.id, step: step.step, ...by, admin });
    await this.#refreshIfPossible();
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
    await this.#refreshIfPossible();
    return changed;
  }

  /** What a ticket's holder is told; null before the store was ever heard. */
  describe(ticket: Ticket): PlaceStatus | null {
    const state = this.state;
    return state === null ? null : describePlace(state, ticket, this.#knowledge.admission(ticket.sub));
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
  async #refreshIfPossible(): Promise<void> {
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
