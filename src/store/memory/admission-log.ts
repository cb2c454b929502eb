import { readLogRow } from "../../core/ports/log-rows.ts";
import type { LogHead, LogMark, LogPage, LogState } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

export function logState({ logLast, logSealedSeq, logSealedHash }: RoomData): LogState {
  return { last: logLast, sealed: { seq: logSealedSeq, hash: logSealedHash } };
}

function baseOf({ logBaseSeq, logBaseHash }: RoomData): LogHead {
  return { seq: logBaseSeq, hash: logBaseHash };
}

/** See `readLog` in room-store.ts. */
export function readLog(room: RoomData | undefined, after: number, limit: number): LogPage {
  const none: LogHead = { seq: 0, hash: "" };
  if (room === undefined) return { last: 0, sealed: none, base: none, count: 0, rows: [] };
  const { rows } = room.admissionLog;
  const from = firstBehind(rows, after);
  const page = rows.slice(from, from + limit).map(({ seq, text }) => readLogRow(seq, text));
  return { ...logState(room), base: baseOf(room), count: rows.length, rows: page };
}

/** See `moveLogMark` in room-store.ts. */
export function moveLogMark(room: RoomData, mark: LogMark, from: LogHead, to: LogHead): boolean {
  const { last, sealed } = logState(room);
  const at = mark === "sealed" ? sealed : baseOf(room);
  const most = mark === "sealed" ? last : sealed.seq;
  if (at.seq !== from.seq || at.hash !== from.hash || to.seq <= from.seq || to.seq > most) return false;
  if (mark === "sealed") Object.assign(room, { logSealedSeq: to.seq, logSealedHash: to.hash });
  else {
    Object.assign(room, { logBaseSeq: to.seq, logBaseHash: to.hash });
    room.admissionLog.rows = room.admissionLog.rows.slice(firstBehind(room.admissionLog.rows, to.seq));
  }
  return true;
}

/** Index of the first row with a higher number. */
function firstBehind(rows: readonly { seq: number }[], seq: number): number {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((rows[middle]?.seq ?? 0) <= seq) from = middle + 1;
    else to = middle;
  }
  return from;
}
