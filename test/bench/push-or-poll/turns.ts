/**
 * From *served* to *entered*: visitors of one room wait as pages do, by polls or by a stream for the last minute, and claim when they learn
 * that it is their turn.
 */
import {
  blurMs,
  countAhead,
  estimateWait,
  heldPauseMs,
  pollAfterMs,
  spread,
} from "../../../src/pages/shared/pacing.ts";
import type { RoomStatus } from "../../../src/pages/shared/status.ts";
import { round } from "../medians.ts";
import { Connection } from "./connection.ts";

export interface TurnsPlan {
  readonly room: string;
  readonly visitors: number;
  /** The port of the streams; null: the page polls to the end. */
  readonly streams: number | null;
  /** In place of what the status says. */
  readonly poll?: Partial<RoomStatus["poll"]>;
}

const watchEveryMs = 50;
const lastMinuteMs = 60_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param port of the gateway */
export async function measureTurns({ room, visitors, streams, poll }: TurnsPlan, port: number) {
  /** When the room was first seen to serve so many. */
  const passes: { serving: number; atMs: number }[] = [];
  const ask = async (connection: Connection) =>
    JSON.parse((await connection.request("GET", `/rooms/${room}/status`)).body) as RoomStatus;
  const watcher = new Connection(port);
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await pause(watchEveryMs)) {
      const { serving } = await ask(watcher);
      if (serving > (passes.at(-1)?.serving ?? 0)) passes.push({ serving, atMs: performance.now() });
    }
  })();
  const figures = { noticedMs: [] as number[], enteredMs: [] as number[], waitedMs: [] as number[], polls: 0 };

  async function untilTurn(connection: Connection, position: number): Promise<void> {
    for (;;) {
      const status = await ask(connection);
      if (status.serving >= position) return;
      const ahead = countAhead(position, status);
      const wait = estimateWait(status, ahead);
      const waitMs = (wait ? wait[1] : ahead) * 1_000;
      if (waitMs <= lastMinuteMs) {
        if (streams !== null) return followUntilTurn(streams, position);
        figures.polls++;
      }
      await pause(spread(pollAfterMs({ ...status.poll, ...poll }, ahead, wait), Math.random));
    }
  }

  function followUntilTurn(streamPort: number, position: number): Promise<void> {
    return new Promise((resolve) => {
      const stream = new Connection(streamPort);
      stream.follow(`/${room}?position=${position}`, (text) => {
        if (!text.includes("data:")) return;
        stream.close();
        resolve();
      });
    });
  }

  async function visit(): Promise<void> {
    const connection = new Connection(port);
    const joinedMs = performance.now();
    const joined = await connection.request("POST", `/rooms/${room}/tickets`);
    const { ticket, position } = JSON.parse(joined.body) as { ticket: string; position: number };
    // The page itself is the first answer.
    await pause(2_000 * Math.random());
    await untilTurn(connection, position);
    const noticedMs = performance.now();
    const headers = `Authorization: Bearer ${ticket}\r\n`;
    for (let pauseMs = blurMs * Math.random(); ; ) {
      await pause(pauseMs);
      const claim = await connection.request("POST", `/rooms/${room}/tickets/me/claim`, headers);
      const { state, poll_after_ms } = JSON.parse(claim.body) as { state: string; poll_after_ms: number };
      if (state === "admitted") break;
      pauseMs = heldPauseMs(poll_after_ms) + blurMs * Math.random();
    }
    const nowMs = performance.now();
    const servedMs = passes.find(({ serving }) => serving >= position)?.atMs ?? noticedMs;
    // Who was among the first has not waited.
    if (noticedMs - joinedMs > 15_000) {
      figures.noticedMs.push(Math.max(0, noticedMs - servedMs));
      figures.enteredMs.push(nowMs - servedMs);
      figures.waitedMs.push(nowMs - joinedMs);
    }
    connection.close();
  }

  const startedMs = performance.now();
  await Promise.all(Array.from({ length: visitors }, visit));
  const tookMs = performance.now() - startedMs;
  isOver = true;
  await watching;
  watcher.close();
  return {
    room,
    counted: figures.noticedMs.length,
    servedToNoticedMs: shares(figures.noticedMs),
    servedToEnteredMs: shares(figures.enteredMs),
    joinedToEnteredMs: shares(figures.waitedMs),
    pollsOfLastMinute: round(figures.polls / visitors, 1),
    allInSec: round(tookMs / 1_000, 1),
  };
}

function shares(figures: readonly number[]) {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return { p50: at(0.5), p99: at(0.99) };
}
