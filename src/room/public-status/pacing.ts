/**
 * What is computed from the public status, by one rule for the server, visitors' pages and their scripts, the console, and the visitors that
 * `usher rehearse` plays: the estimate of a wait, when to poll next, and which pages report that they are open. Pure functions. `chance`
 * gives numbers in [0, 1).
 */
import type { DrawJson, PaceJson, PollGuidance, RoomStatus } from "./status.ts";

export type Chance = () => number;

/** Milliseconds that an answer may take, and for which an answer proves that the server can be reached. */
export const timeoutMs = 10_000;
/** Without an answer for so long the visitor is told so, and nothing is done by a status of this age. */
export const staleMs = 15_000;
/** A visitor who waits for less is near the front: the page asks more often, so that it lives. */
export const nearMs = 600_000;
/** A visitor with more to go than this learns early enough of whatever makes the wait shorter by asking seldom. */
export const farMs = 1_200_000;
/** Between two words of a page of the sample that it is open. */
export const presenceEveryMs = 50_000;
/** Pages that ask for themselves again, or for a claim, do so within this time after the moment. */
export const blurMs = 300;
/** So long after its time an opening that has not come may still be on its way; then it has been put off. */
export const overdueMs = 60_000;
/** The longest pause of a status poll without answers, and between two entries that lead nowhere. */
export const backoffMsMax = 60_000;
export const entryPauseMsMax = 30_000;

const claimPauseMsMin = 1_000;
/** The store forgets a ready visitor after 5 s without a claim: so the first pauses are shorter. */
const claimFailurePauseMs = 3_000;

