/**
 * The estimate of a wait: one rule, for visitors' pages and their scripts, the JSON, the console and the commands. Pure functions of
 * the pace as the public status has it.
 */
import type { PaceJson } from "./status.ts";

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
