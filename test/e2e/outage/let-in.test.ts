/**
 * Goal: a room that fails open (`when_away: let_in`) lets visitors in while the store is away, at its pace and in its order, and gives
 * nobody's place away. Method: two gateways on a private Redis that is killed, with real logins, links and a site behind forward
 * authentication; then Redis comes back, empty.
 */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDeviceKey, type DeviceKey } from "../../support/device-key.ts";
import type { HttpResponse } from "../../support/http-client.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { codeIn, type LoginRequest, type RelyingParty } from "../../support/relying-party.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import { startWorld, type World } from "../world.ts";

const target = "https://open.example.test/";
const patience = { timeout: 40_000, interval: 500 };

let redis: RedisServer;
let world: World;
let rp: RelyingParty;
let killedMs: number;
const inLine: { visitor: Visitor; login: LoginRequest; parked: Page }[] = [];
let held: { visitor: Visitor; parked: Page };
let appTicket: string;
let bound: { ticket: string; key: DeviceKey };

const ticketsOf = (room: string) => `${world.issuer}/rooms/${room}/tickets`;
const take = (room: string, dpop?: string) =>
  world.http.request(ticketsOf(room), { method: "POST", ...(dpop !== undefined && { headers: { dpop } }) });
const ticketIn = (answer: HttpResponse) => (answer.json() as { ticket: string }).ticket;
const asApp = (room: string, what: "claim" | "token", ticket: string, headers: Record<string, string> = {}) =>
  world.http.request(`${ticketsOf(room)}/me/${what}`, {
    method: "POST",
    headers: { authorization: `Bearer ${ticket}`, ...headers },
  });
const origin = (index: number) => world.gateways[index]?.origin ?? "";

beforeAll(async () => {
  redis = await startRedis();
  const store = {
    name: "Redis",
    start: async () => ({ config: { type: "redis", url: redis.url }, stop: async () => {} }),
  };
  // Nobody enters before the outage: the times of the inlet are over.
  const inlet = { type: "periodic", outflow_per_minute: 60, ends_at: "2026-01-01T00:00:00Z" };
  const rooms = ["open", "shut", "bound"].map((id) => ({
    id,
    inlet,
    settings: {
      targets: [target],
      ...(id !== "shut" && { when_away: "let_in" }),
      ...(id === "bound" && { device_binding: "required" }),
    },
  }));
  world = await startWorld({ store, gateways: 2, rooms });
  rp = world.relyingParty("open");
  for (let count = 0; count < 3; count++) {
    const visitor = world.visitor();
    const login = rp.startLogin();
    inLine.push({ visitor, login, parked: await visitor.navigate(login.url, { stopAt: rp.isCallback }) });
  }
  const visitor = world.visitor();
  held = { visitor, parked: await visitor.navigate(world.relyingParty("shut").startLogin().url) };
  expect(inLine.map(({ parked }) => parked.position)).toEqual([1, 2, 3]);
  appTicket = ticketIn(await take("open"));
  const key = await createDeviceKey();
  const nonce = (await take("bound")).header("dpop-nonce") ?? "";
  bound = { key, ticket: ticketIn(await take("bound", await key.prove(ticketsOf("bound"), nonce))) };
  await redis.kill();
  killedMs = Date.now();
}, 60_000);
afterAll(async () => {
  await world?.stop();
  await redis?.stop();
});

