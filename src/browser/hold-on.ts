/**
 * How a page waits that was told to hold on, because nobody is given a place just now. Whoever came first is let in first
 * when places are given again, within 15 s: a page that comes later than that has lost what it came early for. So it
 * looks at the public status, which costs next to nothing, often enough, and asks for itself again only when that may lead
 * further. Pure functions.
 */
import { jitter, type RoomStatus } from "./line-figures.ts";

/** The longest pause between two attempts, in milliseconds. */
export const holdOnPauseMsMax = 5_000;
/** The same where the server does not answer at all: still in time, and easier on a server that is just coming back. */
export const holdOnBackoffMsMax = 10_000;
/** So short that it does not mix up those whom the server lets in one after the other. */
const blurMs = 500;

/** Milliseconds from the page to its first question: the server says when the visitor's time is. */
export function firstQuestionMs(retryMs: number): number {
  return Math.max(1_000, retryMs) + blurMs * Math.random();
}

/** Milliseconds between two questions: nobody is let in within 5 s after the return, so that every page hears of it. */
export function holdOnPollMs(): number {
  return jitter(3_500);
}

/** Whether newcomers may be given places. A room that nobody remembers gives out none until its operator resumes it. */
export function areGivingPlaces({
  availability,
  phase_reason: reason,
}: Pick<RoomStatus, "availability" | "phase_reason">) {
  return (availability === undefined || availability === "ready") && reason !== "recovered";
}