/** Whether an answer says "later": of a server that fails, or of a proxy (request timeout, too early, too many requests). */
export function isLaterStatus(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

/** The most that `spread` makes of a time, as a factor. */
export const spreadMost = 1.3;

/** ± 30 %, so that pages with the same time do not come at the same instant. */
export function spread(ms: number, chance: Chance): number {
  return ms * (0.7 + 0.6 * chance());
}

/**
 * For how long a server asks to be left alone: two minutes at most, 0 where it does not say.
 *
 * @param serverMs when it answered, by its own clock: it may name a moment in place of seconds (RFC 9110, section 10.2.3)
 */
export function retryAfterMs(header: string | null | undefined, serverMs: number): number {
  const ms = 1_000 * Number(header) || Date.parse(`${header}`) - serverMs;
  return Math.min(120_000, Math.max(0, ms || 0));
}

/** After so many failures in a row to learn the room's status. */
export function statusPauseMs(
  floorMs: number,
  failures: number,
  requestedMs: number,
  chance: Chance,
  maxMs = backoffMsMax,
) {
  const backoffMs = Math.min(maxMs, floorMs * 2 ** Math.min(failures, 10));
  return Math.max(requestedMs, spread(backoffMs, chance));
}

/** After so many claims in a row that nobody answered who knows. */
export function failedClaimPauseMs(failures: number, requestedMs: number): number {
  return Math.max(requestedMs, Math.min(30_000, claimFailurePauseMs * 2 ** Math.max(0, failures - 3)));
}

/** Between two claims of a held place. */
export function doorPauseMs(pollMs: number): number {
  return Math.max(claimPauseMsMin, pollMs);
}

/** Between an entry, after so many in a row that led nowhere, and the next. */
export function entryPauseMs(entries: number, maxMs = entryPauseMsMax): number {
  return Math.min(maxMs, 1_000 * 2 ** entries);
}

/** People ahead of the position. Positions that nobody holds do not count. */
export function countAhead(position: number, { serving, gaps }: Pick<RoomStatus, "serving" | "gaps">): number {
  let count = position - serving - 1;
  for (const [from, to] of gaps) {
    count -= Math.max(0, Math.min(to, position - 1) - Math.max(from, serving + 1) + 1);
  }
  return Math.max(0, count);
}

/**
 * Milliseconds to the next poll, before jitter: by the long end of the wait, and by its short end as long as that is far off. Where no pace is
 * known, it is taken to be one person a second, and nobody is far.
 */
export function pollAfterMs(poll: PollGuidance, ahead: number, wait: [number, number] | null): number {
  const [lowSec, highSec] = wait ?? [0, ahead];
  const waitMs = highSec * 1_000;
  const mostMs = (waitMs < nearMs && poll.near_ceiling_ms) || poll.ceiling_ms;
  const usualMs = Math.min(mostMs, Math.max(poll.floor_ms, waitMs / poll.divisor));
  // Not beyond the moment from which on the page asks as usual.
  return Math.max(usualMs, Math.min(poll.far_ceiling_ms ?? 0, lowSec * 1_000 - farMs));
}

/** The same with jitter: a seldom poll comes late rather than early, and not much later. */
export function pollPauseMs(poll: PollGuidance, ahead: number, wait: [number, number] | null, chance: Chance): number {
  const afterMs = pollAfterMs(poll, ahead, wait);
  return afterMs > poll.ceiling_ms ? afterMs * (1 + 0.15 * chance()) : spread(afterMs, chance);
}

/** To the first poll of a page: it is soon known whether its place is, and what it came without. @param nextMs as for any poll */
export function firstPollMs(poll: PollGuidance, nextMs: number, chance: Chance): number {
  return Math.min(nextMs, (poll.ceiling_ms / 2) * (1 + chance()));
}

/**
 * Milliseconds to the next poll: at the usual pace for that wait, and soon after the doors open. Pages far back in the line
 * keep to the usual pace, or a crowd would ask all at once.
 *
 * @param wait how long it takes once the doors are open
 */
export function pollForOpeningMs(
  poll: PollGuidance,
  ahead: number,
  wait: [number, number] | null,
  opensInMs: number | null,
  chance: Chance,
): number {
  const restSec = Math.max(0, opensInMs ?? 0) / 1_000;
  const [lowSec, highSec] = wait ?? [0, ahead];
  const usualMs = pollPauseMs(poll, ahead, [restSec + lowSec, restSec + highSec], chance);
  const thenMs = pollAfterMs(poll, ahead, wait);
  if (thenMs >= poll.ceiling_ms) return usualMs;
  return Math.min(usualMs, afterOpeningMs(opensInMs, poll.floor_ms, Math.max(poll.spread_ms, thenMs), chance));
}

/** @param lateMs how often to ask for an opening that is late */
export function afterOpeningMs(opensInMs: number | null, lateMs: number, spreadMs: number, chance: Chance): number {
  if (opensInMs === null || opensInMs < -overdueMs) return Infinity;
  return (opensInMs > 0 ? opensInMs : lateMs) + spreadMs * chance();
}

/**
 * Milliseconds to the next poll of a page whose place is to be drawn: nobody knows who is the first, so all ask at the pace of the
 * middle of the line, and all within the same span once the doors are open.
 *
 * @param isDrawing the doors are open
 * @param people who have a number
 * @param opensInMs null where no time is set
 */
export function pollForDrawMs(
  poll: PollGuidance,
  isDrawing: boolean,
  people: number,
  opensInMs: number | null,
  chance: Chance,
): number {
  if (isDrawing) return poll.floor_ms + poll.spread_ms * chance();
  const restSec = Math.max(0, opensInMs ?? 0) / 1_000;
  const usualMs = pollPauseMs(poll, people, [restSec, restSec + people / 2], chance);
  return Math.min(usualMs, afterOpeningMs(opensInMs, poll.floor_ms, poll.spread_ms, chance));
}

/** Milliseconds between the status and the server's answer with it: a cache may have kept it. 0 where the server did not say (NaN). */
export function statusAgeMs(updatedMs: number, serverMs: number): number {
  return Math.max(0, serverMs - updatedMs || 0);
}

/** Whether those with the position are let in now. Behind a failover, and before the draw, nobody's turn is known. */
export function isServed(
  { phase, serving, held_until }: Pick<RoomStatus, "phase" | "serving" | "held_until">,
  position: number,
  isUndrawn: boolean,
): boolean {
  return phase === "passthrough" || (phase === "open" && serving >= position && !held_until && !isUndrawn);
}

/** Of the public status what says how far the draw is. */
export interface DrawWatched extends Pick<RoomStatus, "phase"> {
  readonly draw: Pick<DrawJson, "stage"> | null;
}

/** Behind a draw that is over, the next one may be announced already. */
export function isDrawOver({ phase, draw }: DrawWatched): boolean {
  const stage = draw?.stage ?? "drawn";
  return stage === "drawn" || stage === "cancelled" || (phase === "open" && stage === "committed");
}

/** The lowest and the highest number of seconds. */
export type Wait = [low: number, high: number];

/** The wait of a visitor behind so many people in an open room, in seconds; null where nothing is known. */
export function estimateWait(pace: PaceJson, ahead: number): Wait | null {
  return roundedWait(waitOf(pace, ahead + 1));
}

/**
 * The seconds until so many places have been served and their visitors have entered, not rounded; null where nothing is known. The lower
 * end counts on no-shows as they were measured. The upper end counts on none, so it is never below the people ahead ÷ the limit: all
 * of those who come next may be there.
 */
export function waitOf(pace: PaceJson, places: number): Wait | null {
  if (pace.places_per_minute === null) return null;
  const { spread, spread_up = spread, show_rate = 1, called = 0 } = pace;
  const most = (called + places) / show_rate;
  // For the extra seconds nobody enters, which nothing makes shorter.
  const low = secondsFor(pace, places) * (1 - spread) + pace.extra_seconds * spread;
  return [low, secondsFor(pace, most) * (1 + spread_up)];
}

/** Rounded outwards to what can be known: to steps of five seconds, and from a minute on to whole minutes. */
export function roundedWait(wait: Wait | null): Wait | null {
  const round = (sec: number, outwards: (steps: number) => number) => {
    const step = sec < 60 ? 5 : 60;
    return outwards(sec / step) * step;
  };
  return wait && [round(wait[0], Math.floor), Math.max(5, round(wait[1], Math.ceil))];
}

/** Between two steps the line moves evenly. */
function secondsFor({ steps, places_per_minute, extra_seconds }: PaceJson, places: number): number {
  let [sec, passed] = [0, 0];
  for (const [stepSec, stepPlaces] of steps) {
    if (places <= stepPlaces) {
      return extra_seconds + sec + ((places - passed) / (stepPlaces - passed)) * (stepSec - sec);
    }
    [sec, passed] = [stepSec, stepPlaces];
  }
  return extra_seconds + sec + ((places - passed) * 60) / (places_per_minute ?? 0);
}

/**
 * The rank of a place in the sample, in [0, 1): of all places, a share of one in 2^n has a rank below it. By multiples of the golden ratio
 * (Knuth, The Art of Computer Programming, volume 3, section 6.4), which are spread evenly however many follow each other: so each part
 * of the line has its share, and those who came together do not go together.
 */
export function sampleRank(position: number): number {
  return (position * 0.618033988749895) % 1;
}
