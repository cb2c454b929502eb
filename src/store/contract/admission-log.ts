/** The admission log of a room. Types only; part of the contract in room-store.ts. */

import type { AdmittedVia, RoomCounts } from "./room-facts.ts";
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
