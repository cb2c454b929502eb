/**
 * The events of a room: changes of its situation and draws, and once a minute the figures. Every operation that may change what is in force ends with
 * `tellChanges`, which compares it with what was told last; the version, which such changes raise, shows in most calls that there is nothing new.
 */
import { absentPlaces } from "../advances.ts";
import { peopleAtDoor } from "../batches.ts";
import { liveCount } from "../capacity.ts";
import { peopleWaiting } from "../clocks.ts";
import { hasHold, holdOrder, phaseOf, phaseReason } from "../holds.ts";
import { areSameSettings } from "../ports/settings-json.ts";
import { partsOf, textOf } from "../ports/texts.ts";
import { measuredOutflow } from "../progress.ts";
import type { Room } from "../room.ts";
import { boundEvents, publishEvent } from "./rows.ts";

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
