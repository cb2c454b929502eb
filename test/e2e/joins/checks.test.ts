/** A check before a join, over HTTP: apps, programs at the gate, and what they may try. */
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { describe, expect, test } from "vitest";
import type { HttpRequest, HttpResponse } from "../../support/http-client.ts";
import type { Visitor } from "../../support/visitor.ts";
import { queued } from "../line.ts";
import { memoryStore, useWorld } from "../world.ts";

const check = { type: "proof_of_work" };
const rooms = [
  { id: "apps", settings: { check } },
  { id: "gate", settings: { check } },
  { id: "other", settings: { check } },
  { id: "live", settings: {} },
  { id: "calm", settings: { check: { ...check, when: "suspicious", share: 0.001 } } },
  { id: "practice", settings: { check, rehearsal: true } },
  { id: "nobody", settings: { check, schedule: { opens_at: "2099-01-01T10:00:00Z" } } },
];

describe("a check before a join", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms,
    config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
  }));

  function take(room: string, address: string, request: HttpRequest = {}): Promise<HttpResponse> {
    return world().http.request(`${world().issuer}/rooms/${room}/tickets`, {
      method: "POST",
      ...request,
      headers: { "x-forwarded-for": address, ...request.headers },
    });
  }

  /** With a library of an app's own. */
  async function proofOf(refused: HttpResponse): Promise<string> {
    const { check } = refused.json() as { check: { challenge: Parameters<typeof solveChallenge>[0]["challenge"] } };
    const solution = await solveChallenge({ challenge: check.challenge, deriveKey });
    return Buffer.from(JSON.stringify({ challenge: check.challenge, solution })).toString("base64");
  }

  async function counted(room: string, outcome: string): Promise<number> {
    const { body } = await world().http.get(`${world().issuer}/metrics`);
    const found = body.match(new RegExp(`usher_checks_total\\{room="${room}",outcome="${outcome}"\\} (\\d+)`));
    return Number(found?.[1] ?? 0);
  }

  test("an app does it with Altcha's library, and one proof is good for one place, in one network and room", async () => {
    const address = "203.0.113.9";
    const refused = await take("apps", address);
    expect([refused.status, refused.json()]).toMatchObject([
      403,
      { error: "check_required", check: { type: "proof_of_work", challenge: { signature: expect.any(String) } } },
    ]);
    const body = { proof: await proofOf(refused) };
    expect((await take("other", address, { body })).status).toBe(403);
    expect((await take("apps", "198.51.100.9", { body })).status).toBe(403);
    const twenty = await Promise.all(Array.from({ length: 20 }, () => take("apps", address, { body })));
    expect(twenty.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(twenty.filter(({ status }) => status === 403)).toHaveLength(19);
    expect(await queued(world(), "apps")).toBe(1);
    expect(await counted("apps", "passed")).toBe(1);
    expect(await counted("apps", "used")).toBe(19);
    expect([await counted("apps", "elsewhere"), await counted("other", "elsewhere")]).toEqual([1, 1]);
    // What is refused is no secret, and no line of the log for each.
    expect(world().gateways[0]?.output()).not.toContain("join.checked");
    expect(world().gateways[0]?.output()).not.toContain(body.proof);
  });

  test.each<[string, HttpRequest, number, string]>([
    ["a body that is no JSON", { body: "{", headers: { "content-type": "application/json" } }, 400, "bad_request"],
    [
      "a body of another kind",
      { body: "proof=1", headers: { "content-type": "text/plain" } },
      415,
      "unsupported_media_type",
    ],
    ["a proof that is no text", { body: { proof: { challenge: 1 } } }, 400, "bad_request"],
    ["a session that is no text", { body: { session: 1 } }, 400, "bad_request"],
    ["a session without a proof", { body: { session: "x.y.z" } }, 403, "check_required"],
    ["a proof that is none", { body: { proof: "bm9uZQ==" } }, 403, "check_required"],
    ["a body that says nothing", { body: [] }, 403, "check_required"],
    ["more than is read", { body: { proof: "A".repeat(20_000) } }, 413, "body_too_large"],
    ["a proof that is too long", { body: { proof: "A".repeat(3_000) } }, 403, "check_required"],
  ])("%s takes no place", async (_, request, status, error) => {
    const before = await queued(world(), "apps");
    const answer = await take("apps", "203.0.113.20", request);
    expect([answer.status, (answer.json() as { error: string }).error]).toEqual([status, error]);
    expect(await queued(world(), "apps")).toBe(before);
  });

  const login = (visitor: Visitor, room: string, address: string, accept: string) =>
    visitor.navigate(world().relyingParty(room).startLogin().url, { headers: { accept, "x-forwarded-for": address } });
  function post(visitor: Visitor, room: string, address: string, proof: string, headers: Record<string, string> = {}) {
    const url = new URL(`/rooms/${room}/check`, world().issuer);
    const body = new URLSearchParams({ proof });
    return visitor.fetch(url, { method: "POST", from: url, body, headers: { "x-forwarded-for": address, ...headers } });
  }

  test("at the gate the pass of a proof is a cookie, which the join uses up; nobody else has it set", async () => {
    const address = "203.0.113.30";
    const visitor = world().visitor();
    const refused = await login(visitor, "gate", address, "application/json");
    expect([refused.status, refused.json()]).toMatchObject([403, { error: "check_required" }]);
    expect(refused.header("refresh")).toBeUndefined();
    const proof = await proofOf(refused);
    const stranger = await post(visitor, "gate", address, proof, {
      origin: "https://evil.example",
      "sec-fetch-site": "cross-site",
    });
    expect([stranger.status, stranger.setCookies]).toEqual([403, []]);
    // Another browser, in another network: it is asked, too.
    const other = world().visitor();
    const elsewhere = await post(other, "gate", "198.51.100.31", proof);
    expect([elsewhere.status, (elsewhere.json() as { error: string }).error]).toEqual([403, "check_required"]);
    expect(other.cookie("usher-gate.check")?.value).not.toBe(visitor.cookie("usher-gate.check")?.value);

    const taken = await post(visitor, "gate", address, proof);
    expect([taken.status, taken.body]).toEqual([204, ""]);
    expect(visitor.cookie("usher-gate.check")?.value).toMatch(/^[\w-]+\.[\w~-]+\.[\w-]{32}$/);
    const stolen = world().visitor({
      headers: { cookie: `usher-gate.check=${visitor.cookie("usher-gate.check")?.value}` },
    });
    const page = await login(visitor, "gate", address, "text/html");
    expect(page.position).toBe(1);
    expect(visitor.cookie("usher-gate.check")).toBeUndefined();
    for (const from of [address, "198.51.100.31"]) {
      expect((await login(stolen, "gate", from, "text/html")).notice).toBe("check_required");
    }
    // Who left stands outside again.
    const me = new URL("/rooms/gate/tickets/me", world().issuer);
    expect((await visitor.fetch(me, { method: "DELETE", from: me })).status).toBe(204);
    expect((await login(visitor, "gate", address, "text/html")).notice).toBe("check_required");
  });

  test.each([
    ["IPv4 and IPv6 by turns", ["203.0.113.71", "2001:db8:71::1", "203.0.113.71"]],
    ["a network in which each request has another prefix", ["2001:db8:1::1", "2001:db8:2::1", "2001:db8:3::1"]],
  ])(
    "a visitor whose address changes with each request joins: %s",
    async (_, [first = "", second = "", third = ""]) => {
      const visitor = world().visitor();
      const proof = await proofOf(await login(visitor, "gate", first, "application/json"));
      const begun = visitor.cookie("usher-gate.check")?.value;
      expect((await post(visitor, "gate", second, "bm9uZQ")).status).toBe(403);
      // What the page has begun goes on.
      expect(visitor.cookie("usher-gate.check")?.value).toBe(begun);
      expect((await post(visitor, "gate", second, proof)).status).toBe(204);
      expect((await login(visitor, "gate", third, "text/html")).position).toBeGreaterThan(0);
      expect(visitor.cookie("usher-gate.check")).toBeUndefined();

      const refused = await take("apps", first);
      const { session } = (refused.json() as { check: { session: string } }).check;
      const body = { proof: await proofOf(refused) };
      expect((await take("apps", second, { body: { ...body, session: `${session}x` } })).status).toBe(403);
      expect((await take("apps", second, { body: { ...body, session } })).status).toBe(201);
      expect((await take("apps", third, { body: { ...body, session } })).status).toBe(403);
      expect(world().gateways[0]?.output()).not.toContain(session);
    },
  );

  test("by suspicion, an address is asked once more joined from it than its share", async () => {
    const address = "203.0.113.40";
    expect((await take("calm", address)).status).toBe(201);
    expect((await take("calm", address)).status).toBe(201);
    const refused = await take("calm", address);
    expect(refused.status).toBe(403);
    expect((await take("calm", "203.0.113.41")).status).toBe(201);
    expect((await take("calm", address, { body: { proof: await proofOf(refused) } })).status).toBe(201);
  });

  test("is switched on and off while the room runs", async () => {
    const change = (value: unknown) => world().admin.request("PATCH", "/rooms/live", { check: value });
    expect((await take("live", "203.0.113.50")).status).toBe(201);
    const faulty = await change({ type: "proof_of_work", difficulty: 20, difficulty_max: 2 });
    expect([faulty.status, faulty.body]).toEqual([
      400,
      expect.stringContaining("check.difficulty_max: expected at least"),
    ]);
    expect((await change(check)).status).toBe(200);
    expect((await take("live", "203.0.113.50")).status).toBe(403);
    expect((await change("off")).status).toBe(200);
    expect((await take("live", "203.0.113.50")).status).toBe(201);
  });

  test("is not asked of a rehearsal's crowd, nor where there is no line", async () => {
    expect((await take("practice", "203.0.113.60")).status).toBe(403);
    const made = await world().admin.request("POST", "/rooms/practice/rehearsal", { visitors: 2, minutes: 1 });
    const { pass } = made.json() as { pass: string };
    expect((await take("practice", "203.0.113.60", { headers: { "usher-rehearsal": pass } })).status).toBe(201);
    expect((await take("practice", "203.0.113.60", { headers: { "usher-rehearsal": `${pass}x` } })).status).toBe(403);
    expect((await take("nobody", "203.0.113.60")).status).toBe(409);
  });
});
