import type { Chance } from "../../room/public-status/pacing.ts";

export interface CrowdOptions {
  readonly visitors: number;
  readonly minutes: number;
  /** Percent of the visitors who do not come when it is their turn, and of all others who load the page again while they wait, and who open a second tab. */
  readonly reloads: number;
  readonly tabs: number;
  readonly noShows: number;
}

/** What one visitor will do. Times are milliseconds. */
export interface VisitorPlan {
  /** Since the beginning. */
  readonly arrivesMs: number;
  /** Since the waiting page came; null: never. */
  readonly reloadsAfterMs: number | null;
  readonly tabAfterMs: number | null;
  readonly isNoShow: boolean;
}

const minuteMs = 60_000;
/** Of the whole time: when nearly two thirds have come, and when everybody has. */
const decay = 0.1;
const arrivalsEnd = 0.5;
/** Within so many milliseconds a visitor reloads, and opens another tab. */
const reloadsWithinMs = 20_000;
const tabsWithinMs = 5_000;

/**
 * A crowd at an opening: arrivals fall off exponentially, 63 in 100 come within the first tenth of the time, everybody within its
 * half. In order of arrival.
 */
export function planCrowd({ visitors, minutes, reloads, tabs, noShows }: CrowdOptions, chance: Chance): VisitorPlan[] {
  const meanMs = minutes * minuteMs * decay;
  const reached = 1 - Math.exp(-arrivalsEnd / decay);
  const isOf = (percent: number) => chance() * 100 < percent;
  return Array.from({ length: visitors }, (_, index) => {
    const arrivesMs = -meanMs * Math.log(1 - reached * ((index + chance()) / visitors));
    const [isNoShow, hasReload, hasTab] = [isOf(noShows), isOf(reloads), isOf(tabs)];
    const [reloadMs, tabMs] = [1_000 + reloadsWithinMs * chance(), 500 + tabsWithinMs * chance()];
    return {
      arrivesMs,
      // A no-show neither reloads nor opens tabs: a page that is loaded at their turn would enter.
      reloadsAfterMs: hasReload && !isNoShow ? reloadMs : null,
      tabAfterMs: hasTab && !isNoShow ? tabMs : null,
      isNoShow,
    };
  });
}

/** The same numbers for the same seed: mulberry32, by Tommy Ettinger (public domain). */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
