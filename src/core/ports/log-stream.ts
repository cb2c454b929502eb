/** The rows of the admission log by number, oldest first, as texts; log-rows.ts reads them. In Redis a stream. */

export interface LogStream {
  readonly isCollection?: true;
  rows: { readonly seq: number; readonly text: string }[];
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
