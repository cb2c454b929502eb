/** Stores by name, and the rooms that name them: what is read, and what cannot be. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../../src/config/checks/faults.ts";
import { type LoadOptions, loadConfig } from "../../../support/load-config.ts";

const issuer = "https://queue.example.com";
const redis = (host: string) => ({ type: "redis", url: `redis://${host}` });

/** The faults by path, `value | message`. */
async function faultsOf(document: object, env: LoadOptions["env"] = {}): Promise<Record<string, string>> {
  const outcome = await loadConfig({ document: { issuer, ...document }, env }).catch((error: unknown) => error);
  if (!(outcome instanceof ConfigError)) return {};
  return Object.fromEntries(outcome.faults.map((fault) => [fault.path, `${fault.value} | ${fault.message}`]));
}

describe("stores", () => {
  it("are read with their secrets, and rooms name them", async () => {
    const document = {
      issuer,
      store: redis("main"),
      stores: {
        a: redis(":password@a:7000/2"),
        b: { type: "redis", url: { from: "env", name: "B_URL" }, prefix: "tour" },
      },
      rooms: [{ id: "one", store: "b" }, { id: "two" }],
    };
    const { config } = await loadConfig({ document, env: { B_URL: "rediss://b" } });
    expect(config.stores).toEqual([
      { name: "a", url: "redis://:password@a:7000/2", prefix: "usher:" },
      { name: "b", url: "rediss://b", prefix: "tour:" },
    ]);
    expect(config.issuers[0]?.rooms.map(({ store }) => store)).toEqual(["b", undefined]);
    // Without secrets, as for `usher check --without-secrets`.
    expect((await loadConfig({ document, env: {}, needsSecrets: false })).config.stores).toHaveLength(2);
    expect((await loadConfig({ document: { issuer, rooms: [{ id: "one" }] }, env: {} })).config.stores).toEqual([]);
  });

  it("have all their faults told at once, with paths and without passwords", async () => {
    const faults = await faultsOf({
      store: redis(":hidden-word@main:6379/0"),
      stores: {
        tour: redis("user:hidden-word@MAIN"),
        "Not a name": redis("other"),
        memory: { type: "memory" },
        wrong: redis(":hidden-word@host/path"),
        missing: { type: "redis", url: { from: "env", name: "NOT_SET" } },
        extra: { ...redis("extra"), password: "x" },
        colon: { ...redis("colon"), prefix: "a:b:" },
        brace: { ...redis("brace"), prefix: "{a}" },
        beside: { ...redis("main"), prefix: "beside:" },
        again: { ...redis("main"), prefix: "beside" },
      },
      rooms: [
        { id: "one", store: "toure" },
        { id: "two", store: "tour" },
        { id: "three", store: 5 },
      ],
    });
    expect(faults).toEqual({
      "stores.tour.url": expect.stringContaining("leads to the same keys as store"),
      'stores."Not a name"': expect.stringContaining("expected a name of lower-case letters"),
      "stores.memory.type": expect.stringContaining("expected { type: redis, url: … }"),
      "stores.memory.url": expect.any(String),
      "stores.wrong.url": expect.stringContaining("expected redis:"),
      "stores.missing.url": expect.stringContaining("NOT_SET is not set"),
      "stores.extra.password": expect.stringContaining("unknown key"),
      "stores.colon.prefix": expect.stringContaining("letters, digits, full stops"),
      "stores.brace.prefix": expect.stringContaining("letters, digits, full stops"),
      "stores.again.url": expect.stringContaining("leads to the same keys as stores.beside"),
      "rooms[0].store": expect.stringMatching(/no such entry of stores, did you mean tour\?; there are tour, /),
      "rooms[2].store": expect.stringContaining("the name of an entry of stores"),
    });
    expect(JSON.stringify(faults)).not.toContain("hidden-word");
  });

  it("are not beside a store in memory, unless the environment names another one", async () => {
    const document = { stores: { b: redis("b") }, rooms: [{ id: "one", store: "b" }] };
    expect(await faultsOf(document)).toEqual({ "store.type": expect.stringContaining("not beside stores") });
    expect(await faultsOf({ ...document, store: { type: "memory" } })).toEqual({
      "store.type": expect.stringMatching(/^"memory" \| not beside stores/),
    });
    expect(await faultsOf(document, { USHER_REDIS_URL: "redis://main" })).toEqual({});
    expect(await faultsOf(document, { USHER_REDIS_URL: "redis://b:6379/0" })).toEqual({
      "stores.b.url": expect.stringContaining("leads to the same keys as store"),
    });
  });

  it.each([
    ["redis://h", "redis://h:6379/0", true],
    ["redis://h", "rediss://user:word@H", true],
    ["redis://h/0", "redis://h/1", false],
    ["redis://h:6379", "redis://h:6380", false],
    ["redis-cluster://a,b", "redis-cluster://b,c", true],
    ["redis-cluster://a", "redis://a", false],
    ["redis-sentinel://a/one", "redis-sentinel://a/two", false],
    ["redis-sentinel://a,b/one", "redis-sentinel://b/one", true],
  ])("lead to the same keys, or not: %s and %s", async (one, other, areSame) => {
    const stores = { a: { type: "redis", url: one }, b: { type: "redis", url: other } };
    const faults = await faultsOf({ store: redis("main"), stores, rooms: [{ id: "one" }] });
    expect(Object.keys(faults)).toEqual(areSame ? ["stores.b.url"] : []);
  });

  it("have all rooms of a shared outflow together, and no outflow in a cluster", async () => {
    const periodic = { type: "periodic", shared_outflow: "shop" };
    const document = {
      store: redis("main"),
      stores: { b: { type: "redis", url: "redis-cluster://b" } },
      shared_outflows: [{ id: "shop", outflow_per_minute: 60 }],
      rooms: [
        { id: "one", inlet: periodic },
        { id: "two", inlet: periodic },
      ],
    };
    expect(await faultsOf(document)).toEqual({});
    const apart = { ...document, rooms: [document.rooms[0], { ...document.rooms[1], store: "b" }] };
    expect(Object.keys(await faultsOf(apart))).toEqual(["rooms[1].inlet.shared_outflow"]);
    const inCluster = { ...document, rooms: document.rooms.map((room) => ({ ...room, store: "b" })) };
    expect(Object.values(await faultsOf(inCluster))).toEqual(
      Array(2).fill(expect.stringContaining("not with a cluster (stores.b.url)")),
    );
  });
});
