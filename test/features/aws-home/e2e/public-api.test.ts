/** The table of public calls: every status and every text, those that read oddly too. */
import { createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { createHomeClient, homeOf, uuid4 } from "../support/home-client.ts";

const stray = "00000000-0000-4000-8000-000000000000";
const tokenIssuer = "https://abc.execute-api.eu-west-1.amazonaws.com/api";

describe("the public API", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "tickets", admission: { duration: "20m", claim_within: "15m" } },
      { id: "odd" },
      { id: "passing", settings: { when_idle: "pass_through", schedule: { opens_at: "2099-01-01T00:00:00Z" } } },
      {
        id: "drawn",
        settings: { schedule: { prequeue_at: "2020-01-01T00:00:00Z", opens_at: "2099-01-01T00:00:00Z" } },
      },
      { id: "limited", inlet: { type: "manual", outflow_per_minute: 1 } },
    ],
    config: homeOf(
      { Sample: "tickets", odd: "odd", Passing: "passing", Drawn: "drawn", limited: "limited" },
      { issuer: tokenIssuer },
    ),
  }));
  const origin = () => world().issuer;
  const home = createHomeClient(origin);
  const limited = createHomeClient(origin, "limited");

  test.each([
    ["queue_num", { event_id: "Sample" }, 400, { message: "Missing required request parameters: [request_id]" }],
    ["queue_num", {}, 400, { message: "Missing required request parameters: [event_id, request_id]" }],
    ["queue_num", { event_id: "Other", request_id: stray }, 400, { error: "Invalid event or request ID" }],
    ["queue_num", { event_id: "Sample", request_id: "x" }, 400, { error: "Invalid event or request ID" }],
    ["queue_num", { event_id: "Sample", request_id: stray }, 202, { error: "Request ID not found" }],
    ["queue_num", { event_id: "Sample", request_id: `${stray} and more` }, 202, { error: "Request ID not found" }],
    ["serving_num", {}, 400, { message: "Missing required request parameters: [event_id]" }],
    ["serving_num", { event_id: "Other" }, 400, { error: "Invalid event ID" }],
    ["waiting_num", { event_id: "Other" }, 400, { error: "Invalid event ID" }],
    ["waiting_num", { event_id: "constructor" }, 400, { error: "Invalid event ID" }],
    ["public_key", { event_id: "Other" }, 400, { error: "Invalid request ID" }],
    ["queue_pos_expiry", { event_id: "Other", request_id: stray }, 400, { error: "Invalid event or request ID" }],
    ["queue_pos_expiry", { event_id: "Sample", request_id: "x" }, 400, { error: "Invalid event or request ID" }],
    ["queue_pos_expiry", { event_id: "Sample", request_id: stray }, 404, { error: "Invalid request ID" }],
    ["nothing", {}, 403, { message: "Missing Authentication Token" }],
    ["assign_queue_num", {}, 403, { message: "Missing Authentication Token" }],
  ])("answers GET %s %j: %d %j", async (name, query, status, body) => {
    const answer = await home.get(name, query);
    expect([answer.status, answer.body]).toEqual([status, body]);
    const isGateway = "message" in body;
    expect(answer.headers.get("access-control-allow-origin")).toBe(isGateway ? null : "*");
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  });

  test.each([
    ["assign_queue_num", "", 400, { message: "Invalid request body" }],
    ["assign_queue_num", "{}", 400, { message: "Invalid request body" }],
    ["assign_queue_num", "[1]", 400, { message: "Invalid request body" }],
    ["assign_queue_num", '{"event_id":5}', 400, { message: "Invalid request body" }],
    ["assign_queue_num", `{"event_id":"${"x".repeat(20_000)}"}`, 413, { message: "Request Too Long" }],
    ["generate_token", '{"event_id":"Sample"}', 400, { message: "Invalid request body" }],
    ["generate_token", `{"event_id":"Other","request_id":"${stray}"}`, 400, { error: "Invalid event or request ID" }],
    ["generate_token", '{"event_id":"Sample","request_id":"x"}', 400, { error: "Invalid event or request ID" }],
    ["generate_token", `{"event_id":"Sample","request_id":"${stray}"}`, 400, { error: "Invalid request ID" }],
    ["queue_num", "{}", 403, { message: "Missing Authentication Token" }],
  ])("answers POST %s %.60s: %d %j", async (name, body, status, expected) => {
    const answer = await home.post(name, body);
    expect([answer.status, answer.body]).toEqual([status, expected]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("message" in expected ? null : "*");
  });

  test("takes a place as JSON alone", async () => {
    const answer = await home.post("assign_queue_num", { event_id: "Sample" }, { "Content-Type": "text/plain" });
    expect([answer.status, answer.body]).toEqual([415, { message: "Unsupported Media Type" }]);
  });

  test("gives an id for an event that there is not, which never gets a number", async () => {
    const { status, body } = await home.post("assign_queue_num", { event_id: "Other" });
    expect([status, body]).toEqual([200, { api_request_id: expect.stringMatching(uuid4) }]);
    expect((await home.queueNum(String(body.api_request_id))).status).toBe(202);
  });

  test("answers the preflight of pages of other origins", async () => {
    for (const [name, methods] of [
      ["queue_num", "GET,OPTIONS"],
      ["assign_queue_num", "OPTIONS,POST"],
    ] as const) {
      const response = await fetch(`${origin()}/aws/public/${name}`, { method: "OPTIONS" });
      expect([response.status, await response.text()]).toEqual([200, ""]);
      expect(response.headers.get("access-control-allow-methods")).toBe(methods);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-headers")).toBe(
        "Content-Type,X-Amz-Date,Authorization,X-Api-Key,X-Amz-Security-Token",
      );
    }
  });

  test("leads from a place to tokens, by the texts of each step", async () => {
    const id = await home.assign();
    expect(id).toMatch(uuid4);
    const second = await home.assign();
    const { status, body } = await home.queueNum(id);
    expect([status, body]).toEqual([
      200,
      { queue_number: 1, entry_time: expect.any(Number), event_id: "Sample", status: 1 },
    ]);
    expect(Math.abs(Number(body.entry_time) - Date.now() / 1_000)).toBeLessThan(60);
    expect((await home.queueNum(second)).body).toMatchObject({ queue_number: 2 });
    await expect
      .poll(async () => (await home.get("waiting_num", { event_id: "Sample" })).body)
      .toEqual({ waiting_num: 2 });
    expect((await home.get("serving_num", { event_id: "Sample" })).body).toEqual({ serving_counter: "0" });
    expect((await home.token(id)).body).toEqual({ error: "Request ID not being served yet" });
    expect(await home.expiry(id)).toMatchObject({ status: 202, body: { error: "Request ID not being served yet" } });

    await world().admin.increment("tickets", 1);
    expect((await home.get("serving_num", { event_id: "Sample" })).body).toEqual({ serving_counter: "1" });
    const turn = await home.expiry(id);
    expect(turn.status).toBe(200);
    expect(turn.body.expires_in).toBeGreaterThan(800);
    expect(turn.body.expires_in).toBeLessThanOrEqual(900);

    const tokens = await home.token(id);
    expect(tokens.status).toBe(200);
    expect(Object.keys(tokens.body)).toEqual(["access_token", "refresh_token", "id_token", "token_type", "expires_in"]);
    expect(tokens.body).toMatchObject({ token_type: "Bearer" });
    expect(tokens.body.expires_in).toBeGreaterThan(1_100);
    expect(tokens.body.expires_in).toBeLessThanOrEqual(1_200);
    const { body: key } = await home.get("public_key", { event_id: "Sample" });
    expect(Object.keys(key)).toEqual(["alg", "e", "kid", "kty", "n"]);
    const keys = createLocalJWKSet({ keys: [key as unknown as JWK] });
    for (const [name, use] of [
      ["access_token", "access"],
      ["refresh_token", "refresh"],
      ["id_token", "id"],
    ] as const) {
      const token = String(tokens.body[name]);
      expect(decodeProtectedHeader(token)).toEqual({ alg: "RS256", typ: "JWT", kid: key.kid });
      const { payload } = await jwtVerify(token, keys, { issuer: tokenIssuer, audience: "Sample" });
      expect(payload).toMatchObject({ aud: "Sample", sub: id, queue_position: 1, token_use: use });
      expect(payload.iat).toBe(payload.nbf);
      expect(Number(payload.exp) - Number(payload.iat)).toBe(1_200);
    }
    const again = await home.token(id);
    expect(again.body.access_token).toBe(tokens.body.access_token);
    expect(again.body.id_token).toBe(tokens.body.id_token);
    expect((await home.expiry(id)).body).toEqual({ error: "Queue position expiration not enabled" });
    expect((await home.token(second)).status).toBe(202);
  });

  test("admits within the room's limit alone", async () => {
    const [first, second] = [await limited.assign(), await limited.assign()];
    await world().admin.increment("limited", 2);
    expect((await limited.token(first)).status).toBe(200);
    expect(await limited.token(second)).toMatchObject({
      status: 202,
      body: { error: "Request ID not being served yet" },
    });
    await world().admin.step("limited", "pause");
    expect((await limited.token(first)).status).toBe(200);
  });

  test("says of a place that was given up, and of tokens whose session is over, that they are", async () => {
    const odd = createHomeClient(origin, "odd");
    const id = await odd.assign();
    await world().admin.increment("odd", 1);
    expect((await odd.token(id)).status).toBe(200);
    expect((await odd.session(id, 1)).status).toBe(200);
    expect(await odd.token(id)).toMatchObject({
      status: 410,
      body: { error: "Token corresponding to request id has expired" },
    });
    const before = await odd.assign();
    await world().admin.step("odd", "reset");
    // Of another edition it is nobody's.
    expect(await odd.queueNum(before)).toMatchObject({ status: 202, body: { error: "Request ID not found" } });
    expect(await odd.token(before)).toMatchObject({ status: 400, body: { error: "Invalid request ID" } });
    expect(await odd.expiry(before)).toMatchObject({ status: 404, body: { error: "Invalid request ID" } });
    expect((await odd.queueNum(await odd.assign())).body).toMatchObject({ queue_number: 1 });
  });

  test("gives no number before a draw, and lets pass who needs none", async () => {
    const drawn = createHomeClient(origin, "Drawn");
    expect(await drawn.queueNum(await drawn.assign())).toMatchObject({
      status: 202,
      body: { error: "Request ID not found" },
    });
    const passing = createHomeClient(origin, "Passing");
    const id = await passing.assign();
    expect((await passing.queueNum(id)).body).toMatchObject({ queue_number: 0, status: 1 });
    expect((await passing.token(id)).status).toBe(200);
    expect((await passing.token(await passing.assign())).status).toBe(200);
  });

  test("keeps an id out of the log and out of the operators' list", async () => {
    const id = await home.assign();
    await world().admin.increment("tickets", 5);
    expect((await home.token(id)).status).toBe(200);
    const { body } = await world().admin.request("GET", "/rooms/tickets/admissions");
    expect(body).toContain("tickets.");
    expect(body).not.toContain(id);
    const [, sub = ""] = /"sub":"(tickets\.[^"]+)"/.exec(body) ?? [];
    // What stands in a list opens nothing.
    expect((await home.token(sub)).body).toEqual({ error: "Invalid event or request ID" });
    expect(
      world()
        .gateways.map((gateway) => gateway.output())
        .join(""),
    ).not.toContain(id);
  });
});

