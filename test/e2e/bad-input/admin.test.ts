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
        keys: [
          {
            id: "two-only",
            key_sha256: createHash("sha256").update(ROOM_KEY).digest("hex"),
            role: "admin",
            rooms: ["two"],
          },
        ],
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
      ["POST", "/admin/rooms/one/open"],
      ["POST", "/admin/rooms/one/alarm"],
      ["POST", "/admin/rooms/one/report"],
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
    expect([answer.status, answer.json()]).toMatchObject([
      403,
      { error: "forbidden", error_description: "this admin key is not for this room; it may see: two" },
    ]);
    expect((await call("POST", "/admin/rooms/two/serving", key, '{"increment_by":5}')).status).toBe(200);
  });

  test("a key of another room learns nothing of what is not its own, not even whether there is any", async () => {
    for (const [method, there, nowhere] of [
      ["GET", "/admin/rooms/one", "/admin/rooms/nowhere"],
      ["PATCH", "/admin/rooms/one", "/admin/rooms/nowhere"],
      ["POST", "/admin/rooms/one/reset", "/admin/rooms/nowhere/reset"],
      ["POST", "/admin/rooms/one/no-such-step", "/admin/rooms/nowhere/no-such-step"],
      ["POST", "/admin/rooms/one/bypass", "/admin/rooms/nowhere/bypass"],
      ["GET", "/admin/rooms/one/log", "/admin/rooms/nowhere/log"],
      ["GET", "/admin/rooms/one/log/head", "/admin/rooms/nowhere/log/head"],
      ["GET", "/admin/rooms/one/admissions", "/admin/rooms/nowhere/admissions"],
      ["PATCH", "/admin/rooms/one/admissions/x", "/admin/rooms/nowhere/admissions/x"],
      ["GET", "/admin/clients/site-one", "/admin/clients/nobody"],
      ["PATCH", "/admin/clients/site-one", "/admin/clients/nobody"],
      ["DELETE", "/admin/clients/site-one", "/admin/clients/nobody"],
      ["POST", "/admin/clients/site-one/secret", "/admin/clients/nobody/secret"],
      ["POST", "/admin/keys/no-such-key/promote", "/admin/keys/no-such-key/no-such-step"],
      ["GET", "/admin/keys", "/admin/keys?purpose=nothing"],
    ] as const) {
      const body = method === "GET" || method === "DELETE" ? undefined : "{}";
      const [known, unknown] = [await call(method, there, key, body), await call(method, nowhere, key, body)];
      expect([known.status, known.json()], there).toMatchObject([403, { error: "forbidden" }]);
      expect([unknown.status, unknown.body], nowhere).toEqual([403, known.body]);
    }
    expect((await call("GET", "/admin/clients/site-two", key)).status).toBe(200);
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
      [{ inlet: { type: "periodic" } }, "inlet.outflow_per_minute"],
      [{ inlet: { max_active: 5 } }, "inlet.max_active"],
      [{ inlet: { gate: { health_url: "ftp://a/" } } }, "inlet.gate"],
      [{ inlet: { shared_outflow: "shop" } }, "inlet.shared_outflow"],
      [{ inlet: { weight: 2 } }, "inlet.weight"],
      [{ schedule: { opens_at: "soon" } }, "schedule.opens_at"],
      [{ schedule: { opens_at: "2027-03-01T10:00" } }, "schedule.opens_at"],
      [{ schedule: { time_zone: "Europe/Berln" } }, "schedule.time_zone"],
      [{ schedule: { prequeue_at: "2027-03-01T10:00Z" } }, "schedule.opens_at"],
      [{ when_idle: "show" }, "when_idle"],
      [{ max_waiting: -1 }, "max_waiting"],
      [{ admission: { max_duration: "1m" } }, "admission.max_duration"],
      [{ admission: { duration: "20" } }, "duration"],
      [{ admission: { logins_per_admission: 0 } }, "logins_per_admission"],
      [{ colour: "blue" }, "colour"],
    ] as const) {
      const answer = await world().admin.request("PATCH", "/rooms/one", patch);
      expect(answer.status, field).toBe(400);
      expect((answer.json() as { error_description: string }).error_description).toContain(field);
    }
  });

  test("steps, alarms and reports of wrong shapes: 400 that names the field", async () => {
    for (const [path, body, field] of [
      ["end", { now: true }, "now"],
      ["alarm", {}, "set"],
      ["alarm", { set: "yes" }, "set"],
      ["load", {}, "latency_ms"],
      ["load", { latency_ms: "5" }, "latency_ms"],
      ["load", { latency_ms: -1 }, "latency_ms"],
      ["load", { error_rate: 1.5 }, "error_rate"],
      ["load", { signal: "maybe" }, "signal"],
      ["load", { latency: 5 }, "latency"],
      ["report", {}, "exited"],
      ["report", { exited: 0 }, "exited"],
      ["report", { exited: 1.5 }, "exited"],
      ["report", { completed: "a" }, "completed"],
      ["report", { completed: Array(1_001).fill("a") }, "completed"],
      ["report", { completed: ["a"], abandoned: [5] }, "abandoned[0]"],
      ["report", { completed: ["a"], revoked: ["a"] }, "revoked[0]"],
      ["report", { finished: ["a"] }, "finished"],
    ] as const) {
      const answer = await world().admin.request("POST", `/rooms/one/${path}`, body);
      expect([answer.status, answer.json()], field).toMatchObject([400, { error: "bad_request" }]);
      expect((answer.json() as { error_description: string }).error_description).toContain(field);
    }
    const load = await world().admin.request("POST", "/rooms/one/load", { signal: "off" });
    expect([load.status, load.json()]).toMatchObject([
      409,
      { error: "conflict", error_description: expect.stringMatching(/manual: only adaptive/) },
    ]);
    const status = await world().admin.request("PATCH", "/rooms/one/admissions/nobody", { status: "live" });
    expect([status.status, status.json()]).toMatchObject([
      400,
      { error_description: expect.stringMatching(/status.*revoked/) },
    ]);
    expect((await world().admin.request("GET", "/rooms/one")).json()).toMatchObject({ phase: "open", holds: [] });
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

  test("a wrong room or step: 404 that names the right ones", async () => {
    const tell = async (path: string) => (await world().admin.request("POST", path)).json();
    expect(await tell("/rooms/ones/pause")).toEqual({
      error: "unknown_room",
      error_description: "there is no room of this name (did you mean one?); this key may see: one, two",
    });
    expect(await tell("/rooms/one/puase")).toEqual({
      error: "not_found",
      error_description: expect.stringMatching(
        /^unknown step, did you mean pause\?; allowed: pause, resume, .*, report$/,
      ),
    });
  });

  test("every answer ends with a newline", async () => {
    const { request } = world().admin;
    const answers = [
      await request("GET", "/rooms"),
      await request("POST", "/rooms/two/serving", { increment_by: 1 }),
      await request("GET", "/rooms/nowhere"),
    ];
    for (const { body, header } of answers) {
      expect(body).toMatch(/[^\n]\n$/);
      expect(header("content-type")).toMatch(/^application\/json/);
    }
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

describe("what an operator does to a room", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: ["phases", "schedule", "alarm", "report", "exited"].map((id) => ({ id })),
  }));
  const read = async (room: string) => {
    const answer = await world().admin.request("GET", `/rooms/${room}`);
    return answer.json() as Record<string, unknown>;
  };
  /** Lets a visitor in and answers their `sub`. */
  const letIn = async (room: string) => {
    await world().admin.increment(room, 1);
    const { claims } = await world().relyingParty(room).login(world().visitor());
    return String(claims.sub);
  };

  test.each([
    ["prequeue", "prequeue"],
    ["open", "open"],
    ["passthrough", "passthrough"],
    ["idle", "idle"],
    ["end", "ended"],
    ["open", "open"],
  ])("POST %s puts it into the phase %s", async (step, phase) => {
    const answer = await world().admin.request("POST", `/rooms/phases/${step}`);
    expect([answer.status, answer.json()]).toMatchObject([200, { phase, serving: 0, queued: 0, waiting: 0 }]);
    expect(await read("phases")).toMatchObject({ phase, base_phase: phase, phase_reason: null });
  });

  test("an alarm holds it until it is over, and so does a pause besides", async () => {
    const alarm = async (set: boolean) => (await world().admin.request("POST", "/rooms/alarm/alarm", { set })).json();
    expect(await alarm(true)).toMatchObject({ phase: "paused" });
    expect(await read("alarm")).toMatchObject({
      phase: "paused",
      base_phase: "open",
      phase_reason: "alarm",
      holds: ["alarm"],
    });
    await world().admin.step("alarm", "pause");
    expect(await read("alarm")).toMatchObject({ phase_reason: "operator", holds: ["operator", "alarm"] });
    expect(await alarm(false)).toMatchObject({ phase: "paused" });
    await world().admin.step("alarm", "resume");
    expect(await read("alarm")).toMatchObject({ phase: "open", phase_reason: null, holds: [] });
  });

  test("a schedule is changed in the words of the file, and carried out at once", async () => {
    const schedule = { opens_at: "2031-05-10T10:00", ends_at: "2031-05-10T23:00+02:00", time_zone: "Europe/Berlin" };
    const changed = await world().admin.request("PATCH", "/rooms/schedule", { schedule, max_waiting: 5 });
    expect([changed.status, changed.json()]).toMatchObject([
      200,
      {
        prequeue_at: null,
        opens_at: "2031-05-10T08:00:00.000Z",
        ends_at: "2031-05-10T21:00:00.000Z",
        settings_live: {
          schedule: {
            opens_at: "2031-05-10T10:00:00+02:00",
            ends_at: "2031-05-10T23:00:00+02:00",
            time_zone: "Europe/Berlin",
          },
          max_waiting: 5,
        },
        settings_file: { schedule: { opens_at: null, ends_at: null } },
        warnings: [expect.stringMatching(/^schedule\.opens_at: .* will change nothing: the room is open already/)],
      },
    ]);
    // The zone is kept: another local time is of it.
    const moved = await world().admin.request("PATCH", "/rooms/schedule", {
      schedule: { ends_at: "2031-05-11T01:00" },
    });
    expect(moved.json()).toMatchObject({
      ends_at: "2031-05-10T23:00:00.000Z",
      settings: { schedule: { ends_at: "2031-05-11T01:00:00+02:00", time_zone: "Europe/Berlin" } },
      warnings: [],
    });
    const over = { opens_at: "2001-05-10T10:00Z", ends_at: "2001-05-10T11:00Z" };
    await world().admin.request("PATCH", "/rooms/schedule", { schedule: over });
    expect(await read("schedule")).toMatchObject({ phase: "ended", base_phase: "ended" });
  });

  test("a report ends admissions, says who is unknown, and may be repeated", async () => {
    const [done, gone, out, other] = [
      await letIn("report"),
      await letIn("report"),
      await letIn("report"),
      await letIn("exited"),
    ];
    const body = { completed: [done, done], abandoned: [gone, "nobody"], revoked: [out, other] };
    const expected = { exited: 0, completed: 1, abandoned: 1, revoked: 1, live_admissions: 0 };
    for (let time = 0; time < 2; time++) {
      const answer = await world().admin.request("POST", "/rooms/report/report", body);
      expect([answer.status, answer.json()]).toMatchObject([200, expected]);
      expect((answer.json() as { unknown: string[] }).unknown.sort()).toEqual(["nobody", other].sort());
    }
    expect(await read("report")).toMatchObject({ counts: { entered: 3, completed: 1, abandoned: 1, revoked: 1 } });
    // What has ended stays as it ended.
    const late = await world().admin.request("POST", "/rooms/report/report", { revoked: [done] });
    expect(late.json()).toMatchObject({ revoked: 0, unknown: [] });
    const list = await world().admin.request("GET", "/rooms/report/admissions");
    const { admissions } = list.json() as { admissions: { sub: string }[] };
    expect(admissions.find(({ sub }) => sub === out)).toMatchObject({
      status: "revoked",
      queue_position: 3,
      admitted_via: "queue",
    });
  });

  test("visitors who left unnamed are counted once for each Idempotency-Key", async () => {
    const sub = await letIn("exited");
    const live = async () => Number((await numbers(world(), "exited")).live_admissions);
    const before = await live();
    const once = { "idempotency-key": "left-at-noon" };
    for (let time = 0; time < 2; time++) {
      const answer = await world().admin.request("POST", "/rooms/exited/report", { exited: 1 }, once);
      expect([answer.status, answer.json()]).toMatchObject([200, { exited: 1, live_admissions: before - 1 }]);
    }
    const reused = await world().admin.request("POST", "/rooms/exited/report", { exited: 2, revoked: [sub] }, once);
    expect([reused.status, reused.json()]).toMatchObject([422, { error: "idempotency_key_reused" }]);
    expect(await live()).toBe(before - 1);
    // More than are in cannot have left.
    const left = await live();
    const all = await world().admin.request("POST", "/rooms/exited/report", { exited: left + 1_000 });
    expect(all.json()).toMatchObject({ exited: left, live_admissions: 0 });
  });

  test("an admission is revoked", async () => {
    const sub = await letIn("phases");
    const answer = await world().admin.request("PATCH", `/rooms/phases/admissions/${sub}`, { status: "revoked" });
    expect([answer.status, answer.json()]).toMatchObject([200, { sub, status: "revoked", admitted_via: "queue" }]);
  });
});
