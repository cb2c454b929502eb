/** What a store records of how a room went: its admission log and its statistics. Types only; part of the contract in room-store.ts. */
import type { AdmittedVia, RoomCounts } from "./room-places.ts";
import type { InletType, Phase, PhaseReason } from "./room-settings.ts";

/** A row of the log, and the hash of the chain up to it: SHA-256 in hex, "" where nothing was chained yet (`seq` 0). */
export interface LogHead {
  readonly seq: number;
  readonly hash: string;
}

/** What a process syncs of the log with each state. */
export interface LogState {
  /** Number of the last row; 0 for none. */
  readonly last: number;
  /** The last row whose hash is recorded. Processes compute the hashes, since scripts have none. */
  readonly sealed: LogHead;
}

/** The counts of the room that show what became of the places, as of the row. */
export type LogCounts = Pick<RoomCounts, "joined" | "entered" | "passed" | "bypassed" | "noShows" | "left">;

/** `seq` grows by 1 from row to row, but over a loss. `atMs` is now when the row was made. */
export type LogRow = { readonly seq: number; readonly atMs: number } & (
  | {
      /** The log begins. `incarnation` makes its chain another than that of any other beginning. */
      readonly kind: "begin";
      readonly incarnation: string;
    }
  | {
      /** What was in force from here on; noted by the next claim or tick, so never after an admission under it. */
      readonly kind: "state";
      readonly edition: number;
      readonly phase: Phase;
      readonly reason: PhaseReason;
      readonly inlet: InletType;
      /** Admissions in any 60 seconds; null for no limit. */
      readonly limit: number | null;
      readonly sharedLimit: number | null;
      readonly maxActive: number | null;
      readonly counts: LogCounts;
    }
  | {
      /** A new admission; the log does not say whose. */
      readonly kind: "admission";
      readonly edition: number;
      /** 0 where there was no place. */
      readonly position: number;
      /** The number that the visitor was given on joining; 0 where there was no place. */
      readonly number: number;
      readonly via: AdmittedVia;
      /** By the claim clock from the join to now: time in line while nothing held the room. Null where there was no place. */
      readonly waitMs: number | null;
      /** Flow clock, by which limits go. */
      readonly flowMs: number;
    }
  /** Counts, at most once a minute of the flow clock, where they have changed. */
  | { readonly kind: "counts"; readonly counts: LogCounts }
  /** An operator has moved the serving counter. */
  | { readonly kind: "increment"; readonly by: number; readonly serving: number }
  | {
      /**
       * The room has gone on after a loss. Rows between the one before and `heard` are missing if there are such numbers; numbers of
       * rows that nobody remembers are skipped.
       */
      readonly kind: "recovery";
      /** The last number that any process remembers. */
      readonly heard: number;
      /** The chain goes on from here; null: from the row before. */
      readonly after: LogHead | null;
      readonly counts: LogCounts;
    }
  /** Nothing was logged from here to the next row. */
  | { readonly kind: "off" }
);

/** A part of the log, oldest row first. */
export interface LogPage extends LogState {
  /** The row before the oldest that is kept: the chain is computed from here. */
  readonly base: LogHead;
  /** How many rows are kept. */
  readonly count: number;
  readonly rows: readonly LogRow[];
}

/** Which head of the log advances: `sealed`, or `base`, with which all rows up to it are removed. */
export type LogMark = "sealed" | "base";

// What a store keeps of how a room went.

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
