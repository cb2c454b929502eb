import type { EventEmitter } from "node:events";
import { readEventRow } from "../../core/ports/reports.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { StoreUnavailableError, UsherError } from "../../lib/errors.ts";
import type {
  Outcome,
  RoomChanges,
  RoomSettings,
  RoomState,
  RoomStore,
  SeenIncarnation,
} from "../../store/contract/room-store.ts";
import type { EmitOfRoom, RoomEvents } from "../events.ts";
import type { Place, Ticket } from "../tickets/ticket.ts";
import type { Checkpoints } from "./checkpoints/checkpoints.ts";
import { driftsFrom, reportChanges } from "./events.ts";
import { createRecoveryClient, type RecoveryClient, RoomRecoveringError } from "./recovery-client.ts";
import { RoomReplica } from "./room-replica.ts";

export interface SyncedRoomParts {
  readonly id: string;
  /** What the store and the checkpoints know the room's line by: another for each room that is made anew under one id. */
  readonly name: string;
  readonly store: RoomStore;
  readonly checkpoints: Checkpoints;
  readonly fileSettings: RoomSettings;
  /** No ticket of this room can exist yet. */
  readonly isNewRoom: boolean;
  readonly clock: Clock;
  readonly events: EventEmitter<RoomEvents>;
  /** Whether each person has one place, by a key. Default: no. */
  readonly isByKey?: boolean | undefined;
}

/** Operations that are carried out under an incarnation, as they are called here: without room and incarnation. */
type Operations = {
  [Name in keyof RoomStore]: RoomStore[Name] extends (
    room: string,
    incarnation: SeenIncarnation,
    ...args: infer Args
  ) => Promise<Outcome<infer Value>>
    ? (...args: Args) => Promise<Value>
    : never;
};
type Operation = { [Name in keyof Operations]: Operations[Name] extends never ? never : Name }[keyof Operations];

/** Pages of changed admissions and moves that one refresh fetches at most. */
const maxChangePages = 20;
/** Of keys, and how many stand on one; the store's bound. */
const maxKeyPages = 20;
const keysPerPage = 2_000;

/** A request that was under way when its room was removed. */
export class RoomRemovedError extends UsherError {
  override name = "RoomRemovedError";

  constructor() {
    super("unknown_room", "the room was removed");
  }
}

/** A room's replica and its connection to the store: carries out operations, syncs the state, joins recoveries. */
export class SyncedRoom {
  readonly id: string;
  readonly name: string;
  readonly replica: RoomReplica;
  readonly interruptions: Interruptions;
  readonly clock: Clock;
  readonly emit: EmitOfRoom;
  readonly isByKey: boolean;
  readonly #store: RoomStore;
  readonly #fileSettings: RoomSettings;
  readonly #recovery: RecoveryClient;
  #isRemoved = false;
  /** Where to go on asking for changed admissions. */
  #cursor = 0;
  /** The last number up to which keys are known. */
  #keyCursor = 0;
  #refreshedMs = 0;

  constructor(parts: SyncedRoomParts) {
    const { id, name, store, checkpoints, fileSettings, isNewRoom, clock, events, isByKey = false } = parts;
    this.id = id;
    this.isByKey = isByKey;
    this.name = name;
    this.clock = clock;
    this.emit = (event, detail) => (events as EventEmitter).emit(event, { room: id, ...detail });
    this.#store = store;
    this.#fileSettings = fileSettings;
    this.replica = new RoomReplica(checkpoints, id, name);
    this.#recovery = createRecoveryClient(() => this.store, this.replica, { room: name, fileSettings, isNewRoom });
    this.interruptions = new Interruptions(clock, this.emit);
  }

