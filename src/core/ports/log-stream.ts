/** Rows by number, oldest first, as texts: of the admission log, which log-rows.ts reads, of events, and of dead letters. In Redis a stream. */
import { firstIndex } from "./sorting.ts";

export interface LogStream {
  readonly isCollection?: true;
  rows: LogText[];
}

export function createLogStream(): LogStream {
  return { rows: [] };
}

export function appendLogText(stream: LogStream, seq: number, text: string): void {
  stream.rows.push({ seq, text });
}

export function countLogRows(stream: LogStream): number {
  return stream.rows.length;
}

export interface LogText {
  readonly seq: number;
  readonly text: string;
}

/** Rows with a higher number than `after`, at most `limit`. */
export function logTextsBehind(stream: LogStream, after: number, limit: number): LogText[] {
  const from = firstBehind(stream, after);
  return stream.rows.slice(from, from + limit);
}

/** Rows with a lower number than `before`, the latest first, at most `limit`. */
export function logTextsBefore(stream: LogStream, before: number, limit: number): LogText[] {
  const end = firstBehind(stream, before - 1);
  return stream.rows.slice(Math.max(0, end - limit), end).reverse();
}

/** Forgets the rows up to this number. */
export function dropLogTexts(stream: LogStream, through: number): void {
  stream.rows.splice(0, firstBehind(stream, through));
}

/** Forgets the oldest; in Redis some more may stay. */
export function keepLastTexts(stream: LogStream, most: number): void {
  stream.rows.splice(0, Math.max(0, stream.rows.length - most));
}

/** Forgets one row. Answers whether it was there. */
export function removeText(stream: LogStream, seq: number): boolean {
  const at = firstBehind(stream, seq - 1);
  return stream.rows[at]?.seq === seq && stream.rows.splice(at, 1).length > 0;
}

/** The newest rows, at most so many, oldest first. */
export function lastTexts(stream: LogStream, limit: number): LogText[] {
  return stream.rows.slice(Math.max(0, stream.rows.length - limit));
}

function firstBehind({ rows }: LogStream, seq: number): number {
  return firstIndex(rows, (row) => row.seq <= seq);
}
