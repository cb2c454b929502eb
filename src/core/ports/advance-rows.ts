/** Advances of the serving counter, oldest first, `to` ascending. In Redis a sorted set of `to:since:at` by `to`. */
import { firstIndex } from "./sorting.ts";

/** The places up to `to` that no earlier row covers. Claim clock. */
export interface AdvanceRow {
  to: number;
  /** The first advance that went into this row; decides how long more are added to it. */
  sinceMs: number;
  /** The last one; the places of the row count as served then. */
  atMs: number;
}

export interface AdvanceRows {
  readonly isCollection?: true;
  list: AdvanceRow[];
}

export function createAdvanceRows(): AdvanceRows {
  return { list: [] };
}

export function lastRow(rows: AdvanceRows): AdvanceRow | null {
  return rows.list.at(-1) ?? null;
}

export function appendRow(rows: AdvanceRows, row: AdvanceRow): void {
  rows.list.push(row);
}

/** @param last what `lastRow` answered */
export function replaceRow(rows: AdvanceRows, last: AdvanceRow, row: AdvanceRow): void {
  rows.list[rows.list.lastIndexOf(last)] = row;
}

/** The row that covers the position; null where none does. */
export function rowOf(rows: AdvanceRows, position: number): AdvanceRow | null {
  return rows.list[firstIndex(rows.list, (row) => row.to < position)] ?? null;
}

/** Takes out the rows that end beyond `to`, and answers the lowest of them. */
export function cutRows(rows: AdvanceRows, to: number): AdvanceRow | null {
  let cut: AdvanceRow | null = null;
  while ((rows.list.at(-1)?.to ?? 0) > to) cut = rows.list.pop() ?? null;
  return cut;
}

export function firstRows(rows: AdvanceRows, count: number): readonly AdvanceRow[] {
  return rows.list.slice(0, count);
}

export function dropRows(rows: AdvanceRows, count: number): void {
  rows.list.splice(0, count);
}

/** The last row of no later than that time. */
export function lastRowUntil(rows: AdvanceRows, atMs: number): AdvanceRow | null {
  return rows.list.findLast((row) => row.atMs <= atMs) ?? null;
}
