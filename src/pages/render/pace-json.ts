import type { Pace } from "../../room/index.ts";

/** What a page needs to reckon how long its visitor waits yet; in the public status, and in the page from its beginning. */
export function paceJson({ steps, placesPerMinute, spread, extraSec, note }: Pace) {
  return {
    // [seconds from now, places that the serving counter will have moved on by then]
    steps: steps.map(({ sec, places }) => [sec, places]),
    places_per_minute: placesPerMinute,
    spread: Math.round(spread * 1_000) / 1_000,
    extra_seconds: extraSec,
    note,
  };
}
