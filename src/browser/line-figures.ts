/**
 * What the waiting page's script knows about a line: how many are ahead, how long it may take, and how to say so.
 * Pure functions. The modules of one page are put into it together as one script (src/pages/render/assets.ts).
 */
import type { MessageJson } from "./message-text.ts";

/** GET /rooms/{room}/status, as far as the page reads it. */
export interface RoomStatus extends MessageJson {
  title: string;
  phase: string;
  phase_reason?: string | null;
  /** "ready", "recovering" or "away"; left out by an older server. */
  availability?: string;
  serving: number;
  /** How many have a place or a number; left out by an older server. */
  waiting?: number;
  /** The draw to come, under way, or last; null where there is none, left out by an older server. */
  draw?: { id: number; stage: string } | null;
  gaps: [number, number][];
  /** Nobody is admitted until then, after a loss in the store. */
  held_until?: string | null;
  /** When entry numbers are given; null where no time is set. */
  prequeue_at?: string | null;
  /** When the doors open; null where no time is set. */
  opens_at: string | null;
  pace: PaceJson;
  poll: PollGuidance;
  updated_at: string;
  edition: number;
}

/** How fast the line moves. */
export interface PaceJson {
  /** What can be foreseen: [seconds from now, places that the line will have moved on by then], ascending. */
  steps?: [number, number][];
  places_per_minute: number | null;
  /** How far the wait may be off, as a fraction. */
  spread: number;
  /** Comes on top of any wait. */
  extra_seconds: number;
  note: string | null;
}

export interface PollGuidance {
  floor_ms: number;
  ceiling_ms: number;
  divisor: number;
  /** Within how long those come who wait for the same moment. */
  spread_ms?: number;
}

type PluralTexts = { [category: string]: string | undefined; other: string };
type Values = { [name: string]: string };

/** `waiting.live` of the locale, as the page carries it. */
export interface LiveTexts {
  labels: { place: string; entry: string };
  ahead: PluralTexts;
  aheadAtMost: PluralTexts;
  aheadNone: string;
  serving: string;
  /** Where the place was drawn, or is to be. */
  drawn?: string;
  title: string;
  titles: { ahead: string; aheadAtMost: string; next: string; opens: string; [state: string]: string };
  status: { [state: string]: string };
  problem: { offline: string; stale: string; recovering: string };
  pausedReasons: { [reason: string]: string };
  paceNotes: { [note: string]: string };
  autoHint: string;
  turnHint: string;
  enter: string;
  timePair: string;
  doors: { unset: string; in: string; now: string; opened: string };
  deadline: { until: string; passed: string };
  estimate: {
    none: string;
    paused: string;
    soon: string;
    long: string;
    minutes: PluralTexts;
    minuteRange: PluralTexts;
    hours: PluralTexts;
    hourRange: PluralTexts;
  };
}

/** People ahead of the position. Positions that nobody holds do not count. */
export function countAhead(position: number, { serving, gaps }: Pick<RoomStatus, "serving" | "gaps">): number {
  let count = position - serving - 1;
  for (const [from, to] of gaps) {
    count -= Math.max(0, Math.min(to, position - 1) - Math.max(from, serving + 1) + 1);
  }
  return Math.max(0, count);
}

/** The wait in seconds, as a range: the same that src/room/visitor/estimate.ts gives. Null where nothing is known. */
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

/** As src/room/replica/pace.ts has it: between two steps the line is taken to move evenly. */
function secondsFor({ steps = [], places_per_minute: perMinute, extra_seconds }: PaceJson, places: number) {
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

/** ± 30 %, so that pages with the same time do not come at the same instant. */
export function jitter(ms: number): number {
  return ms * (0.7 + 0.6 * Math.random());
}

export function fillText(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The locale's sentences about a line, in the page's language. */
export function createWording(texts: LiveTexts, language: string) {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const plurals = new Intl.PluralRules(language);
  const number = (value: number) => numbers.format(value);
  const plural = (choices: PluralTexts, count: number, values: Values) =>
    fillText(choices[plurals.select(count)] ?? choices.other, values);

  return {
    number,
    people: (ahead: number, isAtMost: boolean) =>
      ahead === 0 ? texts.aheadNone : plural(isAtMost ? texts.aheadAtMost : texts.ahead, ahead, { n: number(ahead) }),

    /** The same sentence as src/pages/render/estimate-text.ts makes: rounded outwards to what can honestly be said. */
    estimate(wait: [number, number] | null): string {
      const words = texts.estimate;
      if (wait === null) return words.none;
      const [lowSec, highSec] = wait;
      if (highSec <= 60) return words.soon;
      if (lowSec >= 86_400) return words.long;
      const inHours = highSec > 5_400;
      const round = (sec: number, outwards: (value: number) => number) => {
        const value = sec / (inHours ? 3_600 : 60);
        const step = inHours ? (value < 10 ? 0.5 : 1) : value <= 10 ? 1 : 5;
        return Math.max(inHours ? 0.5 : 1, outwards(value / step) * step);
      };
      const low = round(lowSec, Math.floor);
      const high = round(highSec, Math.ceil);
      const values = { n: number(high), low: number(low), high: number(high) };
      if (low === high) return plural(inHours ? words.hours : words.minutes, high, values);
      return plural(inHours ? words.hourRange : words.minuteRange, high, values);
    },

    /** Steps of five seconds, then of whole minutes: true, and calm to look at. */
    age(seconds: number): string {
      const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
      return seconds < 60
        ? format.format(-5 * Math.floor(seconds / 5), "second")
        : format.format(-Math.floor(seconds / 60), "minute");
    },
  };
}
