/**
 * Goal: rule 9, for what visitors see and do while the store is away. Method: a gateway on a private Redis that is
 * killed under it, and the gateway restarted meanwhile.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import type { Tokens } from "../../support/relying-party.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { leaveLine } from "../form.ts";
import { startWorld, type World } from "../world.ts";

let redis: RedisServer;
let world: World;
let visitor: Visitor;
let parked: Page;
let tokens: Tokens;

beforeAll(async () => {
  redis = await startRedis();
  const store = {
    name: "Redis",
    start: async () => ({ config: { type: "redis", url: redis.url }, stop: async () => {} }),
  };
  world = await startWorld({ store, rooms: [{ id: "line" }, { id: "off", client: { refresh_tokens: true } }] });
  await world.admin.step("off", "passthrough");
  tokens = await world.relyingParty("off").login(world.visitor());
  const site = world.relyingParty("line");
  for (let others = 0; others < 3; others++) await world.visitor().navigate(site.startLogin().url);
  visitor = world.visitor();
  parked = await visitor.navigate(site.startLogin().url);
  await redis.kill();
});
afterAll(async () => {
  await world?.stop();
  await redis?.stop();
});

describe("while the store is away", () => {
  test("an action that fails says so, leads back, and does not try itself again", async () => {
    const answer = await leaveLine(visitor, parked);
    expect([answer.status, answer.notice]).toEqual([503, "not_now"]);
    expect(answer.body).not.toContain("data-retry-ms");
    const back = attribute(answer.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "", "href") ?? "";
    const again = await visitor.navigate(new URL(back, answer.url), { from: answer.url });
    expect([again.position, again.state]).toEqual([4, "store_away"]);

    // Without a Referer there is no link; what fails is the same.
    const headers = { origin: world.issuer, "sec-fetch-site": "same-origin" };
    const bare = await visitor.navigate(`${world.issuer}/rooms/line/leave`, { method: "POST", body: "", headers });
    expect([bare.notice, bare.body.includes("<a ")]).toEqual(["not_now", false]);
  });

  test("a room that is switched off admits nobody by accident either", async () => {
    const newcomer = world.visitor();
    const site = world.relyingParty("off");
    const page = await newcomer.navigate(site.startLogin().url, { stopAt: site.isCallback });
    expect([page.status, page.notice, page.position]).toEqual([503, "store_unavailable", undefined]);
    expect(page.body).toContain("data-retry-ms");
    // The page comes back when the status says that places are given again.
    expect(page.body).toContain('data-waits-for="places"');
    const status = await world.http.get(`${world.issuer}/rooms/off/status`);
    expect([status.status, status.json()]).toMatchObject([200, { availability: "away" }]);
  });

  test("a relying party that refreshes is told to try again", async () => {
    const answer = await world.relyingParty("off").refresh(tokens.refreshToken ?? "");
    expect([answer.status, answer.json()]).toMatchObject([503, { error: "temporarily_unavailable" }]);
    expect(Number(answer.header("retry-after"))).toBeGreaterThan(0);
  });

  test("programs are told what cannot be done", async () => {
    const joined = await world.http.request(`${world.issuer}/rooms/line/tickets`, { method: "POST" });
    const said = { error: "store_unavailable", error_description: expect.stringContaining("no positions") };
    expect([joined.status, joined.json()]).toMatchObject([503, said]);
  });

  test("a gateway that is restarted meanwhile shows every place by its ticket alone", async () => {
    const [gateway] = world.gateways;
    await gateway?.halt();
    await gateway?.start();
    const page = await visitor.navigate(parked.url);
    expect([page.status, page.position, page.state]).toEqual([200, 4, "store_away"]);
    expect(page.body).toContain(">At most 3 people ahead of you<");
    expect(page.body).toContain("Your place is safe in this browser");

    const json = { accept: "application/json" };
    const cookie = visitor.jar.header(parked.url) ?? "";
    const answers = [
      await world.http.get(parked.url, { ...json, cookie }),
      await world.http.get(`${world.issuer}/rooms/line/tickets/me`, { ...json, cookie }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ state: "waiting", position: 4, ahead: 3, serving: null });
    }
    const newcomer = await world.http.get(parked.url, json);
    expect([newcomer.status, newcomer.json()]).toMatchObject([503, { error: "hold_on" }]);
    const status = await world.http.get(`${world.issuer}/rooms/line/status`, { accept: "text/html" });
    expect([status.status, attribute(status.body, "data-notice")]).toEqual([503, "not_now"]);
    expect(status.body).toContain("data-retry-ms");
  });
});
