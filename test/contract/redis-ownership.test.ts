/**
 * Goal: a store is of one installation. Another one that is given it by mistake writes nothing there, learns why, and is seen; rotated keys,
 * further brands, an emptied or restored store, and an operator's word change whose it is as they should. Method: a real Redis, the store's
 * own checks moved on by reconnecting or by their interval.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { StoreUnavailableError } from "../../src/lib/errors.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { Installation, Store } from "../../src/store/contract/store.ts";
import { createRedisStore } from "../../src/store/redis/index.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { settings } from "./room-driver.ts";

const production = { issuers: ["https://queue.example"], ticketKeys: ["p1"] };
const staging = { issuers: ["https://staging.example"], ticketKeys: ["s1"] };
const name = "usher:installation{usher:keys}";

let redis: RedisServer;
const stores: Store[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(() => redis.command("FLUSHALL"));
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});
afterAll(() => redis.stop());

/** @param installation null: of none; it may be changed later */
async function process(installation: Installation | null, keyPrefix = "usher:", url = redis.url) {
  const store = createRedisStore({ url, random: systemRandom, logger: createLogger("silent"), keyPrefix });
  stores.push(store);
  await store.start();
  const own = { now: installation };
  if (installation !== null) await store.useFor(() => own.now ?? installation);
  return { store, own };
}

/** Whether operations reach the store; the reason where they do not. */
async function standing({ store }: { store: Store }): Promise<string> {
  try {
    const contribution = { room: "r", fileSettings: settings(), memory: null, isNewRoom: true };
    await store.rooms.contribute(contribution);
    await store.oidcAdapter("Session").find("none");
    return "member";
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return error.reason;
  }
}

const until = (what: () => Promise<unknown>) => vi.waitFor(what, { timeout: 60_000, interval: 50 });
const becomes = (who: { store: Store }, expected: unknown) =>
  until(async () => expect(await standing(who)).toEqual(expected));
const kept = expect.stringContaining("belongs to another installation");

async function contents(): Promise<unknown> {
  const keys = ((await redis.command("KEYS", "*")) as string[]).toSorted();
  return Promise.all(keys.map(async (key) => [key, await redis.command("DUMP", key)]));
}

it("is of the first that has it, and a stranger writes nothing at all", async () => {
  const first = await process(production);
  expect(await standing(first)).toBe("member");
  await first.store.close();
  const before = await contents();
  const stranger = await process(staging);
  expect(await standing(stranger)).toMatch(
    /^Redis at 127\.0\.0\.1:\d+ belongs to another installation \(issuer https:\/\/queue\.example, ticket keys p1\), and this one is issuer https:\/\/staging\.example, ticket keys s1, .*store\.prefix.*usher adopt --config FILE/,
  );
  const { store } = stranger;
  const everything = [
    () => store.agreeOnKeys({ tickets: "s1" }, true),
    () => store.documents.exchange("d", { version: 9, text: "x" }),
    () => store.documents.replace("d", "x", 0),
    () => store.processes.report("id", "text"),
    () => store.watchers.exchange("id", "text", 1_000),
    () => store.audit.append([], null, { rowsMax: 1, bytesMax: 1 }),
    () => store.rooms.forget("r"),
    () => store.rooms.readLog("r", 0, 1),
    () => store.oidcAdapter("Session").upsert("a", {}, 60),
    () => store.oidcAdapter("Session").destroy("a"),
  ];
  for (const [index, operation] of everything.entries()) {
    await expect(operation(), String(index)).rejects.toBeInstanceOf(StoreUnavailableError);
  }
  expect(await store.unfit()).toBeNull();
  expect(await contents()).toEqual(before);
});

it("shows strangers to its own, as long as they are connected, and those of another prefix or database not", async () => {
  const own = await process(production);
  const stranger = await process(staging);
  await process(staging, "staging:");
  await process(staging, "usher:", `${redis.url}/3`);
  expect(await own.store.strangers()).toEqual(["https://staging.example at 127.0.0.1"]);
  expect(await standing(own)).toBe("member");
  await stranger.store.close();
  const other = await process(production);
  expect(await other.store.strangers()).toEqual([]);
});

it.each<[string, Installation, Installation, boolean]>([
  ["an issuer alone", production, { ...staging, issuers: production.issuers }, false],
  ["a ticket key alone", production, { ...staging, ticketKeys: production.ticketKeys }, false],
  [
    "another brand",
    production,
    { issuers: [...production.issuers, "https://brand.example"], ticketKeys: ["p1", "b1"] },
    true,
  ],
  ["a new key before the old one", production, { ...production, ticketKeys: ["p2", "p1"] }, true],
])("judges by what is shared: %s", async (_what, first, second, isMember) => {
  await process(first);
  expect(await standing(await process(second))).toEqual(isMember ? "member" : kept);
});

