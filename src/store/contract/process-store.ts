/** What processes tell of themselves, so that each can tell of all, and what a store tells of itself. Types only; part of the contract in store.ts. */

/** What a process said of itself last. */
export interface ProcessRow {
  readonly id: string;
  /** Now of the store. */
  readonly reportedMs: number;
  readonly text: string;
}

/** A server as it describes itself. Null: it does not say. */
export interface ServerFacts {
  readonly software: string;
  readonly version: string;
  readonly arrangement: "single" | "sentinel" | "cluster";
  /** Of the run, which ends with a restart or a failover. */
  readonly runId: string;
  readonly upSec: number | null;
  readonly usedBytes: number | null;
  /** 0: no bound. */
  readonly maxBytes: number | null;
  readonly evictionPolicy: string | null;
  readonly isAppendOnly: boolean | null;
  readonly savedMs: number | null;
  readonly role: "master" | "replica" | null;
  readonly replicas: number | null;
}

/** What is not as it should be with a server. */
export type ServerFault =
  | "store_evicts"
  | "store_eviction_unknown"
  | "store_not_append_only"
  | "store_append_fails"
  | "store_save_fails"
  | "store_nearly_full";

/** @property text in words with what to do; it may name the server's address */
export interface ServerFinding {
  readonly code: ServerFault;
  readonly text: string;
}

export interface ProcessesReport {
  readonly nowMs: number;
  /** The ones that reported last come first; at most 64. */
  readonly processes: readonly ProcessRow[];
  /** Null where the store is embedded. */
  readonly server: ServerFacts | null;
  readonly findings: readonly ServerFinding[];
  /** Another server answers than last time, to which a Cluster's slot was moved: none was started anew. */
  readonly isMoved?: boolean;
}

/** Rows are forgotten ten minutes after the last report. Each throws `StoreUnavailableError` when the store does not answer. */
export interface ProcessStore {
  /** Puts the process's text in place of its last one, and answers what all have said. @param text at most 16 KiB */
  report(id: string, text: string): Promise<ProcessesReport>;
  /** The process ends by itself. */
  remove(id: string): Promise<void>;
}
