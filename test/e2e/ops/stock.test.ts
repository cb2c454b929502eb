/**
 * Goal: what the shop says at one gateway of what is left to sell, pages and programs read at the other; at zero the line ends once,
 * with one event, and goes on when something is left again. Method: two gateways on Redis, and the key of a shop for one room.
 */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const shopKey = "key-of-the-shop-0123456789abcdef";
const world = useWorld(() => ({
  store: redisStore,
  gateways: 2,
  rooms: [
    { id: "ends", settings: { stock: { show: "number", per_visitor: 2, returns: false } } },
    { id: "holds", settings: { stock: { show: "warning" } } },
    { id: "hidden" },
    { id: "later" },
    { id: "refused" },
  ],
  config: {
    admin: {
      keys: [
        { id: "chief", key_sha256: createHash("sha256").update(ADMIN_KEY).digest("hex") },
        {
          id: "shop",
          key_sha256: createHash("sha256").update(shopKey).digest("hex"),
          role: "box_office",
          rooms: ["ends", "holds", "hidden", "later", "refused"],
        },
      ],
    },
  },
}));
const origin = (index: number) => world().gateways[index]?.origin ?? "";

async function put(room: string, body: object, index = 0, headers: Record<string, string> = {}) {
  const answer = await world().http.request(`${origin(index)}/admin/rooms/${room}/stock`, {
    method: "PUT",
    headers: { authorization: `Bearer ${shopKey}`, ...headers },
    body,
  });
  return { status: answer.status, body: answer.json() as Record<string, unknown> };
}

async function read(path: string, index = 0): Promise<Record<string, unknown>> {
  return (await world().http.get(`${origin(index)}${path}`)).json() as Record<string, unknown>;
}
const statusAt = (room: string, index: number) => read(`/rooms/${room}/status`, index);
const asked = async (path: string) => (await world().admin.request("GET", path)).json() as Record<string, unknown>;

async function join(room: string, index = 0) {
  return world().http.request(`${origin(index)}/rooms/${room}/tickets`, { method: "POST" });
}

