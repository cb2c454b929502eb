/** What inlets, the control panel and the site's programs do, signed as they sign. */
import { AwsClient } from "aws4fetch";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { accessKeyId, createHomeClient, homeOf, privatePath, said, secretAccessKey } from "../support/home-client.ts";

const stray = "00000000-0000-4000-8000-000000000000";
const viewerKey = { access_key_id: "AKIDVIEWER", secret_access_key: "v".repeat(40), role: "viewer" };
const otherKey = { access_key_id: "AKIDOTHER", secret_access_key: "o".repeat(40), rooms: ["other"] };
const ownKey = { access_key_id: accessKeyId, secret_access_key: secretAccessKey };

describe("the private API", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "tickets" },
      { id: "other" },
      { id: "short", admission: { duration: "1s" } },
      { id: "passing", settings: { when_idle: "pass_through", schedule: { opens_at: "2099-01-01T00:00:00Z" } } },
      { id: "offered", settings: { device_binding: "offered" } },
    ],
    config: homeOf(
      { Sample: "tickets", other: "other", short: "short", passing: "passing", offered: "offered" },
      { keys: [ownKey, viewerKey, otherKey] },
    ),
  }));
  const origin = () => world().issuer;
  const home = createHomeClient(origin);
  const clientOf = ({ access_key_id, secret_access_key }: typeof ownKey, more: object = {}) =>
    new AwsClient({
      accessKeyId: access_key_id,
      secretAccessKey: secret_access_key,
      service: "execute-api",
      region: "us-east-1",
      retries: 0,
      ...more,
    });
  const call = (method: "GET" | "POST", name: string, values: Record<string, unknown>, client = clientOf(ownKey)) =>
    home.privately(method, name, values, client);

  test("ends a session for good where everybody passes, and an id of then is of no line that comes later", async () => {
    const passing = createHomeClient(origin, "passing");
    const [ended, unused] = [await passing.assign(), await passing.assign()];
    expect((await passing.token(ended)).status).toBe(200);
    expect((await passing.session(ended, 1)).status).toBe(200);
    const over = { status: 410, body: { error: "Token corresponding to request id has expired" } };
    expect(await passing.token(ended)).toMatchObject(over);
    await world().admin.step("passing", "open");
    const isOpen = async () => (await passing.get("serving_num", { event_id: "passing" })).status === 200;
    await expect.poll(isOpen).toBe(true);
    expect(await passing.token(unused)).toMatchObject({ status: 410, body: { error: "Queue position has expired" } });
    expect(await passing.token(ended)).toMatchObject({ status: 410 });
  });

  test("gives places in a room that only offers to bind them to the browser", async () => {
    const offered = createHomeClient(origin, "offered");
    expect((await offered.queueNum(await offered.assign())).body).toMatchObject({ queue_number: 1 });
  });

  test("moves the line, counts and ends sessions, and starts anew", async () => {
    const ids = [await home.assign(), await home.assign(), await home.assign()];
    expect((await home.increment(2)).body).toEqual({ serving_num: 2 });
    expect((await home.increment(-1)).body).toEqual({ serving_num: 1 });
    expect((await home.increment(0)).body).toEqual({ serving_num: 1 });
    expect((await home.increment(2)).body).toEqual({ serving_num: 3 });
    for (const id of ids) expect((await home.token(id)).status).toBe(200);
    expect((await home.activeTokens()).body).toEqual({ active_tokens: 3 });
    const [first = "", second = ""] = ids;
    expect(await home.session(first, 1)).toMatchObject({
      status: 200,
      body: { ResponseMetadata: { HTTPStatusCode: 200 } },
    });
    expect(await home.session(first, 1)).toMatchObject({
      status: 404,
      body: { error: "Request ID doesn't exist or status already set." },
    });
    expect((await home.session(second, -1)).status).toBe(200);
    expect((await home.session(stray, 1)).status).toBe(404);
    expect(await home.session(second, 2)).toMatchObject({ status: 400, body: { message: "Invalid request body" } });
    expect((await home.activeTokens()).body).toEqual({ active_tokens: 1 });
    const { body } = await world().admin.request("GET", "/rooms/tickets/admissions?status=completed");
    expect(body).toContain('"completed"');
    const reset = await call("POST", "reset_initial_state", { event_id: "Sample" });
    expect(reset).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining("It may take a minute or two") },
    });
    expect((await home.activeTokens()).body).toEqual({ active_tokens: 0 });
    expect((await call("POST", "reset_initial_state", { event_id: "nothing" })).status).toBe(200);
    expect((await home.increment(1)).body).toEqual({ serving_num: 1 });
  });

  test("makes tokens of another issuer and validity, which stay those of the visitor", async () => {
    const other = createHomeClient(origin, "other");
    const id = await other.assign();
    await other.privately("POST", "increment_serving_counter", { event_id: "other", increment_by: 1 });
    const values = { event_id: "other", request_id: id, issuer: "https://op.test", validity_period: 60 };
    const made = await call("POST", "generate_token", values);
    expect(made.status).toBe(200);
    const claims = decodeJwt(String(made.body.access_token));
    expect(claims.iss).toBe("https://op.test");
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
    expect(made.body.expires_in).toBeLessThanOrEqual(60);
    const again = await other.token(id);
    expect(again.body.access_token).toBe(made.body.access_token);
    for (const wrong of [{ validity_period: 0 }, { validity_period: "60" }, { issuer: "a b" }, { issuer: 5 }]) {
      expect((await call("POST", "generate_token", { ...values, ...wrong })).status).toBe(400);
    }
  });

  test("lists the ids whose tokens have expired, whatever became of the session, and gives the tokens again, expired", async () => {
    const short = createHomeClient(origin, "short");
    const id = await short.assign();
    await short.privately("POST", "increment_serving_counter", { event_id: "short", increment_by: 1 });
    const made = await short.token(id);
    expect(made.status).toBe(200);
    await expect.poll(async () => JSON.parse((await short.expiredTokens()).text)).toEqual([id]);
    const late = await short.token(id);
    expect(late).toMatchObject({ status: 200, body: { expires_in: 0, access_token: made.body.access_token } });
  });

  test.each([
    ["GET", "num_active_tokens", { event_id: "nothing" }, 400, { error: "Invalid event ID" }],
    ["GET", "expired_tokens", { event_id: "nothing" }, 400, { error: "Invalid event ID" }],
    ["GET", "num_active_tokens", {}, 400, { message: "Missing required request parameters: [event_id]" }],
    ["POST", "increment_serving_counter", { event_id: "nothing", increment_by: 1 }, 400, { error: "Invalid event ID" }],
    ["POST", "increment_serving_counter", { event_id: "Sample" }, 400, { message: "Invalid request body" }],
    [
      "POST",
      "increment_serving_counter",
      { event_id: "Sample", increment_by: 1.5 },
      400,
      { message: "Invalid request body" },
    ],
    [
      "POST",
      "increment_serving_counter",
      { event_id: "Sample", increment_by: 1e12 },
      400,
      { message: "Invalid request body" },
    ],
    [
      "POST",
      "update_session",
      { event_id: "Sample", request_id: "x", status: 1 },
      400,
      { error: "Invalid event or request ID" },
    ],
    ["POST", "generate_token", { event_id: "Sample", request_id: stray }, 400, { error: "Invalid request ID" }],
    ["POST", "nothing", {}, 403, { message: "Missing Authentication Token" }],
  ] as const)("answers %s %s %j: %d %j", async (method, name, values, status, body) => {
    const answer = await call(method, name, values);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("message" in body ? null : "*");
  });

  test("does for each key what its role and rooms allow", async () => {
    const [viewer, ofOther] = [clientOf(viewerKey), clientOf(otherKey)];
    expect((await call("GET", "num_active_tokens", { event_id: "Sample" }, viewer)).status).toBe(200);
    // It names ids.
    expect((await call("GET", "expired_tokens", { event_id: "Sample" }, viewer)).status).toBe(403);
    const step = { event_id: "Sample", increment_by: 1 };
    expect((await call("POST", "increment_serving_counter", step, viewer)).status).toBe(403);
    expect((await call("POST", "increment_serving_counter", step, ofOther)).status).toBe(403);
    expect((await call("POST", "reset_initial_state", { event_id: "nothing" }, ofOther)).status).toBe(403);
    const own = await call("POST", "increment_serving_counter", { ...step, event_id: "other" }, ofOther);
    expect(own.status).toBe(200);
  });

  test.each([
    ["another secret", { secretAccessKey: "x".repeat(40) }],
    ["an unknown key", { accessKeyId: "AKIDNOBODY" }],
    ["another service", { service: "s3" }],
    ["the credentials of a role", { sessionToken: "token" }],
  ])("refuses %s as an API Gateway does, without CORS", async (_, more) => {
    const answer = await call("GET", "num_active_tokens", { event_id: "Sample" }, clientOf(ownKey, more));
    expect([answer.status, answer.body]).toEqual([403, { message: expect.any(String) }]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("refuses a body or a query that is not the one that was signed, and a request of ten minutes ago", async () => {
    const url = `${origin()}${privatePath}/increment_serving_counter`;
    const signed = await clientOf(ownKey).sign(url, { method: "POST", body: '{"event_id":"Sample","increment_by":1}' });
    const swapped = { method: "POST", headers: signed.headers, body: '{"event_id":"Sample","increment_by":900}' };
    expect((await said(fetch(url, swapped))).status).toBe(403);
    const asked = await clientOf(ownKey).sign(`${origin()}${privatePath}/num_active_tokens?event_id=Sample`);
    const other = `${origin()}${privatePath}/num_active_tokens?event_id=other`;
    expect((await said(fetch(other, { headers: asked.headers }))).status).toBe(403);
    const old = new Date(Date.now() - 600_000).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
    const late = await clientOf(ownKey).sign(url, { method: "POST", body: "{}", aws: { datetime: old } });
    expect((await said(fetch(late))).body).toEqual({ message: expect.stringContaining("Signature expired") });
  });

  test("takes an admin key, as an API Gateway in front sends it, and nothing without a key", async () => {
    const url = `${origin()}${privatePath}/num_active_tokens?event_id=Sample`;
    const withKey = (key: string) => said(fetch(url, { headers: { Authorization: `Bearer ${key}` } }));
    expect((await withKey(ADMIN_KEY)).status).toBe(200);
    expect((await withKey("wrong")).status).toBe(403);
    expect(await said(fetch(url))).toMatchObject({ status: 403, body: { message: "Missing Authentication Token" } });
    const preflight = await fetch(url, { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });

  test("keeps secrets and ids out of the log", () => {
    const output = world()
      .gateways.map((gateway) => gateway.output())
      .join("");
    expect(output).toContain('"admin":"aws:AKIDEXAMPLE"');
    for (const secret of [secretAccessKey, viewerKey.secret_access_key, "Signature="])
      expect(output).not.toContain(secret);
  });
});

describe("a home whose resets take two people", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "tickets" }],
    config: { ...homeOf({ Sample: "tickets" }), admin: { four_eyes: ["reset"] } },
  }));

  test("resets for no key of its own", async () => {
    const home = createHomeClient(() => world().issuer);
    const id = await home.assign();
    const answer = await home.privately("POST", "reset_initial_state", { event_id: "Sample" });
    expect(answer.status).toBe(403);
    expect((await home.queueNum(id)).body).toMatchObject({ queue_number: 1 });
  });
});