it("follows a rotation of keys and a further brand, step by step", async () => {
  const first = await process(production);
  first.own.now = { ...production, ticketKeys: ["p2", "p1"] };
  await until(async () => expect(await redis.command("HGET", name, "ticket_keys")).toBe('["p2","p1"]'));
  expect(await standing(await process({ ...production, ticketKeys: ["p2"] }))).toBe("member");
  await process({ issuers: [...production.issuers, "https://brand.example"], ticketKeys: ["b1", "p2"] });
  expect(await standing(await process({ issuers: ["https://brand.example"], ticketKeys: ["b1"] }))).toBe("member");
  expect(await standing(await process(staging))).toEqual(kept);
});

it("is of one of two that start at once on an empty store, of that alone", async () => {
  const both = await Promise.all([process(production), process(staging)]);
  const standings = await Promise.all(both.map(standing));
  expect(standings.filter((each) => each === "member")).toHaveLength(1);
});

it("goes by the keys that processes agreed on, where none has named it", async () => {
  const unnamed = await process(null);
  await unnamed.store.agreeOnKeys({ "tickets of https://queue.example": "p1", cookies: "c1" }, false);
  expect(await standing(await process(staging))).toMatch(/another installation \(ticket keys p1\)/);
  expect(await standing(await process(production))).toBe("member");
});

it("is named again by its own when it was emptied, and not by a stranger that waits", async () => {
  const stranger = { now: await process(production) };
  const own = stranger.now;
  const waiting = await process(staging);
  expect(await standing(waiting)).toEqual(kept);
  await own.store.close();
  await redis.command("FLUSHALL");
  await becomes(waiting, expect.stringContaining("until it was emptied"));
  expect(await redis.command("DBSIZE")).toBe(0);
  expect(await standing(await process(production))).toBe("member");
  await becomes(waiting, kept);
});

it("is taken back by those who had it before it was emptied, from one that came first", async () => {
  const own = await process(production);
  await redis.command("FLUSHALL");
  const late = await process(staging);
  await becomes(late, kept);
  expect(await standing(own)).toBe("member");
  expect(JSON.parse(String(await redis.command("HGET", name, "issuers")))).toEqual(production.issuers);
});

it("is not taken by a process that belonged to an older store, and is led to this one", async () => {
  const nameOf = ({ issuers, ticketKeys }: Installation, sinceMs: number) =>
    [
      "issuers",
      JSON.stringify(issuers),
      "ticket_keys",
      JSON.stringify(ticketKeys),
      "since_ms",
      sinceMs,
      "taken",
      0,
    ].map(String);
  await redis.command("HSET", name, ...nameOf(staging, 1_000));
  const led = await process(staging);
  expect(await standing(led)).toBe("member");
  // What the other server has: it was named long ago, though later.
  await redis.command("HSET", name, ...nameOf(production, 2_000));
  await becomes(led, kept);
  expect(await standing(await process(production))).toBe("member");
  expect(JSON.parse(String(await redis.command("HGET", name, "issuers")))).toEqual(production.issuers);
});

it("goes to another by an operator's word, also over data of before, and a process that had it is a stranger then", async () => {
  const own = await process(production);
  await own.store.agreeOnKeys({ tickets: "p1" }, false);
  await redis.save();
  const waiting = await process(staging);
  const operator = await process(null);
  expect(await operator.store.takeOver(staging)).toEqual(production);
  await becomes(waiting, "member");
  await becomes(own, kept);
  expect(await waiting.store.agreeOnKeys({ tickets: "s1" }, false)).toEqual({ tickets: "s1" });
  await redis.restoreInPlace();
  await becomes(own, kept);
  expect(await standing(waiting)).toBe("member");
  await redis.command("FLUSHALL");
  expect(await operator.store.takeOver(production)).toBeNull();
});

it("is two stores by two prefixes", async () => {
  const one = await process(production);
  const two = await process(staging, "staging:");
  expect([await standing(one), await standing(two)]).toEqual(["member", "member"]);
  const keys = (await redis.command("KEYS", "*")) as string[];
  expect(keys.filter((key) => !/^(usher|staging):/.test(key))).toEqual([]);
  expect(keys).toEqual(expect.arrayContaining(["usher:{r}:state", "staging:{r}:state"]));
});

it("is asked anew whose it is when the server comes back, before anything else", async () => {
  const operator = await process(null);
  await operator.store.takeOver(staging);
  await redis.save();
  await redis.command("FLUSHALL");
  const own = await process(production);
  expect(await standing(own)).toBe("member");
  await redis.restore();
  await becomes(own, kept);
  expect(await redis.command("KEYS", "*")).toEqual([name]);
});
