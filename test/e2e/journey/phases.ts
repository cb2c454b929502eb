import { expect, test } from "vitest";
import { numbers } from "../line.ts";
import type { RoomUnderTest, World } from "../world.ts";

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Times are counted from when the world is prepared; it starts a second or two later. */
export const phasesRooms = (): RoomUnderTest[] => [
  { id: "not-yet", settings: { schedule: { prequeue_at: inMs(3_600_000), opens_at: inMs(7_200_000) } } },
  {
    id: "idle-pass",
    settings: { when_idle: "pass_through", schedule: { opens_at: inMs(3_600_000) } },
    client: { refresh_tokens: true },
  },
  { id: "prequeue" },
  { id: "ending" },
  { id: "ended-pass", settings: { when_ended: "pass_through" } },
  { id: "switched-off" },
  { id: "unhurried", inlet: { type: "periodic", outflow_per_minute: 600 } },
  { id: "house", inlet: { type: "max_active", max_active: 2 } },
  { id: "small", settings: { max_waiting: 2 } },
  { id: "alarmed", inlet: { type: "periodic", outflow_per_minute: 600 } },
];

/** What a visitor meets in each phase, and at its end. */
export function describePhases(world: () => World): void {
  const start = (room: string) => {
    const site = world().relyingParty(room);
    const login = site.startLogin();
    return { site, login, visit: { stopAt: site.isCallback } };
  };

  test("a room that is not open yet gives out no positions, and says when it will be", async () => {
    const { login } = start("not-yet");
    const visitor = world().visitor();
    const page = await visitor.navigate(login.url);
    expect([page.status, page.notice, page.position]).toEqual([200, "not_open", undefined]);
    expect(page.header("cache-control")).toContain("no-store");
    // When the line begins, and when people are let in, each with its zone.
    const times = [...page.body.matchAll(/<time id="(\w+)" datetime="([^"]+)">[^<]+ UTC</g)];
    const told = times.map(([, id, at]) => [id, Math.round((Date.parse(at ?? "") - Date.now()) / 3_600_000)]);
    expect(told).toEqual([
      ["opens", 1],
      ["entry", 2],
    ]);
    // The page comes back by itself when its countdown is over; the visitor's cookies were kept.
    const again = await visitor.navigate(login.url, { from: page.url });
    expect(again.notice).toBe("not_open");
    expect(await numbers(world(), "not-yet")).toMatchObject({ phase: "idle", queued: 0 });
    const json = await visitor.navigate(login.url, { headers: { accept: "application/json" } });
    expect(json.json()).toMatchObject({ error: "not_open" });
    const ticket = await world().http.request(`${world().issuer}/rooms/not-yet/tickets`, { method: "POST" });
    expect([ticket.status, ticket.json()]).toMatchObject([409, { error: "room_closed" }]);
  });

  test("before its line begins, an idle room may let everybody pass; with the line that ends, at the site too", async () => {
    const { site } = start("idle-pass");
    const visitor = world().visitor();
    const tokens = await site.login(visitor);
    expect(tokens.claims).toMatchObject({ admitted_via: "idle", queue_position: null });
    const again = await site.login(visitor);
    expect(again.claims.sub).toBe(tokens.claims.sub);
    expect((await site.refresh(tokens.refreshToken ?? "")).status).toBe(200);

    await world().admin.step("idle-pass", "prequeue");
    const refused = await site.refresh(again.refreshToken ?? "");
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    const { login, visit } = start("idle-pass");
    const parked = await visitor.navigate(login.url, visit);
    expect([parked.position, parked.state]).toEqual([1, "entered"]);
    expect(await numbers(world(), "idle-pass")).toMatchObject({
      counts: { passed: 1, expired: 1 },
      live_admissions: 0,
    });
  });

  test("in the prequeue visitors have entry numbers, and nobody enters before it opens", async () => {
    await world().admin.step("prequeue", "prequeue");
    const { login, site, visit } = start("prequeue");
    const visitor = world().visitor();
    const parked = await visitor.navigate(login.url, visit);
    expect([parked.position, parked.state]).toEqual([1, "entered"]);
    const me = await visitor.fetch(`${world().issuer}/rooms/prequeue/tickets/me`);
    expect(me.json()).toMatchObject({ state: "entered", position: 1 });
    await world().admin.increment("prequeue", 5);
    expect((await visitor.navigate(login.url, visit)).position).toBe(1);

    await world().admin.step("prequeue", "open");
    const tokens = await site.finishLogin(await visitor.waitInLine(parked, visit), login);
    expect(tokens.claims).toMatchObject({ queue_position: 1, admitted_via: "queue" });
  });

  test("when the room has ended, those in line are told, and those who are in stay in", async () => {
    const { admin } = world();
    const inside = world().visitor();
    await admin.increment("ending", 1);
    const { site, login, visit } = start("ending");
    const { claims } = await site.login(inside);
    const waiting = world().visitor();
    expect((await waiting.navigate(login.url, visit)).position).toBe(2);
    await admin.step("ending", "end");
    await admin.step("ending", "end");
    expect((await waiting.navigate(login.url, visit)).notice).toBe("ended");
    expect((await world().visitor().navigate(site.startLogin().url, visit)).notice).toBe("ended");
    expect((await site.login(inside)).claims.sub).toBe(claims.sub);

    await admin.step("ending", "open");
    expect((await waiting.navigate(login.url, visit)).position).toBe(2);
  });

  test("a room that has ended may let everybody pass", async () => {
    await world().admin.step("ended-pass", "end");
    const { claims } = await world().relyingParty("ended-pass").login(world().visitor());
    expect(claims).toMatchObject({ admitted_via: "ended", queue_position: null });
  });

  test("a room that is switched off lets everybody in, with or without a place, and counts them", async () => {
    const { admin } = world();
    const { login, site, visit } = start("switched-off");
    const waiting = world().visitor();
    const parked = await waiting.navigate(login.url, visit);
    expect(parked.position).toBe(1);
    await admin.step("switched-off", "passthrough");
    const tokens = await site.finishLogin(await waiting.waitInLine(parked, visit), login);
    expect(tokens.claims).toMatchObject({ admitted_via: "passthrough", queue_position: 1 });
    const newcomer = await site.login(world().visitor());
    expect(newcomer.claims).toMatchObject({ admitted_via: "passthrough", queue_position: null });
    expect(await numbers(world(), "switched-off")).toMatchObject({ counts: { passed: 2, entered: 0, joined: 1 } });

    await admin.step("switched-off", "open");
    expect((await world().visitor().navigate(site.startLogin().url, visit)).position).toBe(2);
    expect((await site.login(waiting)).claims.sub).toBe(tokens.claims.sub);
  });

  test("with room under the limit and nobody waiting, visitors never see the page", async () => {
    const { site, visit } = start("unhurried");
    for (let i = 1; i <= 10; i++) {
      const login = site.startLogin();
      const page = await world().visitor().navigate(login.url, visit);
      expect((await site.finishLogin(page, login)).claims).toMatchObject({ queue_position: i, admitted_via: "queue" });
    }
  });

  test("so many are in at once and no more; who leaves makes room at once for the next in line", async () => {
    const { site, visit, login } = start("house");
    const [one, two, three] = [world().visitor(), world().visitor(), world().visitor()];
    const first = await site.login(one);
    const second = await site.login(two);
    const parked = await three.navigate(login.url, visit);
    expect(parked.position).toBe(3);
    expect(await numbers(world(), "house")).toMatchObject({ live_admissions: 2, serving: 2, waiting: 1 });

    const report = await world().admin.request("POST", "/rooms/house/report", { completed: [first.claims.sub] });
    expect([report.status, report.json()]).toMatchObject([200, { completed: 1, unknown: [] }]);
    expect(await numbers(world(), "house")).toMatchObject({ serving: 3 });
    const tokens = await site.finishLogin(await three.waitInLine(parked, visit), login);
    expect(tokens.claims.queue_position).toBe(3);
    // Whoever completed joins the end, behind those who came meanwhile, and is the same visitor as before.
    expect((await world().visitor().navigate(site.startLogin().url, visit)).position).toBe(4);
    const fresh = site.startLogin();
    const back = await one.navigate(fresh.url, visit);
    expect(back.position).toBe(5);
    const completed = [tokens.claims.sub, second.claims.sub];
    await world().admin.request("POST", "/rooms/house/report", { completed });
    const again = await site.finishLogin(await one.waitInLine(back, visit), fresh);
    expect(again.claims).toMatchObject({ sub: first.claims.sub, queue_position: 5 });
  });

  test("beyond max_waiting newcomers are told that the room is full, and take no position", async () => {
    const { site, visit } = start("small");
    const visitors = [world().visitor(), world().visitor(), world().visitor()];
    const pages = [];
    for (const visitor of visitors) pages.push(await visitor.navigate(site.startLogin().url, visit));
    expect(pages.map(({ position, notice }) => position ?? notice)).toEqual([1, 2, "room_full"]);
    expect([pages[2]?.status, Number(pages[2]?.header("retry-after"))]).toEqual([503, 30]);
    const json = await world().http.request(`${world().issuer}/rooms/small/tickets`, { method: "POST" });
    expect([json.status, json.json()]).toMatchObject([503, { error: "room_full" }]);
    expect(await numbers(world(), "small")).toMatchObject({ queued: 2 });

    await world().admin.increment("small", 1);
    expect((await visitors[2]?.navigate(site.startLogin().url, visit))?.position).toBe(3);
  });

  test("an alarm holds the line and says why, and its end lets it go on", async () => {
    const { admin, http, issuer } = world();
    const { site, visit } = start("alarmed");
    const alarm = (set: boolean) => admin.request("POST", "/rooms/alarmed/alarm", { set });
    expect((await alarm(true)).status).toBe(200);
    const visitor = world().visitor();
    const login = site.startLogin();
    const parked = await visitor.navigate(login.url, visit);
    expect([parked.position, parked.state]).toEqual([1, "paused"]);
    const status = (await http.get(`${issuer}/rooms/alarmed/status`)).json();
    expect(status).toMatchObject({ phase: "paused", phase_reason: "alarm" });
    // The operator's own switch is another one.
    await admin.step("alarmed", "resume");
    expect(await numbers(world(), "alarmed")).toMatchObject({ phase: "paused", phase_reason: "alarm" });
    await alarm(false);
    await site.finishLogin(await visitor.waitInLine(parked, visit), login);
  });
}
