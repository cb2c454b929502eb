/** What a store keeps beside rooms, alike for all processes: documents, their reports, watchers, the audit, counts of joins, and records of oidc-provider. */
import type { LogHead } from "./room-records.ts";

/** A text that all processes share, such as an issuer's registry. */
export interface SharedDocument {
  /** From 1; each change counts one up. */
  readonly version: number;
  readonly text: string;
}

export type DocumentReplacement =
  | { readonly result: "ok"; readonly version: number }
  | { readonly result: "conflict" }
  | { readonly result: "settling"; readonly remainingMs: number };

/**
 * A document outlives its store: every process remembers the one it last saw and offers it, which mends a loss of any kind. What
 * nobody remembers is gone, and a change to a version that was lost meanwhile is lost with it when the later version is offered.
 *
 * **Settling.** While others may still know more, nothing is replaced: a change on top of an old version would be taken
 * for the change that was lost. It lasts 2,500 ms of the store's clock, a clock step no longer, and begins when
 *
 * - another server run answers than the one that the document was stamped with (restart, failover, restored snapshot);
 * - the document is missing, and a caller shows by `expectedVersion` or an offer that there was one;
 * - a caller offers a later version than the one in force, or another text of the same version.
 *
 * A document that nobody ever wrote does not settle, nor does a store that is not shared: there is nobody else to ask.
 *
 * Texts of more than 4 MiB (as UTF-8) are refused with a TypeError before anything is sent.
 */
export interface SharedDocuments {
  /**
   * Answers the document in force, and offers the one that the caller remembers: it is put in place of one that is
   * missing or older. Of two of one version the greater text stays, compared bytewise, so that all processes decide
   * alike. Works while settling. Null where nobody ever wrote one.
   *
   * `unchanged`: what the caller remembers is what is in force. Neither the question nor this answer carries the text,
   * so that every process may ask often.
   *
   * @throws StoreUnavailableError
   */
  exchange(name: string, cached: SharedDocument | null): Promise<SharedDocument | "unchanged" | null>;
  /**
   * Replaces the document if it is still at `expectedVersion` (0: none was written), by the next version. Of any number
   * of calls at once one succeeds. `conflict`: it is at another version: exchange and try again. `settling`: try again
   * after `remainingMs`.
   *
   * A lost reply says nothing about what was done: `exchange` shows it.
   *
   * @throws StoreUnavailableError
   */
  replace(name: string, text: string, expectedVersion: number): Promise<DocumentReplacement>;
}

// What processes tell of themselves, so that each can tell of all, and what a store tells of itself.

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

/** Which operators watch which rooms, as each process knows it of its own. Types only; part of the contract in room-store.ts. */
export interface WatcherStore {
  /**
   * Keeps what this process says for `leaseMs` of the store's clock, in place of what it said before; "" takes that away. Answers
   * what other processes say. A process that goes on saying it stays; one that was killed is forgotten with its lease.
   * Of more than 64 those stay that said something last.
   *
   * @throws StoreUnavailableError
   */
  exchange(process: string, text: string, leaseMs: number): Promise<string[]>;
}

// The rows of the audit, which all processes append to.

/** A row with its place in the chain. */
export interface AuditRow extends LogHead {
  /** What was hashed. */
  readonly text: string;
  /** What it is chained to: the row before it, or what begins the chain. */
  readonly before: LogHead;
}

export interface AuditRange {
  /** Numbers of the first and last row that are wanted. */
  readonly from: number;
  readonly to: number;
  /** 1…1,000. */
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

/** The oldest rows leave. */
export interface AuditBounds {
  readonly rowsMax: number;
  /** Of the texts: a row leaves when those behind it have as many. */
  readonly bytesMax: number;
}

/** Each throws `StoreUnavailableError` when the store does not answer; whether rows were appended is then unknown: `head` tells. */
export interface AuditStore {
  /** The last row; null where there is none: nobody has written one, or they were lost. */
  head(): Promise<LogHead | null>;

  /**
   * Appends rows, numbered upwards, if the last one is still `after`; answers whether it was. Of any number of calls at once one
   * succeeds. Of more rows than may be the oldest leave, at most 1,000 by one call.
   */
  append(rows: readonly AuditRow[], after: LogHead | null, bounds: AuditBounds): Promise<boolean>;

  read(range: AuditRange): Promise<AuditRow[]>;
}

// How many have joined from which address blocks, as all processes count it together.

/** A block of addresses: a bucket that is filled by time, of which each join takes a token. */
export interface CountedBlock {
  /** A keyed hash: the store learns no address. */
  readonly name: string;
  /** In how many milliseconds a token is filled in, and the whole bucket. */
  readonly tokenMs: number;
  readonly mostMs: number;
}

/** Joins that count for all of these blocks: one within the other. */
export interface CountedJoins {
  /** Less than 0: so many are given back, since nobody got a place. */
  readonly count: number;
  /** When they were, so many milliseconds ago; 5,000 at most. Absent: now. */
  readonly agoMs?: number;
  readonly blocks: readonly CountedBlock[];
}

export interface CountedAnswer {
  /** How many of them may join. */
  readonly granted: number;
  /** Of each block, in how many milliseconds its bucket is full again. */
  readonly levelsMs: readonly number[];
}

/** At most so many in one call. */
export const countedJoinsMax = 500;

/** Buckets are kept for as long as they are not full, and 200,000 of each kind for a room: of more, those go that took least. */
export interface JoinCountStore {
  /**
   * Takes entries of a draw, before places are given: no more than all of their blocks have. The counts of an earlier edition are
   * forgotten. `RoomStore.forget` frees what is kept of a room.
   *
   * @throws StoreUnavailableError
   */
  takeEntries(room: string, edition: number, joins: readonly CountedJoins[]): Promise<CountedAnswer[]>;

  /**
   * Notes joins that were given by what each process knew: all of them, though a bucket be empty, and it owes so much then, up to
   * its own size.
   *
   * @throws StoreUnavailableError
   */
  recordJoins(room: string, joins: readonly CountedJoins[]): Promise<CountedAnswer[]>;
}

// What a store keeps for oidc-provider.

/** Model of the links that work once (registry/one-time-links.ts), which is none of oidc-provider's. */
export const oneTimeLinkModel = "OneTimeLink";

/** Models whose records fall with the server's run: what was used just before a rollback must not be usable again (rule 8). */
export const boundToRun: ReadonlySet<string> = new Set(["AuthorizationCode", oneTimeLinkModel]);

/** One record of oidc-provider, as its adapter interface defines it. */
export interface OidcRecord {
  [key: string]: unknown;
  consumed?: unknown;
  consumed_by?: unknown;
}

/**
 * oidc-provider's adapter, as far as it is asked: there are no device codes, nobody looks for a session by its uid, and what a grant has issued falls
 * with the record of the grant. `consume` is atomic: of any number of calls at once one succeeds. A record of a model
 * of `boundToRun` is void when another server run answers than the one it was written under.
 */
export interface OidcAdapter {
  upsert(id: string, payload: OidcRecord, expiresInSec: number): Promise<void>;
  find(id: string): Promise<OidcRecord | undefined>;
  /** @param by is found as `consumed_by` from then on @throws AlreadyConsumedError for every caller but the first, and when the record is gone. */
  consume(id: string, by?: string): Promise<void>;
  destroy(id: string): Promise<void>;
}
