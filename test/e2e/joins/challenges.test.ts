/** A provider's challenge before a join, over HTTP, with a double of the provider: apps, the page's script, and a provider that is away. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ChallengeProvider, challengeSecret, startChallengeProvider } from "../../support/challenge-provider.ts";
import type { Visitor } from "../../support/visitor.ts";
import { memoryStore, useWorld } from "../world.ts";

let provider: ChallengeProvider;
let second: ChallengeProvider;
let third: ChallengeProvider;
beforeAll(async () => {
  provider = await startChallengeProvider();
  second = await startChallengeProvider();
  third = await startChallengeProvider();
});
afterAll(() => Promise.all([provider, second, third].map((each) => each.close())));
afterEach(() => {
  for (const each of [provider, second, third]) each.behave("usual");
});

const challenge = (id: string, whenAway: string) => {
  return { id, settings: { check: { type: "challenge", challenge: id, when_away: whenAway } } };
};
const entry = (id: string, { url }: ChallengeProvider) => ({
  id,
  provider: "custom",
  site_key: `key-${id}`,
  secret: challengeSecret,
  name: "The double",
  verify_url: `${url}/siteverify`,
  script_url: `${url}/widget.js`,
  timeout: "500ms",
});

describe("a challenge before a join", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [challenge("hold", "hold"), challenge("open", "let_in"), challenge("work", "proof_of_work")],
    config: {
      listen: { trusted_proxies: ["127.0.0.1", "::1"] },
      challenges: [entry("hold", provider), entry("open", second), entry("work", third)],
    },
  }));

  function take(room: string, body: object = {}, address = "203.0.113.9") {
    const headers = { "x-forwarded-for": address };
    return world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST", body, headers });
  }
  const usual = "203.0.113.9";
  const login = (visitor: Visitor, room: string, from = usual) =>
    visitor.navigate(world().relyingParty(room).startLogin().url, { headers: { "x-forwarded-for": from } });
  function post(visitor: Visitor, room: string, response: string, from = usual) {
    const url = new URL(`/rooms/${room}/check`, world().issuer);
    const body = new URLSearchParams({ challenge_response: response });
    return visitor.fetch(url, { method: "POST", from: url, body, headers: { "x-forwarded-for": from } });
  }
  const fails = (each: ChallengeProvider) => each.behave((response) => void response.writeHead(500).end());

  test("an app shows the widget itself, and joins with what it says, once", async () => {
    const refused = await take("hold");
    expect([refused.status, refused.json()]).toMatchObject([
      403,
      { error: "check_required", check: { type: "challenge", provider: "custom", site_key: "key-hold" } },
    ]);
    expect((await take("hold", { challenge_response: "wrong" })).status).toBe(403);
    expect((await take("hold", { challenge_response: 1 })).status).toBe(400);
    expect((await take("hold", { proof: "bm9uZQ" })).status).toBe(403);
    expect((await take("hold", { challenge_response: "right-app" })).status).toBe(201);
    expect((await take("hold", { challenge_response: "right-app" })).status).toBe(403);
    expect(provider.asked.at(-1)?.get("remoteip")).toBe("203.0.113.9");
  });

  test("the page has the widget, and its policy opens for the provider alone; what was done counts once", async () => {
    const visitor = world().visitor();
    const page = await login(visitor, "hold");
    expect([page.status, page.notice]).toEqual([403, "check_required"]);
    expect(page.body).toContain('data-sitekey="key-hold"');
    const policy = page.header("content-security-policy") ?? "";
    expect(policy).toContain(`frame-src ${provider.url};`);
    expect(policy).toMatch(new RegExp(`script-src 'sha256-[^']+' ${provider.url};`));
    expect(policy.match(/http/g)).toHaveLength(5);
    expect((await post(visitor, "hold", "wrong")).status).toBe(403);
    expect((await post(visitor, "hold", "right-page")).status).toBe(204);
    const stolen = visitor.cookie("usher-hold.check")?.value;
    const placed = await login(visitor, "hold");
    expect(placed.position).toBeGreaterThan(0);
    expect(placed.header("content-security-policy")).not.toContain(provider.url);
    const other = world().visitor({ headers: { cookie: `usher-hold.check=${stolen}` } });
    expect((await login(other, "hold")).notice).toBe("check_required");
  });

  /** Nobody gets an answer of it, and others found that out. */
  async function isAway(each: ChallengeProvider, room: string) {
    each.behave(() => {});
    const others = ["203.0.113.21", "203.0.113.22", "203.0.113.23"];
    await Promise.all(others.map((address) => take(room, { challenge_response: "right-any" }, address)));
  }

  test("a visitor whose address changes with each request joins, once", async () => {
    const visitor = world().visitor();
    expect((await login(visitor, "hold", "198.51.100.1")).notice).toBe("check_required");
    expect((await post(visitor, "hold", "right-moving", "2001:db8:5::1")).status).toBe(204);
    const stolen = world().visitor({
      headers: { cookie: `usher-hold.check=${visitor.cookie("usher-hold.check")?.value}` },
    });
    expect((await login(visitor, "hold", "192.0.2.1")).position).toBeGreaterThan(0);
    expect((await login(stolen, "hold", "192.0.2.1")).notice).toBe("check_required");
  });

  test("hold: while the provider is away nobody joins, and each is told to come again", async () => {
    fails(provider);
    const answer = await take("hold", { challenge_response: "right-away" });
    expect([answer.status, answer.header("retry-after"), answer.json()]).toMatchObject([
      503,
      "5",
      { error: "provider_unavailable" },
    ]);
    expect((await post(world().visitor(), "hold", "right-away")).status).toBe(503);
    expect((await login(world().visitor(), "hold")).notice).toBe("check_required");
    const line = await world().gateways[0]?.waitForOutput(/.*"event":"check\.provider_failed".*/);
    expect(JSON.parse(line?.[0] ?? "")).toMatchObject({
      level: 50,
      room: "hold",
      challenge: "hold",
      reason: "answered 500",
    });
    expect(world().gateways[0]?.output()).not.toMatch(/right-away|secret-of-the-challenge/);
  });

  test("what one visitor makes a provider answer opens no door for others, nor for them", async () => {
    fails(second);
    for (let i = 0; i < 5; i++) {
      expect((await take("open", { challenge_response: "right-cause" })).status).toBe(503);
      expect((await take("open")).status).toBe(403);
    }
  });

  test("let_in: who has an answer joins, and for ten seconds nobody is asked", async () => {
    expect((await take("open")).status).toBe(403);
    await isAway(second, "open");
    expect((await take("open")).status).toBe(201);
    expect((await login(world().visitor(), "open")).position).toBeGreaterThan(0);
    const { body } = await world().http.get(`${world().issuer}/metrics`);
    expect(body).toContain('usher_checks_total{room="open",outcome="let_in"} 3');
    expect(body).toContain('usher_checks_total{room="open",outcome="provider_away"} 1');
  });

  test("proof_of_work: that is asked instead", async () => {
    expect((await take("work")).json()).toMatchObject({ check: { type: "challenge" } });
    await isAway(third, "work");
    const instead = await take("work");
    expect([instead.status, instead.json()]).toMatchObject([403, { check: { type: "proof_of_work" } }]);
    const page = await login(world().visitor(), "work");
    expect(page.body).toContain('data-challenge="{&#34;parameters');
    expect(page.header("content-security-policy")).not.toContain(third.url);
  });

  test("a room that names another challenge than there is asks for a proof of work", async () => {
    const check = { type: "challenge", challenge: "gone" };
    expect((await world().admin.request("PATCH", "/rooms/hold", { check })).status).toBe(200);
    expect((await take("hold")).json()).toMatchObject({ check: { type: "proof_of_work" } });
    const secretless = await world().admin.request("GET", "/rooms/hold");
    expect(secretless.body).not.toContain(challengeSecret);
    const faulty = await world().admin.request("PATCH", "/rooms/hold", { check: { ...check, challenge: null } });
    expect([faulty.status, faulty.body]).toEqual([400, expect.stringContaining("check.challenge: required")]);
    await world().admin.request("PATCH", "/rooms/hold", { check: null });
  });
});