describe("while the store is away, a room that lets visitors in", () => {
  test("holds them for ten seconds, and lets them in by their order and at its pace after that", async () => {
    const first = inLine[0];
    if (first === undefined) throw new Error("nobody waits");
    const look = async () => {
      const { position, state } = await first.visitor.navigate(first.login.url, { stopAt: rp.isCallback });
      return [position, state];
    };
    await expect.poll(look, patience).toEqual([1, "store_away"]);
    const newcomer = await world.visitor().navigate(rp.startLogin().url, { stopAt: rp.isCallback });
    expect(newcomer.status).toBe(503);

    const entered: number[] = [];
    await Promise.all(
      inLine.map(async ({ visitor, login, parked }, index) => {
        const answer = await visitor.waitInLine(parked, { stopAt: rp.isCallback });
        entered[index] = Date.now() - killedMs;
        const { claims, accessToken, refreshToken } = await rp.finishLogin(answer, login);
        expect(claims).toMatchObject({ room: "open", queue_position: index + 1, admitted_via: "away" });
        expect(refreshToken).toBeUndefined();
        expect((await rp.userinfo(accessToken)).json()).toMatchObject({ sub: claims.sub, admitted_via: "away" });
        const headers = { authorization: `Bearer ${accessToken}` };
        const elsewhere = await world.http.get(`${origin(1)}/userinfo`, headers);
        expect(elsewhere.json()).toMatchObject({ sub: claims.sub });
      }),
    );
    // One a second, after ten seconds.
    for (const [index, ms] of entered.entries()) expect(ms).toBeGreaterThan(10_000 + index * 900);
  }, 60_000);

  test("gives an app its token, by its place, and a claim no admission that the store would not know", async () => {
    await expect.poll(async () => (await asApp("open", "token", appTicket)).status, patience).toBe(200);
    const claimed = await asApp("open", "claim", appTicket);
    expect([claimed.status, (claimed.json() as { ticket?: string }).ticket]).toEqual([200, undefined]);
    const given = (await asApp("open", "token", appTicket)).json() as { token: string; ticket: string };
    expect(decodeJwt(given.token)).toMatchObject({ room: "open", queue_position: 4, admitted_via: "away" });
    // The place stays as it was.
    expect(given.ticket).toMatch(/^w1\./);
  }, 60_000);

  test("asks for the key of a place that is bound to one, without the store, too", async () => {
    const asked = async () => asApp("bound", "token", bound.ticket);
    await expect.poll(async () => (await asked()).status, patience).toBe(401);
    const nonce = (await asked()).header("dpop-nonce") ?? "";
    const url = `${ticketsOf("bound")}/me/token`;
    const by = async (key: DeviceKey) => asApp("bound", "token", bound.ticket, { dpop: await key.prove(url, nonce) });
    expect((await by(await createDeviceKey())).status).toBe(403);
    const given = (await by(bound.key)).json() as { token: string };
    expect(decodeJwt(given.token)).toMatchObject({ room: "bound", admitted_via: "away" });
  }, 60_000);

  test("gives codes that are good once, for a minute, unaltered, and for their client alone", async () => {
    const visitor = inLine[0]?.visitor as Visitor;
    const login = rp.startLogin();
    const answer = await visitor.navigate(login.url, { stopAt: rp.isCallback });
    const code = codeIn(answer, login.state, world.issuer);
    expect(code.length).toBeLessThan(2_500);
    const altered = `${code.slice(0, -3)}${code.endsWith("AAA") ? "BBB" : "AAA"}`;
    for (const [given, changes] of [
      [altered, {}],
      ["away.x.y.z", {}],
      [`away.${"x".repeat(5_000)}`, {}],
      [code, { code_verifier: "another-verifier-that-is-long-enough-to-be-one-0123456789" }],
    ] as const) {
      const refused = await rp.redeem(given, login, changes);
      expect([refused.status, (refused.json() as { error: string }).error]).toEqual([400, "invalid_grant"]);
    }
    const other = world.relyingParty("shut");
    const foreign = await other.redeem(code, login, { redirect_uri: rp.options.redirectUri });
    expect((foreign.json() as { error: string }).error).toBe("invalid_grant");

    const both = await Promise.all([rp.redeem(code, login), rp.redeem(code, login)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    await rp.redeem(code, login);
    // A code that comes again takes its tokens with it, at the process that sees it.
    const redeemed = both.find(({ status }) => status === 200)?.json() as { access_token: string } | undefined;
    expect((await rp.userinfo(redeemed?.access_token ?? "")).status).toBe(401);
  });

  test("lets newcomers in behind those who wait, by a link too, which counts once", async () => {
    const newcomer = world.visitor();
    const login = rp.startLogin();
    const enter = async () => newcomer.navigate(login.url, { stopAt: rp.isCallback });
    await expect.poll(async () => (await enter()).location?.searchParams.has("code"), patience).toBe(true);
    const { claims } = await rp.finishLogin(await enter(), login).catch(async () => {
      const again = rp.startLogin();
      return rp.finishLogin(await newcomer.navigate(again.url, { stopAt: rp.isCallback }), again);
    });
    expect(claims).toMatchObject({ queue_position: null, admitted_via: "away" });

    const guest = world.visitor();
    const isTarget = (location: URL) => location.href.startsWith(target);
    const follow = async () =>
      guest.navigate(`${world.issuer}/rooms/open/enter?target=${target}`, { stopAt: isTarget });
    let location: URL | undefined;
    const isSentOn = async () => {
      location = (await follow()).location;
      return location?.search;
    };
    await expect.poll(isSentOn, patience).toContain("usher_token");
    const asked = async () =>
      world.http.get(`${world.issuer}/rooms/open/verify`, {
        accept: "text/html",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
        "x-original-url": String(location),
      });
    expect((await asked()).setCookies.join()).toContain("usher-open.admission=");
    expect((await asked()).setCookies).toEqual([]);
  }, 90_000);

  test("is no example to the room beside it", async () => {
    const page = await held.visitor.navigate(held.parked.url);
    expect([page.position, page.state]).toEqual([1, "store_away"]);
  });

  test("knows nothing of it when the store is back, and everybody has their place", async () => {
    await redis.restart();
    const room = async () => (await world.admin.request("GET", "/rooms/open")).json();
    await expect.poll(room, patience).toMatchObject({ phase: "open", availability: "ready" });
    for (const [index, { visitor }] of inLine.entries()) {
      const page = await visitor.navigate(rp.startLogin().url, { stopAt: rp.isCallback });
      expect(page.position).toBe(index + 1);
    }
    const { admissions } = (await world.admin.request("GET", "/rooms/open/admissions")).json() as {
      admissions: unknown[];
    };
    expect(admissions).toEqual([]);
  }, 60_000);
});
