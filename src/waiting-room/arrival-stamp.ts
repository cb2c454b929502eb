import type { KeyRing } from "./key-ring.ts";

/** Proof that a visitor came while nobody could be given a position. */
export interface ArrivalStamp {
  readonly room: string;
  /** Clock of the process that met them, in milliseconds. */
  readonly arrivedMs: number;
}

export interface ArrivalStamps {
  issue(stamp: ArrivalStamp): string;
  /** Undefined for anything that is not a stamp of this room. */
  read(room: string, token: string | undefined): ArrivalStamp | undefined;
}

const context = "usher arrival stamp v1";

export function createArrivalStamps(ring: KeyRing): ArrivalStamps {
  return {
    issue: ({ room, arrivedMs }) => ring.sign(context, `${room}~${arrivedMs.toString(36)}`),

    read(room, token) {
      if (token === undefined || token.length > 256) return undefined;
      const verified = ring.verify(context, token);
      if (typeof verified === "string") return undefined;
      const [stampedRoom, arrived = ""] = verified.payload.split("~");
      return stampedRoom === room ? { room, arrivedMs: Number.parseInt(arrived, 36) } : undefined;
    },
  };
}

/** A time in which this process could give nobody a position. */
export interface Interruption {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Nobody joins for so long after an interruption: every waiting page learns in this time that it is over. */
const graceMs = 5_000;
/** Over how long the arrivals of an interruption are let in. */
const maxSpreadMs = 10_000;
/** After so long everybody has been let in. */
export const settlingMs = graceMs + maxSpreadMs;
/** Shorter interruptions are over before anyone could get out of order. */
const minInterruptionMs = 1_000;

/**
 * When somebody who came at `arrivedMs` may join after an interruption, so that the oldest go first: the
 * arrivals of the interruption are mapped onto a short stretch of time after it.
 */
export function joinSlotMs(interruption: Interruption, arrivedMs: number): number {
  const { sinceMs, untilMs } = interruption;
  const lengthMs = untilMs - sinceMs;
  if (lengthMs < minInterruptionMs) return untilMs;
  const spreadMs = Math.min(maxSpreadMs, lengthMs);
  const share = Math.min(1, Math.max(0, (arrivedMs - sinceMs) / lengthMs));
  return untilMs + graceMs + share * spreadMs;
}
