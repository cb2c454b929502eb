import Koa, { type Context } from "koa";
import request from "supertest";
import { beforeEach, describe, expect, it } from "vitest";
import { createVisitorCookies } from "../../../../../src/oidc/index.ts";
import { type BypassLinks, createBypassLinks } from "../../../../../src/room/tickets/bypass-link.ts";
import { createKeyRing } from "../../../../../src/room/tickets/ticket.ts";
import type { RoomSettings } from "../../../../../src/store/contract/room-store.ts";
import type { Notice, Pages } from "../../../../../src/web/pages/index.ts";
import { type Continuation, createRoomSites } from "../../../../../src/web/room-sites.ts";
import { type BypassParts, createBypass } from "../../../../../src/web/visitor/links/bypass.ts";
import { createPageResponder } from "../../../../../src/web/visitor/pages/page-responder.ts";
import { manualSettings } from "../../../../support/room-settings.ts";
import { createSeededRandom } from "../../../../support/seeded-random.ts";
import { makeSiteRoom } from "../../../../support/site-room.ts";
import { createSharedWorld, joinOne, type Process, type SharedWorld } from "../../../room/processes.ts";

const issuer = "https://queue.example.com";
const start: Continuation = { by: "login", address: "https://shop.example/start" };
const random = createSeededRandom("bypass");
const noToken = () => Promise.reject(new Error("no token is made for a login"));

