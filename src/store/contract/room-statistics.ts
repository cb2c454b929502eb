/** What a store keeps of how a room went. Types only; part of the contract in room-store.ts. */

/** What one process has seen since its last report. */
export interface StatisticsReport {
  /** Names the process: a whole number below 2^48, of chance. */
  readonly process: number;
  /** Grows by one with each report of the process. One that is repeated, since its answer was lost, counts once. */
  readonly sequence: number;
  /** Refusals by reason, in the order of `refusalReasons` (core/ports/statistics-ring.ts). */
  readonly refused: readonly number[];
  /** Positions of the visitors whose pages have asked and are in the sample that is counted; see `Presence`. */
  readonly pages: readonly number[];
}

/** Slots of ten seconds are kept for 48 hours, minutes for 90 days. */
export type StatisticsTier = "tens" | "minutes";

/** What is kept of one slot. */
export interface StatisticsSlot {
  /** Its time, by the store's wall clock, divided by its length. */
  readonly slot: number;
  /** 0 whole; 1 partial: not recorded from its beginning to its end; 2 a recovery took a part of it. */
  readonly flags: number;
  /** So many slots behind it were recorded too, and nothing happened or changed in them. */
  readonly quiet: number;
  /** What has happened in it, in the order of `countNames` and then of `refusalReasons`. */
  readonly counted: readonly number[];
  /** How the room stood at its end, in the order of `gaugeNames`; null where that is not known. */
  readonly gauges: readonly number[] | null;
}

/** The slot of ten seconds that is open and the minute that it is in, as far as they have come, and what no row says yet. */
export interface OpenStatistics {
  readonly slot: number;
  /** 0 whole so far; 1 partial; 2 a recovery took a part. */
  readonly flags: number;
  readonly counted: readonly number[];
  readonly minuteFlags: number;
  readonly minuteCounted: readonly number[];
  /** The slots that were written last, and how many behind each were quiet since. */
  readonly tensLast: number;
  readonly tensQuiet: number;
  readonly minutesLast: number;
  readonly minutesQuiet: number;
}

export interface StatisticsPage {
  readonly slots: readonly StatisticsSlot[];
  /** Null where nothing is recorded. */
  readonly open: OpenStatistics | null;
}

/**
 * How many visitors have the page open. Of the pages one in 2^`shift` is asked to say once a minute that it is open; those whose visitors
 * came close to each other do not go together. Of these, one in 2^`countedShift` of all is counted.
 */
export interface Presence {
  readonly shift: number;
  /** No less than `shift`: where more pages are asked, they are counted as soon as all of them know. */
  readonly countedShift: number;
  /** The last whole minute: how many of one in 2^`shift` pages were open, and its end (now, ms); null where that is not known. */
  readonly counted: { readonly pages: number; readonly shift: number; readonly atMs: number } | null;
}