describe("the stock of a room", () => {
  test("is shown at every gateway, ends the line once at zero, and lets it go on", async () => {
    const visitor = world().visitor();
    const { url } = await world().relyingParty("ends").startLogin();
    await visitor.navigate(url);
    expect(await put("ends", { remaining: 9 }, 1)).toMatchObject({
      status: 200,
      body: { remaining: 9, phase: "open" },
    });
    await expect.poll(() => statusAt("ends", 0)).toMatchObject({ stock: { remaining: 9, enough_for: 4 } });
    expect(await asked("/rooms/ends")).toMatchObject({ stock: { remaining: 9, as_of: expect.any(String) } });

    const zeros = await Promise.all([0, 1, 0, 1].map((index) => put("ends", { remaining: 0 }, index)));
    for (const { body } of zeros) expect(body).toMatchObject({ remaining: 0, phase: "ended" });
    await expect.poll(() => statusAt("ends", 0)).toMatchObject({ phase: "ended", phase_reason: "sold_out" });
    expect((await join("ends")).json()).toMatchObject({ error: "room_closed" });
    const page = await visitor.navigate(url);
    expect(page.body).toMatch(/data-notice="sold_out".*data-phase="ended"/s);
    const told = await asked("/rooms/ends/events?type=usher.room.sold_out,usher.room.phase_changed");
    expect(told.events).toMatchObject([
      { type: "usher.room.phase_changed", data: { phase: "ended", reason: "sold_out" } },
      { type: "usher.room.sold_out", data: { room: "ends", returns: false } },
      { type: "usher.room.phase_changed", data: { before: null } },
    ]);
    const metrics = (await world().http.get(`${origin(1)}/metrics`, { authorization: `Bearer ${ADMIN_KEY}` })).body;
    expect(metrics).toContain('usher_sold_out{room="ends"} 1');
    expect(metrics).toContain('usher_stock_remaining{room="ends"} 0');
    const lines = () => world().gateways.map((gateway) => gateway.output().match(/"room\.sold_out"/g)?.length ?? 0);
    await expect.poll(lines).toEqual([1, 1]);

    expect((await put("ends", { remaining: 2 }, 1)).body).toMatchObject({ phase: "open" });
    await expect.poll(() => statusAt("ends", 0)).toMatchObject({ phase: "open", phase_reason: null });
    expect((await visitor.navigate(url)).body).toContain('data-position="1"');
  });

  test("holds the line where something may be returned, and says no number where only a warning is shown", async () => {
    await put("holds", { remaining: 3 });
    await expect.poll(() => statusAt("holds", 1)).toMatchObject({ stock: { remaining: null, enough_for: 3 } });
    await put("holds", { remaining: 0 });
    await expect.poll(() => statusAt("holds", 1)).toMatchObject({ phase: "paused", phase_reason: "sold_out" });
    expect((await join("holds", 1)).status).toBe(201);
    expect((await put("holds", { remaining: null })).body).toMatchObject({ remaining: null, phase: "open" });
    await expect.poll(() => statusAt("holds", 1)).toMatchObject({ phase: "open", stock: null });
  });

  test("is no business of visitors without a word of the operator", async () => {
    await put("hidden", { remaining: 4 });
    expect(await asked("/rooms/hidden")).toMatchObject({ stock: { remaining: 4 } });
    expect(await statusAt("hidden", 0)).toMatchObject({ stock: null });
  });

  test("takes the later of two that overtake each other, and a request once for its Idempotency-Key", async () => {
    const at = (second: number) => new Date(Date.now() - 60_000 + second * 1_000).toISOString();
    await put("later", { remaining: 8, as_of: at(2) });
    expect((await put("later", { remaining: 9, as_of: at(1) }, 1)).body).toMatchObject({ remaining: 8 });
    const once = { "idempotency-key": "once" };
    expect((await put("later", { remaining: 7 }, 0, once)).body).toMatchObject({ remaining: 7 });
    await put("later", { remaining: 6 });
    expect((await put("later", { remaining: 7 }, 1, once)).body).toMatchObject({ remaining: 7 });
    expect(await asked("/rooms/later")).toMatchObject({ stock: { remaining: 6 } });
    expect(await put("later", { remaining: 5 }, 1, once)).toMatchObject({
      status: 422,
      body: { error: "idempotency_key_reused" },
    });
  });

  test("leaves a row of the audit where it begins and ends, one a minute in between, and can be undone", async () => {
    for (const remaining of [12, 11, 10, 9, 0]) await put("refused", { remaining });
    const { rows } = await asked("/audit?room=refused&route=/stock&result=done");
    const shown = (rows as { changes: unknown[]; principal: { id: string }; seq: number }[]).map((row) => row.changes);
    expect(shown).toMatchObject([
      [
        { member: "/sold_out", from: false, to: true },
        { member: "/stock", from: 9, to: 0 },
      ],
      [{ member: "/stock", from: 12, to: 11 }],
      [{ member: "/stock", from: null, to: 12 }],
    ]);
    const [last] = rows as { seq: number }[];
    expect((await world().admin.request("POST", `/audit/${last?.seq}/undo`)).status).toBe(200);
    expect(await asked("/rooms/refused")).toMatchObject({ phase: "open", stock: { remaining: 9 } });
  });

  test.each([
    [{}, /remaining: required/],
    [{ remaining: -1 }, /from 0 to 1000000000/],
    [{ remaining: 1.5 }, /from 0 to 1000000000/],
    [{ remaining: "9" }, /without quotes/],
    [{ remaining: 1e10 }, /from 0 to 1000000000/],
    [{ remaining: 1, left: 2 }, /left: unknown key/],
    [{ remaining: 1, as_of: "2027-03-01T10:00" }, /as_of/],
    [[], /object/],
  ] as const)("refuses %j", async (body, message) => {
    const { status, body: refused } = await put("refused", body);
    expect([status, refused]).toEqual([
      400,
      expect.objectContaining({ error: "bad_request", error_description: expect.stringMatching(message) }),
    ]);
  });
});

describe("a message that it is sold out", () => {
  test.each([
    [{ text: "Gone", severity: "sold_out", returns: false }, "ended"],
    [{ text: "Gone", severity: "sold_out", returns: true }, "paused"],
    [{ text: "Gone", severity: "sold_out" }, "paused"],
    [{ text: "Nearly gone", severity: "warning" }, "open"],
    [null, "open"],
  ])("%j makes the room %s", async (message, phase) => {
    const changed = await world().admin.request("PATCH", "/rooms/hidden", { message });
    expect(changed.json()).toMatchObject({ phase, settings: { message } });
    await expect.poll(() => statusAt("hidden", 1)).toMatchObject({ phase });
  });

  test("says of nothing else whether something may be returned", async () => {
    const message = { text: "Soon", severity: "warning", returns: true };
    const { status, body } = await world().admin.request("PATCH", "/rooms/hidden", { message });
    expect([status, body]).toEqual([400, expect.stringContaining("message.returns: only with severity sold_out")]);
  });
});
