import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock, systemRandom } from "../../../src/lib/clock-and-random.ts";
import {
  createRegistry,
  createRegistryFile,
  issuerContent,
  type Registry,
  type RegistryEvent,
} from "../../../src/registry/index.ts";
import type { SharedDocuments } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const client = { document: { room: "tickets" }, secrets: [], created_ms: 1, updated_ms: 1 };
const newStore = () => createMemoryStore({ clock: systemClock, random: systemRandom }).documents;

describe("a registry", () => {
  let folder: TempDir;
  let events: RegistryEvent[];

  beforeEach(async () => {
    folder = await makeTempDir("registry");
    events = [];
  });
  afterEach(() => folder.remove());

  /** A process with a file of its own, or a shared one. */
  function open(documents: SharedDocuments, file = "one"): Registry {
    const path = join(folder.path, `${file}.json`);
    return createRegistry({
      kind: issuerContent,
      documents,
      name: "registry",
      file: createRegistryFile(path, "registry"),
      report: (event) => events.push(event),
    });
  }

  const add = (registry: Registry, id: string) =>
    registry.update((content) => ({ ...content, clients: { ...content.clients, [id]: client } }));
  const idsOf = (registry: Registry) => Object.keys(registry.content.clients).sort();

  it("is never left as one that nobody could read again", async () => {
    const registry = open(newStore());
    await add(registry, "a");
    const unreadable = { ...client, created_ms: -1 };
    const breaking = registry.update((content) => ({ ...content, clients: { b: unreadable } }));
    await expect(breaking).rejects.toThrow("a change would leave a registry that cannot be read");
    await add(registry, "c");
    expect([idsOf(registry), registry.fault]).toEqual([["a", "c"], null]);
  });

  it("is heard of by other processes at their next refresh, which tells its listeners once", async () => {
    const documents = newStore();
    const [one, two] = [open(documents), open(documents, "two")];
    let heard = 0;
    two.onChange(() => heard++);
    await two.refresh();
    await add(one, "a");
    expect([idsOf(one), idsOf(two), heard]).toEqual([["a"], [], 0]);
    await two.refresh();
    await two.refresh();
    expect([idsOf(two), two.version, heard]).toEqual([["a"], 1, 1]);
    expect(events.filter(({ event }) => event === "registry.changed")).toMatchObject([
      { version: 1, by: "this process" },
      { version: 1, by: "another process" },
    ]);
  });

  it("loses no change of processes that make theirs at once", async () => {
    const documents = newStore();
    const registries = ["one", "two", "three"].map((file) => open(documents, file));
    await Promise.all(registries.map((registry, index) => add(registry, `client-${index}`)));
    for (const registry of registries) {
      await registry.refresh();
      expect(idsOf(registry)).toEqual(["client-0", "client-1", "client-2"]);
    }
  });

  it("loses none of many that come at once, as programs send them, though another process goes on changing it", async () => {
    const documents = newStore();
    const registries = [open(documents), open(documents, "two")];
    const ids = registries.flatMap((_, process) => Array.from({ length: 12 }, (__, index) => `${process}-${index}`));
    await Promise.all(ids.map((id) => add(registries[Number(id[0])] as Registry, id)));
    const [one] = registries as [Registry];
    await one.refresh();
    expect(idsOf(one)).toEqual(ids.sort());
  });

  it("is not changed by what throws, and says so to whoever asked", async () => {
    const documents = newStore();
    const one = open(documents);
    await add(one, "a");
    await expect(
      one.update(() => {
        throw new Error("no such client");
      }),
    ).rejects.toThrow("no such client");
    expect([idsOf(one), one.version]).toEqual([["a"], 1]);
    await add(one, "b");
    expect(idsOf(one)).toEqual(["a", "b"]);
  });

  it("outlives the store in a process that goes on, and in its file when none does", async () => {
    const first = newStore();
    const one = open(first);
    await add(one, "a");
    const path = join(folder.path, "one.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    // Everything is started again on an empty store.
    const second = newStore();
    const restarted = open(second);
    expect(idsOf(restarted)).toEqual(["a"]);
    await restarted.refresh();
    const stranger = open(second, "another-machine");
    await stranger.refresh();
    expect(idsOf(stranger)).toEqual(["a"]);
  });

  it("keeps the later of two copies that processes of one machine write", async () => {
    const file = createRegistryFile(join(folder.path, "one.json"), "registry");
    file.write({ version: 5, text: "five" });
    file.write({ version: 4, text: "four" });
    expect(file.read()).toEqual({ version: 5, text: "five" });
  });

  // A demonstration and a gateway started in one folder, or one whose issuer got another name.
  it("takes nothing over from another issuer with the same secrets file, and takes nothing from it", async () => {
    const path = join(folder.path, "one.json");
    const [one, two] = ["registry of https://one", "registry of https://two"].map((name) =>
      createRegistryFile(path, name),
    );
    one?.write({ version: 5, text: "one" });
    expect(two?.read()).toBeNull();
    two?.write({ version: 1, text: "two" });
    expect([one?.read(), two?.read()]).toEqual([
      { version: 5, text: "one" },
      { version: 1, text: "two" },
    ]);
  });

  it("is written to its file after all when the folder can be written to again", async () => {
    const path = join(folder.path, "one.json");
    mkdirSync(path);
    const one = open(newStore());
    await add(one, "a");
    await one.refresh();
    rmSync(path, { recursive: true });
    for (let second = 0; second < 60; second++) await one.refresh();
    expect(idsOf(open(newStore()))).toEqual(["a"]);
    expect(events.filter(({ event }) => event === "registry.file_failed")).toHaveLength(2);
  });

  it("goes on without a file that cannot be read or written, and tells it once each", async () => {
    writeFileSync(join(folder.path, "one.json"), "{ half a fi");
    const one = open(newStore());
    await add(one, "a");
    expect(idsOf(one)).toEqual(["a"]);
    expect(events.map(({ event }) => event)).toEqual(["registry.file_failed", "registry.changed"]);
    const nowhere = createRegistry({
      kind: issuerContent,
      documents: newStore(),
      name: "registry",
      file: createRegistryFile(join(folder.path, "one.json", "below-a-file.json"), "registry"),
      report: (event) => events.push(event),
    });
    events.length = 0;
    await add(nowhere, "a");
    await add(nowhere, "b");
    expect(events.map(({ event }) => event)).toEqual(["registry.changed", "registry.file_failed", "registry.changed"]);
  });

  it("of a newer Usher is left as it is: what was known stays in force, and nothing is changed until it can be read", async () => {
    const documents = newStore();
    const one = open(documents);
    await add(one, "a");
    const newer = JSON.stringify({ format: 2, everything: "else" });
    expect(await documents.replace("registry", newer, 1)).toEqual({ result: "ok", version: 2 });
    await one.refresh();
    await one.refresh();
    expect([idsOf(one), one.version]).toEqual([["a"], 1]);
    expect(one.fault).toMatch(/version 2 .* cannot be read/);
    await expect(add(one, "b")).rejects.toMatchObject({
      code: "conflict",
      status: 409,
      message: expect.stringContaining("cannot be read"),
    });
    expect(events.filter(({ event }) => event === "registry.unreadable")).toHaveLength(1);
    expect(await documents.exchange("registry", null)).toEqual({ version: 2, text: newer });
    await documents.replace("registry", JSON.stringify({ format: 1, clients: { c: client }, keys: [] }), 2);
    await one.refresh();
    expect([idsOf(one), one.fault]).toEqual([["c"], null]);
  });

  it("of a newer Usher is kept for the others when the store has lost it", async () => {
    const stores = [newStore(), newStore()] as const;
    let isLost = false;
    const documents: SharedDocuments = {
      exchange: (name, known) => stores[isLost ? 1 : 0].exchange(name, known),
      replace: (name, text, version) => stores[isLost ? 1 : 0].replace(name, text, version),
    };
    const one = open(documents);
    await add(one, "a");
    const newer = JSON.stringify({ format: 2, everything: "else" });
    await documents.replace("registry", newer, 1);
    await one.refresh();
    isLost = true;
    await one.refresh();
    expect(await documents.exchange("registry", null)).toEqual({ version: 2, text: newer });
  });

  it("is not set back by an answer that its own change has overtaken", async () => {
    const documents = newStore();
    const one = open(documents);
    await add(one, "a");
    const held: (() => void)[] = [];
    let isHolding = true;
    const slow: SharedDocuments = {
      ...documents,
      async exchange(name, known) {
        const answer = await documents.exchange(name, known);
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
        return answer;
      },
    };
    const two = open(slow, "two");
    const late = two.refresh();
    await expect.poll(() => held.length).toBe(1);
    isHolding = false;
    await add(two, "b");
    held[0]?.();
    await late;
    expect([idsOf(two), two.version]).toEqual([["a", "b"], 2]);
  });

  it("asks to try again where the store was restarted just now", async () => {
    const settling = { ...newStore(), replace: async () => ({ result: "settling", remainingMs: 1_200 }) as const };
    await expect(add(open(settling), "a")).rejects.toMatchObject({
      code: "store_unavailable",
      status: 503,
      retryAfterSec: 2,
    });
    expect(existsSync(join(folder.path, "one.json"))).toBe(false);
  });

  it("gives up where others never stop changing it", async () => {
    const busy = { ...newStore(), replace: async () => ({ result: "conflict" }) as const };
    await expect(add(open(busy), "a")).rejects.toMatchObject({ code: "conflict", status: 409 });
  });
});
