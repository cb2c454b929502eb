/** What the scripts know about a line: how many are ahead, how long it may take, when to ask again, and how to say so. */
import type { LiveTexts } from "../pages/shared/live.ts";
import type { PaceJson, PollGuidance, RoomStatus } from "../pages/shared/status.ts";
import { createWording, estimateText } from "../pages/shared/wording.ts";

/** People ahead of the position. Positions that nobody holds do not count. */
export function countAhead(position: number, { serving, gaps }: Pick<RoomStatus, "serving" | "gaps">): number {
  let count = position - serving - 1;
  for (const [from, to] of gaps) {
    count -= Math.max(0, Math.min(to, position - 1) - Math.max(from, serving + 1) + 1);
  }
  return Math.max(0, count);
}

/** The wait in seconds, as a range: the same that src/room/visitor/pace.ts gives. Null where nothing is known. */
export function estimateWait(
  { phase, pace }: Pick<RoomStatus, "phase" | "pace">,
  ahead: number,
): [number, number] | null {
  const { spread } = pace;
  const sec = phase === "open" ? secondsFor(pace, ahead + 1) : null;
  if (sec === null) return null;
  const low = sec * (1 - spread);
  const high = sec * (1 + spread);
  const lowStep = low < 60 ? 5 : 60;
  const highStep = high < 60 ? 5 : 60;
  return [Math.floor(low / lowStep) * lowStep, Math.max(5, Math.ceil(high / highStep) * highStep)];
}

/** As src/room/visitor/pace.ts has it: between two steps the line is taken to move evenly. */
function secondsFor({ steps, places_per_minute: perMinute, extra_seconds }: PaceJson, places: number) {
  if (perMinute === null) return null;
  let [sec, passed] = [0, 0];
  for (const [stepSec, stepPlaces] of steps) {
    if (places <= stepPlaces) {
      return extra_seconds + sec + ((places - passed) / (stepPlaces - passed)) * (stepSec - sec);
    }
    [sec, passed] = [stepSec, stepPlaces];
  }
  return extra_seconds + sec + ((places - passed) * 60) / perMinute;
}

/** Milliseconds to the next poll, before jitter. Where no pace is known, one person a second is as good a guess as any. */
export function pollAfterMs(poll: PollGuidance, ahead: number, wait: [number, number] | null): number {
  const waitMs = (wait ? wait[1] : ahead) * 1_000;
  return Math.min(poll.ceiling_ms, Math.max(poll.floor_ms, waitMs / poll.divisor));
}

/** The locale's sentences about a line, in the page's language. */
export function createLineWording(texts: LiveTexts, language: string) {
  const wording = createWording(language);
  return {
    number: wording.number,
    people: (ahead: number, isAtMost: boolean) =>
      ahead === 0 ? texts.aheadNone : wording.plural((isAtMost && texts.aheadAtMost) || texts.ahead, ahead),
    estimate: (wait: [number, number] | null) => estimateText(texts.estimate, wording, wait),
    /** Steps of five seconds, then of whole minutes: true, and calm to look at. */
    age(seconds: number): string {
      const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
      return seconds < 60
        ? format.format(-5 * Math.floor(seconds / 5), "second")
        : format.format(-Math.floor(seconds / 60), "minute");
    },
  };
}
