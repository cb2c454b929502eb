/**
 * From *served* to *entered*: visitors of one room wait as pages do, by polls or by a stream for the last minute, and claim when they learn
 * that it is their turn.
 */
import {
  blurMs,
  countAhead,
  doorPauseMs,
  estimateWait,
  pollAfterMs,
  spread,
} from "../../../src/room/public-status/pacing.ts";
import type { RoomStatus } from "../../../src/room/public-status/status.ts";
import { round } from "../medians.ts";
import { Connection } from "./connection.ts";

export interface TurnsPlan {
  readonly room: string;
  readonly visitors: number;
  /** Whether it follows a stream for the last minute. */
  readonly isStream?: boolean;
  /** In place of what the status says. */
  readonly poll?: Partial<RoomStatus["poll"]>;
}

const watchEveryMs = 50;
const lastMinuteSec = 60;
/** Those who have waited for less are not counted. */
const waitedMsLeast = 15_000;
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param port of the gateway */
export async function measureTurns({ room, visitors, isStream, poll }: TurnsPlan, port: number, streamsPort: number) {
  const ask = async (connection: Connection) =>
    JSON.parse((await connection.request("GET", `/rooms/${room}/status`)).body) as RoomStatus;
  /** When the room was first seen to serve so many. */
  const passes: { serving: number; atMs: number }[] = [];
  const [noticedMs, enteredMs]: [number[], number[]] = [[], []];
  let polls = 0;
  const watcher = new Connection(port);
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await pause(watchEveryMs)) {
      const { serving } = await ask(watcher);
      if (serving > (passes.at(-1)?.serving ?? 0)) passes.push({ serving, atMs: performance.now() });
    }
  })();

  async function untilTurn(connection: Connection, position: number): Promise<void> {
    for (let status = await ask(connection); status.serving < position; status = await ask(connection)) {
      const ahead = countAhead(position, status);
      const wait = estimateWait(status.pace, ahead);
      if ((wait?.[1] ?? ahead) <= lastMinuteSec) {
        if (isStream) return followUntilTurn(position);
        polls++;
      }
      await pause(spread(pollAfterMs({ ...status.poll, ...poll }, ahead, wait), Math.random));
    }
  }

  async function followUntilTurn(position: number): Promise<void> {
    const stream = new Connection(streamsPort);
    await new Promise<void>((resolve) => {
      stream.follow("GET", `/${room}?position=${position}`, "", (data) => data.includes("data:") && resolve());
    });
    stream.close();
  }

  async function visit(): Promise<void> {
    const connection = new Connection(port);
    const joinedMs = performance.now();
    const { body } = await connection.request("POST", `/rooms/${room}/tickets`);
    const { ticket, position } = JSON.parse(body) as { ticket: string; position: number };
    await untilTurn(connection, position);
    const atMs = performance.now();
    let [state, pauseMs] = ["", blurMs * Math.random()];
    while (state !== "admitted") {
      await pause(pauseMs);
      const claim = await connection.request(
        "POST",
        `/rooms/${room}/tickets/me/claim`,
        `Authorization: Bearer ${ticket}\r\n`,
      );
      const answer = JSON.parse(claim.body) as { state: string; poll_after_ms: number };
      [state, pauseMs] = [answer.state, doorPauseMs(answer.poll_after_ms) + blurMs * Math.random()];
    }
    connection.close();
    const servedMs = passes.find(({ serving }) => serving >= position)?.atMs ?? atMs;
    if (atMs - joinedMs < waitedMsLeast) return;
    noticedMs.push(Math.max(0, atMs - servedMs));
    enteredMs.push(performance.now() - servedMs);
  }

  const startedMs = performance.now();
  await Promise.all(Array.from({ length: visitors }, visit));
  isOver = true;
  await watching;
  watcher.close();
  const allInSec = round((performance.now() - startedMs) / 1_000, 1);
  const figures = { servedToNoticedMs: shares(noticedMs), servedToEnteredMs: shares(enteredMs) };
  console.log(JSON.stringify({ room, ...figures, pollsOfLastMinute: round(polls / visitors, 1), allInSec }));
}

function shares(figures: readonly number[]) {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return { p50: at(0.5), p99: at(0.99) };
}
