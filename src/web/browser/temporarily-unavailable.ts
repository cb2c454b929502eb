/**
 * How a page waits while nobody is given a place (503). When places are given again, the visitor who came first enters first,
 * within 15 s: a page that returns later loses that advantage. So the page polls the public status, which is cheap, and loads
 * itself again only when places may be available. Pure functions.
 */
import type { RoomStatus } from "../../room/public-status/status.ts";
import { jitter } from "./requests.ts";

/** The longest pause between two attempts, in milliseconds. */
export const unavailablePauseMsMax = 5_000;
/** The same where the server does not answer at all: still within the 15 s, with less load on a server that restarts. */
export const unavailableBackoffMsMax = 10_000;
/** Spread of the first question: short enough to keep the order of arrival. */
const blurMs = 500;

/** Milliseconds from loading the page to its first question; `retryMs` is the time that the server gave. */
export function firstQuestionMs(retryMs: number): number {
  return Math.max(1_000, retryMs) + blurMs * Math.random();
}

/** Milliseconds between two questions: for 5 s after the store's return nobody enters, so that every page learns of it. */
export function unavailablePollMs(): number {
  return jitter(3_500);
}

/** Whether newcomers may be given places. A room whose state was lost gives out none until its operator resumes it. */
export function canJoin(status: Pick<RoomStatus, "availability" | "phase_reason">) {
  return status.availability === "ready" && status.phase_reason !== "recovered";
}
