/** How many, by time, oldest first. In Redis a list of `at:count`; here an array with its first place. */
import type { LogEntry } from "../rows.ts";

export interface CountLog {
  readonly isCollection?: true;
  entries: LogEntry[];
  head: number;
}

export function createCountLog(): CountLog {
  return { entries: [], head: 0 };
}

export function oldestEntry(log: CountLog): LogEntry | null {
  return log.entries[log.head] ?? null;
}

export function newestEntry(log: CountLog): LogEntry | null {
  return log.entries.length > log.head ? (log.entries.at(-1) ?? null) : null;
}

export function dropOldest(log: CountLog): void {
  log.head++;
  if (log.head < 256) return;
  log.entries.splice(0, log.head);
  log.head = 0;
}

export function appendEntry(log: CountLog, entry: LogEntry): void {
  log.entries.push(entry);
}

export function replaceNewest(log: CountLog, entry: LogEntry): void {
  log.entries[log.entries.length - 1] = entry;
}

/** At most `count` entries from the one at `start` on, where 0 is the oldest. */
export function entriesFrom(log: CountLog, start: number, count: number): readonly LogEntry[] {
  return log.entries.slice(log.head + start, log.head + start + count);
}

export function replaceEntries(log: CountLog, entries: LogEntry[]): void {
  log.entries = entries;
  log.head = 0;
}
