/**
 * Rows of the room's short lists. The embedded store keeps them as objects; Redis as one text, `1:2,3:4`, with the members in
 * the order given here, and scripts number them.
 */
import type { Gap } from "../store/contract/room-facts.ts";
import type { Lapse } from "../store/contract/room-state.ts";

export const columns = {
  Gap: ["from", "to"],
  Lapse: ["untilMs", "count"],
  LogEntry: ["atMs", "count"],
  ServeBatch: ["atMs", "from", "to", "places", "shown", "showMs"],
  ProgressBucket: ["bucket", "spanMs", "served", "entered", "endedEarly"],
  OutflowBucket: ["bucket", "count"],
  JoinSecond: ["second", "count"],
  Sample: ["ms"],
  Reporter: ["process", "sequence"],
  DrawMark: ["id", "stage", "first", "last", "atFlowMs", "isCommitted"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type { Gap, Lapse };

/** Admissions at a time of the flow clock. */
export interface LogEntry {
  atMs: number;
  count: number;
}

/** Places that were served within a second, and how many of them have shown up within the show time. Flow clock. */
export interface ServeBatch {
  atMs: number;
  from: number;
  to: number;
  places: number;
  shown: number;
  showMs: number;
}

/** How fast the line moved in ten seconds of the claim clock; see `Progress`. */
export interface ProgressBucket {
  bucket: number;
  spanMs: number;
  served: number;
  entered: number;
  endedEarly: number;
}

/** Admissions in ten seconds of the flow clock. */
export interface OutflowBucket {
  bucket: number;
  count: number;
}

/** Joins in a second of the flow clock. */
export interface JoinSecond {
  second: number;
  count: number;
}

/** A latency. */
export interface Sample {
  ms: number;
}

/** The last report of a process that counted; see statistics/statistics.ts. */
export interface Reporter {
  process: number;
  sequence: number;
}

/** What hot operations go by of a draw; see draws.ts. */
export interface DrawMark {
  id: number;
  /** 1 committed, 2 closing, 3 closed, 4 cancelled, 5 drawn. */
  stage: number;
  first: number;
  last: number;
  atFlowMs: number;
  /** 1 or 0. */
  isCommitted: number;
}
