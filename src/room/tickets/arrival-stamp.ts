import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "./key-ring.ts";
import { decodeRequests, encodeRequests, type SeenRequest } from "./login-request.ts";

/** Longer tokens are not looked at. */
const maxTokenLength = 512;

/** Proof that a visitor came while nobody could be given a position. */
export interface ArrivalStamp {
  readonly room: string;
  /** Clock of the process that met them, in milliseconds. */
  readonly arrivedMs: number;
  /** Authorization requests this visitor came with, oldest first. An arrival may be older than the login that it comes back with. */
  readonly requests: readonly SeenRequest[];
}

export type ArrivalStamps = ReturnType<typeof createArrivalStamps>;

const context = "usher arrival stamp v1";

export function createArrivalStamps(ring: KeyRing) {
  return {
    issue: ({ room, arrivedMs, requests }: ArrivalStamp) =>
      ring.sign(context, `${room}~${encodeNumber(arrivedMs)}~${encodeRequests(requests)}`),

    /** Undefined for anything that is not a stamp of this room. */
    read(room: string, token: string | undefined): ArrivalStamp | undefined {
      const [ofRoom, arrived, requests = ""] = readSigned(ring, context, token, maxTokenLength);
      return ofRoom === room
        ? { room, arrivedMs: decodeNumber(arrived), requests: decodeRequests(requests) }
        : undefined;
    },
  };
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
export const settlingMs = graceMs + maxSpreadMs;
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
