/**
 * Rooms that are made, changed and removed while two gateways on one Redis run: at both within a second or two, through a total
 * loss with a restart of everything, and removed with all that was theirs.
 */
import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { createVisitor } from "../../support/visitor.ts";
import { within } from "../../support/within.ts";
import { call as callClients, create as createClient, partyOf, syncedMs, via } from "../clients/run-time-world.ts";
import { ownDatabase } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const SCOPED_KEY = "key-of-the-box-office-only-0123456789";

describe("two gateways on one Redis", () => {
  const { store, database } = ownDatabase();
  const scoped = { id: "scoped", key_sha256: createHash("sha256").update(SCOPED_KEY).digest("hex"), rooms: ["filed"] };
  const world = useWorld(() => ({
    store,
    gateways: 2,
    rooms: [{ id: "filed" }],
    config: { admin: { keys: [scoped] } },
  }));
  afterAll(() => {
    for (const gateway of world().gateways) expect(gateway.output()).not.toMatch(/uncaught|unhandled|room\.failed/i);
  });

  const request = async (index: number, method: string, path: string, body?: object, key?: string) => {
    const { http, gateways } = world();
    const headers = { authorization: `Bearer ${key ?? ADMIN_KEY}` };
    const address = `${gateways[index]?.origin}${path}`;
    return http.request(address, { method, headers, ...(body !== undefined && { body }) });
  };
  const admin = (index: number, method: string, path: string, body?: object, key?: string) =>
    request(index, method, `/admin/rooms${path}`, body, key);
  const said = (answer: { json(): unknown }) => (answer.json() as { error_description: string }).error_description;

  /** Makes a room and waits until everybody may join it. */
  async function make(id: string, settings: object = {}) {
    const answer = await admin(0, "POST", "", { id, ...settings });
    if (answer.status !== 201) throw new Error(answer.body);
    for (const index of [0, 1]) {
      await expect
        .poll(async () => (await admin(index, "GET", `/${id}`)).json(), { timeout: 60_000, interval: 200 })
        .toMatchObject({ phase: "open", source: "admin_api" });
    }
    return answer;
  }

  async function join(index: number, room: string): Promise<{ ticket: string; position: number }> {
    const answer = await request(index, "POST", `/rooms/${room}/tickets`);
    expect(answer.status).toBe(201);
    return answer.json() as { ticket: string; position: number };
  }

  const place = async (index: number, room: string, ticket: string) =>
    request(index, "GET", `/rooms/${room}/tickets/me`, undefined, ticket);

  test("a room made at one is at the other; a client names it and its visitors log in; both kinds are patched live", async () => {
    const made = await make("tour", {
      title: "The tour",
      waiting_status: 202,
      targets: ["https://tour.example.test/"],
    });
    expect(made.header("location")).toBe("/admin/rooms/tour");
    expect(made.json()).toMatchObject({ room: "tour", source: "admin_api", issuer: world().issuer });
    const list = (await admin(1, "GET", "")).json() as { rooms: { room: string; source: string }[] };
    expect(list.rooms.map(({ room, source }) => `${room} ${source}`)).toEqual(["filed file", "tour admin_api"]);

    const client = await createClient(world(), 1, { client_id: "tour-site", room: "tour" });
    const party = partyOf(world(), 0, client);
    const visitor = createVisitor({ http: via(world(), 0) });
    await within(syncedMs, async () =>
      expect((await createVisitor({ http: via(world(), 0) }).navigate(party.startLogin().url)).status).toBe(202),
    );
    await admin(1, "POST", "/tour/serving", { increment_by: 10 });
    const tokens = await party.login(visitor);
    expect(tokens.claims).toMatchObject({ room: "tour", aud: "tour-site" });
    const link = await request(1, "GET", "/rooms/tour/enter?target=https://tour.example.test/");
    expect([link.status, link.header("location")]).toEqual([
      303,
      expect.stringContaining("https://tour.example.test/?usher_token="),
    ]);

    const changed = await admin(0, "PATCH", "/tour", {
      title: "Changed",
      waiting_status: 429,
      targets: ["https://new.example.test/"],
    });
    expect(changed.json()).toMatchObject({
      title: "Changed",
      settings_file: { title: "The tour", waiting_status: 202 },
      settings_live: { title: "Changed", waiting_status: 429 },
      document: { title: "The tour", targets: ["https://new.example.test/"] },
    });
    await within(syncedMs, async () => {
      expect((await request(1, "GET", "/rooms/tour/enter?target=https://tour.example.test/")).status).toBe(400);
      expect((await request(1, "GET", "/rooms/tour/enter?target=https://new.example.test/")).status).not.toBe(400);
    });
    expect(((await admin(1, "PATCH", "/tour", { title: null })).json() as { title: string }).title).toBe("The tour");
    expect(said(await admin(1, "PATCH", "/filed", { targets: [] }))).toBe(
      "targets: only the configuration file can set this",
    );
    const metrics = await request(1, "GET", "/metrics");
    expect(metrics.body).toContain('usher_phase{room="tour",phase="open"} 1');
    expect((await request(1, "GET", "/readyz")).status).toBe(200);
    expect(world().gateways[0]?.output()).toMatch(/"event":"room.created".*"room":"tour".*"admin":"env"/);
  });

  test("of changes at the same moment those that are refused change nothing of the room", async () => {
    await make("contested");
    const change = (n: number) =>
      admin(0, "PATCH", "/contested", { targets: [`https://${n}.example.test/`], max_waiting: n });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => change(11 + index)));
    const taken = answers.filter(({ status }) => status === 200);
    // How many find that another was first is a matter of chance.
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const isUpdate = (line: string) => line.includes('"room.updated"') && line.includes('"contested"');
    const updates = () => world().gateways[0]?.output().split("\n").filter(isUpdate).length;
    await expect.poll(updates).toBeGreaterThanOrEqual(taken.length);
    expect(updates()).toBe(taken.length);
  });

  test("all faults come at once, with their paths; what only the file can say is refused", async () => {
    const body = {
      id: "Bad Id",
      inlet: { type: "periodic", shared_outflow: "all" },
      theme: { colors: {} },
      language: "xx",
      colour: "red",
      admission: { duration: "soon" },
    };
    const answer = await admin(0, "POST", "", body);
    expect(answer.status).toBe(400);
    for (const part of [
      "id: expected a room id",
      "inlet.shared_outflow: only rooms of the configuration file share an outflow",
      "theme: only the configuration file can set this",
      "colour: unknown key",
      "admission.duration: expected a duration",
    ]) {
      expect(said(answer)).toContain(part);
    }
    expect(said(await admin(0, "POST", "", { id: "speaks", language: "xx" }))).toMatch(
      /^language: unknown language; allowed: /,
    );
    const audience = { id: "speaks", admission_token: { audience: "site-filed" } };
    expect(said(await admin(0, "POST", "", audience))).toMatch(
      /^admission_token.audience: is the client_id of a client/,
    );
    expect((await admin(0, "POST", "", { id: "speaks", issuer: "https://nowhere.example" })).status).toBe(400);
    expect((await admin(0, "GET", "/speaks")).status).toBe(404);
  });

  test("rooms of the file are neither made, redefined nor removed; a key of some rooms makes and removes none", async () => {
    const again = await admin(0, "POST", "", { id: "filed" });
    expect([again.status, said(again)]).toEqual([
      409,
      expect.stringContaining("the configuration file has a room of this id"),
    ]);
    for (const path of ["/filed", "/filed?force=true"]) {
      const removed = await admin(1, "DELETE", path);
      expect([removed.status, said(removed)]).toEqual([
        409,
        expect.stringContaining("is in the configuration file: change it there"),
      ]);
    }
    expect((await admin(1, "DELETE", "/no-such-room")).status).toBe(404);
    for (const [method, path] of [
      ["POST", ""],
      ["DELETE", "/filed"],
      ["DELETE", "/tour"],
    ] as const) {
      expect((await admin(0, method, path, method === "POST" ? { id: "mine" } : undefined, SCOPED_KEY)).status).toBe(
        403,
      );
    }
  });

  test("it survives a store that was emptied and a restart of everything: the room, its settings, its places", async () => {
    await make("kept", { title: "Kept" });
    await admin(0, "PATCH", "/kept", { message: "Hold on" });
    const joined = [await join(0, "kept"), await join(1, "kept"), await join(0, "kept")];
    expect(joined.map(({ position }) => position)).toEqual([1, 2, 3]);
    const { gateways } = world();
    await Promise.all(gateways.map((gateway) => gateway.halt()));
    await database().reset();
    await Promise.all(gateways.map((gateway) => gateway.start()));
    await Promise.all(gateways.map((gateway) => gateway.waitUntilReady()));
    for (const [index, { ticket, position }] of joined.entries()) {
      await expect
        .poll(async () => (await place(index % 2, "kept", ticket)).json())
        .toMatchObject({ state: "waiting", position });
    }
    expect((await admin(1, "GET", "/kept")).json()).toMatchObject({
      source: "admin_api",
      settings: { title: "Kept", message: "Hold on" },
    });
    expect((await join(1, "kept")).position).toBeGreaterThan(3);
  });

  test("it is not removed while clients name it, people wait or are in, unless that is asked for; then nothing is left", async () => {
    await make("gone");
    await make("stays");
    await createClient(world(), 0, { client_id: "of-both", room: undefined, rooms: ["gone", "stays"] });
    const named = await admin(1, "DELETE", "/gone");
    expect([named.status, said(named)]).toEqual([409, expect.stringContaining("clients name this room: of-both")]);
    const before = [await join(0, "gone"), await join(1, "gone")];
    await admin(0, "POST", "/gone/serving", { increment_by: 1 });
    const token = await request(0, "POST", "/rooms/gone/tickets/me/token", undefined, before[0]?.ticket);
    expect(token.status).toBe(200);
    const claimed = (token.json() as { ticket: string }).ticket;
    const busy = await admin(1, "DELETE", "/gone?force=false");
    expect([busy.status, said(busy)]).toEqual([409, expect.stringContaining("1 wait in this room, and 1 are in")]);
    expect((await admin(1, "DELETE", "/gone?force=true")).status).toBe(204);
    const keys = () => database().command("KEYS", "usher:{gone*") as Promise<string[]>;
    await within(2 * syncedMs, async () => {
      for (const index of [0, 1]) {
        expect((await admin(index, "GET", "/gone")).status).toBe(404);
        expect((await request(index, "GET", "/rooms/gone/status")).status).toBe(404);
      }
      expect(await keys()).toEqual([]);
    });
    expect((await callClients(world(), 1, "GET", "/of-both")).json()).toMatchObject({
      status: "active",
      settings: { rooms: ["stays"] },
    });

    // Another room of the same name: what the old one signed is worth nothing.
    await make("gone");
    expect((await keys()).length).toBeGreaterThan(0);
    for (const ticket of [before[0]?.ticket, before[1]?.ticket, claimed]) {
      for (const index of [0, 1]) expect((await place(index, "gone", ticket ?? "")).status).toBe(401);
      expect((await request(0, "POST", "/rooms/gone/tickets/me/token", undefined, ticket)).status).toBe(401);
    }
    expect((await admin(0, "GET", "/gone/admissions")).json()).toMatchObject({ admissions: [], next_cursor: null });
    expect((await join(1, "gone")).position).toBe(1);
    expect(world().gateways[1]?.output()).toMatch(/"event":"room.deleted".*"room":"gone"/);
  });
});
