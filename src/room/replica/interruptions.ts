import type { Clock } from "../../lib/clock.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { EmitOfRoom } from "../events.ts";
import { RoomRecoveringError } from "./recovery-client.ts";

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
