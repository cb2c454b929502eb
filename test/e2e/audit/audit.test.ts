/**
 * Goal: every change and every refused attempt has a row, whichever gateway was asked; what was changed can be undone; the exported rows
 * can be checked. Method: two gateways on Redis, each asked in turn, by keys of each kind; the routes are those of the program's table.
 */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeTable } from "../../../scripts/lib/openapi/routes.ts";
import type { HttpResponse } from "../../support/http-client.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { runUsher } from "../../support/usher-command.ts";
import { redisStore } from "../redis-store.ts";
import { clientSecret, useWorld } from "../world.ts";

const keys = [
  { id: "chief", role: "admin" },
  { id: "own-operator", role: "operator", rooms: ["own"] },
  { id: "own-desk", role: "box_office", rooms: ["own"] },
  { id: "watcher", role: "viewer" },
] as const;
const keyOf = (id: string) => `key-of-${id}-0123456789abcdef`;

const world = useWorld(() => ({
  store: redisStore,
  gateways: 2,
  rooms: [{ id: "own" }, { id: "other" }, { id: "steps" }],
  config: {
    listen: { trusted_proxies: ["127.0.0.0/8"] },
    admin: {
      keys: keys.map(({ id, ...grant }) => ({
        id,
        key_sha256: createHash("sha256").update(keyOf(id)).digest("hex"),
        ...grant,
      })),
    },
  },
}));

interface Row {
  readonly seq: number;
  readonly kind: string;
  readonly principal: { readonly id: string } | null;
  readonly method: string;
  readonly route: string;
  readonly room: string | null;
  readonly changes: readonly { readonly member: string; readonly from?: unknown; readonly to?: unknown }[];
  readonly inverse: object | null;
  readonly request_id: string;
  readonly status: number;
  readonly error: string | null;
  readonly undoes: number | null;
  readonly unlogged?: number;
}

let asked = 0;
/** The gateway that made the last change: others see it within a second. */
let changedAt = 0;
const everything: string[] = [];

async function ask(id: string | null, method: string, path: string, body?: object, more: Record<string, string> = {}) {
  const gateway = method === "GET" ? changedAt : asked++ % 2;
  changedAt = gateway;
  const origin = world().gateways[gateway]?.origin;
  const authorization: Record<string, string> = id === null ? {} : { authorization: `Bearer ${keyOf(id)}` };
  const options = { method, headers: { ...authorization, ...more }, ...(body && { body }) };
  const answer = await world().http.request(`${origin}/admin${path}`, options);
  everything.push(answer.body);
  return answer;
}

const idOf = ({ headers }: HttpResponse) => String(headers["x-request-id"]);
const rowsOf = async (query = "", id = "chief", limit = 500) =>
  ((await ask(id, "GET", `/audit?limit=${limit}${query}`)).json() as { rows: Row[] }).rows;
/** The last ones. */
const latestRows = () => rowsOf("", "chief", 10);

async function rowOf(answer: HttpResponse): Promise<Row> {
  const found = (await latestRows()).filter((row) => row.request_id === idOf(answer));
  expect(found, `rows of ${answer.status} ${answer.body}`).toHaveLength(1);
  return found[0] as Row;
}

async function done(id: string, method: string, path: string, body?: object, more: Record<string, string> = {}) {
  const answer = await ask(id, method, path, body, more);
  expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300);
  return rowOf(answer);
}

const settingOf = async (room: string) =>
  (await ask("chief", "GET", `/rooms/${room}`)).json() as Record<string, Record<string, unknown> | undefined>;
const undo = (row: Row, id = "chief", more: Record<string, string> = {}) =>
  ask(id, "POST", `/audit/${row.seq}/undo`, undefined, more);

/** With these, routes get further than to what is wrong with a body. */
const bodies: Readonly<Record<string, object>> = {
  "PATCH /rooms/:room": { max_waiting: 77 },
  "POST /rooms": { id: "made-here", inlet: { type: "manual" } },
  "POST /rooms/:room/serving": { increment_by: 5 },
  "POST /rooms/:room/alarm": { set: true },
  "POST /rooms/:room/report": { exited: 1 },
  "POST /rooms/:room/load": { signal: "on" },
  "PATCH /rooms/:room/admissions/:sub": { status: "revoked" },
  "POST /clients": { client_id: "made-here", room: "own", redirect_uris: ["https://made.example.test/cb"] },
  "POST /keys": { purpose: "draw" },
  "POST /api-keys": { id: "made-here", role: "viewer" },
};

