/**
 * Which process sends which events of a stream to a webhook. A cursor for each webhook says up to where they were accepted, and a lease of
 * 15 s whose turn it is: one process at a time, one event after the other. What is not accepted is tried again when its time has come, by
 * whichever process; those behind it wait, so that the order stays. Times are the store's; a clock that is set back holds nothing up
 * for longer than it was meant to.
 */
import type { DeliveryRequest, OthersMemory, Settlement } from "../../store/contract/room-events.ts";
import {
  appendLogText,
  countLogRows,
  forgetText,
  keepLastTexts,
  type LogText,
  lastTexts,
  logTextsBefore,
  logTextsBehind,
  type NamedTexts,
  readText,
  removeText,
  writeText,
} from "../ports/lists.ts";
import { eventRowOf, numberOfText, partsOf, textOf } from "../ports/texts.ts";
import type { Room } from "../room.ts";
import { hasLost, nextNumber, recordLoss } from "./events.ts";

const leaseMs = 15_000;
/** No event waits for longer than this between two attempts. */
const longestRetryMs = 3_600_000;
const deadLettersMax = 1_000;
const rowsMax = 10_000;
/** Looked through for a row that is told again. */
const looksMax = 1_000;

interface Turn {
  cursor: number;
  attempts: number;
  /** Before this the event in front is not tried again. */
  nextMs: number;
  /** Up to when the holder has the lease. */
  leaseMs: number;
  /** Number of the first event behind the cursor when events were last handed out; not above the cursor while that is unknown. */
  next: number;
  holder: string;
}

/** As core has it; a store makes a `Delivery` of it. */
export interface TakenRows {
  readonly result: "taken" | "busy" | "waiting" | "done";
  readonly rows: readonly LogText[];
  readonly attempts: number;
  readonly waitMs: number;
  readonly cursor: number;
  /** Whether events behind the cursor may have been forgotten before they were handed out. */
  readonly hasMissed: boolean;
}

function numberPart(parts: readonly string[], index: number): number {
  return numberOfText(parts[index] ?? "0");
}

function readTurn(turns: NamedTexts, webhook: string): Turn | null {
  const text = readText(turns, webhook);
  if (text === null) return null;
  const parts = partsOf(text);
  return {
    cursor: numberPart(parts, 0),
    attempts: numberPart(parts, 1),
    nextMs: numberPart(parts, 2),
    leaseMs: numberPart(parts, 3),
    next: numberPart(parts, 4),
    holder: parts[5] ?? "",
  };
}

function writeTurn(turns: NamedTexts, webhook: string, turn: Turn): void {
  const times = `${textOf(turn.nextMs)}:${textOf(turn.leaseMs)}`;
  writeText(
    turns,
    webhook,
    `${textOf(turn.cursor)}:${textOf(turn.attempts)}:${times}:${textOf(turn.next)}:${turn.holder}`,
  );
}

/** Hands out the next events of a webhook, oldest first, and the lease with them. Writes nothing where there are none. */
export function takeEvents(room: Room, request: DeliveryRequest, nowMs: number): TakenRows {
  const turn = readTurn(room.deliveries, request.webhook) ?? {
    cursor: request.from,
    attempts: 0,
    nextMs: 0,
    leaseMs: 0,
    next: 0,
    holder: "",
  };
  const cursor = turn.cursor;
  const leaseLeftMs = Math.min(leaseMs, turn.leaseMs - nowMs);
  if (turn.holder !== "" && turn.holder !== request.holder && leaseLeftMs > 0) {
    return { result: "busy", rows: [], attempts: turn.attempts, waitMs: leaseLeftMs, cursor, hasMissed: false };
  }
  const rows = logTextsBehind(room.events, cursor, request.limit);
  if (rows.length === 0) return { result: "done", rows, attempts: 0, waitMs: 0, cursor, hasMissed: false };
  const waitMs = Math.min(longestRetryMs, turn.nextMs - nowMs);
  if (waitMs > 0) return { result: "waiting", rows: [], attempts: turn.attempts, waitMs, cursor, hasMissed: false };
  turn.holder = request.holder;
  turn.leaseMs = nowMs + leaseMs;
  const hasMissed = hasMissedRows(room, turn, rows);
  // A row that was missed stays so until its receiver was told.
  if (!hasMissed) turn.next = firstNumber(rows);
  writeTurn(room.deliveries, request.webhook, turn);
  return {
    result: "taken",
    rows,
    attempts: turn.attempts,
    waitMs: 0,
    cursor,
    hasMissed,
  };
}

/**
 * Whether rows between the cursor and these are forgotten, or lost. Where it is known which came next, that is another now; else the stream is full and begins
 * behind the cursor. Numbers have gaps, so that may be said as well where only the rows up to the cursor are forgotten.
 */
