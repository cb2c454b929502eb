/** Carrying a place to another browser, with a clock that is moved and a store that goes away. The rest is in test/e2e. */
import Koa from "koa";
import request from "supertest";
import { beforeEach, describe, expect, test } from "vitest";
import { createVisitorCookies } from "../../../../src/oidc/index.ts";
import { createMoveLinks } from "../../../../src/room/tickets/move-link.ts";
import type { Ticket } from "../../../../src/room/tickets/ticket.ts";
import { createKeyRing } from "../../../../src/room/tickets/ticket.ts";
import type { Notice, Pages } from "../../../../src/web/pages/index.ts";
import { createRoomSites } from "../../../../src/web/room-sites.ts";
import { createMove } from "../../../../src/web/visitor/links/move.ts";
import { createPageResponder } from "../../../../src/web/visitor/pages/page-responder.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";
import { makeSiteRoom } from "../../../support/site-room.ts";
import { createSharedWorld, joinOne, type Process, type SharedWorld } from "../../room/processes.ts";

const issuer = "https://queue.example.com";
const cookieName = "__Host-usher-tickets";
const minute = 60_000;

describe("the link of a place", () => {
  let world: SharedWorld;
  let process: Process;
  let shown: Notice[];
  let handle: ReturnType<Koa["callback"]>;

  beforeEach(async () => {
    world = createSharedWorld("move");
    process = world.process("a", { isNewInstallation: true });
    await process.refresh();
    shown = [];
    const pages: Pages = {
      languages: [],
      languagesOf: () => [],
      assetFile: () => undefined,
      areLinked: false,
      script: () => ({ plain: Buffer.alloc(0), gzip: Buffer.alloc(0) }),
      whileWaiting: () => {
        throw new Error("nobody reads here");
      },
      withoutScript: () => {
        throw new Error("nobody asks how the rooms are");
      },
      locale: () => {
        throw new Error("nobody asks for a language");
      },
      waiting: () => {
        throw new Error("nobody waits here");
      },
      waitingInPieces: () => {
        throw new Error("nobody waits here");
      },
      notice(notice) {
        shown.push(notice);
        return {
          body: Buffer.from(notice.code),
          language: "en",
          contentEncoding: undefined,
          contentSecurityPolicy: "",
        };
      },
    };
    const random = createSeededRandom("move");
    const ring = createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]);
    const options = {
      issuer,
      moveLinks: createMoveLinks(ring, random),
      sitesOf: () => createRoomSites(issuer, makeSiteRoom("tickets"), []),
      cookies: createVisitorCookies(true),
      cookieBound: () => null,
      responder: createPageResponder(pages, issuer),
    };
    const move = createMove(options);
    const app = new Koa();
    app.silent = true;
    app.use(async (ctx) => {
      const { room } = process;
      if (ctx.method === "GET") return move.show(ctx, room);
      if (ctx.path.endsWith("/here")) return move.take(ctx, room);
      const presented = room.read(/=(.*)/.exec(ctx.get("Cookie"))?.[1]);
      if (presented.kind !== "ticket") throw new Error("no ticket");
      return move.offer(ctx, room, { ticket: presented.ticket, isCookie: true });
    });
    handle = app.callback();
  });

  const cookieOf = (ticket: Ticket) => `${cookieName}=${process.room.encode(ticket)}`;
  const setCookie = (answer: request.Response) => String(answer.headers["set-cookie"] ?? "").split(";")[0] ?? "";

  async function askForLink(ticket: Ticket): Promise<string> {
    await request(handle)
      .post("/rooms/tickets/move")
      .set({ Origin: issuer, Cookie: cookieOf(ticket) })
      .expect(200);
    const { link } = shown.at(-1)?.move ?? { link: "" };
    return link.slice(issuer.length);
  }

  const open = (link: string, cookie = "") => request(handle).get(link).set("Cookie", cookie);
  const press = (link: string, cookie: string) =>
    request(handle)
      .post("/rooms/tickets/move/here")
      .set({ Origin: issuer, Cookie: cookie })
      .type("form")
      .send({ place: new URL(link, issuer).searchParams.get("place") });

  test("says until when it works, and how long that is, and works until then and no longer", async () => {
    const ticket = await joinOne(process, world.clock.now());
    const link = await askForLink(ticket);
    const nowMs = process.room.storeNowMs ?? 0;
    expect(shown.at(-1)).toMatchObject({ code: "move", untilMs: nowMs + 10 * minute, move: { leftMs: 10 * minute } });
    const guest = setCookie(await open(link).expect(200));
    await world.pass(10 * minute - 500, [process]);
    await open(link, guest).expect(200, "move_here");
    await world.pass(1_000, [process]);
    await open(link, guest).expect(410, "move_void");
    await press(link, guest).expect(410, "move_void");
    expect(shown.at(-1)?.durationMs).toBe(10 * minute);
    expect(process.room.describe(ticket)?.state).toBe("waiting");
    await press(await askForLink(ticket), guest).expect(200, "moved_here");
  });

  test("is void for a place whose turn has passed meanwhile", async () => {
    const ticket = await joinOne(process, world.clock.now());
    const { claimWithinMs } = process.room.settings.admission;
    await process.room.operations.step({ step: "increment", by: 1 }, "step-1", "test");
    await world.pass(claimWithinMs - 2_000, [process]);
    const link = await askForLink(ticket);
    const guest = setCookie(await open(link).expect(200));
    await world.pass(4_000, [process]);
    await press(link, guest).expect(410, "move_void");
  });

  test("keeps the place where it is while the store is away, and can be pressed again", async () => {
    const ticket = await joinOne(process, world.clock.now());
    world.setAway(true);
    // The link and its page need no store.
    const link = await askForLink(ticket);
    const guest = setCookie(await open(link).expect(200));
    const failed = await press(link, guest).expect(503, "not_now");
    expect([setCookie(failed), failed.headers["retry-after"]]).toEqual(["", "2"]);
    expect(shown.at(-1)?.action).toEqual({ kind: "link", href: link, label: "try_again" });
    await press(link, guest).set("Accept", "application/json").expect(503);
    world.setAway(false);
    await process.refresh();
    const taken = await press(link, guest).expect(200, "moved_here");
    const moved = process.room.read(setCookie(taken).split("=")[1]);
    expect(moved).toMatchObject({ ticket: { edition: ticket.edition, position: 1, joinedMs: ticket.joinedMs } });
    expect(moved.kind === "ticket" && moved.ticket.sub).not.toBe(ticket.sub);
  });

  test("opened again after the reply was lost brings the place, even when its time is over, to nobody else", async () => {
    const [one, two] = [await joinOne(process, 0), await joinOne(process, 0)];
    const link = await askForLink(one);
    const guest = setCookie(await open(link).expect(200));
    for (const cookie of [guest, cookieOf(two)]) {
      // The browser keeps the cookie that it had, whatever was answered.
      await press(link, cookie);
      await process.refresh();
    }
    await open(link).expect(410, "move_void");
    await open(link, cookieOf(two)).expect(410, "move_void");
    for (const ms of [0, 11 * minute]) {
      await world.pass(ms, [process]);
      await open(link, guest).expect(200, "move_here");
      const taken = await press(link, guest).expect(200, "moved_here");
      expect(process.room.read(setCookie(taken).split("=")[1])).toMatchObject({ ticket: { position: 1 } });
    }
    await open(link).expect(410, "move_void");
  });

  test("brings the place though the one that the browser had cannot be given up just now", async () => {
    const [one, two] = [await joinOne(process, 0), await joinOne(process, 0)];
    const link = await askForLink(one);
    await open(link, cookieOf(two)).expect(200, "move_replaces");
    const { leavePlace } = process.room;
    process.room.leavePlace = async (ticket) => {
      world.setAway(true);
      return leavePlace.call(process.room, ticket);
    };
    const taken = await press(link, cookieOf(two)).expect(200, "moved_here");
    world.setAway(false);
    expect(process.room.read(setCookie(taken).split("=")[1])).toMatchObject({ ticket: { position: 1, sub: two.sub } });
  });
});
