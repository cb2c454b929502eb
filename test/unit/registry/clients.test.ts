import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IssuerConfig } from "../../../src/config/index.ts";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { UsherError } from "../../../src/lib/errors.ts";
import { createIssuerClients } from "../../../src/registry/clients/issuer-clients.ts";
import type { ClientEvent, ClientOperator, IssuerClients } from "../../../src/registry/index.ts";
import { issuerContent } from "../../../src/registry/index.ts";
import { createRegistry, type Registry } from "../../../src/registry/registry.ts";
import { createRegistryFile } from "../../../src/registry/registry-file.ts";
import type { SharedDocuments } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { loadConfig } from "../../support/load-config.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const hourMs = 3_600_000;
const secretOfFile = "0123456789abcdef0123";
const everybody: ClientOperator = { id: "ops", rooms: null, requireRooms: () => undefined };
const shop = { client_id: "shop", redirect_uris: ["https://shop.example.com/cb"], room: "a" };
const app = { ...shop, client_id: "app", token_endpoint_auth_method: "none" };

interface Process {
  readonly clients: IssuerClients;
  readonly registry: Registry;
  readonly events: ClientEvent[];
}

describe("the clients of an issuer", () => {
  let folder: TempDir;
  let clock: MovedClock;
  let documents: SharedDocuments;

  beforeEach(async () => {
    folder = await makeTempDir("clients");
    clock = createMovedClock();
    documents = createMemoryStore({ clock, random: systemRandom }).documents;
  });
  afterEach(() => folder.remove());

  /** A process that shares the store with the others. */
  async function open(rooms = ["a", "b"], clientIds = ["of-file"]): Promise<Process> {
    const document = {
      issuer: "https://queue.example.com",
      rooms: rooms.map((id) => ({ id })),
      clients: clientIds.map((client_id) => ({ ...shop, client_id, client_secret: secretOfFile })),
    };
    const [config] = (await loadConfig({ document, env: {} })).config.issuers as [IssuerConfig];
    const registry = createRegistry({
      kind: issuerContent,
      documents,
      name: "registry",
      file: createRegistryFile(join(folder.path, `${rooms}-${clientIds}.json`), "registry"),
      report: () => undefined,
    });
    await registry.refresh();
    const events: ClientEvent[] = [];
    const report = (event: ClientEvent) => void events.push(event);
    return {
      clients: createIssuerClients({
        config,
        place: config,
        onRoomsChange: () => undefined,
        registry,
        clock,
        random: systemRandom,
        report,
      }),
      registry,
      events,
    };
  }
  const idsOf = ({ clients }: Process) => clients.all.map(({ clientId }) => clientId);
  const secretOf = async ({ clients }: Process) => (await clients.changes.create(shop, everybody)) ?? "";
  const statusesOf = ({ clients }: Process) =>
    clients.views.map((view) => `${view.id} ${view.source === "file" ? "file" : view.status}`);
  const refusal = async (change: Promise<unknown>) => {
    const error = await change.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UsherError)) throw new Error("expected a refusal");
    return [error.code, error.message];
  };

  it("are those of the file and those made at run time, alike in all processes", async () => {
    const [one, two] = [await open(), await open(["a", "b"], ["of-file", "of-two"])];
    const countOfTwo = two.clients.derive((clients) => clients.length);
    const secret = await secretOf(one);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(idsOf(one)).toEqual(["of-file", "shop"]);
    expect(one.clients.get("shop")).toMatchObject({ redirectUris: shop.redirect_uris, clientSecret: null });

    expect(countOfTwo()).toBe(2);
    await two.registry.refresh();
    expect(countOfTwo()).toBe(3);
    for (const { clients } of [one, two]) {
      expect(clients.acceptsSecret("shop", secret)).toBe(true);
      expect(clients.acceptsSecret("shop", secretOfFile)).toBe(false);
      expect(clients.acceptsSecret("of-file", secretOfFile)).toBe(true);
      expect(clients.acceptsSecret("of-file", secret)).toBe(false);
      expect(clients.acceptsSecret("constructor", secret)).toBe(false);
    }
    expect(JSON.stringify(one.registry.content)).not.toContain(secret);
    expect(one.events).toEqual([{ event: "client.created", client_id: "shop", admin: "ops" }]);
  });

  it("change by a merge patch; null takes a value back to its default", async () => {
    const one = await open();
    await one.clients.changes.create({ ...shop, login_timeout: "1m" }, everybody);
    const later = {
      profile: "alb",
      redirect_uris: ["https://b.example/cb"],
      room: null,
      rooms: ["b"],
      login_timeout: null,
    };
    clock.advance(1_000);
    await one.clients.changes.patch("shop", later, everybody);
    expect(one.clients.get("shop")).toMatchObject({
      redirectUris: ["https://b.example/cb"],
      rooms: ["b"],
      loginTimeoutMs: 840_000,
      refreshTokens: true,
    });
    const { created_ms, updated_ms } = one.registry.content.clients.shop ?? {};
    expect([updated_ms, created_ms]).toEqual([clock.now(), clock.now() - 1_000]);
    expect(one.events.at(-1)).toEqual({ event: "client.updated", client_id: "shop", admin: "ops" });
  });

  it.each([
    [{ client_id: "other" }, "client_id: cannot change: make another client"],
    [{ redirect_uris: null }, "redirect_uris: required: a list of 1 to 50 items"],
    [{ room: "c" }, "room: no such room, did you mean a?; rooms: a, b"],
  ])("refuse the patch %j, and stay as they were", async (patch, message) => {
    const one = await open();
    await secretOf(one);
    const before = one.registry.version;
    expect(await refusal(one.clients.changes.patch("shop", patch, everybody))).toEqual(["bad_request", message]);
    expect([one.registry.version, one.events.length]).toEqual([before, 1]);
  });

  it("go at once when they are deleted, secrets and all", async () => {
    const [one, two] = [await open(), await open(["a", "b"], [])];
    const secret = await secretOf(one);
    await two.clients.changes.remove("shop", everybody);
    await one.registry.refresh();
    expect(idsOf(one)).toEqual(["of-file"]);
    expect(one.clients.acceptsSecret("shop", secret)).toBe(false);
    expect(await refusal(one.clients.changes.patch("shop", {}, everybody))).toMatchObject([
      "not_found",
      expect.any(String),
    ]);
    // A client of the same id begins anew.
    await secretOf(one);
    expect(one.clients.acceptsSecret("shop", secret)).toBe(false);
  });

  it("have an id once, whoever has it", async () => {
    const one = await open();
    await secretOf(one);
    const again = await refusal(one.clients.changes.create(shop, everybody));
    expect(again).toEqual(["conflict", expect.stringContaining("POST /admin/clients/shop/secret makes another")]);
    const taken = await refusal(one.clients.changes.create({ ...shop, client_id: "of-file" }, everybody));
    expect(taken).toEqual(["conflict", expect.stringContaining("the configuration file has a client of this id")]);
  });

  it("of the file are changed in the file", async () => {
    const { changes } = (await open()).clients;
    for (const change of [
      changes.patch("of-file", {}, everybody),
      changes.remove("of-file", everybody),
      changes.rotateSecret("of-file", 0, everybody),
    ]) {
      expect(await refusal(change)).toEqual([
        "conflict",
        expect.stringMatching(/change it there, or take it out, and restart/),
      ]);
    }
  });

  describe("rotate their secrets:", () => {
    it("the older one works until the overlap is over, and is forgotten at the next change", async () => {
      const [one, two] = [await open(), await open(["a", "b"], [])];
      const first = await secretOf(one);
      const { secret, previousExpiresMs } = await one.clients.changes.rotateSecret("shop", hourMs, everybody);
      expect(previousExpiresMs).toBe(clock.now() + hourMs);
      await two.registry.refresh();
      const accepted = () =>
        [one, two].flatMap(({ clients }) => [first, secret].map((each) => clients.acceptsSecret("shop", each)));
      expect(accepted()).toEqual([true, true, true, true]);
      clock.advance(hourMs - 1);
      expect(accepted()).toEqual([true, true, true, true]);
      clock.advance(1);
      expect(accepted()).toEqual([false, true, false, true]);

      expect(one.registry.content.clients.shop?.secrets).toHaveLength(2);
      await one.clients.changes.create(app, everybody);
      expect(one.registry.content.clients.shop?.secrets).toHaveLength(1);
      expect(one.events[1]).toEqual({
        event: "client.secret_rotated",
        client_id: "shop",
        admin: "ops",
        previous_secret_expires_at: new Date(previousExpiresMs ?? 0).toISOString(),
      });
    });

    it("at most two older ones go on, and no overlap ends them all", async () => {
      const one = await open();
      const { changes } = one.clients;
      const first = await secretOf(one);
      const second = (await changes.rotateSecret("shop", 2 * hourMs, everybody)).secret;
      const third = (await changes.rotateSecret("shop", 3 * hourMs, everybody)).secret;
      expect(await refusal(changes.rotateSecret("shop", hourMs, everybody))).toEqual([
        "conflict",
        expect.stringContaining("wait until one has ended"),
      ]);
      // The first keeps its own, shorter time.
      clock.advance(2 * hourMs);
      const works = () => [first, second, third].map((secret) => one.clients.acceptsSecret("shop", secret));
      expect(works()).toEqual([false, true, true]);
      expect((await changes.rotateSecret("shop", hourMs, everybody)).previousExpiresMs).toBe(clock.now() + hourMs);
      const { secret, previousExpiresMs } = await changes.rotateSecret("shop", 0, everybody);
      expect([...works(), previousExpiresMs]).toEqual([false, false, false, null]);
      expect(one.clients.acceptsSecret("shop", secret)).toBe(true);
    });

    it("a public client has none; one that became public loses its own for good", async () => {
      const one = await open();
      const { changes } = one.clients;
      expect(await changes.create(app, everybody)).toBeNull();
      expect(await refusal(changes.rotateSecret("app", 0, everybody))).toEqual([
        "conflict",
        expect.stringContaining("a public client"),
      ]);
      const secret = await secretOf(one);
      await changes.patch("shop", { token_endpoint_auth_method: "none" }, everybody);
      await changes.patch("shop", { token_endpoint_auth_method: null }, everybody);
      expect(one.clients.acceptsSecret("shop", secret)).toBe(false);
      const next = await changes.rotateSecret("shop", hourMs, everybody);
      expect(next.previousExpiresMs).toBeNull();
      expect(one.clients.acceptsSecret("shop", next.secret)).toBe(true);
    });
  });

  it("of the file win over one that was made; it is told once, and DELETE ends it", async () => {
    const secret = await secretOf(await open());
    const two = await open(["a"], ["shop"]);
    expect([idsOf(two), statusesOf(two)]).toEqual([["shop"], ["shop file", "shop shadowed"]]);
    expect(two.clients.acceptsSecret("shop", secret)).toBe(false);
    expect(two.clients.acceptsSecret("shop", secretOfFile)).toBe(true);
    await two.clients.changes.create(app, everybody);
    expect(two.events.filter(({ event }) => event === "client.shadowed")).toEqual([
      { event: "client.shadowed", client_id: "shop" },
    ]);
    expect(await refusal(two.clients.changes.patch("shop", {}, everybody))).toEqual([
      "conflict",
      expect.stringContaining("is in force"),
    ]);
    await two.clients.changes.remove("shop", everybody);
    expect(statusesOf(two)).toEqual(["shop file", "app active"]);
  });

  it("that name a room which this process lacks are left out here, and work elsewhere", async () => {
    const one = await open();
    await one.clients.changes.create({ ...shop, room: "b" }, everybody);
    await one.clients.changes.create(app, everybody);
    const two = await open(["a"]);
    expect([idsOf(two), statusesOf(two)]).toEqual([
      ["of-file", "app"],
      ["of-file file", "shop unusable", "app active"],
    ]);
    const faults = ["room: no such room, did you mean a?; rooms: a"];
    expect(two.events).toEqual([{ event: "client.unusable", client_id: "shop", faults }]);
    expect(idsOf(one)).toEqual(["of-file", "shop", "app"]);
    await two.clients.changes.patch("shop", { room: "a" }, everybody);
    expect(statusesOf(two)[1]).toBe("shop active");
  });

  it("are for those whose rooms they are: before a change, and after it", async () => {
    const one = await open();
    const forbidden = new UsherError("forbidden", "not yours", { status: 403 });
    const ofA: ClientOperator = {
      id: "a-only",
      rooms: ["a"],
      requireRooms: (rooms) => {
        if (rooms.some((room) => room !== "a")) throw forbidden;
      },
    };
    await one.clients.changes.create({ ...app, room: "b" }, everybody);
    await one.clients.changes.create(shop, ofA);
    const { changes } = one.clients;
    for (const change of [
      changes.create({ ...shop, client_id: "more", room: undefined, rooms: ["a", "b"] }, ofA),
      changes.patch("app", { room: "a" }, ofA),
      changes.patch("shop", { room: "b" }, ofA),
      changes.patch("shop", { room: "no-such-room" }, ofA),
      changes.remove("app", ofA),
      changes.rotateSecret("app", 0, ofA),
    ]) {
      await expect(change).rejects.toBe(forbidden);
    }
    expect(await refusal(changes.patch("shop", { room: null }, ofA))).toEqual([
      "bad_request",
      "room: required: the id of a room; rooms: a",
    ]);
    await changes.remove("shop", ofA);
    expect(idsOf(one)).toEqual(["of-file", "app"]);
  });

  it("are read once, however often others change", async () => {
    const one = await open();
    await secretOf(one);
    const before = one.clients.get("shop");
    await one.clients.changes.create(app, everybody);
    expect(one.clients.get("shop")).toBe(before);
  });

  it("of the file have other secrets as soon as their source has", async () => {
    const { clients } = await open();
    clients.setFileSecrets("of-file", ["the new one", "the one before"]);
    clients.setFileSecrets("no-such-client", ["anything"]);
    const works = [secretOfFile, "the new one", "the one before"].map((each) => clients.acceptsSecret("of-file", each));
    expect(works).toEqual([false, true, true]);
    expect([clients.get("of-file")?.clientSecret, clients.get("no-such-client")]).toEqual(["the new one", undefined]);
  });

  it("are at most a thousand", async () => {
    const one = await open();
    await secretOf(one);
    await one.registry.update((content) => {
      const [made] = Object.values(content.clients);
      const others = Array.from({ length: 999 }, (_, index) => [`shop-${index}`, made]);
      return { ...content, clients: { ...content.clients, ...Object.fromEntries(others) } };
    });
    expect(await refusal(one.clients.changes.create(app, everybody))).toEqual([
      "conflict",
      expect.stringContaining("there are 1000 clients"),
    ]);
    await one.clients.changes.remove("shop-0", everybody);
    await one.clients.changes.create(app, everybody);
  });

  it("are at most as many as can be shared", async () => {
    const one = await open();
    const uris = Array.from({ length: 50 }, (_, index) => `https://a.example/${index}${"x".repeat(2_000)}`);
    const big = { ...shop, redirect_uris: uris, post_logout_redirect_uris: uris };
    const fill = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await one.clients.changes.create({ ...big, client_id: `big-${index}` }, everybody);
      }
    };
    expect(await refusal(fill(100))).toEqual(["conflict", expect.stringContaining("more than 3 MiB together")]);
  });
});
