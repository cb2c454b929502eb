/** Goal: admin keys that are made at run time work at all gateways, as far as they reach and as long as they may, and outlive the store. */
import { afterAll, describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { runUsher } from "../../support/usher-command.ts";
import { within } from "../../support/within.ts";
import { ownRedis } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const syncedMs = 2_000;
const soon = { interval: 50 };

/** Another for each request: twenty wrong keys from one address are refused with 401, and further ones with 429. */
const addressOf = (index: number) => `198.18.${index >> 8}.${index & 255}`;

interface ApiKey {
  readonly id: string;
  readonly secret: string;
  readonly status: string;
}

describe("two gateways on one Redis", () => {
  const redis = ownRedis();
  const { store } = redis;
  const config = { listen: { trusted_proxies: ["127.0.0.1"] } };
  const world = useWorld(() => ({ store, gateways: 2, rooms: [{ id: "one" }, { id: "two" }], config }));
  const secrets: string[] = [];
  let asked = 0;
  afterAll(() => {
    for (const gateway of world().gateways) {
      expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
      for (const secret of secrets) expect(gateway.output()).not.toContain(secret.slice(6));
    }
  });

  async function ask(index: number, secret: string, method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${secret}`, "x-forwarded-for": addressOf(asked++) };
    const address = `${world().gateways[index]?.origin}/admin${path}`;
    return world().http.request(address, { method, headers, ...(body !== undefined && { body }) });
  }
  const manage = (index: number, method: string, path: string, body?: object) =>
    ask(index, ADMIN_KEY, method, `/api-keys${path}`, body);
  async function make(index: number, body: object): Promise<ApiKey> {
    const answer = await manage(index, "POST", "", body);
    if (answer.status !== 201) throw new Error(answer.body);
    const made = answer.json() as ApiKey;
    expect(answer.header("location")).toBe(`/admin/api-keys/${made.id}`);
    secrets.push(made.secret);
    return made;
  }
  const statusAt = async (index: number, secret: string, path = "/rooms/one") =>
    (await ask(index, secret, "GET", path)).status;

  test("a key that is made at one works at both, for its role and its rooms; its secret is shown once", async () => {
    const made = await make(0, { id: "desk", role: "box_office", rooms: ["one"], note: "the ticket desk" });
    expect(made).toEqual({
      id: "desk",
      source: "admin_api",
      status: "active",
      role: "box_office",
      rooms: ["one"],
      note: "the ticket desk",
      secrets: [{ created_at: expect.any(String), expires_at: null }],
      created_by: "env",
      created_at: expect.any(String),
      expires_at: null,
      secret: expect.stringMatching(/^usher_/),
    });
    expect(await statusAt(0, made.secret)).toBe(200);
    await within(syncedMs, async () => expect(await statusAt(1, made.secret)).toBe(200));
    for (const index of [0, 1]) {
      const patch = (room: string, body: object) => ask(index, made.secret, "PATCH", `/rooms/${room}`, body);
      expect((await patch("one", { message: "Hello" })).status).toBe(200);
      expect((await patch("two", { message: "Hello" })).status).toBe(403);
      expect((await patch("one", { max_waiting: 5 })).status).toBe(403);
      expect(await statusAt(index, made.secret, "/api-keys")).toBe(403);
    }
    const shown = await manage(1, "GET", "/desk");
    const { secret, ...rest } = made;
    expect([shown.json(), shown.body.includes(secret.slice(6))]).toEqual([rest, false]);
    const { keys } = (await manage(1, "GET", "")).json() as { keys: ApiKey[] };
    expect(keys).toEqual([expect.objectContaining({ id: "env", source: "file", role: "admin", rooms: null }), rest]);
  });

  test("an admin's key makes others and revokes them, itself too; one for some rooms makes none", async () => {
    const admin = await make(0, { role: "admin" });
    expect(admin.id).toMatch(/^key-[0-9a-f]{12}$/);
    const some = await make(0, { id: "some", role: "admin", rooms: ["one", "two"] });
    expect((await ask(0, some.secret, "POST", "/api-keys", { role: "viewer" })).status).toBe(403);
    expect((await ask(0, some.secret, "DELETE", "/api-keys/some")).status).toBe(403);
    const made = await ask(0, admin.secret, "POST", "/api-keys", { id: "theirs", role: "viewer" });
    expect(made.json()).toMatchObject({ id: "theirs", created_by: admin.id });
    secrets.push((made.json() as ApiKey).secret);
    expect((await ask(0, admin.secret, "DELETE", `/api-keys/${admin.id}`)).status).toBe(204);
    expect(await statusAt(0, admin.secret)).toBe(401);
    await expect.poll(() => statusAt(1, admin.secret), soon).toBe(401);
  });

  test("a rotated key works by both secrets until the overlap is over, at both", async () => {
    const { secret } = await make(0, { id: "turning", role: "viewer" });
    const rotated = (await manage(1, "POST", "/turning/rotate", { overlap: "6s" })).json() as Record<string, string>;
    expect(Date.parse(rotated.previous_secret_expires_at ?? "") - Date.now()).toBeLessThanOrEqual(6_000);
    secrets.push(rotated.secret ?? "");
    const statuses = () =>
      Promise.all([0, 1].flatMap((index) => [secret, rotated.secret ?? ""].map((each) => statusAt(index, each))));
    await expect.poll(statuses, soon).toEqual([200, 200, 200, 200]);
    await expect.poll(statuses, { interval: 500 }).toEqual([401, 200, 401, 200]);
    const now = (await manage(0, "POST", "/turning/rotate", { overlap: "0s" })).json() as Record<string, string>;
    secrets.push(now.secret ?? "");
    expect([await statusAt(0, rotated.secret ?? ""), await statusAt(0, now.secret ?? "")]).toEqual([401, 200]);
  });

  test("a key ends at its time", async () => {
    const expires_at = new Date(Date.now() + 3_000).toISOString();
    const { secret } = await make(0, { id: "brief", role: "viewer", expires_at });
    expect(await statusAt(0, secret)).toBe(200);
    await expect.poll(() => statusAt(0, secret), { interval: 300 }).toBe(401);
    expect((await manage(0, "GET", "/brief")).json()).toMatchObject({ status: "expired" });
    expect((await manage(0, "DELETE", "/brief")).status).toBe(204);
    expect((await manage(0, "GET", "/brief")).status).toBe(404);
  });

  test.each<[string, string, object | undefined, number, RegExp]>([
    ["POST", "", {}, 400, /role: required/],
    ["POST", "", { role: "operater" }, 400, /role: .*did you mean operator\?/],
    [
      "POST",
      "",
      { role: "viewer", rooms: ["on", "one"] },
      400,
      /rooms\[0\]: there is no such room \(did you mean one\?\)/,
    ],
    ["POST", "", { role: "viewer", rooms: [] }, 400, /rooms/],
    ["POST", "", { role: "viewer", rooms: "one" }, 400, /rooms/],
    ["POST", "", { role: "viewer", id: "../x" }, 400, /id: expected a name/],
    ["POST", "", { role: "viewer", id: "__proto__" }, 400, /id: expected a name/],
    ["POST", "", { role: "viewer", id: "x".repeat(65) }, 400, /id: expected a name/],
    ["POST", "", { role: "viewer", id: "env" }, 409, /the configuration has an admin key of this id/],
    ["POST", "", { role: "viewer", expires_at: "tomorrow" }, 400, /expires_at: expected a time/],
    ["POST", "", { role: "viewer", expires_at: "2031-01-01T10:00" }, 400, /expires_at: /],
    ["POST", "", { role: "viewer", expires_at: "2001-01-01T10:00Z" }, 400, /expires_at: .* is past/],
    ["POST", "", { role: "viewer", secret: "mine" }, 400, /secret: unknown key/],
    ["POST", "", { role: "viewer", note: "x".repeat(201) }, 400, /note: /],
    ["POST", "", { role: "viewer", note: "x".repeat(70_000) }, 413, /./],
    ["POST", "/nobody/rotate", {}, 404, /no admin key of this id/],
    ["POST", "/env/rotate", {}, 409, /in the configuration/],
    ["POST", "/env/rotate", { overlap: "31d" }, 400, /overlap: /],
    ["DELETE", "/env", undefined, 409, /in the configuration/],
    ["DELETE", "/nobody", undefined, 404, /no admin key of this id/],
    ["GET", "/constructor", undefined, 404, /no admin key of this id/],
    ["GET", "?limit=0", undefined, 400, /limit/],
  ])("%s %s %j is refused with %i, and changes nothing", async (method, path, body, status, message) => {
    const before = (await manage(0, "GET", "")).body;
    const answer = await manage(0, method, path, body);
    expect([answer.status, (answer.json() as { error_description: string }).error_description]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
    expect((await manage(0, "GET", "")).body).toBe(before);
  });

  test("each change is in the log, with who made it", async () => {
    await make(0, { id: "logged", role: "viewer" });
    const { secret } = (await manage(0, "POST", "/logged/rotate", {})).json() as ApiKey;
    secrets.push(secret);
    await manage(0, "DELETE", "/logged");
    const lines = () =>
      (world().gateways[0]?.output() ?? "")
        .split("\n")
        .filter((line) => line.includes('"key":"logged"'))
        .map((line) => JSON.parse(line) as { event: string; admin: string })
        .filter(({ event }) => event !== "audit.row")
        .map(({ event, admin }) => `${event} ${admin}`);
    await expect.poll(lines, soon).toEqual(["admin_key.created env", "admin_key.rotated env", "admin_key.revoked env"]);
  });

  test("at a terminal usher api-keys makes, lists, rotates and revokes them", async () => {
    const env = { PORT: String(world().gateways[0]?.port), USHER_ADMIN_API_KEY: ADMIN_KEY };
    const usher = (...args: string[]) => runUsher(["api-keys", ...args], { env });
    const secretIn = (text: string) => /not shown again: (usher_[\w-]{43})$/m.exec(text)?.[1] ?? "";
    const made = await usher("add", "--id", "term", "--role", "viewer", "--rooms", "one,two", "--note", "of a test");
    expect(made).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^term +viewer +one,two +active +admin_api/m),
    });
    expect(await statusAt(0, secretIn(made.printed))).toBe(200);
    const rotated = await usher("rotate", "term", "--overlap", "0s");
    expect(await statusAt(0, secretIn(made.printed))).toBe(401);
    expect(await statusAt(0, secretIn(rotated.printed))).toBe(200);
    secrets.push(secretIn(made.printed), secretIn(rotated.printed));
    const listed = await usher("list");
    expect(listed.printed).toMatch(/^env +admin +all +active +file/m);
    expect(listed.printed).toMatch(/^term +viewer +one,two +active +admin_api +- +env +of a test$/m);
    expect(await usher("revoke", "term")).toMatchObject({ code: 0, printed: "The key term is revoked." });
    expect(await usher("revoke", "term")).toMatchObject({ code: 1, failure: expect.stringMatching(/^not_found: /m) });
    expect(await usher("add", "--role", "king")).toMatchObject({ code: 1, failure: expect.stringMatching(/role: /) });
    expect(await usher("add")).toMatchObject({ code: 2, failure: expect.stringContaining("--role") });
  });

  test("known keys work while the store is away, and after it was emptied and everything started again", async () => {
    const { secret } = await make(0, { id: "lasting", role: "operator" });
    await expect.poll(() => statusAt(1, secret), soon).toBe(200);
    await redis.server().kill();
    for (const index of [0, 1]) expect(await statusAt(index, secret)).toBe(200);
    expect((await manage(0, "POST", "", { role: "viewer" })).status).toBe(503);
    // Redis keeps nothing here, so this empties it.
    await redis.server().restart();
    const make503 = async () => (await manage(1, "POST", "/lasting/rotate", {})).status;
    await expect.poll(make503, { interval: 200, timeout: 60_000 }).toBe(200);
    expect(await statusAt(0, secret)).toBe(200);

    await Promise.all(world().gateways.map((gateway) => gateway.halt()));
    await redis.server().command("FLUSHALL");
    await Promise.all(world().gateways.map((gateway) => gateway.start()));
    await Promise.all(world().gateways.map((gateway) => gateway.waitUntilReady()));
    for (const index of [0, 1]) await expect.poll(() => statusAt(index, secret), { interval: 100 }).toBe(200);
  }, 60_000);
});