  /** @throws RoomRemovedError once the room is removed, so that what is freed in the store stays so */
  get store(): RoomStore {
    if (this.#isRemoved) throw new RoomRemovedError();
    return this.#store;
  }

  /** See `RoomStore`. */
  get isLogWhole(): boolean {
    return this.#store.isLogWhole;
  }

  /** From now on nothing of this process reaches the store. */
  remove(): void {
    this.#isRemoved = true;
  }

  /** The incarnation that operations are carried out under; null before the first. */
  get incarnation(): string | null {
    return this.#recovery.incarnation;
  }

  /** After a recovery the room stays `recovering` until its new state is synced: the known one is from before the loss. */
  get availability(): Availability {
    const { availability } = this.interruptions;
    const { state } = this;
    const isOld = availability === "ready" && state !== null && state.incarnation !== this.incarnation;
    return isOld ? "recovering" : availability;
  }

  /** The last synced state; null before the first sync. */
  get state(): RoomState | null {
    return this.replica.state;
  }

  /** In force as last synced; before that, those of this process's file. */
  get settings(): RoomSettings {
    return this.state?.settings.effective ?? this.#fileSettings;
  }

  /** Whether another process's file is in force, which says something else than this one's. */
  get isDrifting(): boolean {
    return this.state !== null && driftsFrom(this.#fileSettings, this.state);
  }

  /** This process has seen each event with a number up to this one. Numbers are no less than ten times their milliseconds. */
  get eventsThrough(): number {
    const { state } = this;
    const { last } = this.replica.events;
    if (state === null) return 0;
    return last < state.events.last ? last : state.nowMs * 10 - 1;
  }

  /** When `state` was synced, by this process's clock, in milliseconds. */
  get refreshedMs(): number {
    return this.#refreshedMs;
  }

  /** The store's wall clock by now, as far as this process knows, in milliseconds; null before the first sync. */
  get storeNowMs(): number | null {
    return this.state === null ? null : this.state.nowMs + Math.max(0, this.clock.now() - this.refreshedMs);
  }

  /** The same; before the first sync, this process's clock. */
  get nowMs(): number {
    return this.storeNowMs ?? this.clock.now();
  }

  /** These three are the replica's; see there. */
  place(ticket: Ticket): Ticket {
    return this.replica.place(ticket);
  }

  isAhead(ticket: Ticket): boolean {
    return this.replica.isAhead(ticket);
  }

  isNews(ticket: Ticket): boolean {
    return this.replica.isNews(ticket);
  }

  /** Whether the place was moved to another visitor than that of the ticket, as last synced. Asks no store. */
  isMoved(ticket: Place & Pick<Ticket, "sub">): boolean {
    return this.replica.isElsewhere(ticket);
  }

  /** Like `isMoved`, but checked again with the store where it seems so: the place may have been moved back just now. */
  async confirmMoved(ticket: Place & Pick<Ticket, "sub">): Promise<boolean> {
    if (!this.isMoved(ticket)) return false;
    await this.catchUp();
    return this.isMoved(ticket);
  }

  /**
   * Carries out an operation of the store under the incarnation that this process knows.
   *
   * @throws StoreUnavailableError the store does not answer; whether the operation took place is unknown
   * @throws RoomRecoveringError
   * @throws RoomRemovedError
   */
  run<Name extends Operation>(name: Name, ...args: Parameters<Operations[Name]>): ReturnType<Operations[Name]> {
    const answer = this.#recovery.run((incarnation) => {
      const store = this.store as unknown as Record<Name, (...args: unknown[]) => Promise<Outcome<unknown>>>;
      return store[name](this.name, incarnation, ...args);
    });
    return this.interruptions.watch(answer) as ReturnType<Operations[Name]>;
  }

  /**
   * Advances the room and syncs its state. Called about once a second.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async refresh(): Promise<void> {
    for (let page = 0; page < maxChangePages; page++) {
      if (!this.#sync(await this.run("tick", this.#cursor, this.replica.events.last))) break;
    }
    if (this.isByKey) await this.#syncKeys();
  }

  /** Learns of the keys that were given a place, by whichever process. */
  async #syncKeys(): Promise<void> {
    for (let page = 0; page < maxKeyPages; page++) {
      const { edition, keys } = await this.run("listKeys", this.#keyCursor, keysPerPage);
      if (edition !== this.state?.edition) return;
      this.replica.learnKeys(edition, keys);
      this.#keyCursor = keys.at(-1)?.number ?? this.#keyCursor;
      if (keys.length < keysPerPage) return;
    }
  }