describe("the button of a bypass link", () => {
  let world: SharedWorld;
  let process: Process;
  let links: BypassLinks;
  let shown: Notice[];
  let paused: number[];
  /** What happens while the visitor is kept waiting. */
  let meanwhile: (ctx: Context | undefined) => unknown;
  let handle: ReturnType<Koa["callback"]>;

  async function open(settings: RoomSettings = manualSettings): Promise<void> {
    world = createSharedWorld("bypass");
    process = world.process("a", { settings, isNewInstallation: true });
    await process.refresh();
    [shown, paused, meanwhile] = [[], [], () => {}];
    links = createBypassLinks(createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }]), random);
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
    let current: Context | undefined;
    const parts: BypassParts = {
      issuer,
      bypassLinks: links,
      sitesOf: () => ({ ...createRoomSites(issuer, makeSiteRoom("tickets"), []), continueTo: () => start }),
      cookies: createVisitorCookies(true),
      cookieBound: () => null,
      tokens: {
        issue: noToken,
        issueHandOver: noToken,
        read: async () => null,
      },
      responder: createPageResponder(pages, issuer),
      random,
      joinAddressOf: () => null,
      steps: { identify: () => ({ name: undefined }) },
    };
    const bypass = createBypass(parts, async (ms) => {
      paused.push(ms);
      world.clock.advance(ms);
      await meanwhile(current);
    });
    const app = new Koa();
    app.use((ctx) => {
      current = ctx;
      return ctx.method === "GET" ? bypass.show(ctx, process.room) : bypass.claim(ctx, process.room);
    });
    handle = app.callback();
  }

  beforeEach(() => open());

  const make = () => links.encode(links.make("tickets", process.room.storeNowMs ?? 0, null));
  const press = (link: string, cookie = "") =>
    request(handle)
      .post("/")
      .type("form")
      .set({ "Sec-Fetch-Site": "same-origin", Cookie: cookie })
      .redirects(0)
      .send({ link });
  const cookieIn = (headers: Record<string, unknown>) =>
    String((headers["set-cookie"] as string[] | undefined)?.[0] ?? "").split(";")[0] ?? "";
  const cookieOf = (token: string) => `__Host-usher-tickets=${token}`;
  const limited = (outflowPerMinute: number): RoomSettings => {
    return { ...manualSettings, inlet: { ...manualSettings.inlet, outflowPerMinute } };
  };
  const bounded = (maxActive: number): RoomSettings => {
    return { ...manualSettings, inlet: { ...manualSettings.inlet, type: "max_active", maxActive } };
  };

  it("opens with a page that makes the visitor known, and says until when", async () => {
    const link = make();
    const opened = await request(handle).get("/").query({ link });
    expect(shown).toMatchObject([
      {
        code: "bypass",
        untilMs: world.clock.now() + 180_000,
        action: { kind: "post", action: "/rooms/tickets/bypass", label: "enter", fields: { link } },
      },
    ]);
    const cookie = cookieIn(opened.headers);
    // The answer to the first press is lost: the second is the same visitor's.
    expect((await press(link, cookie)).status).toBe(303);
    const again = await press(link, cookie);
    expect([again.status, again.headers.location]).toEqual([303, start.address]);
    expect((await press(link)).status).toBe(410);
    await process.refresh();
    expect(process.room.state?.counts.bypassed).toBe(1);
    // Whoever has a ticket keeps it.
    expect((await request(handle).get("/").query({ link: make() }).set("Cookie", cookie)).headers["set-cookie"]).toBe(
      undefined,
    );
  });

  it("is told to be void once its time is over by the store's clock", async () => {
    const link = make();
    const opened = () => request(handle).get("/").query({ link });
    world.clock.advance(180_000);
    await process.refresh();
    expect((await opened()).status).toBe(200);
    world.clock.advance(1);
    await process.refresh();
    expect((await opened()).status).toBe(410);
    expect((await press(link)).status).toBe(410);
  });

  it("waits for the limit for eight seconds at most, then says so, and uses nothing up", async () => {
    await open(limited(5));
    await press(make());
    const link = make();
    const held = await press(link);
    expect([held.status, held.text, Number(held.headers["retry-after"])]).toEqual([503, "bypass_held", 4]);
    expect(shown.at(-1)).toMatchObject({ code: "bypass_held", action: { fields: { link } } });
    expect(paused.length).toBeGreaterThan(1);
    const waitedMs = paused.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeGreaterThan(4_000);
    expect(waitedMs).toBeLessThanOrEqual(8_000);
    expect((await press(link)).status).toBe(303);
  });

  it("lets in as soon as there is room, within that time", async () => {
    await open(bounded(1));
    const inside = await press(make());
    const { sub } = readCookie(cookieIn(inside.headers));
    meanwhile = async () => paused.length === 2 && process.room.admissions.end(sub, "completed");
    expect((await press(make())).status).toBe(303);
    expect(paused).toEqual([2_000, 2_000]);
  });

  it("says that the site is full when nobody leaves", async () => {
    await open(bounded(1));
    await press(make());
    const full = await press(make());
    expect([full.status, full.text, paused.length]).toEqual([503, "bypass_full", 4]);
  });

  it("lets nobody in who has gone away meanwhile", async () => {
    await open(bounded(1));
    const inside = await press(make());
    const { sub } = readCookie(cookieIn(inside.headers));
    const link = make();
    meanwhile = async (ctx) => {
      const closed = new Promise((resolve) => ctx?.res.once("close", resolve));
      ctx?.req.socket.destroy();
      await closed;
      await process.room.admissions.end(sub, "completed");
    };
    await expect(press(link)).rejects.toThrow();
    meanwhile = () => {};
    expect((await press(link)).status).toBe(303);
  });

  it("loses nothing while the store is away: the page has the button", async () => {
    const link = make();
    world.setAway(true);
    const away = await press(link);
    expect([away.status, away.text, away.headers["set-cookie"]]).toEqual([503, "bypass_later", undefined]);
    expect(shown.at(-1)).toMatchObject({ action: { fields: { link } } });
    world.setAway(false);
    expect((await press(link)).status).toBe(303);
  });

  it("says so while the room is recovered, and that the link is void after it", async () => {
    const link = make();
    world.wipe();
    const recovering = await press(link);
    expect([recovering.status, recovering.text]).toEqual([503, "bypass_later"]);
    await world.pass(3_000, [process]);
    expect((await press(link)).status).toBe(410);
    expect((await press(make())).status).toBe(303);
  });

  it("keeps nobody waiting for the end of the hold after a recovery", async () => {
    await open(limited(60));
    world.wipe();
    await world.pass(4_000, [process]);
    const held = await press(make());
    expect([held.status, held.text, paused]).toEqual([503, "bypass_later", []]);
  });

  it("lets in a visitor whose place is of an older line, though this process has not heard of the new one", async () => {
    const ticket = await joinOne(process, world.clock.now());
    const other = world.process("b");
    await other.refresh();
    world.clock.advance(1_000);
    await other.room.operations.step({ step: "reset" }, null, "operator");
    const entered = await press(make(), cookieOf(process.room.encode(ticket)));
    expect(entered.status).toBe(303);
    expect(readCookie(cookieIn(entered.headers))).toMatchObject({
      sub: ticket.sub,
      position: 0,
      claim: { via: "bypass" },
    });
  });

  it("never overwrites a ticket that cannot be read here, or of a newer line", async () => {
    const link = make();
    const unknown = cookieOf("w1.another-key.payload.01234567890123456789012345678901");
    const ticket = await joinOne(process, world.clock.now());
    const newer = cookieOf(process.room.encode({ ...ticket, edition: ticket.edition + 7 }));
    const unread = await press(link, unknown);
    expect([unread.status, unread.text, unread.headers["set-cookie"]]).toEqual([409, "bypass_unreadable", undefined]);
    expect(shown.at(-1)?.action).toEqual({
      kind: "post",
      action: "/rooms/tickets/rejoin",
      label: "enter_anew",
      fields: { return: `/rooms/tickets/bypass?link=${link}` },
    });
    // It proves that the store has lost the newer line, which is being recovered.
    const ahead = await press(link, newer);
    expect([ahead.status, ahead.text, ahead.headers["set-cookie"]]).toEqual([503, "bypass_later", undefined]);
    const opened = await request(handle).get("/").query({ link }).set("Cookie", unknown);
    expect([opened.status, opened.headers["set-cookie"]]).toEqual([200, undefined]);
  });

  function readCookie(cookie: string) {
    const presented = process.room.read(cookie.split("=")[1]);
    if (presented.kind !== "ticket") throw new Error(`no ticket: ${cookie}`);
    return presented.ticket;
  }
});
