/**
 * Lists in an order: rows of a log, counts by time, advances of the serving counter, blocks of entries; and sorting. And what is found by a
 * key, in Redis in hashes: records, texts, and answers to operators' requests.
 */

import type { AdmissionEnd, AdmittedVia, DrawnEntry } from "../../store/contract/room-places.ts";
import type { StepAnswer } from "../../store/contract/room-state.ts";
import type { LogEntry } from "../rows.ts";

/** Sorts in place. Those of which neither is before the other come in any order. */
export function sortBy<T>(list: T[], isBefore: (a: T, b: T) => boolean): void {
  list.sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));
}

/** The index of the first that is not before what is looked for; all that are before it come first. */
export function firstIndex<T>(list: readonly T[], isBefore: (entry: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Rows by number, oldest first, as texts: of the admission log, which log-rows.ts reads, of events, and of dead letters. In Redis a stream.

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

// How many, by time, oldest first. In Redis a list of `at:count`; here an array with its first place.

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

// Advances of the serving counter, oldest first, `to` ascending. In Redis a sorted set of `to:since:at` by `to`.

/** The places up to `to` that no earlier row covers. Claim clock. */
interface AdvanceRow {
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

/**
 * The blocks of addresses that the entries of a draw came from: a row of characters for each number, in a row. In Redis one string.
 * A row is two keyed hashes of 48 bits in base64url: of the address, and of its network.
 */
export interface EntryBlocks {
  readonly isCollection?: true;
  rows: Uint8Array;
}

/** Characters of one hash, and of a row. */
export const blockLength = 8;
export const rowLength = 2 * blockLength;
/** Of an entry whose address is not known; no hash has such characters. */
export const unknownRow = ".".repeat(rowLength);
/** Rows that are kept; Redis holds no longer string. */
export const maxRows = 30_000_000;

const bytesMin = 4_096;

export function createEntryBlocks(): EntryBlocks {
  return { rows: new Uint8Array(0) };
}

/** Keeps the first `count` rows of a text, from this index on. */
export function writeRows(blocks: EntryBlocks, index: number, text: string, count: number): void {
  const end = (index + count) * rowLength;
  if (end > blocks.rows.length) {
    const grown = new Uint8Array(Math.max(bytesMin, 2 * end));
    grown.set(blocks.rows);
    blocks.rows = grown;
  }
  blocks.rows.set(Buffer.from(text.slice(0, count * rowLength), "latin1"), index * rowLength);
}

/** The rows of the indexes from `from` to `to`, both inclusive, as one text; fewer where there are no more. */
export function readRows({ rows }: EntryBlocks, from: number, to: number): string {
  return to < from ? "" : Buffer.from(rows.subarray(from * rowLength, (to + 1) * rowLength)).toString("latin1");
}

/** Indexes of the rows of a text that have one of these hashes, ascending. */
export function rowsWith(text: string, wanted: readonly string[]): number[] {
  const hashes = new Set(wanted);
  const found: number[] = [];
  for (let at = 0; at + rowLength <= text.length; at += rowLength) {
    const address = text.slice(at, at + blockLength);
    const network = text.slice(at + blockLength, at + rowLength);
    if (hashes.has(address) || hashes.has(network)) found.push(at / rowLength);
  }
  return found;
}

/** An `Admission` as it is kept. */
export interface AdmissionRecord {
  readonly sub: string;
  readonly edition: number;
  readonly position: number;
  readonly entry: DrawnEntry | null;
  /** See `Admission`. */
  usedPosition: number;
  readonly via: AdmittedVia;
  readonly admittedMs: number;
  /** What was reported; see `wallExpiresMs`. */
  expiresMs: number;
  /** When it began and ends on the flow clock, which decides. */
  admittedFlowMs: number;
  expiresFlowMs: number;
  /** Until when, on the flow clock, the site must have seen the visitor; null: it has, or it need not. */
  visitByFlowMs: number | null;
  ended: AdmissionEnd | null;
  logins: string[];
  taken: string[] | null;
  addresses: string[] | null;
  /** Claim clock at the admission, and no earlier than the place was joined: its last window begins by then. */
  readonly claimMs: number;
}

export interface Records<Id extends string | number, R> {
  readonly isCollection?: true;
  readonly byId: Map<Id, R>;
}

export function createRecords<Id extends string | number, R>(): Records<Id, R> {
  return { byId: new Map() };
}

export function readRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id): R | null {
  return records.byId.get(id) ?? null;
}

export function writeRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id, record: R): void {
  records.byId.set(id, record);
}

export function forgetRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id): void {
  records.byId.delete(id);
}

export function countRecords<Id extends string | number, R>(records: Records<Id, R>): number {
  return records.byId.size;
}

/** Texts by name. In Redis a hash. */
export interface NamedTexts {
  readonly isCollection?: true;
  readonly byName: Map<string, string>;
}

export function createNamedTexts(): NamedTexts {
  return { byName: new Map() };
}

export function readText(texts: NamedTexts, name: string): string | null {
  return texts.byName.get(name) ?? null;
}

export function writeText(texts: NamedTexts, name: string, text: string): void {
  texts.byName.set(name, text);
}

export function forgetText(texts: NamedTexts, name: string): void {
  texts.byName.delete(name);
}

// Answers to operators' requests, by the request's id. In Redis a key of its own for each, which expires.

interface StoredAnswer {
  /** The step, to tell a reused id. */
  readonly step: string;
  readonly answer: StepAnswer;
  /** Now. */
  readonly expiresMs: number;
}

export interface Answers {
  readonly isCollection?: true;
  readonly byRequest: Map<string, StoredAnswer>;
}

const prunedPerWrite = 10;

export function createAnswers(): Answers {
  return { byRequest: new Map() };
}

export function readAnswer(answers: Answers, requestId: string): StoredAnswer | null {
  return answers.byRequest.get(requestId) ?? null;
}

export function writeAnswer(answers: Answers, requestId: string, stored: StoredAnswer, nowMs: number): void {
  answers.byRequest.delete(requestId);
  answers.byRequest.set(requestId, stored);
  let looked = 0;
  for (const [id, { expiresMs }] of answers.byRequest) {
    if (expiresMs > nowMs || looked++ >= prunedPerWrite) return;
    answers.byRequest.delete(id);
  }
}
