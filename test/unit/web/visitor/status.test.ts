/** The public status, which all visitors poll: as it is and compressed, on the short way and by the route alike. */
import { createServer } from "node:http";
import type { Context } from "koa";
import Koa from "koa";
import request from "supertest";
import { beforeAll, expect, test } from "vitest";
import type { WaitingRooms } from "../../../../src/room/index.ts";
import { createStatusAnswer, tellStatus } from "../../../../src/web/visitor/status.ts";
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
    app.use((ctx: Context) => tellStatus(ctx, process.room));
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
