/** Goal: the box office finds out how it stands with a visitor, over HTTP and by the command, and no ticket gets into an answer or the log. */

import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { runUsher } from "../../support/usher-command.ts";
import { within } from "../../support/within.ts";
import { memoryStore, useWorld, type World } from "../world.ts";

const keyOf = (id: string) => `key-of-${id}-0123456789abcdef`;
const keys = (["viewer", "box_office"] as const).map((role) => ({
  id: `${role}-of-one`,
  key_sha256: createHash("sha256").update(keyOf(role)).digest("hex"),
  role,
  rooms: ["one"],
}));

interface Found {
  state: string;
  sub: string | null;
  place: Record<string, unknown> | null;
  why: { code: string; values: Record<string, unknown>; text: string };
  availability: string;
  age_seconds: number;
}

const tickets: string[] = [];
async function join({ http, issuer }: World, room: string): Promise<{ ticket: string; position: number }> {
  const joined = (await http.request(`${issuer}/rooms/${room}/tickets`, { method: "POST" })).json();
  const { ticket, position } = joined as { ticket: string; position: number };
  tickets.push(ticket);
  return { ticket, position };
}

async function ask(world: World, key: string, room: string, ref: string) {
  const headers = { authorization: `Bearer ${key}` };
  return world.http.request(`${world.issuer}/admin/rooms/${room}/visitors/${ref}`, { headers });
}
async function show(world: World, key: string, room: string, body: object | string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return world.http.request(`${world.issuer}/admin/rooms/${room}/visitors/find`, { method: "POST", headers, body });
}
const describes = (answer: { status: number; body: string; json(): unknown }) => {
  expect(answer.status, answer.body).toBe(200);
  for (const ticket of tickets) expect(answer.body).not.toContain(ticket);
  return answer.json() as Found;
};
const refusal = (answer: { json(): unknown }) => (answer.json() as { error_description: string }).error_description;

