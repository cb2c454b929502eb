/** Times of the wall clock, as they are reported, and of the flow clock, by which admissions end. */
import type { AdmissionEnd } from "../store/contract/room-facts.ts";
import type { AdmissionRecord } from "./ports/records.ts";
import type { Room } from "./room.ts";

/** Milliseconds by which the clocks may differ before a reported time changes. */
const agreeMs = 1_000;

/**
 * The end of an admission to report now. That of an ended one stays as it was reported.
 *
 * @param wallMs when it ends by the wall clock, by what is left of it on the flow clock
 * @param reportedMs the end that was reported last
 */
export function reportedEnd(wallMs: number, reportedMs: number, hasEnded: boolean): number {
  return hasEnded || Math.abs(wallMs - reportedMs) <= agreeMs ? reportedMs : wallMs;
}

/**
 * How an admission that nobody has ended is over: by its time, or with the idle phase that it is of; or because the site has not seen
 * the visitor in time. Null: it is live.
 */
export function lapsedBy(flowMs: number, idleEndedMs: number, record: AdmissionRecord): AdmissionEnd | null {
  if (record.expiresFlowMs <= flowMs || (record.via === "idle" && record.admittedMs <= idleEndedMs)) return "expired";
  const visitByMs = record.visitByFlowMs ?? 0;
  return visitByMs > 0 && visitByMs <= flowMs ? "abandoned" : null;
}

/** A time of the wall clock, as the flow clock will see it. */
export function toFlow(room: Room, wallMs: number): number {
  return room.flowMs + (wallMs - room.atMs);
}

export function toWall(room: Room, flowMs: number): number {
  return room.atMs + (flowMs - room.flowMs);
}

/**
 * Whether an admission was made before this incarnation. One that lies in the future was made before the wall clock was set back: what
 * this incarnation had admitted by then would be on record still.
 */
export function isFromBefore(room: Room, admittedMs: number): boolean {
  return admittedMs < room.incarnationStartedMs || admittedMs > room.atMs;
}