describe("rows", () => {
  test("every changing route of the table leaves one row, with who asked, and what for", async () => {
    const changing = routeTable.filter(({ method, role }) => method !== "GET" && role !== "viewer");
    expect(changing.length).toBeGreaterThan(25);
    const missing: string[] = [];
    for (const [index, { method, path }] of changing.entries()) {
      // Each from an address of its own: rows of failures are bounded by address.
      const address = `198.51.100.${index}`;
      const from = { "x-forwarded-for": address };
      const named = path.replace(":room", "own").replaceAll(/:\w+/g, "none");
      const answer = await ask("chief", method, named, bodies[`${method} ${path}`] ?? {}, from);
      const rows = (await latestRows()).filter((row) => row.request_id === idOf(answer));
      if (rows.length !== 1) missing.push(`${method} ${path} (${answer.status}): ${rows.length} rows`);
      expect(rows[0] ?? {}).toMatchObject({
        method,
        route: path,
        principal: { kind: "key", id: "chief", role: "admin" },
        address,
        status: answer.status,
        error: answer.status < 400 ? null : expect.any(String),
        ...(path.includes(":room") && { room: "own" }),
      });
    }
    expect(missing).toEqual([]);
  });

  test("say what was changed, old and new, and what was made", async () => {
    const row = await done("chief", "PATCH", "/rooms/other", { max_waiting: 40, title: "Two" });
    expect(row.changes).toEqual([
      { member: "/max_waiting", from: null, to: 40 },
      { member: "/title", from: "The room other", to: "Two" },
    ]);
    expect(await done("chief", "POST", "/rooms/other/reset")).toMatchObject({
      changes: [{ member: "/edition", from: expect.any(Number), to: expect.any(Number) }],
      inverse: null,
    });
  });

  test("say what was made, and what was removed, without what is secret", async () => {
    const all = (row: Row, side: "from" | "to") =>
      Object.fromEntries(row.changes.map((change) => [change.member, change[side]]));
    const client = { client_id: "said", room: "own", redirect_uris: ["https://said.example.test/cb"] };
    const ofClient = { "/client_id": "said", "/room": "own", "/redirect_uris": client.redirect_uris };
    const madeClient = await done("chief", "POST", "/clients", client);
    expect([madeClient, all(madeClient, "to")]).toMatchObject([{ subject: { made: "/clients/said" } }, ofClient]);
    expect(all(await done("chief", "DELETE", "/clients/said"), "from")).toEqual(all(madeClient, "to"));

    const key = { id: "said", role: "box_office", rooms: ["own"], expires_at: "2100-01-01T00:00:00Z" };
    const madeKey = await done("chief", "POST", "/api-keys", key);
    const ofKey = { "/role": "box_office", "/rooms": ["own"], "/expires_at": "2100-01-01T00:00:00.000Z" };
    expect(all(madeKey, "to")).toMatchObject(ofKey);
    expect(all(await done("chief", "DELETE", "/api-keys/said"), "from")).toMatchObject(ofKey);

    const room = { id: "said", title: "Said", inlet: { type: "manual" } };
    const ofRoom = { "/id": "said", "/title": "Said", "/inlet/type": "manual" };
    expect(all(await done("chief", "POST", "/rooms", room), "to")).toEqual(ofRoom);
    expect(all(await done("chief", "DELETE", "/rooms/said?force=true"), "from")).toEqual(ofRoom);

    const signing = await ask("chief", "POST", "/keys", { purpose: "signing" });
    const { kid } = signing.json() as { kid: string };
    expect(await done("chief", "POST", `/keys/${kid}/stage`)).toMatchObject({
      changes: [{ member: "/state", from: "new", to: "staged" }],
      inverse: null,
    });
  });

  test("of a webhook say all but its address, which is a secret at some receivers", async () => {
    const url = "https://hooks.slack.com/services/T0/B0/something-that-nobody-may-know";
    const made = await done("chief", "POST", "/webhooks", { url, types: ["usher.room.*"], note: "for the desk" });
    expect(made.changes).toContainEqual({ member: "/note", to: "for the desk" });
    expect(made.changes.find(({ member }) => member === "/url")?.to).toMatch(
      /^https:\/\/hooks\.slack\.com \(SHA-256 [0-9a-f]{12}…\)$/,
    );
    const path = String((made as unknown as { subject: { made: string } }).subject.made);
    const changed = await done("chief", "PATCH", path, { enabled: false, rooms: ["own"] });
    expect(changed.changes).toEqual([
      { member: "/enabled", from: true, to: false },
      { member: "/rooms", from: null, to: ["own"] },
    ]);
    expect((await undo(changed)).status).toBe(200);
    expect((await ask("chief", "GET", path)).json()).toMatchObject({ enabled: true, rooms: null, url });
    const moved = await done("chief", "PATCH", path, { url: `${url}-either` });
    expect([moved.changes.length, moved.inverse]).toEqual([1, null]);
    const removed = await done("chief", "DELETE", path);
    expect(removed.changes).toContainEqual({ member: "/note", from: "for the desk" });
    expect((await ask("chief", "GET", "/audit/export")).body).not.toContain("nobody-may-know");
  });

  test("of refused attempts: by a role, by rooms, by a wrong key, by none; reads leave none", async () => {
    const attempts = [
      [await ask("watcher", "POST", "/rooms/own/end"), { principal: { id: "watcher" }, error: "forbidden" }],
      [await ask("own-operator", "POST", "/rooms/other/end"), { room: "other", error: "forbidden", status: 403 }],
      [await ask(null, "POST", "/rooms/own/end"), { principal: null, error: "unauthorized", room: "own" }],
      [await ask("nobody", "GET", "/rooms/own"), { principal: null, error: "unauthorized", method: "GET" }],
    ] as const;
    for (const [answer, expected] of attempts) {
      await expect
        .poll(async () => (await latestRows()).find((row) => row.request_id === idOf(answer)))
        .toMatchObject(expected);
    }
    const reads = [
      await ask("chief", "GET", "/rooms"),
      await ask("watcher", "POST", "/rooms/own/forecast", { outflow_per_minute: 60 }),
      await ask("own-desk", "GET", "/clients"),
      await ask(null, "GET", "/rooms"),
    ];
    const ids = reads.map(idOf);
    expect((await rowsOf()).filter((row) => ids.includes(row.request_id))).toEqual([]);
  });

  test("a key for some rooms sees the rows of these alone; filters and pages", async () => {
    await done("own-operator", "PATCH", "/rooms/own", { max_waiting: 31 });
    const rows = await rowsOf("", "own-desk");
    expect(new Set(rows.map(({ room }) => room))).toEqual(new Set(["own"]));
    const [foreign] = await rowsOf("&room=other");
    expect((await ask("own-desk", "GET", `/audit/${foreign?.seq}`)).status).toBe(404);
    expect((await ask("own-desk", "POST", `/audit/${foreign?.seq}/undo`)).status).toBe(404);
    expect((await ask("chief", "GET", `/audit/${foreign?.seq}`)).json()).toEqual(foreign);
    const own = await rowsOf("&room=own&principal=own-operator&route=/rooms/:room&result=done");
    expect(own.map(({ changes }) => changes[0]?.to)).toEqual([31]);
    expect(await rowsOf("&from=2100-01-01T00:00:00Z")).toEqual([]);
    const pages: Row[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = (await ask("chief", "GET", `/audit?limit=25${cursor && `&cursor=${cursor}`}`)).json();
      const { rows: some, next_cursor } = page as { rows: Row[]; next_cursor: string | null };
      pages.push(...some);
      cursor = next_cursor;
    }
    const all = await rowsOf();
    expect(pages.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
    expect(all.at(-1)).toMatchObject({ seq: 1, kind: "begin" });
  });

  test.each([
    ["/audit?from=yesterday", "from:"],
    ["/audit?result=ok", "result:"],
    ["/audit?limit=0", "limit:"],
    ["/audit?cursor=x", "cursor:"],
    ["/audit?rooms=own", "did you mean room?"],
    ["/audit/export?room=own", "room"],
  ])("bad input: %s is refused with words", async (path, words) => {
    const { status, body } = await ask("chief", "GET", path);
    expect([status, body.includes(words)], body).toEqual([400, true]);
  });

  test.each(["0", "x", "-1", "99999999999999999", "1e3"])("there is no row %s", async (row) => {
    expect((await ask("chief", "GET", `/audit/${row}`)).status).toBe(404);
  });
});

describe("undo", () => {
  test("settings: what was changed at run time comes back, what is the file's is given back", async () => {
    await done("chief", "PATCH", "/rooms/steps", { max_waiting: 50 });
    const row = await done("chief", "PATCH", "/rooms/steps", { max_waiting: 60, message: "Hello", title: "Three" });
    const undone = await undo(row);
    expect([undone.status, undone.json()]).toEqual([200, { undone: row.seq, changes: expect.any(Array) }]);
    expect((await settingOf("steps")).settings_live).toEqual({ max_waiting: 50 });
    const ofUndo = await rowOf(undone);
    expect(ofUndo).toMatchObject({ room: "steps", undoes: row.seq, route: "/audit/:row/undo", error: null });
    // What was undone can be done again.
    expect((await undo(ofUndo)).status).toBe(200);
    expect((await settingOf("steps")).settings_live).toMatchObject({ max_waiting: 60, title: "Three" });
  });

  test("a setting of a group comes back, and what was set in the group since stays", async () => {
    const first = await done("chief", "PATCH", "/rooms/steps", { admission: { claim_within: "10m" } });
    await done("chief", "PATCH", "/rooms/steps", { admission: { logins_per_admission: 7 } });
    expect((await undo(first)).status).toBe(200);
    const { admission } = (await settingOf("steps")).settings_live ?? {};
    expect(admission).toEqual({ logins_per_admission: 7 });
    await done("chief", "PATCH", "/rooms/steps", { admission: null });
  });

  test("a message comes back as it was written, with its severity and languages, also none", async () => {
    const messages = [
      null,
      { severity: "warning", text: "Late" },
      { text: { en: "Late", de: "Spät" } },
      "Soon",
      { severity: "sold_out", text: { en: "Sold out" } },
      { severity: "warning", text: { de: "Spät" } },
    ];
    const shown = async () => (await settingOf("steps")).settings?.message;
    const rows: [Row, unknown][] = [];
    for (const message of messages) {
      const before = await shown();
      rows.push([await done("chief", "PATCH", "/rooms/steps", { message }), before]);
    }
    for (const [row, before] of rows.slice(1).toReversed()) {
      const undone = await undo(row);
      expect(undone.status, undone.body).toBe(200);
      expect(await shown()).toEqual(before);
    }
  });

  test("is refused where something else has changed the member since, and goes on where it changed another one", async () => {
    const row = await done("chief", "PATCH", "/rooms/steps", { max_waiting: 70 });
    await done("chief", "PATCH", "/rooms/steps", { title: "Four" });
    const later = await done("chief", "PATCH", "/rooms/steps", { max_waiting: 80 });
    const refused = await undo(row);
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining("set it to 70, and it is 80")]);
    expect((await undo(later)).status).toBe(200);
    expect((await undo(row)).status).toBe(200);
  });

  test.each([
    ["pause", "resume", "paused"],
    ["idle", "open", "idle"],
    ["end", "open", "ended"],
    ["passthrough", "open", "passthrough"],
  ])("%s: the room is as it was before", async (step, _back, phase) => {
    const before = (await settingOf("steps")).phase;
    const row = await done("chief", "POST", `/rooms/steps/${step}`);
    expect((await settingOf("steps")).phase).toBe(phase);
    const answer = await undo(row);
    expect(answer.status, answer.body).toBe(200);
    expect((await settingOf("steps")).phase).toBe(before);
  });

  test("resume, alarm, and a client's settings", async () => {
    await done("chief", "POST", "/rooms/steps/pause");
    const resumed = await done("chief", "POST", "/rooms/steps/resume");
    expect((await undo(resumed)).status).toBe(200);
    expect((await settingOf("steps")).phase).toBe("paused");
    await done("chief", "POST", "/rooms/steps/resume");
    const alarm = await done("chief", "POST", "/rooms/steps/alarm", { set: true });
    expect((await undo(alarm)).status).toBe(200);
    expect((await settingOf("steps")).holds).toEqual([]);
    const client = { client_id: "undone", room: "own", redirect_uris: ["https://undone.example.test/cb"] };
    await done("chief", "POST", "/clients", client);
    const patched = await done("chief", "PATCH", "/clients/undone", { login_timeout: "3m", room: "other" });
    expect((await undo(patched)).status).toBe(200);
    const shown = (await ask("chief", "GET", "/clients/undone")).json() as { document: object };
    expect(shown.document).toEqual(client);
  });

  test("is refused where the client or room is another one of the same id", async () => {
    /** A room that is made needs its moments until both gateways have it. */
    const settled = async (method: string, path: string, body?: object): Promise<Row> => {
      const answers: HttpResponse[] = [];
      const take = async () => answers.push(await ask("chief", method, path, body)) > 0 && answers.at(-1)?.status;
      await expect.poll(take, { timeout: 60_000, interval: 300 }).toSatisfy((status) => Number(status) < 300);
      return rowOf(answers.at(-1) as HttpResponse);
    };
    const client = { client_id: "reborn", room: "own", redirect_uris: ["https://reborn.example.test/cb"] };
    await done("chief", "POST", "/clients", client);
    const ofClient = await settled("PATCH", "/clients/reborn", { login_timeout: "3m" });
    await settled("DELETE", "/clients/reborn");
    await done("chief", "POST", "/clients", { ...client, login_timeout: "3m" });
    const room = { id: "reborn", inlet: { type: "manual" }, max_waiting: 40 };
    await done("chief", "POST", "/rooms", room);
    const settings = await settled("PATCH", "/rooms/reborn", { max_waiting: 50 });
    const pause = await settled("POST", "/rooms/reborn/pause");
    await settled("DELETE", "/rooms/reborn");
    await settled("POST", "/rooms", { ...room, max_waiting: 50 });
    await settled("POST", "/rooms/reborn/pause");
    for (const [row, what] of [
      [ofClient, "a client reborn"],
      [settings, "a room reborn"],
      [pause, "a room reborn"],
    ] as const) {
      const refused = await undo(row);
      expect([refused.status, refused.body]).toEqual([409, expect.stringContaining(`about ${what} that is no more`)]);
    }
    await settled("DELETE", "/clients/reborn");
    await settled("DELETE", "/rooms/reborn");
  });

  test("needs the role of the change itself, and says why not where there is no way back", async () => {
    const row = await done("chief", "PATCH", "/rooms/own", { max_waiting: 90 });
    expect((await undo(row, "own-desk")).status).toBe(403);
    expect((await undo(row, "watcher")).status).toBe(403);
    expect((await undo(row, "own-operator")).status).toBe(200);
    const reset = await done("chief", "POST", "/rooms/own/reset");
    const refused = await undo(reset);
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining("left no way back")]);
    const failed = await rowOf(await ask("chief", "PATCH", "/rooms/own", { max_waiting: -1 }));
    expect((await undo(failed)).body).toContain("was refused (bad_request)");
    expect((await ask("chief", "POST", "/audit/1/undo")).status).toBe(409);
  });
});

