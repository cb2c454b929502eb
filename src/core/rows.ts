/**
 * Rows of the room's short lists. The embedded store keeps them as objects; Redis packs a list of lists, with the members in
 * the order given here, and scripts number them.
 */
import type { Gap } from "../store/contract/room-places.ts";
import type { Lapse } from "../store/contract/room-state.ts";

const columns = {
  Gap: ["from", "to"],
  Lapse: ["untilMs", "count"],
  LogEntry: ["atMs", "count"],
  ServeBatch: ["atMs", "from", "to", "places", "shown", "showMs"],
  ProgressBucket: ["bucket", "spanMs", "served", "entered", "endedEarly"],
  OutflowBucket: ["bucket", "count"],
  JoinSecond: ["second", "count"],
  Sample: ["ms"],
  Reporter: ["process", "sequence"],
  DrawMark: ["id", "stage", "first", "last", "atFlowMs", "isCommitted", "behind"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type { Gap, Lapse };

/** A member for each column. */
type Row<Kind extends keyof typeof columns> = { [Column in (typeof columns)[Kind][number]]: number };

/** Admissions at a time of the flow clock. */
export interface LogEntry extends Row<"LogEntry"> {}

/** Places that were served within a second, and how many of them have shown up within the show time. Flow clock. */
export interface ServeBatch extends Row<"ServeBatch"> {}

/** How fast the line moved in ten seconds of the claim clock; see `Progress`. */
export interface ProgressBucket extends Row<"ProgressBucket"> {}

/** Admissions in ten seconds of the flow clock. */
export interface OutflowBucket extends Row<"OutflowBucket"> {}

/** Joins in a second of the flow clock. */
export interface JoinSecond extends Row<"JoinSecond"> {}

/** A latency. */
export interface Sample extends Row<"Sample"> {}

/** The last report of a process that counted; see statistics/statistics.ts. */
export interface Reporter extends Row<"Reporter"> {}

/**
 * What hot operations go by of a draw; see draws.ts. `stage`: 1 committed, 2 closing, 3 closed, 4 cancelled, 5 drawn.
 * `isCommitted`: 1 or 0. `behind`: the first position behind all entries; 0 while the last number is not fixed.
 */
export interface DrawMark extends Row<"DrawMark"> {}