describe("a home with origins", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "tickets" }],
    config: homeOf(
      { Sample: "tickets" },
      { origins: ["https://shop.test", "https://other.test"], public_path: "/aws/public" },
    ),
  }));

  test.each([
    ["https://other.test", "https://other.test"],
    ["https://evil.test", "https://shop.test"],
    [undefined, "https://shop.test"],
  ])("tells pages of %s: %s", async (asked, allowed) => {
    const home = createHomeClient(() => world().issuer);
    const headers = asked === undefined ? {} : { Origin: asked };
    for (const answer of [
      await home.get("serving_num", { event_id: "Sample" }, headers),
      await home.post("generate_token", { event_id: "Sample", request_id: "x" }, headers),
    ]) {
      expect(answer.headers.get("access-control-allow-origin")).toBe(allowed);
      expect(answer.headers.get("vary")).toContain("Origin");
    }
  });
});

test.each([{}, homeOf({ Sample: "tickets" }, { public_path: "/elsewhere", private_path: "/hidden" })])(
  "is not there without its setting, nor elsewhere than it says",
  async (config) => {
    const { startWorld } = await import("../../../e2e/world.ts");
    const world = await startWorld({ store: memoryStore, rooms: [{ id: "tickets" }], config });
    const response = await fetch(`${world.issuer}/aws/public/serving_num?event_id=Sample`);
    expect([response.status, await response.json()]).toMatchObject([404, { error: "not_found" }]);
    await world.stop();
  },
);