function hasMissedRows(room: Room, turn: Turn, rows: readonly LogText[]): boolean {
  const first = firstNumber(rows);
  if (hasLost(room, turn.cursor, first)) return true;
  if (turn.next > turn.cursor) return first !== turn.next;
  if (first === turn.cursor + 1 || countLogRows(room.events) < rowsMax) return false;
  return firstNumber(logTextsBehind(room.events, 0, 1)) === first;
}

function firstNumber(rows: readonly LogText[]): number {
  const first = rows[0];
  return first === undefined ? 0 : first.seq;
}

/** Notes what became of the event in front. Answers whether the caller still had the lease. */
export function settleEvent(
  room: Room,
  webhook: string,
  holder: string,
  settlement: Settlement,
  nowMs: number,
): boolean {
  const turn = readTurn(room.deliveries, webhook);
  if (turn === null || turn.holder !== holder) return false;
  if (settlement.outcome === "released") turn.holder = "";
  else if (settlement.outcome === "failed") {
    turn.attempts++;
    turn.nextMs = nowMs + settlement.retryMs;
    turn.holder = "";
  } else {
    if (settlement.outcome === "given_up") keepLetter(room, settlement.letter, nowMs);
    turn.cursor = Math.max(turn.cursor, settlement.through);
    turn.attempts = 0;
    turn.nextMs = 0;
    turn.leaseMs = nowMs + leaseMs;
  }
  writeTurn(room.deliveries, webhook, turn);
  return true;
}

function lastNumber(rows: readonly LogText[]): number {
  const last = rows[0];
  return last === undefined ? 0 : last.seq;
}

function keepLetter(room: Room, letter: string, nowMs: number): void {
  const seq = nextNumber(lastNumber(lastTexts(room.deadLetters, 1)), nowMs);
  appendLogText(room.deadLetters, seq, letter);
  keepLastTexts(room.deadLetters, deadLettersMax);
}

export function readLetters(room: Room, after: number, limit: number): LogText[] {
  return logTextsBehind(room.deadLetters, after, limit);
}

export function removeLetter(room: Room, seq: number): boolean {
  return removeText(room.deadLetters, seq);
}

export function forgetTurn(room: Room, webhook: string): void {
  forgetText(room.deliveries, webhook);
}

/** Events of the installation: each as a row, and the version of what it tells. As `OtherEvents` of the store's contract, which says more. */
interface OtherRows {
  readonly source: string | null;
  readonly rows: readonly { readonly version: number; readonly text: string }[];
  readonly isCut: boolean;
  readonly memory: OthersMemory | null;
}

/**
 * Tells events of the installation. Of a source that each process may tell of, those up to the last version that was told are
 * no news; and a row that is here already is none, such as one that a process brings back after a loss.
 */
export function publishOthers(room: Room, request: OtherRows, nowMs: number): void {
  const source = request.source;
  const memory = request.memory;
  const mark = `told ${source ?? ""}`;
  const reportedVersion = source === null ? 0 : numberOfText(readText(room.deliveries, mark) ?? "0");
  let last = lastNumber(lastTexts(room.events, 1));
  let version = reportedVersion;
  const existing: string[] = [];
  for (const row of lastTexts(room.events, looksMax)) existing.push(eventRowOf(row.text));
  if (memory !== null) {
    if (memory.from !== undefined) recordLoss(room, last, memory.from);
    last = Math.max(last, memory.last);
  }
  const first = request.rows[0];
  if (request.isCut && first !== undefined && first.version > reportedVersion) {
    // The lost events get one number, which no event has: so every webhook sees the gap.
    recordLoss(room, last, last + 1);
    last++;
  }
  for (const row of request.rows) {
    if (source === null || row.version > reportedVersion) {
      version = Math.max(version, row.version);
      if (!existing.includes(row.text)) {
        existing.push(row.text);
        last = nextNumber(last, nowMs);
        appendLogText(room.events, last, row.text);
      }
    }
  }
  if (source !== null && version > reportedVersion) writeText(room.deliveries, mark, textOf(version));
  keepLastTexts(room.events, rowsMax);
}

export interface EventTexts {
  readonly last: number;
  readonly rows: readonly LogText[];
}

/** Events behind a number, oldest first. */
export function readEventTexts(room: Room, after: number, limit: number): EventTexts {
  return { last: lastNumber(lastTexts(room.events, 1)), rows: logTextsBehind(room.events, after, limit) };
}

/** Events before a number, the latest first. */
export function readEventsBefore(room: Room, before: number, limit: number): LogText[] {
  return logTextsBefore(room.events, before, limit);
}
