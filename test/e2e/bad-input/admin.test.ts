/** What wrong requests to the admin and public API get: a clear answer, and nothing changes. */
import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { createHttpClient } from "../../support/http-client.ts";
import { numbers } from "../line.ts";
import { memoryStore, useWorld } from "../world.ts";

const ROOM_KEY = "key-for-the-room-two-only-0123456789";

describe("bad requests to the API", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "one" }, { id: "two" }],
    config: {
      admin: {
        keys: [{ id: "two-only", key_sha256: createHash("sha256").update(ROOM_KEY).digest("hex"), rooms: ["two"] }],
      },
    },
  }));
  const call = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    world().http.request(`${world().issuer}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const key = { authorization: `Bearer ${ROOM_KEY}`, "content-type": "application/json" };
  afterEach(async () => expect(await numbers(world(), "one")).toMatchObject({ serving: 0, queued: 0 }));

  test.each([
    ["no key", {}],
    ["a wrong key", { authorization: "Bearer not-the-key-0123456789abcdef" }],
    ["an empty key", { authorization: "Bearer " }],
    ["another scheme", { authorization: `Basic ${Buffer.from("a:b").toString("base64")}` }],
  ])("%s: 401", async (_, headers) => {
    for (const [method, path] of [
      ["GET", "/admin/rooms"],
      ["GET", "/admin/rooms/one"],
      ["POST", "/admin/rooms/one/serving"],
      ["POST", "/admin/rooms/one/reset"],
      ["PATCH", "/admin/rooms/one"],
      ["GET", "/admin/rooms/one/admissions"],
      ["GET", "/admin/rooms/no-such-room"],
    ]) {
      const answer = await call(method ?? "", path ?? "", headers, method === "GET" ? undefined : "{}");
      expect([answer.status, answer.json()], `${method} ${path}`).toMatchObject([401, { error: "unauthorized" }]);
      expect(answer.header("www-authenticate")).toMatch(/^Bearer/);
      expect(answer.header("access-control-allow-origin")).toBeUndefined();
    }
  });

  test("a key of another room: 403", async () => {
    const answer = await call("POST", "/admin/rooms/one/serving", key, '{"increment_by":5}');
    expect([answer.status, answer.json()]).toMatchObject([403, { error: "forbidden" }]);
    expect((await call("POST", "/admin/rooms/two/serving", key, '{"increment_by":5}')).status).toBe(200);
  });

  test.each([
    ["broken JSON", '{"increment_by":', 400],
    ["a list", "[1]", 400],
    ["no field", "{}", 400],
    ["text for a number", '{"increment_by":"5"}', 400],
    ["a fraction", '{"increment_by":1.5}', 400],
    ["a number beyond all bounds", '{"increment_by":1e300}', 400],
    ["nothing at all", "null", 400],
    ["an unknown field", '{"increment_by":1,"incremnt":2}', 400],
  ])("%s as increment: 400, and the message names what is wrong", async (_, body, status) => {
    const headers = { ...key, authorization: `Bearer ${ROOM_KEY}` };
    const before = (await call("GET", "/admin/rooms/two", headers)).json();
    const answer = await call("POST", "/admin/rooms/two/serving", headers, body);
    const error = answer.json() as { error: string; error_description: string };
    expect([answer.status, error.error]).toEqual([status, "bad_request"]);
    if (body.startsWith("{") && body.endsWith("}")) expect(error.error_description).toMatch(/incremn?e?nt/);
    const after = (await call("GET", "/admin/rooms/two", headers)).json();
    expect((after as { serving: number }).serving).toBe((before as { serving: number }).serving);
  });

  test("a body that is not called JSON: 415; an oversize body: 413", async () => {
    const { request } = world().admin;
    const form = await request("POST", "/rooms/one/serving", new URLSearchParams({ increment_by: "5" }));
    expect([form.status, form.json()]).toMatchObject([415, { error: "unsupported_media_type" }]);
    const large = await request("POST", "/rooms/one/serving", { increment_by: 5, pad: "x".repeat(200_000) });
    expect([large.status, large.json()]).toMatchObject([413, { error: "body_too_large" }]);
  });

  test("a refused oversize body does not block the next request on the same connection", async () => {
    const http = createHttpClient({ connectionsMax: 1 });
    const large = `grant_type=authorization_code&code=${"x".repeat(300_000)}`;
    const headers = { ...key, "content-type": "application/x-www-form-urlencoded" };
    for (const path of ["/token", "/admin/rooms/two/serving", "/rooms/two/rejoin", "/authorize", "/logout"]) {
      const same = { ...headers, "sec-fetch-site": "same-origin" };
      const refused = await http.request(`${world().issuer}${path}`, { method: "POST", headers: same, body: large });
      expect(refused.status, path).toBeGreaterThanOrEqual(400);
      const next = await http.request(`${world().issuer}/healthz`, { timeoutMs: 3_000 });
      expect(next.status, `after ${path}`).toBe(200);
    }
    http.close();
  });

  test("settings of wrong types or unknown names: 400 that names the field", async () => {
    for (const [patch, field] of [
      [{ inlet: { type: "sideways" } }, "inlet"],
      [{ inlet: { outflow_per_minute: "many" } }, "outflow_per_minute"],
      [{ admission: { duration: "20" } }, "duration"],
      [{ admission: { logins_per_admission: 0 } }, "logins_per_admission"],
      [{ colour: "blue" }, "colour"],
    ] as const) {
      const answer = await world().admin.request("PATCH", "/rooms/one", patch);
      expect(answer.status, field).toBe(400);
      expect((answer.json() as { error_description: string }).error_description).toContain(field);
    }
  });

  test("unknown rooms: 404; wrong methods: 405", async () => {
    const { issuer, http, admin } = world();
    const unknown = [
      await admin.request("POST", "/rooms/nowhere/serving", { increment_by: 1 }),
      await admin.request("GET", "/rooms/nowhere"),
      await http.get(`${issuer}/rooms/nowhere/status`),
      await http.request(`${issuer}/rooms/nowhere/tickets`, { method: "POST" }),
      await http.get(`${issuer}/rooms/__proto__/status`),
      await http.get(`${issuer}/rooms/%2e%2e%2fadmin/status`),
    ];
    for (const answer of unknown) {
      expect([answer.status, answer.json()]).toMatchObject([404, { error: "unknown_room" }]);
      expect(answer.header("cache-control")).toContain("no-store");
    }
    const wrong = [
      await http.request(`${issuer}/rooms/one/status`, { method: "POST" }),
      await http.request(`${issuer}/rooms/one/tickets`, { method: "PUT" }),
      await admin.request("PUT", "/rooms/one"),
      await admin.request("GET", "/rooms/one/serving"),
    ];
    for (const answer of wrong) {
      expect([answer.status, answer.json()]).toMatchObject([405, { error: "method_not_allowed" }]);
      expect(answer.header("allow")).toBeDefined();
    }
    expect((await http.get(`${issuer}/nothing/here`)).json()).toMatchObject({ error: "not_found" });
  });

  test("an Idempotency-Key makes an increment safe to repeat, and is refused for another one", async () => {
    const { request } = world().admin;
    const once = { "idempotency-key": "the-same-step" };
    const first = await request("POST", "/rooms/two/serving", { increment_by: 7 }, once);
    const second = await request("POST", "/rooms/two/serving", { increment_by: 7 }, once);
    expect(second.json()).toEqual(first.json());
    const other = await request("POST", "/rooms/two/serving", { increment_by: 8 }, once);
    expect([other.status, other.json()]).toMatchObject([422, { error: "idempotency_key_reused" }]);
    expect(await numbers(world(), "two")).toMatchObject({ serving: (first.json() as { serving: number }).serving });
  });
});
