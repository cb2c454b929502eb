/** Server-sent events: two gateways on one Redis tell the same, to those who may see it, behind where a reader left off. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const barKey = "key-of-the-bar-0123456789abcdef0123";
const world = useWorld(async () => ({
  store: redisStore,
  gateways: 2,
  rooms: [{ id: "shop" }, { id: "bar" }],
  config: {
    admin: {
      keys: [
        { id: "bar", key_sha256: createHash("sha256").update(barKey).digest("hex"), rooms: ["bar"], role: "viewer" },
      ],
    },
  },
}));

interface Sse {
  readonly events: { id: string; type: string; subject: string; data: Record<string, unknown> }[];
  readonly id: string;
  readonly ended: Promise<void>;
  close(): void;
}

async function listen(gateway: number, query = "", key = ADMIN_KEY, lastEventId?: string): Promise<Sse> {
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${key}`, ...(lastEventId && { "last-event-id": lastEventId }) };
  const answer = await fetch(`${world().gateways[gateway]?.origin}/admin/events${query}`, {
    headers,
    signal: abort.signal,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  let text = "";
  const ended = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  return {
    get events() {
      return Array.from(text.matchAll(/^data: (.*)$/gm), ([, json = ""]) => JSON.parse(json));
    },
    get id() {
      return [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";
    },
    ended,
    close: () => abort.abort(),
  };
}

const typesOf = ({ events }: Sse, subject: string) =>
  events.filter((event) => event.subject === subject).map(({ type }) => type);

test("are the same at both gateways, once each, and in order", async () => {
  const streams = [await listen(0), await listen(1)];
  await world().admin.step("shop", "pause");
  await world().admin.change("shop", { max_waiting: 500 });
  await world().admin.step("shop", "resume");
  const expected = [
    "usher.room.hold_began",
    "usher.room.phase_changed",
    "usher.room.settings_changed",
    "usher.room.hold_ended",
    "usher.room.phase_changed",
  ];
  for (const stream of streams) await expect.poll(() => typesOf(stream, "rooms/shop")).toEqual(expected);
  const [one, two] = streams.map(({ events }) => events.filter(({ subject }) => subject === "rooms/shop"));
  expect(one).toEqual(two);
  expect(one?.[2]?.data.changes).toEqual({ max_waiting: { before: null, after: 500 } });

  // A reader of the one goes on at the other.
  const { id } = streams[0] as Sse;
  streams[0]?.close();
  await world().admin.step("shop", "pause");
  const next = await listen(1, "", ADMIN_KEY, id);
  await expect.poll(() => typesOf(next, "rooms/shop")).toEqual(expected.slice(0, 2));
  await world().admin.step("shop", "resume");
  await expect.poll(() => typesOf(next, "rooms/shop")).toEqual([...expected.slice(0, 2), ...expected.slice(3)]);
  for (const stream of [streams[1], next]) stream?.close();
});

test("of a client that was made are told once, without its secret, to those who may see all", async () => {
  const everything = await listen(0);
  const ofBar = await listen(1, "", barKey);
  const answer = await world().admin.request("POST", "/clients", {
    client_id: "made-here",
    redirect_uris: ["https://made.example/cb"],
    room: "bar",
  });
  expect(answer.status).toBe(201);
  const { client_secret: secret } = answer.json() as { client_secret: string };
  await world().admin.step("bar", "pause");
  const ofClient = () => everything.events.filter(({ subject }) => subject === "clients/made-here");
  await expect.poll(() => ofClient().length).toBe(1);
  await expect.poll(() => typesOf(ofBar, "rooms/bar").length).toBe(2);
  expect(ofClient()[0]).toMatchObject({ type: "usher.client.created", data: { client: "made-here" } });
  expect(ofBar.events.every(({ subject }) => subject === "rooms/bar")).toBe(true);
  expect(JSON.stringify(everything.events)).not.toContain(secret);
  everything.close();
  ofBar.close();
});

test("of admin keys and webhooks are told once, by whichever process, without a secret, and not to a key for some rooms", async () => {
  const everything = [await listen(0), await listen(1)];
  const ofBar = await listen(1, "", barKey);
  const admins = world().gateways.map(({ origin }) => createAdmin(world().http, origin));
  const secrets: string[] = [];
  const request = async (index: number, method: string, path: string, body?: object) => {
    const answer = await admins[index]?.request(method, path, body);
    expect(answer?.status, answer?.body).toBeLessThan(300);
    if (answer === undefined || answer.body === "") return "";
    const { id, secret } = answer.json() as { id: string; secret?: string };
    if (secret !== undefined) secrets.push(secret);
    return id;
  };
  await request(0, "POST", "/api-keys", { id: "told", role: "operator", rooms: ["bar"] });
  await request(1, "POST", "/api-keys/told/rotate", { overlap: "0s" });
  await request(0, "DELETE", "/api-keys/told");
  const url = "https://hooks.example.com/secret-path";
  const webhook = await request(1, "POST", "/webhooks", { url, enabled: false });
  await request(0, "PATCH", `/webhooks/${webhook}`, { note: "told" });
  await request(1, "POST", `/webhooks/${webhook}/secret`, { overlap: "1h" });
  await request(0, "DELETE", `/webhooks/${webhook}`);
  await world().admin.step("bar", "resume");
  await world().admin.step("bar", "pause");
  for (const stream of everything) {
    await expect
      .poll(() => typesOf(stream, "admin_keys/told"))
      .toEqual(["usher.admin_key.created", "usher.admin_key.rotated", "usher.admin_key.revoked"]);
    await expect
      .poll(() => typesOf(stream, `webhooks/${webhook}`))
      .toEqual(["usher.webhook.created", "usher.webhook.updated", "usher.webhook.updated", "usher.webhook.deleted"]);
    const told = JSON.stringify(stream.events);
    for (const secret of [...secrets, "secret-path"]) expect(told).not.toContain(secret);
    const [made] = stream.events.filter(({ subject }) => subject === "admin_keys/told");
    expect(made?.data).toEqual({ admin_key: "told", role: "operator" });
  }
  expect(secrets).toHaveLength(4);
  await expect.poll(() => typesOf(ofBar, "rooms/bar").length).toBeGreaterThan(0);
  expect(ofBar.events.every(({ subject }) => subject === "rooms/bar")).toBe(true);
  for (const stream of [...everything, ofBar]) stream.close();
});

test("of keys, clients and webhooks are told to admins alone, as their lists are", async () => {
  const { admin } = world();
  const made = await admin.request("POST", "/api-keys", { id: "watching", role: "operator" });
  const { secret } = made.json() as { secret: string };
  const ofAdmin = await listen(0);
  const ofOperator = await listen(0, "", secret);
  const chosen = await listen(0, "?type=usher.*", secret);
  await admin.request("POST", "/api-keys", { id: "unheard", role: "viewer" });
  await admin.request("DELETE", "/api-keys/unheard");
  await expect.poll(() => typesOf(ofAdmin, "admin_keys/unheard")).toContain("usher.admin_key.revoked");
  await admin.step("bar", "resume");
  await admin.step("bar", "pause");
  for (const stream of [ofOperator, chosen]) {
    await expect.poll(() => typesOf(stream, "rooms/bar")).toContain("usher.room.hold_began");
    expect(stream.events.filter(({ subject }) => !subject.startsWith("rooms/"))).toEqual([]);
  }
  for (const type of ["usher.webhook.*", "usher.room.*,usher.client.created"]) {
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(`${world().issuer}/admin/events?type=${type}`, { headers })).status, type).toBe(403);
  }
  for (const stream of [ofAdmin, ofOperator, chosen]) stream.close();
  await admin.request("DELETE", "/api-keys/watching");
});

test("end with the key of their reader", async () => {
  const made = await world().admin.request("POST", "/api-keys", { id: "reader", role: "viewer" });
  const { secret } = made.json() as { secret: string };
  const stream = await listen(0, "", secret);
  await world().admin.step("bar", "resume");
  await expect.poll(() => typesOf(stream, "rooms/bar")).toContain("usher.room.hold_ended");
  const before = stream.events.length;
  expect((await world().admin.request("DELETE", "/api-keys/reader")).status).toBe(204);
  await world().admin.step("bar", "pause");
  await stream.ended;
  expect(stream.events.slice(before).filter(({ subject }) => subject === "rooms/bar")).toEqual([]);
});

test("are chosen by room and type, and a choice of nothing is refused", async () => {
  const { admin } = world();
  const chosen = await listen(0, "?room=bar&type=usher.room.hold_*");
  await admin.step("shop", "pause");
  await admin.step("bar", "resume");
  await admin.step("bar", "pause");
  await expect
    .poll(() => chosen.events.map(({ type }) => type))
    .toEqual(["usher.room.hold_ended", "usher.room.hold_began"]);
  chosen.close();
  for (const [path, status, says] of [
    ["/events?type=usher.room.opened", 400, "there are no events usher.room.opened"],
    ["/events?room=nowhere", 404, "no room"],
    ["/events?rooms=bar", 400, "room"],
  ] as const) {
    const answer = await admin.request("GET", path);
    expect([answer.status, answer.body.includes(says)], path).toEqual([status, true]);
  }
  const wrong = await admin.request("GET", "/events", undefined, { "last-event-id": "x" });
  expect(wrong.status).toBe(400);
  const foreign = await fetch(`${world().issuer}/admin/events?room=shop`, {
    headers: { authorization: `Bearer ${barKey}` },
  });
  expect(foreign.status).toBe(403);
});

test("that are kept are read in pages, the latest first, at any gateway, by those who may see the room", async () => {
  const page = async (gateway: number, query: string, key = ADMIN_KEY, room = "shop") => {
    const address = `${world().gateways[gateway]?.origin}/admin/rooms/${room}/events${query}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, body: (await answer.json()) as Page };
  };
  interface Page {
    readonly events: { id: string; type: string; time: string }[];
    readonly next_cursor: string | null;
  }
  const admin = createAdmin(world().http, world().gateways[0]?.origin ?? "");
  await admin.step("shop", "pause");
  await admin.step("shop", "resume");
  const phases = "?type=usher.room.phase_changed";
  const whole = (await page(1, phases)).body;
  expect(whole.next_cursor).toBeNull();
  expect(whole.events.length).toBeGreaterThanOrEqual(3);
  expect(whole.events.map(({ time }) => time)).toEqual(
    whole.events
      .map(({ time }) => time)
      .toSorted()
      .reverse(),
  );
  const paged: Page["events"] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body }: { body: Page } = await page(0, `${phases}&limit=2${cursor && `&cursor=${cursor}`}`);
    paged.push(...body.events);
    cursor = body.next_cursor;
  }
  expect(paged).toEqual(whole.events);
  expect(new Set(whole.events.map(({ type }) => type))).toEqual(new Set(["usher.room.phase_changed"]));
  expect((await page(0, "", barKey)).status).toBe(403);
  expect((await page(0, "", barKey, "bar")).status).toBe(200);
  expect((await page(0, "?type=usher.key.*", barKey, "bar")).status).toBe(403);
  for (const wrong of ["?type=usher.nothing", "?limit=0", "?limit=501", "?cursor=x", "?since=1"])
    expect((await page(0, wrong)).status, wrong).toBe(400);
});

test("end when the gateway stops, for their readers to go to another", async () => {
  await world().admin.step("shop", "pause");
  const stream = await listen(1);
  await expect.poll(() => stream.id).not.toBe("");
  const stopped = world().gateways[1]?.halt();
  await stream.ended;
  await world().admin.step("shop", "resume");
  const next = await listen(0, "", ADMIN_KEY, stream.id);
  await expect.poll(() => typesOf(next, "rooms/shop")).toContain("usher.room.hold_ended");
  await expect.poll(() => next.events.map(({ type }) => type)).not.toEqual([]);
  next.close();
  await stopped;
});
