/** The rows of the audit, which all processes append to. Types only; part of the contract in room-store.ts. */
import type { LogHead } from "./admission-log.ts";

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
