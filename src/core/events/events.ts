/**
 * The events of a room: a bounded stream of rows. The script that makes a change also publishes its event, so each event is published once
 * however many processes look on, and no process can lose it.
 *
 * A row is a letter, the time, and the row's texts after colons; ports/reports.ts reads them. Its number is its id. It is at least ten times
 * the milliseconds of its time, so that numbers keep growing after a loss, and has at most the 14 digits that JSON in Lua preserves. When a
 * process restores a row and later rows exist already, the row gets a new number and names its id: `@ID:ROW`.
 */
import type { EventsMemory, EventText } from "../../store/contract/room-events.ts";
import { hasHold, holdOrder, peopleWaiting, phaseOf, phaseReason } from "../holds.ts";
import { liveCount } from "../inlet.ts";
import {
  appendLogText,
  countLogRows,
  keepLastTexts,
  type LogText,
  lastTexts,
  logTextsBehind,
  readText,
  writeText,
} from "../ports/lists.ts";
import { areSameSettings, eventIdOf, eventRowOf, numberOfText, partsOf, textOf } from "../ports/texts.ts";
import { absentPlaces } from "../positions.ts";
import { measuredOutflow, peopleAtDoor } from "../progress.ts";
import type { Room } from "../room.ts";

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
function boundEvents(room: Room): void {
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

// The events of a room: changes of its situation and draws, and once a minute the figures. Every operation that may change what is in force ends with
// `tellChanges`, which compares it with what was told last; the version, which such changes raise, shows in most calls that there is nothing new.

const figuresEveryMs = 60_000;
/** Refusals in a minute, and their share of all who came, from which operators are told. */
const refusedLeast = 50;
const refusedShare = 0.05;
/** A room that is full, as was told. */
const publishedFull = -1;

/** Phase, its reason, edition, and each hold. */
function situationOf(room: Room): string {
  let text = `${phaseOf(room)}:${phaseReason(room) ?? ""}:${textOf(room.edition)}`;
  for (const hold of holdOrder) text = `${text}:${hasHold(room, hold) ? "1" : "0"}`;
  return text;
}

function publishSituation(room: Room): void {
  room.toldVersion = room.version;
  const before = room.told;
  const situation = situationOf(room);
  if (situation === before) return;
  room.told = situation;
  const isFirst = before === "";
  const old = partsOf(isFirst ? "::0:0:0:0:0:0:0" : before);
  const now = partsOf(situation);
  const edition = now[2] ?? "";
  if (!isFirst && edition !== old[2]) publishEvent(room, "e", `:${edition}:${old[2] ?? ""}`);
  let index = 3;
  for (const hold of holdOrder) {
    if (now[index] !== old[index]) {
      if (hold === "sold_out") publishEvent(room, "o", `:${now[index] ?? ""}:${room.hasReturns ? "1" : "0"}`);
      else publishEvent(room, "h", `:${hold}:${now[index] ?? ""}`);
    }
    index++;
  }
  const phase = `${now[0] ?? ""}:${now[1] ?? ""}`;
  const oldPhase = `${old[0] ?? ""}:${old[1] ?? ""}`;
  if (phase !== oldPhase) publishEvent(room, "p", `:${edition}:${phase}:${oldPhase}`);
}

function publishDraws(room: Room): void {
  if (room.drawMarks.length === 0 && room.toldDraws === "") return;
  let marks = "";
  for (const draw of room.draws) {
    if (draw.commitment !== "") marks = `${marks}:${textOf(room.edition)}.${textOf(draw.id)}.${draw.stage}`;
  }
  if (marks === room.toldDraws) return;
  const publishedMarks = partsOf(room.toldDraws);
  room.toldDraws = marks;
  for (const draw of room.draws) {
    const mark = `${textOf(room.edition)}.${textOf(draw.id)}.${draw.stage}`;
    if (draw.commitment !== "" && !publishedMarks.includes(mark)) {
      const what = `:${textOf(room.edition)}:${textOf(draw.id)}:${draw.stage}:${textOf(draw.first)}:${textOf(draw.last)}`;
      publishEvent(room, "d", `${what}:${draw.commitment}:${draw.seed}`);
    }
  }
}

/** Tells what has changed of what is in force. In a forgotten room nothing raises the version. */
export function publishChanges(room: Room): void {
  if (room.version === 0 || room.version !== room.toldVersion) publishSituation(room);
  publishDraws(room);
}

/** Settings that were replaced. @param before as JSON, as is `after` */
export function publishSettings(room: Room, before: string, after: string): void {
  if (!areSameSettings(before, after)) publishEvent(room, "s", `:${textOf(room.version)}:${before}\n${after}`);
}

/** A recovery is over, of a room that was not made just now. */
export function publishRecovery(room: Room): void {
  publishEvent(room, "r", `:${textOf(room.queued)}:${textOf(room.serving)}`);
}

/** A join was refused since the room is full, for the first time; or there are places again. */
function publishFull(room: Room): void {
  if (room.fullMs === 0) return;
  if (room.fullMs > 0) publishEvent(room, "f", ":1");
  room.fullMs = publishedFull;
  if (room.maxWaiting !== null && peopleWaiting(room) >= room.maxWaiting) return;
  publishEvent(room, "f", ":0");
  room.fullMs = 0;
}

/**
 * At the end of a minute: whether many were refused a place in it, when that is not what was told last.
 *
 * @param rate refused because so many had come from their address just now
 * @param entries refused because their address had taken all of its entries
 * @param network refused by a rule for addresses
 */
export function publishRefusals(room: Room, joined: number, rate: number, entries: number, network: number): void {
  const refused = rate + entries + network;
  const isRefusing = refused >= refusedLeast && refused >= refusedShare * (joined + refused);
  if (isRefusing === room.statistics.isRefusing) return;
  room.statistics.isRefusing = isRefusing;
  const counts = `${textOf(joined)}:${textOf(rate)}:${textOf(entries)}:${textOf(network)}`;
  publishEvent(room, "b", `:${isRefusing ? "1" : "0"}:${counts}`);
}

function publishFigures(room: Room): void {
  const line = `${textOf(room.queued)}:${textOf(room.serving)}:${textOf(peopleWaiting(room))}`;
  const near = `${textOf(Math.floor(peopleAtDoor(room) + 0.5))}:${textOf(absentPlaces(room))}`;
  const flow = `${textOf(Math.floor(measuredOutflow(room) * 10 + 0.5) / 10)}:${room.limit === null ? "" : textOf(room.limit)}`;
  const counts = room.counts;
  const ways = `${textOf(counts.joined)}:${textOf(counts.entered)}:${textOf(counts.passed)}:${textOf(counts.bypassed)}`;
  const lost = `${textOf(counts.noShows)}:${textOf(counts.left)}`;
  const place = `${textOf(room.edition)}:${phaseOf(room)}`;
  publishEvent(room, "m", `:${place}:${line}:${near}:${textOf(liveCount(room))}:${flow}:${ways}:${lost}`);
}

function publishSealed(room: Room): void {
  if (room.logSealedSeq <= room.toldSealedSeq) return;
  room.toldSealedSeq = room.logSealedSeq;
  publishEvent(room, "l", `:${textOf(room.logSealedSeq)}:${room.logSealedHash}`);
}

/** What a tick tells, besides: changes of each second, and once a minute the figures and the head of the log. */
export function publishNews(room: Room): void {
  publishChanges(room);
  publishFull(room);
  if (room.flowMs - room.figuresMs < figuresEveryMs) return;
  room.figuresMs = room.flowMs;
  publishFigures(room);
  publishSealed(room);
  boundEvents(room);
}

// Events that the store has lost and that no process remembers: the room notes between which numbers, so that each webhook that has not taken
// those is told. Kept beside the cursors as `AFTER:THROUGH`, one loss behind the other.

/** No webhook has such an id, since there is a blank in it. */
const lossesName = "lost events";
/** The oldest are forgotten. */
const lossesMax = 5;

interface Loss {
  readonly after: number;
  readonly through: number;
}

function readLosses(room: Room): Loss[] {
  const losses: Loss[] = [];
  const text = readText(room.deliveries, lossesName);
  if (text === null || text === "") return losses;
  let after = -1;
  for (const part of partsOf(text)) {
    const number = numberOfText(part);
    if (after < 0) after = number;
    else {
      losses.push({ after, through: number });
      after = -1;
    }
  }
  return losses;
}

/**
 * Notes what is lost between the room's last event and the memory of a process. What an earlier process reported as lost, this one may
 * still have: then the latest loss shrinks.
 *
 * @param last number of the room's last event
 * @param from the process remembers all events with a higher number
 */
export function recordLoss(room: Room, last: number, from: number): void {
  const losses = readLosses(room);
  let text = "";
  let index = 0;
  for (const loss of losses) {
    index++;
    // The latest shrinks by what is remembered after all.
    const upTo = index === losses.length ? Math.min(loss.through, from) : loss.through;
    if (upTo > loss.after && index > losses.length - lossesMax) text = withLoss(text, loss.after, upTo);
  }
  if (from > last) text = withLoss(text, last, from);
  if (text !== "" || losses.length > 0) writeText(room.deliveries, lossesName, text);
}

function withLoss(text: string, after: number, through: number): string {
  return `${text}${text === "" ? "" : ":"}${textOf(after)}:${textOf(through)}`;
}

/** Whether events between a cursor and the first one behind it are lost. */
export function hasLost(room: Room, cursor: number, first: number): boolean {
  for (const loss of readLosses(room)) if (cursor < loss.through && first > loss.through) return true;
  return false;
}