describe("a confirmation", () => {
  const prefer = { prefer: "confirmation" };
  const confirmationOf = (answer: HttpResponse) => {
    expect(answer.status, answer.body).toBe(428);
    return answer.json() as { would: string; confirm: string; expires_at: string };
  };

  test("is asked for with what would be done, and its token carries it out at any gateway", async () => {
    for (let i = 0; i < 3; i++) await world().http.request(`${world().issuer}/rooms/other/tickets`, { method: "POST" });
    const first = confirmationOf(await ask("chief", "POST", "/rooms/other/end", undefined, prefer));
    expect(first.would).toMatch(/^\d+ (people|person) would be turned away$/);
    expect((await settingOf("other")).phase).toBe("open");
    const reset = confirmationOf(await ask("chief", "POST", "/rooms/other/reset", undefined, prefer));
    expect(reset.would).toContain("would lose their places");
    await done("chief", "POST", "/rooms/other/end", undefined, { confirm: first.confirm });
    expect((await settingOf("other")).phase).toBe("ended");
    // For the phase that was: not after another one, nor after it has come back; and what was used works no more.
    await done("chief", "POST", "/rooms/other/open");
    for (const { confirm } of [first, reset]) {
      confirmationOf(await ask("chief", "POST", "/rooms/other/reset", undefined, { confirm }));
      confirmationOf(await ask("chief", "POST", "/rooms/other/end", undefined, { confirm }));
    }
    const again = confirmationOf(await ask("chief", "POST", "/rooms/other/end", undefined, prefer));
    await done("chief", "POST", "/rooms/other/end", undefined, { confirm: again.confirm });
    confirmationOf(await ask("chief", "POST", "/rooms/other/reset", undefined, { confirm: reset.confirm }));
  });

  test("is not asked for again where a request is repeated: it gets the stored answer, and carries nothing out", async () => {
    const headers = { ...prefer, "idempotency-key": "reset-once" };
    const { confirm } = confirmationOf(await ask("chief", "POST", "/rooms/steps/reset", undefined, headers));
    const first = await ask("chief", "POST", "/rooms/steps/reset", undefined, { ...headers, confirm });
    expect(first.status, first.body).toBe(200);
    for (const repeated of [{ ...headers, confirm }, headers]) {
      const answer = await ask("chief", "POST", "/rooms/steps/reset", undefined, repeated);
      expect([answer.status, answer.body]).toEqual([200, first.body]);
    }
    // Of another step the key is refused, and another request asks.
    const reused = await ask("chief", "POST", "/rooms/steps/passthrough", undefined, { ...headers, confirm });
    expect(reused.status, reused.body).toBe(422);
    confirmationOf(await ask("chief", "POST", "/rooms/steps/reset", undefined, { ...prefer, confirm }));
  });

  test("is for one key, one step and one room, and no other token passes", async () => {
    await done("chief", "POST", "/rooms/own/open");
    const { confirm } = confirmationOf(await ask("chief", "POST", "/rooms/own/passthrough", undefined, prefer));
    const headers = { confirm };
    confirmationOf(await ask("own-operator", "POST", "/rooms/own/passthrough", undefined, headers));
    confirmationOf(await ask("chief", "POST", "/rooms/own/end", undefined, headers));
    confirmationOf(await ask("chief", "POST", "/rooms/steps/passthrough", undefined, headers));
    for (const wrong of ["x", "a.b.c", `${confirm}x`, "x".repeat(5_000)]) {
      confirmationOf(await ask("chief", "POST", "/rooms/own/passthrough", undefined, { confirm: wrong }));
    }
    await done("chief", "POST", "/rooms/own/passthrough", undefined, headers);
    expect((await settingOf("own")).phase).toBe("passthrough");
  });
});