  /**
   * Answers whether there is more to ask for at once. An answer that a later one has overtaken counts for nothing; changes
   * are asked for from where the later one ended.
   */
  #sync({ state, admissions, moves, cursor, more, events }: RoomChanges): boolean {
    const before = this.state;
    if (!this.replica.learnState(state)) return false;
    this.replica.learnAdmissions(admissions);
    this.replica.learnMoves(state.edition, moves);
    const lastBefore = this.replica.events.last;
    this.replica.events.learn(events, state.events);
    if (events.length > 0) {
      this.emit("events.published", {
        line: this.name,
        events: events.map(({ seq, text }) => readEventRow(seq, text)),
      });
    }
    this.#refreshedMs = this.clock.now();
    reportChanges(this.emit, before, state, this.#fileSettings);
    // A new incarnation counts its changes anew.
    const isNewIncarnation = before !== null && before.incarnation !== state.incarnation;
    this.#cursor = isNewIncarnation ? 0 : cursor;
    // A merge brings back lower numbers.
    if (isNewIncarnation || before?.edition !== state.edition) this.#keyCursor = 0;
    const hasMoreEvents = lastBefore >= 0 && this.replica.events.last < state.events.last && events.length > 0;
    return isNewIncarnation || more || hasMoreEvents;
  }

  /**
   * A refresh that begins after this call, shared by all concurrent callers: after an operation, or for a state that this
   * process does not know. An unavailable store is no error.
   */
  readonly catchUp = shared(() => unlessInterrupted(this.refresh()));

  /**
   * Checks a ticket that this process cannot explain: after a refresh it is either explained, or it proves a loss in the store.
   * Then recovery begins; or, where only a coming draw would leave its number out, the draw includes it.
   */
  async verifyAhead(ticket: Ticket): Promise<void> {
    await unlessInterrupted(
      this.refresh().then(async () => {
        if (!this.isNews(ticket)) return;
        await this.reportLoss(ticket);
        await this.refresh();
      }),
    );
  }

  /** Offers the store what a ticket proves about the room, which starts a recovery. */
  async reportLoss(ticket: Ticket): Promise<void> {
    const memory = this.replica.recallFromTicket(ticket, this.isByKey);
    if (memory !== null) await this.#recovery.offer(memory);
  }
}

/** Concurrent callers share one run, which begins after they asked. */
function shared(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    // What is under way may have begun before the change that the caller wants to see. Its error goes to those who asked for it.
    next ??= current
      .catch(() => {})
      .then(() => {
        next = null;
        current = run();
        return current;
      });
    return next;
  };
}

/** Whether this process can give out positions and admissions of a room right now. */
export type Availability = "ready" | "recovering" | "away";

/** Whether an error says that the store cannot serve the room now, and may do so soon. */
export function isInterruption(error: unknown): error is StoreUnavailableError | RoomRecoveringError {
  return error instanceof StoreUnavailableError || error instanceof RoomRecoveringError;
}

/** Waits for what may fail because the store is away or the room recovers: that is no error. */
export async function unlessInterrupted(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isInterruption(error)) throw error;
  }
}

/** Milliseconds between two retries where it is unknown when the store will be back. */
const awayRetryMs = 2_000;
/** By this time after its end, every process has learned that a recovery is over. */
const hearingMs = 250;
/** Clocks of processes may differ by so much. */
const clockDifferenceMs = 5_000;

/** Keeps track of the times in which a room could not be served, as this process saw them. */
export class Interruptions {
  readonly #clock: Clock;
  readonly #emit: EmitOfRoom;
  #availability: Availability = "ready";
  #away: StoreUnavailableError | null = null;
  #sinceMs = 0;
  /** When the current recovery ends, as last reported. */
  #recoveredMs = 0;
  #last: Interruption | null = null;
  /** Whether a visitor was given an arrival stamp instead of a position in the interruption that goes on: their order is kept. */
  hasTurnedAway = false;
  /** The availabilities reported in this interruption so far. */
  #reported = new Set<Availability>();

  constructor(clock: Clock, emit: EmitOfRoom) {
    this.#clock = clock;
    this.#emit = emit;
  }

  get availability(): Availability {
    return this.#availability;
  }

  /** With which error the store is away; null while it is not. */
  get away(): StoreUnavailableError | null {
    return this.#availability === "away" ? this.#away : null;
  }

