import type { EventEmitter } from "node:events";
import type { Clock } from "../../lib/clock.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { RoomEvents } from "../events.ts";
import { type Interruption, joinSlotMs, settlingMs } from "../tickets/arrival-stamp.ts";
import { RoomRecoveringError } from "./recovery-client.ts";

/** Whether this process can give out positions and admissions of a room right now. */
export type Availability = "ready" | "recovering" | "away";

/** Whether an error says that the store cannot serve the room now, and may do so soon. */
export function isInterruption(error: unknown): error is StoreUnavailableError | RoomRecoveringError {
  return error instanceof StoreUnavailableError || error instanceof RoomRecoveringError;
}

/** Milliseconds between two retries where it is unknown when the store will be back. */
const awayRetryMs = 2_000;
/** So long after its end a recovery is known to be over by every process. */
const hearingMs = 250;
/** Clocks of processes may differ by so much. */
const clockDifferenceMs = 5_000;

/** Keeps track of the times in which a room could not be served, as this process saw them. */
export class Interruptions {
  readonly #room: string;
  readonly #clock: Clock;
  readonly #events: EventEmitter<RoomEvents>;
  #availability: Availability = "ready";
  #sinceMs = 0;
  /** When the current recovery ends, as last reported. */
  #recoveredMs = 0;
  #last: Interruption | null = null;
  /** Whether a visitor was given an arrival stamp instead of a position in the interruption that goes on: their order is kept. */
  hasTurnedAway = false;
  /** The availabilities reported in this interruption so far. */
  #reported = new Set<Availability>();

  constructor(room: string, clock: Clock, events: EventEmitter<RoomEvents>) {
    this.#room = room;
    this.#clock = clock;
    this.#events = events;
  }

  get availability(): Availability {
    return this.#availability;
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
    const availability = error instanceof RoomRecoveringError ? "recovering" : "away";
    if (this.#availability === "ready") this.#sinceMs = this.#clock.now();
    if (error instanceof RoomRecoveringError) this.#recoveredMs = this.#clock.now() + error.remainingMs;
    if (this.#availability === availability) return;
    this.#availability = availability;
    this.#reported.add(availability);
    if (error instanceof RoomRecoveringError) {
      this.#events.emit("room.recovering", { room: this.#room, remainingMs: error.remainingMs });
    } else {
      this.#events.emit("store.away", { room: this.#room, error });
    }
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
    if (reported.has("away")) this.#events.emit("store.back", { room: this.#room, awayMs: durationMs });
    if (reported.has("recovering")) this.#events.emit("room.recovery_over", { room: this.#room, durationMs });
  }
}
