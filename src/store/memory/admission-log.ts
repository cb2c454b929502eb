import { phaseOf, phaseReason } from "../../core/holds.ts";
import type {
  AdmittedVia,
  KnownPlace,
  LogCounts,
  LogHead,
  LogMark,
  LogPage,
  LogRow,
  LogState,
  RoomSettings,
} from "../contract/room-store.ts";
import { noHead } from "./admission-log-data.ts";
import type { RoomData } from "./data.ts";
import { numberOf } from "./places.ts";

const defaultRowsMax = 100_000;
/** So many numbers are skipped behind a loss: more than there can have been since anybody heard of the log. */
const skippedNumbers = 100_000;
const countsEveryMs = 60_000;

type Unnumbered<T> = T extends LogRow ? Omit<T, "seq" | "atMs"> : never;

function isLogging({ logRowsMax = defaultRowsMax }: RoomSettings): boolean {
  return logRowsMax > 0;
}

function append(room: RoomData, row: Unnumbered<LogRow>): void {
  const log = room.admissionLog;
  if (log.last === 0 && row.kind !== "begin") append(room, { kind: "begin", incarnation: room.life });
  log.last++;
  log.rows.push({ seq: log.last, atMs: room.atMs, ...row } as LogRow);
}

/** The counts, which are noted with this. */
function noteCounts(room: RoomData): LogCounts {
  const { joined, entered, passed, bypassed, noShows, left } = room.counts;
  const counts = { joined, entered, passed, bypassed, noShows, left };
  room.admissionLog.counts = JSON.stringify(counts);
  room.admissionLog.countsFlowMs = room.flowMs;
  return counts;
}

/** Notes what is in force if it is another than was noted last. */
export function logSituation(room: RoomData): void {
  const log = room.admissionLog;
  const { effective } = room.settings;
  if (!isLogging(effective)) {
    if (log.last > 0 && log.noted !== "off") append(room, { kind: "off" });
    log.noted = "off";
    return;
  }
  const { type: inlet, outflowPerMinute: limit, sharedOutflow, maxActive } = effective.inlet;
  const reason = phaseReason(room);
  const sharedLimit = sharedOutflow?.outflowPerMinute ?? null;
  const situation = { edition: room.edition, phase: phaseOf(room), reason, inlet, limit, sharedLimit, maxActive };
  const text = JSON.stringify(situation);
  if (text === log.noted) return;
  log.noted = text;
  append(room, { kind: "state", ...situation, counts: noteCounts(room) });
}

/** Once a minute, if they have changed. */
export function logCounts(room: RoomData): void {
  const log = room.admissionLog;
  if (!isLogging(room.settings.effective) || room.flowMs - log.countsFlowMs < countsEveryMs) return;
  const { counts: before } = log;
  const counts = noteCounts(room);
  if (log.counts !== before) append(room, { kind: "counts", counts });
}

/** @param joinedMs of the place, on the claim clock */
export function logAdmission(room: RoomData, place: KnownPlace, via: AdmittedVia, joinedMs: number): void {
  if (!isLogging(room.settings.effective)) return;
  logSituation(room);
  const { position } = place;
  const waitMs = position > 0 ? Math.max(0, room.claimMs - joinedMs) : null;
  const { edition, flowMs } = room;
  append(room, { kind: "admission", edition, position, number: numberOf(place), via, waitMs, flowMs });
}

export function logIncrement(room: RoomData, by: number): void {
  if (!isLogging(room.settings.effective)) return;
  logSituation(room);
  append(room, { kind: "increment", by, serving: room.serving });
}

/** What others remember of the log, in a recovery. Rows that are here up to the head that they know stay as they are. */
export function mergeLog(room: RoomData, { last, sealed }: LogState): void {
  const log = room.admissionLog;
  log.heard = Math.max(log.heard, last, sealed.seq);
  if (sealed.seq > Math.max(log.last, log.sealed.seq)) log.sealed = sealed;
}

/** The end of a recovery, of a log that anybody remembers. */
export function logRecovery(room: RoomData): void {
  const log = room.admissionLog;
  const heard = Math.max(log.last, log.heard);
  log.noted = "";
  log.heard = 0;
  if (heard === 0) return;
  const after = log.sealed.seq > log.last ? log.sealed : null;
  if (after !== null && log.rows.length === 0) log.base = after;
  log.last = heard + skippedNumbers;
  append(room, { kind: "recovery", heard, after, counts: noteCounts(room) });
}

export function logState({ admissionLog: { last, sealed } }: RoomData): LogState {
  return { last, sealed };
}

/** See `readLog` in room-store.ts. */
export function readLog(room: RoomData | undefined, after: number, limit: number): LogPage {
  if (room === undefined) return { last: 0, sealed: noHead, base: noHead, count: 0, rows: [] };
  const { rows, last, sealed, base } = room.admissionLog;
  const from = firstBehind(rows, after);
  return { last, sealed, base, count: rows.length, rows: rows.slice(from, from + limit) };
}

/** See `moveLogMark` in room-store.ts. */
export function moveLogMark({ admissionLog: log }: RoomData, mark: LogMark, from: LogHead, to: LogHead): boolean {
  const at = log[mark];
  const most = mark === "sealed" ? log.last : log.sealed.seq;
  if (at.seq !== from.seq || at.hash !== from.hash || to.seq <= from.seq || to.seq > most) return false;
  log[mark] = to;
  if (mark === "base") log.rows = log.rows.slice(firstBehind(log.rows, to.seq));
  return true;
}

/** Index of the first row with a higher number. */
function firstBehind(rows: readonly LogRow[], seq: number): number {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((rows[middle]?.seq ?? 0) <= seq) from = middle + 1;
    else to = middle;
  }
  return from;
}