describe("the export", () => {
  let folder: TempDir;
  beforeAll(async () => {
    folder = await makeTempDir("audit");
  });
  afterAll(() => folder?.remove());

  const verify = async (lines: readonly string[]) => {
    const file = join(folder.path, "audit.ndjson");
    await writeFile(file, lines.join("\n"));
    const { printed, failure } = await runUsher(["verify-log", file]);
    return printed + failure;
  };

  test("is a chain that usher verify-log checks, of rows from both gateways; an altered row is found", async () => {
    const lines = (await ask("chief", "GET", "/audit/export")).body.trim().split("\n");
    expect(await verify(lines)).toContain("The chain holds.");
    const at = lines.findIndex((line) => line.includes('"max_waiting":77'));
    expect(at).toBeGreaterThan(0);
    expect(await verify(lines.with(at, (lines[at] ?? "").replace(":77", ":78")))).toContain(`line ${at + 1} `);
    const part = (await ask("own-desk", "GET", "/audit/export")).body;
    expect(part).not.toContain('"room":"other"');
    expect(part).not.toContain('"kind":"base"');
  });

  test("as a table has a line for each request that is asked for", async () => {
    const { body, headers } = await ask("chief", "GET", "/audit/csv?room=steps&result=done");
    expect(headers["content-type"]).toContain("text/csv");
    const rows = await rowsOf("&room=steps&result=done");
    expect(body.split("\r\n").filter((line) => /^\d+,/.test(line))).toHaveLength(rows.length);
  });

  test("nothing that any answer showed once is in a row or in the log, and no key", async () => {
    const secret = /"(?:secret|client_secret|confirm|url)":"([^"]+)"/g;
    const made = [...everything.join("\n").matchAll(secret)].map(([, value = ""]) => value);
    expect(made.length).toBeGreaterThan(4);
    const rows = (await ask("chief", "GET", "/audit/export")).body;
    const log = world()
      .gateways.map((gateway) => gateway.output())
      .join("");
    expect(log).toContain('"audit.row"');
    for (const value of [...made, ...keys.map(({ id }) => keyOf(id)), keyOf("nobody"), clientSecret("own")]) {
      expect(rows.includes(value), `${value} in rows`).toBe(false);
      expect(log.includes(value), `${value} in the log`).toBe(false);
    }
  });

  test("a flood of wrong keys leaves few rows, and the next one counts the rest", async () => {
    const unlogged = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + (row.unlogged ?? 0), 0);
    const before = await rowsOf();
    await Promise.all(Array.from({ length: 120 }, () => ask("nobody", "POST", "/rooms/own/end")));
    for (const room of ["own", "own", "steps", "steps"]) await done("chief", "PATCH", `/rooms/${room}`, {});
    const after = await rowsOf();
    expect(after.length - before.length).toBeLessThan(55);
    expect(unlogged(after) - unlogged(before)).toBeGreaterThan(60);
  });
});
