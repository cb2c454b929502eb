/**
 * Goal: how long newcomers wait for a place when the store was emptied, and that who came first goes first.
 * Method: two real gateways on a private Redis, which is emptied. For some seconds newcomers arrive, and ask as the page does that
 * tells them to hold on (src/web/browser/notice.ts): for the status when it was told to, for a place when places are given.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RoomStatus } from "../../src/room/public-status/status.ts";
import {
  canJoin,
  firstQuestionMs,
  unavailablePauseMsMax,
  unavailablePollMs,
} from "../../src/web/browser/temporarily-unavailable.ts";
import { type Gateway, startGateways } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { clientOf, joinAll, newPerson, visit } from "./people.ts";

export interface Newcomers {
  readonly count: number;
  /** For so long they come, one after the other. Places are given from about four seconds after the loss on. */
  readonly arriveForMs: number;
  /** Whether the gateways are processes of their own. */
  readonly asProcess: boolean;
}

export function describeNewcomers({ count, arriveForMs, asProcess }: Newcomers): void {
  const room = "line";
  const http = createHttpClient({ connectionsMax: 64 });
  let redis: RedisServer;
  let gateways: Gateway[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    gateways = await startGateways(2, {
      asProcess,
      config: {
        store: { type: "redis", url: redis.url },
        rooms: [{ id: room, inlet: { type: "manual" } }],
        clients: [clientOf(room)],
      },
    });
  });
  afterAll(async () => {
    http.close();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await redis?.stop();
  });

  const until = (atMs: number) => pause(Math.max(0, atMs - Date.now()));

  /** Comes, and comes again as the page does, until there is a place. */
  async function arrive(origin: string) {
    const person = newPerson(room);
    const arrivedMs = Date.now();
    for (let visits = 1; ; visits++) {
      const enteredMs = Date.now();
      const answer = await visit(http, origin, person);
      if (answer.kind === "parked") return { arrivedMs, placedMs: Date.now(), visits, position: answer.position };
      if (answer.kind !== "notice" || answer.status !== 503) throw new Error(JSON.stringify(answer));
      await pause(firstQuestionMs(answer.retryMs));
      while (!canJoin((await http.get(`${origin}/rooms/${room}/status`)).json() as RoomStatus)) {
        await pause(unavailablePollMs());
      }
      // The first time it comes again at once.
      if (visits > 1) await until(enteredMs + Math.min(unavailablePauseMsMax, 1_000 * 2 ** (visits - 1)));
    }
  }

  test("newcomers have a place soon after a loss, the oldest first", async () => {
    const origins = gateways.map(({ origin }) => origin);
    await joinAll(http, origins, room, 100);
    await redis.command("FLUSHALL");
    const lostMs = Date.now();
    const newcomers = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        await until(lostMs + (index / count) * arriveForMs);
        return arrive(origins[index % origins.length] ?? "");
      }),
    );
    const waits = newcomers.map(({ arrivedMs, placedMs }) => placedMs - arrivedMs).sort((a, b) => a - b);
    const placed = newcomers.map(({ placedMs }) => placedMs - lostMs).sort((a, b) => a - b);
    const at = (sorted: number[], share: number) => sorted[Math.floor(share * (count - 1))];
    console.log(
      `wait: median ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms; placed after the loss: first ${placed[0]} ms, median ${at(placed, 0.5)} ms, last ${placed.at(-1)} ms`,
    );
    // Where the machine is busy, the last may be on their way until places are given.
    expect(newcomers[0]?.visits).toBeGreaterThan(1);
    const mean = (some: typeof newcomers) => some.reduce((sum, { position }) => sum + position, 0) / some.length;
    expect(mean(newcomers.slice(0, count / 4))).toBeLessThan(mean(newcomers.slice(-count / 4)));
  });
}
