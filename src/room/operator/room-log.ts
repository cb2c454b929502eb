import type { LogHead, LogPage } from "../../store/contract/room-store.ts";
import { baseLine, sealLine } from "../admission-log/index.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { lineText, nextHead, orStart } from "./log-lines.ts";

type RoomLogOwner = Pick<SyncedRoom, "id" | "name" | "store" | "state" | "clock" | "emit">;

const rowsPerPage = 1_000;
/** At one time no more are sealed, or forgotten. */
const maxPages = 50;
/** That `recent` reads. */
const recentPages = 5;
/** Milliseconds between two reports of a head, besides those after a change of phase. */
const reportEveryMs = 60_000;

export type RoomLog = ReturnType<typeof createRoomLog>;

/**
 * The room's admission log. Every process seals what it finds unsealed, without a leader: of two that do so at once one comes too
 * late, and its work is lost, no more.
 */
export function createRoomLog(room: RoomLogOwner) {
  let reportedHash = "";
  let reportedMs = 0;
  let reportedPhase = "";

  return {
    /** What of the log is kept, in numbers: `first` is null for no row, `sealed` before anything was sealed. */
    async extent() {
      const { rows, last, sealed, count } = await read(0, 1);
      return { first: rows[0]?.seq ?? null, last, rows: count, sealed: sealed.hash === "" ? null : sealed };
    },

    /**
     * The log as lines of JSON, each with its hash, in chunks of whole lines; rows that come meanwhile are no part of it. What the
     * consumer does not take is not read.
     *
     * @param from number of the first row
     * @throws StoreUnavailableError when the store does not answer at the beginning; later, the iteration fails
     */
    async lines(from: number): Promise<AsyncIterable<string>> {
      return chunks(await read(0, rowsPerPage), from);
    },

    /**
     * The last rows, oldest first: for a question about one visitor, not for an export.
     *
     * @throws StoreUnavailableError
     */
    async recent() {
      const first = await read(Math.max(0, (room.state?.log.last ?? 0) - recentPages * rowsPerPage), rowsPerPage);
      const rows = [...first.rows];
      for (let page = 1; page < recentPages && rows.length < first.count; page++) {
        const { seq } = rows.at(-1) ?? first.base;
        const next = await read(seq, rowsPerPage);
        if (next.rows.length === 0) break;
        rows.push(...next.rows);
      }
      return { rows, isWhole: rows.length >= first.count };
    },

    /** Seals new rows, removes rows beyond the limit, and reports the head. Called about every two seconds. */
    async keep(): Promise<void> {
      const { state } = room;
      if (state === null) return;
      let { sealed } = state.log;
      if (state.log.last > sealed.seq) {
        const page = await seal(sealed);
        sealed = page.sealed;
        await forget(page.count - state.settings.effective.logRowsMax);
      }
      report(sealed, state.phase);
    },
  };

  async function* chunks(first: LogPage, from: number): AsyncGenerator<string> {
    const { id } = room;
    let page = first;
    let head = orStart(id, page.base);
    let hasStarted = false;
    while (page.rows.length > 0 && head.seq < first.last) {
      let chunk = "";
      for (const row of page.rows) {
        if (row.seq > first.last) break;
        const text = lineText(row);
        const before = head;
        head = nextHead(head, row, text);
        if (row.seq < from) continue;
        if (!hasStarted) chunk += `${baseLine(id, before)}\n`;
        hasStarted = true;
        chunk += `${sealLine(text, head.hash)}\n`;
      }
      if (chunk !== "") yield chunk;
      page = await read(head.seq, rowsPerPage);
      if (page.base.seq > head.seq) throw new Error(`rows of the log of ${id} were forgotten before they were read`);
    }
    if (!hasStarted) yield `${baseLine(id, head)}\n`;
  }

  /** Answers what it found last, with the head as it is now. */
  async function seal(seen: LogHead): Promise<LogPage> {
    const { id, name } = room;
    let page = await read(seen.seq, rowsPerPage);
    for (let turn = 0; turn < maxPages && page.last > page.sealed.seq; turn++) {
      const rows = page.rows.filter(({ seq }) => seq > page.sealed.seq);
      const isWhole = page.sealed.seq >= seen.seq && rows.length > 0;
      if (!isWhole) break;
      const head = rows.reduce((before, row) => nextHead(before, row), orStart(id, page.sealed));
      if (!(await room.store.moveLogMark(name, "sealed", page.sealed, head))) break;
      page = await read(head.seq, rowsPerPage);
    }
    return page;
  }

  /** Forgets the oldest rows, so many, as far as they are sealed. */
  async function forget(excess: number): Promise<void> {
    const { id, name } = room;
    let left = excess;
    for (let turn = 0; turn < maxPages && left > 0; turn++) {
      const { rows, base, sealed } = await read(0, Math.min(left, rowsPerPage));
      const old = rows.filter(({ seq }) => seq <= sealed.seq);
      if (old.length === 0) return;
      const head = old.reduce((before, row) => nextHead(before, row), orStart(id, base));
      if (!(await room.store.moveLogMark(name, "base", base, head))) return;
      left -= old.length;
    }
  }

  function report({ seq, hash }: LogHead, phase: string): void {
    const { clock, emit } = room;
    const isDue = phase !== reportedPhase || clock.now() - reportedMs >= reportEveryMs;
    if (hash === "" || hash === reportedHash || !isDue) return;
    reportedHash = hash;
    reportedMs = clock.now();
    reportedPhase = phase;
    emit("log.sealed", { seq, hash });
  }

  async function read(after: number, limit: number): Promise<LogPage> {
    return room.store.readLog(room.name, after, limit);
  }
}
