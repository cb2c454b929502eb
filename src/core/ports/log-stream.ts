/** The rows of the admission log by number, oldest first, as texts; log-rows.ts reads them. In Redis a stream. */
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

/** Forgets the rows up to this number. */
export function dropLogTexts(stream: LogStream, through: number): void {
  stream.rows.splice(0, firstBehind(stream, through));
}

function firstBehind({ rows }: LogStream, seq: number): number {
  return firstIndex(rows, (row) => row.seq <= seq);
}
