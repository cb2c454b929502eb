/**
 * The events of a room: a stream of rows that is bounded, in which each change is told in the script that makes it. So it is told once, however
 * many processes look on, and none of them can lose it.
 *
 * A row is a letter, when, and the row's texts behind colons; ports/event-rows.ts reads them. Its number is its id: no less than ten
 * times the milliseconds of its time, so that numbers go on behind a loss, and have the 14 digits that JSON keeps in Lua. A row that a process brings back when later ones
 * are there already has a number of its own, and names its id: `@ID:ROW`.
 */
import type { EventsMemory, EventText } from "../../store/contract/room-events.ts";
import {
  appendLogText,
  countLogRows,
  keepLastTexts,
  type LogText,
  lastTexts,
  logTextsBehind,
} from "../ports/log-stream.ts";
import { eventIdOf, eventRowOf, textOf } from "../ports/texts.ts";
import type { Room } from "../room.ts";
import { recordLoss } from "./losses.ts";

/** So many are kept, and about a hundred more in Redis. */
const rowsMax = 10_000;
const rowsPerTick = 100;
/** Looked through for a row that is brought back. */
const looksMax = 1_000;

/** The next number: of a room that was quiet, the time. */
export function nextNumber(last: number, nowMs: number): number {
  return Math.max(last + 1, nowMs * 10);
}

/** Tells an event of now. @param texts begin with a colon, if there are any */
export function publishEvent(room: Room, letter: string, texts: string): void {
  room.eventLast = nextNumber(room.eventLast, room.atMs);
  appendLogText(room.events, room.eventLast, letter + textOf(room.atMs) + texts);
}

/** A new admission. @param via see `AdmittedVia` */
export function publishAdmission(room: Room, sub: string, position: number, via: string): void {
  publishEvent(room, "a", `:${textOf(room.edition)}:${textOf(position)}:${via}:${sub}`);
}

/** Forgets the oldest. */
export function boundEvents(room: Room): void {
  if (countLogRows(room.events) > rowsMax) keepLastTexts(room.events, rowsMax);
}

/** What a process has seen of the events, in a recovery or behind one: what is missing is told again, under its id. */
export function mergeEvents(room: Room, memory: EventsMemory): void {
  const isAhead = memory.last > room.eventLast;
  const existing = storedIds(room, memory.rows);
  if (memory.from !== undefined) recordLoss(room, room.eventLast, memory.from);
  for (const row of memory.rows) {
    if (row.seq > room.eventLast) {
      room.eventLast = row.seq;
      appendLogText(room.events, row.seq, row.text);
    } else if (!existing.includes(eventIdOf(row.seq, row.text))) {
      room.eventLast = nextNumber(room.eventLast, room.atMs);
      const text = `@${textOf(eventIdOf(row.seq, row.text))}:${eventRowOf(row.text)}`;
      appendLogText(room.events, room.eventLast, text);
    }
  }
  if (!isAhead) return;
  room.eventLast = Math.max(room.eventLast, memory.last);
  room.told = memory.told;
  room.toldDraws = memory.toldDraws;
}

/** What a process takes of the events with the state. @param after see `RoomStore.tick` */
export function eventsFor(room: Room, after: number | undefined): LogText[] {
  if (after === undefined) return [];
  if (after < 0) return lastTexts(room.events, rowsPerTick);
  return room.eventLast > after ? logTextsBehind(room.events, after, rowsPerTick) : [];
}

/** Ids of those that are here already, from the oldest of these rows on. */
function storedIds(room: Room, rows: readonly EventText[]): number[] {
  const oldest = rows[0];
  if (oldest === undefined || oldest.seq > room.eventLast) return [];
  const ids: number[] = [];
  for (const row of logTextsBehind(room.events, oldest.seq - 1, looksMax)) ids.push(eventIdOf(row.seq, row.text));
  return ids;
}
