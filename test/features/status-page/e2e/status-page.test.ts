/**
 * The public status page of two processes on one Redis: what everybody may read of rooms and incidents, alike at both. A store that is emptied,
 * away and back, and restarts of everything, are in the long test.
 */
import { afterAll, describe, expect, test } from "vitest";
import { redisStore } from "../../../e2e/redis-store.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { freePort } from "../../../support/ports.ts";
import { within } from "../../../support/within.ts";
import { at, config, open, ownKey, page, rooms, slow, syncedMs, told, viewerKey } from "./incidents.ts";

describe("two gateways on one Redis", () => {
  const world = useWorld(() => ({ store: redisStore, gateways: 2, rooms, config }));
  afterAll(() => {
    for (const gateway of world().gateways) expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
  });

  test("the page is for everybody and for caches: no cookie, the same bytes at both, and nothing when nothing is new", async () => {
    const known = { cookie: "usher.language=de; usher-tickets=x", "accept-language": "de" };
    const answer = await at(world(), 0, "/status", known);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "public, max-age=10, s-maxage=10, stale-while-revalidate=30, stale-if-error=86400",
      "content-type": "text/html; charset=utf-8",
      "content-language": "en",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    const html = await answer.text();
    expect(html).toContain("The room tickets");
    // Once the minute is the same at both.
    await within(syncedMs, async () => expect(await page(world(), 1)).toBe(await page(world(), 0)));
    await within(syncedMs, async () => {
      const etag = (await at(world(), 0, "/status")).headers.get("etag") ?? "";
      // Not by fetch, which says that it wants no answer of a cache.
      const known = await world().http.get(`${world().gateways[1]?.origin}/status`, { "if-none-match": etag });
      expect([known.status, known.body]).toEqual([304, ""]);
    });
    const head = await fetch(`${world().issuer}/status`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(await page(world(), 0, "?language=de")).toContain('<html lang="de"');
    expect(await page(world(), 0, "?language=%3Cscript%3E&language=de")).toContain('<html lang="en"');
    expect((await fetch(`${world().issuer}/status`, { method: "POST" })).status).toBe(405);
    const json = await at(world(), 0, "/status.json", { origin: "https://elsewhere.example" });
    expect([json.headers.get("access-control-allow-origin"), json.headers.get("etag")]).toEqual([
      "*",
      expect.stringMatching(/^W\/"/),
    ]);
  });

  test("only rooms that are named are shown, with what their public status says", async () => {
    const { rooms: shown } = await told(world(), 0);
    expect(shown).toMatchObject([
      { room: "tickets", phase: "open", availability: "ready" },
      { room: "soon", phase: "idle", opens_at: "2099-01-01T10:00:00.000Z" },
    ]);
    expect(await page(world(), 0)).not.toContain("The room secret");
    await world().admin.step("tickets", "pause");
    await within(syncedMs, async () => expect(await page(world(), 1)).toContain("The organiser has paused the line"));
    await world().admin.step("tickets", "resume");
    await within(syncedMs, async () => expect(await told(world(), 1)).toMatchObject({ well: true }));
    expect(await page(world(), 1)).toContain("Everything works.");
  });

  test("an incident that is opened at one is on the page of the other within seconds, with its updates, until it is resolved and after", async () => {
    const id = await open(world(), { rooms: ["tickets", "secret"] });
    await within(syncedMs, async () => {
      expect((await told(world(), 1)).incidents).toMatchObject([{ id, state: "investigating", rooms: ["tickets"] }]);
    });
    const html = await page(world(), 1);
    for (const words of [slow.title, slow.text, "Being investigated", "Affected: The room tickets"])
      expect(html).toContain(words);
    expect(html).not.toContain("Everything works.");
    const update = { text: "The bank answers late.", state: "identified" };
    const added = await world().admin.request("POST", `/incidents/${id}/updates`, update);
    expect([added.status, added.json()]).toMatchObject([201, { state: "identified", updates: [{}, update] }]);
    await world().admin.request("POST", `/incidents/${id}/updates`, { text: "Quick again.", state: "resolved" });
    await within(syncedMs, async () => {
      expect(await told(world(), 1)).toMatchObject({ well: true, incidents: [{ id, state: "resolved" }] });
    });
    expect(await page(world(), 1)).toContain("Resolved in the last 14 days");
    expect((await world().admin.request("DELETE", `/incidents/${id}`)).status).toBe(204);
    await within(syncedMs, async () => expect((await told(world(), 1)).incidents).toEqual([]));
    expect((await world().admin.request("GET", `/incidents/${id}`)).status).toBe(404);
  });

  test("one of a room that is not shown is not shown either; one of all rooms is", async () => {
    const ids = [
      await open(world(), { rooms: ["secret"], title: "Of the secret room" }),
      await open(world(), { rooms: null }),
    ];
    await within(syncedMs, async () =>
      expect((await told(world(), 0)).incidents).toMatchObject([{ id: ids[1], rooms: null }]),
    );
    expect(await page(world(), 0)).not.toContain("Of the secret room");
    for (const id of ids) await world().admin.request("DELETE", `/incidents/${id}`);
  });

  test("each step is in the audit, and is told as an event", async () => {
    const { origin = "" } = world().gateways[1] ?? {};
    const headers = { authorization: `Bearer ${viewerKey}` };
    const stream = await fetch(`${origin}/admin/events?type=usher.incident.*`, { headers });
    const id = await open(world());
    await world().admin.request("POST", `/incidents/${id}/updates`, { text: "Quick again.", state: "resolved" });
    await world().admin.request("DELETE", `/incidents/${id}`);
    const { rows } = (await world().admin.request("GET", "/audit?limit=3")).json() as { rows: object[] };
    expect(rows).toMatchObject([
      { method: "DELETE", route: "/incidents/:incident", subject: { incident: id }, status: 204 },
      {
        method: "POST",
        route: "/incidents/:incident/updates",
        changes: expect.arrayContaining([{ member: "/state", from: "investigating", to: "resolved" }]),
      },
      { method: "POST", route: "/incidents", subject: { made: `/incidents/${id}` }, status: 201 },
    ]);
    let told = "";
    for await (const piece of stream.body ?? []) {
      told += Buffer.from(piece).toString();
      if (new RegExp(`"usher.incident.deleted".*${id}`).test(told)) break;
    }
    const events = [...told.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
    const { title } = slow;
    // What the tests before did may still be told.
    const own = events.filter(({ subject }) => subject === `incidents/${id}`);
    expect(own.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: "usher.incident.opened",
        data: { incident: id, title, state: "investigating" },
      },
      { type: "usher.incident.resolved", data: { incident: id, title, state: "resolved" } },
      { type: "usher.incident.deleted", data: { incident: id } },
    ]);
  });

  test("words that are none are refused, all at once, and nothing is changed", async () => {
    const refuse = async (body: object, ...paths: string[]) => {
      const answer = await world().admin.request("POST", "/incidents", body);
      expect([answer.status, answer.json()]).toMatchObject([
        400,
        { faults: paths.map((path) => expect.objectContaining({ path })) },
      ]);
    };
    await refuse({}, "title", "text");
    await refuse({ ...slow, title: "x".repeat(151), text: "\u0000" }, "title", "text");
    await refuse({ ...slow, text: "x".repeat(2_001) }, "text");
    await refuse({ ...slow, state: "resolved" }, "state");
    await refuse({ ...slow, language: "no tag" }, "language");
    await refuse({ ...slow, rooms: [] }, "rooms");
    await refuse({ ...slow, rooms: ["none"] }, "rooms");
    await refuse({ ...slow, html: "<b>" }, "html");
    for (const id of ["none", "__proto__", "constructor"]) {
      const answer = await world().admin.request("POST", `/incidents/${id}/updates`, { text: "More." });
      expect(answer.status).toBe(404);
    }
    expect((await world().admin.request("GET", "/incidents")).json()).toEqual({ incidents: [], next_cursor: null });
  });

  test("a viewer reads and does not write; an operator of one room does neither", async () => {
    const ask = async (key: string, method: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = method === "POST" ? { body: JSON.stringify(slow) } : {};
      return (await fetch(`${world().issuer}/admin/incidents`, { method, headers, ...body })).status;
    };
    expect([await ask(viewerKey, "GET"), await ask(viewerKey, "POST")]).toEqual([200, 403]);
    expect([await ask(ownKey, "GET"), await ask(ownKey, "POST")]).toEqual([403, 403]);
  });
});

describe("several issuers", () => {
  const port = freePort();
  const client = (room: string) => ({
    client_id: `site-${room}`,
    client_secret: `secret-of-the-site-${room}-0123456789`,
    redirect_uris: [`https://${room}.example.test/callback`],
    room,
  });
  const world = useWorld(async () => ({
    store: memoryStore,
    rooms: [],
    ports: [await port],
    config: {
      rooms: undefined,
      clients: undefined,
      issuers: [
        {
          issuer: `http://localhost:${await port}`,
          rooms: [{ id: "shoes" }],
          clients: [client("shoes")],
          status_page: { enabled: true },
        },
        { issuer: `http://127.0.0.1:${await port}`, rooms: [{ id: "hats" }], clients: [client("hats")] },
      ],
    } as never,
  }));

  test("each has a page of its own rooms, or none", async () => {
    const address = await port;
    const hats = await fetch(`http://127.0.0.1:${address}/status`);
    expect([hats.status, (await fetch(`http://127.0.0.1:${address}/status.json`)).status]).toEqual([404, 404]);
    await open(world(), { rooms: ["hats"] });
    const own = await open(world(), { rooms: ["shoes", "hats"] });
    await within(syncedMs, async () => {
      expect(await told(world(), 0)).toMatchObject({
        rooms: [{ room: "shoes" }],
        incidents: [{ id: own, rooms: ["shoes"] }],
      });
    });
  });
});