describe("a gateway on the memory store", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "one" }, { id: "two" }, { id: "drawn", settings: { draw: { order: "random" } } }],
    config: { admin: { keys } },
  }));
  const desk = keyOf("box_office");
  const asked = async (ref: string, room = "one") => describes(await ask(world(), ADMIN_KEY, room, ref));
  const shown = async (ticket: string, room = "one") => describes(await show(world(), ADMIN_KEY, room, { ticket }));
  afterAll(() => {
    for (const { output } of world().gateways) {
      expect(output()).not.toMatch(/uncaught|unhandled/i);
      for (const ticket of tickets) expect(output()).not.toContain(ticket);
    }
  });

  test("follows a visitor from the line through the admission to its end, as the visitor's own page does", async () => {
    const { http, issuer, admin } = world();
    const { ticket, position } = await join(world(), "one");
    const headers = { authorization: `Bearer ${ticket}` };
    const own = async () => (await http.request(`${issuer}/rooms/one/tickets/me`, { headers })).json();
    const waiting = await shown(ticket);
    expect(waiting).toMatchObject({ state: "waiting", why: { code: "in_line", values: { ahead: 0 } } });
    expect(waiting.place).toEqual(await own());
    expect(await asked(String(position))).toMatchObject({ state: "waiting", sub: null, place: { position } });
    expect(await asked(waiting.sub ?? "")).toMatchObject({ state: "unknown", why: { code: "no_admission" } });

    await admin.step("one", "pause");
    expect((await shown(ticket)).why).toMatchObject({
      code: "paused",
      values: { by: "operator", since: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    await admin.step("one", "resume");
    await admin.increment("one", 1);
    expect(await shown(ticket)).toMatchObject({ state: "served", why: { code: "turn" } });
    const token = await http.request(`${issuer}/rooms/one/tickets/me/token`, { method: "POST", headers });
    const claimed = (token.json() as { ticket: string }).ticket;
    tickets.push(claimed);
    for (const found of [await shown(ticket), await shown(claimed), await asked(waiting.sub ?? ""), await asked("1")]) {
      expect(found).toMatchObject({ state: "admitted", sub: waiting.sub, admission: { status: "live" } });
      expect(found.why.text).toMatch(/^admitted through the queue at .*; 1 of 20 logins used; /);
    }
    await admin.request("PATCH", `/rooms/one/admissions/${waiting.sub}`, { status: "revoked" });
    expect(await shown(claimed)).toMatchObject({
      state: "expired",
      why: { code: "admission_ended", text: expect.stringContaining("an operator revoked it") },
    });
    await admin.step("one", "reset");
    const next = await join(world(), "one");
    await http.request(`${issuer}/rooms/one/tickets/me`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${next.ticket}` },
    });
    expect(await shown(next.ticket)).toMatchObject({ state: "waiting", may_also_be: ["left"] });
    await admin.step("one", "reset");
    expect(await shown(next.ticket)).toMatchObject({ state: "expired", why: { code: "reset" } });
  });

  test("the box office of the room may, a viewer and a key of another room may not", async () => {
    const { ticket } = await join(world(), "one");
    expect((await ask(world(), desk, "one", "1")).status).toBe(200);
    expect((await show(world(), desk, "one", { ticket })).status).toBe(200);
    for (const [key, room] of [
      [keyOf("viewer"), "one"],
      [desk, "two"],
    ] as const) {
      expect((await ask(world(), key, room, "1")).status).toBe(403);
      expect((await show(world(), key, room, { ticket })).status).toBe(403);
    }
  });

  test("a forged ticket gets one plain answer, one of another room or key the reason; who may not see that room learns nothing", async () => {
    const { ticket } = await join(world(), "one");
    const ofTwo = (await join(world(), "two")).ticket;
    const [kind, , payload, mac] = ticket.split(".");
    const plain = "ticket: this is no ticket of this room";
    const forged = [
      `${ticket.slice(0, -2)}${ticket.endsWith("AA") ? "BB" : "AA"}`,
      ticket.replace(/^w1/, "c1"),
      "w1.",
      "x",
      "eyJhbGciOiJFZERTQSJ9.e30.c2ln",
      "🎟️",
    ];
    for (const each of forged) {
      const answer = await show(world(), ADMIN_KEY, "one", { ticket: each });
      expect([answer.status, refusal(answer)], each).toEqual([400, plain]);
    }
    const unknownKey = [kind, "another", payload, mac].join(".");
    tickets.push(unknownKey);
    expect(await shown(unknownKey)).toMatchObject({ state: "unknown", why: { code: "unknown_key" }, place: null });
    expect(await shown(ofTwo)).toMatchObject({ state: "unknown", why: { values: { other_room: "two" } } });
    expect(refusal(await show(world(), desk, "one", { ticket: ofTwo }))).toBe(plain);
    const { sub } = await shown(ofTwo, "two");
    expect(await asked(sub ?? "")).toMatchObject({ state: "unknown", why: { code: "other_room" } });
  });

  test.each([
    ["0", /ref: expected a position, an entry number or a sub$/],
    ["-1", /ref: expected a position/],
    ["1e3", /ref: expected a position/],
    ["1".repeat(16), /ref: expected a position/],
    ["x".repeat(5_000), /ref: expected a position/],
    ["one.short", /ref: expected a position/],
    ["%00", /ref: expected a position/],
    ["place_expired", /the name of a problem, which many may meet; .* look in the log for the id beside it$/],
    ["1?by=place", /by: unknown kind; allowed: position, entry$/],
    ["one.AAAAAAAAAAAAAAAAAAAAAA?by=entry", /ref: expected a number from 1/],
    ["1?at=now", /unknown query parameter/],
  ])("%s is no visitor: the refusal says what to ask by", async (ref, message) => {
    const answer = await ask(world(), ADMIN_KEY, "one", ref);
    expect([answer.status, refusal(answer)]).toEqual([400, expect.stringMatching(message)]);
    expect(answer.body.length).toBeLessThan(1_000);
  });

  test.each([
    ["no body", "", /ticket: required/],
    ["a number", '{"ticket":1}', /ticket: /],
    ["a long text", JSON.stringify({ ticket: "w1.".padEnd(1_025, "a") }), /at most 1024 characters/],
    ["a sub beside it", '{"ticket":"w1.a","sub":"x"}', /sub: unknown key/],
  ])("%s is no ticket", async (_, body, message) => {
    const answer = await show(world(), ADMIN_KEY, "one", body);
    expect([answer.status, refusal(answer)]).toEqual([400, expect.stringMatching(message)]);
  });

  test("a ticket in an address is refused, and not logged with it", async () => {
    const { ticket } = await join(world(), "one");
    const answer = await ask(world(), ADMIN_KEY, "one", ticket);
    expect([answer.status, refusal(answer)]).toEqual([400, expect.stringMatching(/never into an address$/)]);
    expect(answer.body).not.toContain(ticket);
    await within(2_000, async () =>
      expect(world().gateways[0]?.output()).toContain('"path":"/admin/rooms/one/visitors","status":400'),
    );
  });

  test("an entry number is one until the draw, by whichever name", async () => {
    await world().admin.step("drawn", "prequeue");
    await within(5_000, async () => {
      const joined = await world().http.request(`${world().issuer}/rooms/drawn/tickets`, { method: "POST" });
      expect(joined.status).toBe(201);
    });
    for (const ref of ["1", "1?by=entry"]) {
      expect(await asked(ref, "drawn")).toMatchObject({
        state: "entered",
        why: { code: "draw_to_come" },
        place: { entry: 1, ahead: null },
      });
    }
    expect(await asked("1?by=position", "drawn")).toMatchObject({ state: "unknown", why: { code: "not_drawn" } });
  });

  test("each lookup is in the log: who asked, by what, for whom", async () => {
    const { ticket, position } = await join(world(), "two");
    const { sub } = await shown(ticket, "two");
    await asked(String(position), "two");
    const lines = () =>
      (world().gateways[0]?.output() ?? "")
        .split("\n")
        .filter((line) => line.includes('"visitor.looked_up"') && line.includes('"room":"two"'))
        .map((line) => JSON.parse(line) as object);
    await within(2_000, async () => {
      expect(lines()).toContainEqual(
        expect.objectContaining({ by: "ticket", sub, position, state: "waiting", admin: "env" }),
      );
      expect(lines()).toContainEqual(expect.objectContaining({ by: "number", sub: null, position, admin: "env" }));
    });
  });

  test("usher visitor prints it in words, takes a ticket from standard input alone, and names what is wrong", async () => {
    const { ticket, position } = await join(world(), "two");
    const env = { USHER_ADMIN: world().issuer, USHER_ADMIN_API_KEY: ADMIN_KEY };
    const usher = (args: readonly string[], input = "") => runUsher(["visitor", ...args], { env, input });
    const byNumber = await usher(["two", String(position)]);
    expect(byNumber).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^waiting \(or left: .*\)\n\nin line: /),
    });
    expect(byNumber.printed).toMatch(/^ahead +\d+$/m);
    const byTicket = await usher(["two", "-"], `${ticket}\n`);
    expect(byTicket).toMatchObject({ code: 0, printed: expect.stringMatching(/^sub +two\./m) });
    const json = await usher(["two", "-", "--json"], ticket);
    expect(JSON.parse(json.printed)).toMatchObject({ state: "waiting", place: { position } });
    await world().admin.increment("two", position);
    const called = await usher(["two", "-"], ticket);
    expect(called.printed).toMatch(/^served/);
    expect(called.printed).not.toMatch(/^ahead/m);
    const asArgument = await usher(["two", ticket]);
    expect(asArgument).toMatchObject({ code: 2, failure: expect.stringContaining("on standard input") });
    expect(asArgument.failure).not.toContain(ticket);
    expect(await usher(["two", "place_expired"])).toMatchObject({
      code: 1,
      failure: expect.stringMatching(/bad_request/),
    });
  });
});

describe("two gateways on a Redis that goes away", () => {
  const redis: { server?: RedisServer } = {};
  const world = useWorld(() => ({
    store: {
      name: "a Redis of its own",
      async start() {
        const server = await startRedis();
        redis.server = server;
        return { config: { type: "redis", url: server.url }, stop: () => server.stop() };
      },
    },
    gateways: 2,
    rooms: [{ id: "one" }],
  }));

  test("either tells what the other has done; then what was known last, and how old that is", async () => {
    const { http, gateways, issuer, admin } = world();
    const first = await join(world(), "one");
    const second = await join(world(), "one");
    await admin.increment("one", 1);
    const headers = { authorization: `Bearer ${first.ticket}` };
    const token = await http.request(`${issuer}/rooms/one/tickets/me/token`, { method: "POST", headers });
    expect(token.status, token.body).toBe(200);
    const at = (index: number) => ({ ...world(), issuer: gateways[index]?.origin ?? "" });
    const ofSecond = async () => describes(await show(at(1), ADMIN_KEY, "one", { ticket: second.ticket }));
    const byPosition = async () => describes(await ask(at(1), ADMIN_KEY, "one", "1"));
    const { sub } = await byPosition();
    expect(await byPosition()).toMatchObject({ state: "admitted", availability: "ready", admission: { sub } });
    expect(describes(await ask(at(1), ADMIN_KEY, "one", sub ?? ""))).toMatchObject({ state: "admitted" });
    expect(await ofSecond()).toMatchObject({ state: "waiting", why: { code: "in_line", values: { ahead: 0 } } });

    await redis.server?.kill();
    await within(10_000, async () => {
      const away = await ofSecond();
      expect(away).toMatchObject({ state: "waiting", availability: "away", why: { code: "store_away" } });
      expect(away.age_seconds).toBeGreaterThanOrEqual(2);
    });
    expect(await byPosition()).toMatchObject({ state: "admitted", availability: "away", sub });
  });
});
