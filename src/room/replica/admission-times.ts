import type { Admission, RoomState } from "../../store/contract/room-store.ts";

/**
 * Admissions as of a later time than that of the sync. The store ends admissions by its flow clock, so the wall-clock
 * time that it reported changes after an outage or a step of that clock.
 */

/** Milliseconds by which the clocks may differ before a reported time changes; as in the store. */
const agreeMs = 1_000;

/** Whether an admission is live as of a state of the same incarnation. */
export function isLiveAt({ flowMs }: RoomState, { ended, expiresFlowMs }: Admission): boolean {
  return ended === null && expiresFlowMs > flowMs;
}

/**
 * The admission as the store would report it with a state of the same incarnation. An ended one stays as it was
 * reported.
 */
export function asReportedWith({ nowMs, flowMs }: RoomState, admission: Admission): Admission {
  const expiresMs = nowMs + (admission.expiresFlowMs - flowMs);
  const isAsReported = admission.ended !== null || Math.abs(expiresMs - admission.expiresMs) <= agreeMs;
  return isAsReported ? admission : { ...admission, expiresMs };
}

/** The same admission in the incarnation of a state, which may have a flow clock of its own: as a recovery takes it over. */
export function inIncarnationOf({ nowMs, flowMs }: RoomState, admission: Admission): Admission {
  return { ...admission, expiresFlowMs: flowMs + (admission.expiresMs - nowMs) };
}