  /** Milliseconds until a recovery is over, as last reported; null when there is none. */
  get recoveringMs(): number | null {
    return this.#availability === "recovering" ? Math.max(0, this.#recoveredMs - this.#clock.now()) : null;
  }

  /** Milliseconds after which a visitor without a place may retry. */
  get retryMs(): number {
    return this.recoveringMs === null ? awayRetryMs : this.recoveringMs + hearingMs;
  }

  /** Milliseconds until a visitor who came at `arrivedMs` may be given a position; see `joinSlotMs`. */
  delayOfJoinMs(arrivedMs: number): number {
    if (this.#last === null) return 0;
    const nowMs = this.#clock.now();
    const isOver = nowMs < this.#last.untilMs || nowMs > this.#last.untilMs + settlingMs;
    if (isOver) {
      // Long ago, or the clock was set back.
      this.#last = null;
      return 0;
    }
    // A stamp from before the interruption was kept from an earlier one.
    const isOfThisOne = arrivedMs >= this.#last.sinceMs - clockDifferenceMs;
    return Math.max(0, joinSlotMs(this.#last, isOfThisOne ? arrivedMs : nowMs) - nowMs);
  }

  /** Runs an operation and notes whether the room could be served. */
  async watch<T>(operation: Promise<T>): Promise<T> {
    try {
      const value = await operation;
      this.#end();
      return value;
    } catch (error) {
      if (isInterruption(error)) this.#begin(error);
      throw error;
    }
  }

  #begin(error: StoreUnavailableError | RoomRecoveringError): void {
    const remainingMs = error instanceof RoomRecoveringError ? error.remainingMs : null;
    const availability = remainingMs === null ? "away" : "recovering";
    if (this.#availability === "ready") this.#sinceMs = this.#clock.now();
    if (error instanceof StoreUnavailableError) this.#away = error;
    if (remainingMs !== null) this.#recoveredMs = this.#clock.now() + remainingMs;
    if (this.#availability === availability) return;
    this.#availability = availability;
    this.#reported.add(availability);
    if (remainingMs === null) this.#emit("store.away", { error });
    else this.#emit("room.recovering", { remainingMs });
  }

  #end(): void {
    if (this.#availability === "ready") return;
    const untilMs = this.#clock.now();
    this.#availability = "ready";
    const wasForeseen = !this.#reported.has("away");
    this.#last = this.hasTurnedAway ? { sinceMs: this.#sinceMs, untilMs, wasForeseen } : null;
    this.hasTurnedAway = false;
    const durationMs = untilMs - this.#sinceMs;
    const reported = this.#reported;
    this.#reported = new Set();
    if (reported.has("away")) this.#emit("store.back", { awayMs: durationMs });
    if (reported.has("recovering")) this.#emit("room.recovery_over", { durationMs });
  }
}

/** A time in which this process could give nobody a position. */
export interface Interruption {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Whether visitors knew when it would be over: a recovery, and not an unavailable store. */
  readonly wasForeseen: boolean;
}

/** Milliseconds after an interruption in which nobody joins: every waiting page learns in this time that it is over. */
const graceMs = 5_000;
/** Milliseconds by which pages with a retry time have asked (browser/temporarily-unavailable.ts). */
const foreseenGraceMs = 1_500;
/** Over how long the arrivals of an interruption are let in. */
const maxSpreadMs = 10_000;
/** Milliseconds after which everybody has been let in. */
const settlingMs = graceMs + maxSpreadMs;
/** Shorter interruptions are over before anyone could get out of order. */
const minInterruptionMs = 1_000;

/**
 * When a visitor who came at `arrivedMs` may join after an interruption, so that the oldest go first: the arrivals of
 * the interruption are mapped onto a short stretch of time after it.
 */
export function joinSlotMs(interruption: Interruption, arrivedMs: number): number {
  const { sinceMs, untilMs, wasForeseen } = interruption;
  const lengthMs = untilMs - sinceMs;
  if (lengthMs < minInterruptionMs) return untilMs;
  const spreadMs = Math.min(maxSpreadMs, lengthMs);
  const share = Math.min(1, Math.max(0, (arrivedMs - sinceMs) / lengthMs));
  return untilMs + (wasForeseen ? foreseenGraceMs : graceMs) + share * spreadMs;
}
