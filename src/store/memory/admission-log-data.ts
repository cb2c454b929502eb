import type { LogHead, LogRow } from "../contract/room-store.ts";

/** The admission log of a room, as the memory store keeps it. */
export interface AdmissionLogData {
  /** Oldest first. */
  rows: LogRow[];
  /** Number of the last row there ever was. */
  last: number;
  sealed: LogHead;
  base: LogHead;
  /** In a recovery: the last number that others remember. */
  heard: number;
  /** What was in force, as it was noted last; "off" while nothing is logged, "" when it is to be noted anew. */
  noted: string;
  /** The counts as they were noted last, and when (flow clock). */
  counts: string;
  countsFlowMs: number;
}

export const noHead: LogHead = { seq: 0, hash: "" };

export function createAdmissionLog(): AdmissionLogData {
  return { rows: [], last: 0, sealed: noHead, base: noHead, heard: 0, noted: "", counts: "", countsFlowMs: 0 };
}
