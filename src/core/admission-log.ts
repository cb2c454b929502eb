/**
 * The admission log. Each new admission appends a row, and what the account needs besides has rows of its own: a claim and a tick first
 * note what is in force, if that has changed. Numbers are used once: behind a loss the log goes on beyond what is remembered.
 *
 * A row is a letter, when, and the row's texts behind colons. What a letter means is read in ports/log-rows.ts, and hashes go by it:
 * another form of a row takes another letter.
 */

import type { AdmittedVia } from "../store/contract/room-places.ts";
import type { LogHead, LogMark, LogPage } from "../store/contract/room-records.ts";
import { phaseOf, phaseReason } from "./holds.ts";
import { appendLogText, countLogRows, dropLogTexts, type LogText, logTextsBehind } from "./ports/lists.ts";
import { textOf } from "./ports/texts.ts";
import type { Room } from "./room.ts";

/** So many numbers are skipped behind a loss: more than there can have been since anybody knew of the log. */
const skippedNumbers = 100_000;
const countsEveryMs = 60_000;

function isLogging(room: Room): boolean {
  return room.logRowsMax > 0;
}

function viaLetter(via: AdmittedVia): string {
  if (via === "queue") return "q";
  if (via === "bypass") return "b";
  if (via === "passthrough") return "p";
  return via === "idle" ? "i" : "e";
}

export function textOrNone(value: number | null): string {
  return value === null ? "" : textOf(value);
}

function pushRow(room: Room, letter: string, texts: string): void {
  room.logLast++;
  appendLogText(room.admissionLog, room.logLast, letter + textOf(room.atMs) + texts);
}

/** Appends a row. `texts` begin with a colon, if there are any. */
function appendRowText(room: Room, letter: string, texts: string): void {
  if (room.logLast === 0) pushRow(room, "b", `:${room.incarnation}`);
  pushRow(room, letter, texts);
}

/** The counts, which are noted with this. */
function recordCounts(room: Room): string {
  const admitted = `${textOf(room.counts.entered)}:${textOf(room.counts.passed)}:${textOf(room.counts.bypassed)}`;
  const unused = `${textOf(room.counts.noShows)}:${textOf(room.counts.left)}`;
  const counts = `${textOf(room.counts.joined)}:${admitted}:${unused}`;
  room.logCounts = counts;
  room.logCountsMs = room.flowMs;
  return counts;
}

/** Notes what is in force if it is another than was noted last. */
export function logSituation(room: Room): void {
  if (!isLogging(room)) {
    if (room.logNoted === "off") return;
    if (room.logLast > 0) appendRowText(room, "o", "");
    room.logNoted = "off";
    return;
  }
  const place = `${textOf(room.edition)}:${phaseOf(room)}:${phaseReason(room) ?? ""}`;
  const limits = `${textOrNone(room.limit)}:${textOrNone(room.sharedLimit)}:${textOrNone(room.maxActive)}`;
  const situation = `${place}:${room.inletType}:${limits}`;
  if (situation === room.logNoted) return;
  room.logNoted = situation;
  appendRowText(room, "s", `:${situation}:${recordCounts(room)}`);
}

/** Once a minute, if they have changed. */
export function logCounts(room: Room): void {
  if (!isLogging(room) || room.flowMs - room.logCountsMs < countsEveryMs) return;
  const before = room.logCounts;
  const counts = recordCounts(room);
  if (counts !== before) appendRowText(room, "c", `:${counts}`);
}

/**
 * A new admission.
 *
 * @param number of what the place was drawn, the same where it was not
 * @param joinedMs of the place, on the claim clock
 */
export function logAdmission(room: Room, place: number, number: number, via: AdmittedVia, joinedMs: number): void {
  if (!isLogging(room)) return;
  logSituation(room);
  const waitMs = place > 0 ? textOf(Math.max(0, room.claimMs - joinedMs)) : "";
  const entry = place > 0 && number !== place ? textOf(number) : "";
  const texts = `:${textOf(room.edition)}:${textOf(place)}:${entry}:${waitMs}:${viaLetter(via)}`;
  appendRowText(room, "a", `${texts}:${textOf(room.flowMs - room.atMs)}`);
}

export function logIncrement(room: Room, by: number): void {
  if (!isLogging(room)) return;
  logSituation(room);
  appendRowText(room, "i", `:${textOf(by)}:${textOf(room.serving)}`);
}

/** What others remember of the log, in a recovery. Rows that are here up to the head that they know stay as they are. */
export function mergeLog(room: Room, last: number, sealedSeq: number, sealedHash: string): void {
  room.logRemembered = Math.max(room.logRemembered, last, sealedSeq);
  if (sealedSeq <= Math.max(room.logLast, room.logSealedSeq)) return;
  room.logSealedSeq = sealedSeq;
  room.logSealedHash = sealedHash;
}

/** The end of a recovery, of a log that anybody remembers. */
export function logRecovery(room: Room): void {
  const remembered = Math.max(room.logLast, room.logRemembered);
  room.logNoted = "";
  room.logRemembered = 0;
  if (remembered === 0) return;
  let after = ":";
  if (room.logSealedSeq > room.logLast) {
    after = `${textOf(room.logSealedSeq)}:${room.logSealedHash}`;
    if (countLogRows(room.admissionLog) === 0) {
      room.logBaseSeq = room.logSealedSeq;
      room.logBaseHash = room.logSealedHash;
    }
  }
  room.logLast = remembered + skippedNumbers;
  appendRowText(room, "r", `:${textOf(remembered)}:${after}:${recordCounts(room)}`);
}

/** A page of the log. The rows are texts; see ports/log-rows.ts. */
export interface LogTexts extends Omit<LogPage, "rows"> {
  readonly rows: readonly LogText[];
}

/** Rows behind a number, oldest first. */
export function readLogTexts(room: Room, after: number, limit: number): LogTexts {
  return {
    last: room.logLast,
    sealed: { seq: room.logSealedSeq, hash: room.logSealedHash },
    base: { seq: room.logBaseSeq, hash: room.logBaseHash },
    count: countLogRows(room.admissionLog),
    rows: logTextsBehind(room.admissionLog, after, limit),
  };
}

/**
 * Moves a mark on, if it still stands where the caller saw it: base <= sealed <= the last row, so what is forgotten was sealed.
 * Answers whether it did.
 */
export function moveLogMark(room: Room, mark: LogMark, from: LogHead, to: LogHead): boolean {
  const isSealed = mark === "sealed";
  const seq = isSealed ? room.logSealedSeq : room.logBaseSeq;
  const hash = isSealed ? room.logSealedHash : room.logBaseHash;
  const most = isSealed ? room.logLast : room.logSealedSeq;
  if (seq !== from.seq || hash !== from.hash || to.seq <= from.seq || to.seq > most) return false;
  if (isSealed) {
    room.logSealedSeq = to.seq;
    room.logSealedHash = to.hash;
  } else {
    room.logBaseSeq = to.seq;
    room.logBaseHash = to.hash;
    dropLogTexts(room.admissionLog, to.seq);
  }
  return true;
}
