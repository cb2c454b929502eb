import type { Admission, RoomState } from "../../store/contract/room-store.ts";

/**
 * What a process heard of an admission, at a later time. The store ends admissions by its flow clock, so the time that it
 * told by the wall clock is another one after an outage or a step of that clock.
 */

/** Up to here the clocks agree, and what was told stays the same; as in the store. */
const agreeMs = 1_000;

/** Whether an admission is live as of a state of the same incarnation. */
export function isLiveAt({ flowMs }: RoomState, { ended, expiresFlowMs }: Admission): boolean {
  return ended === null && expiresFlowMs > flowMs;
}

/** The admission as the store would tell it with a state of the same incarnation. That of an ended one is told no more anew. */
export function asReportedWith({ nowMs, flowMs }: RoomState, admission: Admission): Admission {
  const expiresMs = nowMs + (admission.expiresFlowMs - flowMs);
  const isAsReported = admission.ended !== null || Math.abs(expiresMs - admission.expiresMs) <= agreeMs;
  return isAsReported ? admission : { ...admission, expiresMs };
}

/** The same admission in the incarnation of a state, which may have a flow clock of its own: as a recovery takes it over. */
export function inIncarnationOf({ nowMs, flowMs }: RoomState, admission: Admission): Admission {
  return { ...admission, expiresFlowMs: flowMs + (admission.expiresMs - nowMs) };
}
