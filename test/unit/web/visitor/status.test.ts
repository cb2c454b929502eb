/** The public status, which all visitors poll, and what moves of it: as it is and compressed, on the short way and by the route alike. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Context } from "koa";
import Koa from "koa";
import request from "supertest";
import { beforeAll, expect, test } from "vitest";
import type { WaitingRooms } from "../../../../src/room/index.ts";
import { writePaceAnswer } from "../../../../src/room/public-status/pace.ts";
import type { RoomStatus } from "../../../../src/room/public-status/status.ts";
import { createStatusAnswer, tellPace, tellStatus } from "../../../../src/web/visitor/status.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, type Process } from "../../room/processes.ts";

let process: Process;
beforeAll(async () => {
  const world = createSharedWorld("status");
  process = world.process("a", { isNewInstallation: true, settings: manualSettings });
  await world.pass(2_000, [process]);
});

const ways = {
  short: () => {
    const rooms = { get: () => process.room } as unknown as WaitingRooms;
    const answer = createStatusAnswer(rooms, "https://queue.example.com");
    return createServer((incoming, outgoing) => void (answer(incoming, outgoing) || outgoing.writeHead(404).end()));
  },
  route: () => {
    const app = new Koa();
    app.use((ctx: Context) => (ctx.path.endsWith("/pace") ? tellPace : tellStatus)(ctx, process.room));
    return createServer(app.callback());
  },
};

test.for(["short", "route"] as const)(
  "%s: whoever takes gzip gets it, and all others what it unpacks to",
  async (way) => {
    const ask = (encoding: string) =>
      request(ways[way]()).get("/rooms/tickets/status").set("Accept-Encoding", encoding).expect(200);
    const plain = await ask("identity");
    expect(plain.headers).toMatchObject({ vary: "Accept-Encoding", "cache-control": "public, max-age=1" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body).toMatchObject({ phase: "open", serving: 0 });
    for (const encoding of ["gzip", "gzip, deflate, br", "br;q=1, gzip;q=0.5"]) {
      const short = await ask(encoding);
      expect(short.headers).toMatchObject({ vary: "Accept-Encoding", "content-encoding": "gzip" });
      expect(short.body).toEqual(plain.body);
      expect(Number(short.headers["content-length"])).toBeLessThan(0.65 * Number(plain.headers["content-length"]));
    }
    for (const encoding of ["br", "gzip;q=0", "gzip; q=0.0, br", `gzip${" ,gzip".repeat(500)}`]) {
      expect((await ask(encoding)).headers["content-encoding"]).toBeUndefined();
    }
  },
);

/** All that leaves for a request of HTTP/1.1, in bytes that are letters. */
async function rawAnswer(server: Server, path: string): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.setEncoding("latin1").write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [string];
  socket.destroy();
  server.close();
  return answer;
}

test("what moves takes 200 bytes at most, headers and all, in a room of ten million: open, on hold, before the doors, and before a draw", async () => {
  const raw = await rawAnswer(ways.short(), "/rooms/tickets/pace");
  const [head = "", body = ""] = raw.split("\r\n\r\n");
  const names = head
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(":")[0]);
  expect(names.toSorted()).toEqual(["Cache-Control", "Content-Length", "Content-Type", "Date"]);
  const status = (await request(ways.short()).get("/rooms/tickets/status")).body as RoomStatus;
  expect(JSON.parse(body)).toEqual(writePaceAnswer(status, status.revision ?? ""));
  const pace = { places_per_minute: 16_670, show_rate: 0.931, spread: 0.12, spread_up: 0.053, extra_seconds: 60 };
  const large = {
    ...status,
    serving: 9_876_543,
    waiting: 9_876_543,
    pace: { ...status.pace, ...pace, called: 12_345 },
  };
  // Nobody is called, and nothing was measured.
  const beforeDoors = { ...large.pace, show_rate: 1, spread: 0.3, spread_up: 0.03, extra_seconds: 0, called: 0 };
  const draw = { id: 1, stage: "committed", entries: 9_876_543, voids: 0, due_at: null };
  for (const room of [
    large,
    { ...large, held_until: new Date(Date.parse(status.updated_at) + 59_900).toISOString() },
    { ...large, phase: "prequeue", serving: 0, pace: beforeDoors },
    { ...large, phase: "prequeue", serving: 0, pace: beforeDoors, draw },
  ] as RoomStatus[]) {
    const largest = JSON.stringify(writePaceAnswer(room, status.revision ?? ""));
    expect(raw.length - body.length + largest.length, largest).toBeLessThanOrEqual(200);
  }
});

test("it says that it is the last on a connection where it is", async () => {
  const server = ways.short();
  server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
  expect(await rawAnswer(server, "/rooms/tickets/pace")).toMatch(/\r\nConnection: close\r\n/);
});

test.for(["short", "route"] as const)(
  "%s: what moves goes with the status, and may be kept for a second",
  async (way) => {
    const { headers, body } = await request(ways[way]()).get("/rooms/tickets/pace").expect(200);
    const status = await request(ways[way]()).get("/rooms/tickets/status").expect(200);
    expect(body[0]).toBe(status.body.revision);
    expect(headers["cache-control"]).toBe("max-age=1");
    expect(headers["content-type"]).toMatch(/^application\/json/);
  },
);
