/** Rooms of an issuer that are made at run time: kept in its registry, beside those of the file, and what clients make of them. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IssuerConfig, KeyMaterial } from "../../../src/config/index.ts";
import { loadKeysOfIssuers } from "../../../src/config/secrets/key-material.ts";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { createIssuerRegistry, type IssuerRegistry } from "../../../src/registry/index.ts";
import type { SharedDocuments } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { loadConfig } from "../../support/load-config.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const winter = { id: "winter", inlet: { type: "periodic", outflow_per_minute: 60 } };
const by = { id: "ops", rooms: null, requireRooms: () => undefined };
const siteOf = (client_id: string, rooms: object) => ({
  client_id,
  redirect_uris: ["https://shop.example.com/cb"],
  token_endpoint_auth_method: "none",
  ...rooms,
});

describe("the rooms of an issuer", () => {
  /** Made once: that takes its time. */
  let keys: KeyMaterial | undefined;
  let folder: TempDir;
  let clock: MovedClock;
  let documents: SharedDocuments;
  let events: { event: string; room?: string }[];
  /** Of another issuer, whose room is in force. */
  let first: string | undefined;

  beforeEach(async () => {
    folder = await makeTempDir("rooms");
    clock = createMovedClock();
    documents = createMemoryStore({ clock, random: systemRandom }).documents;
    events = [];
    first = undefined;
  });
  afterEach(() => folder.remove());

  async function open(
    name: string,
    rooms = ["filed"],
    languages = ["en", "de"],
    stores = ["b"],
  ): Promise<IssuerRegistry> {
    const document = {
      issuer: "https://queue.example.com",
      rooms: rooms.map((id) => ({ id })),
      secrets_file: join(folder.path, `${name}.json`),
    };
    const { config } = await loadConfig({ document, env: {} });
    const [issuer] = config.issuers as [IssuerConfig];
    keys ??= (await loadKeysOfIssuers(config)).byIssuer.get(issuer.issuer);
    if (keys === undefined) throw new Error("no keys");
    const opened = createIssuerRegistry({
      config: issuer,
      keys,
      languages,
      stores,
      elsewhere(id) {
        if (id === first) return "first";
        return id === "other-brand" ? "later" : null;
      },
      documents,
      clock,
      random: systemRandom,
      isShared: true,
      longestTokenMs: () => 1_000,
      report: (event) => events.push(event),
    });
    await opened.registry.refresh();
    return opened;
  }
  const idsOf = ({ rooms }: IssuerRegistry) => rooms.all.map(({ id }) => id);
  const clientIdsOf = ({ clients }: IssuerRegistry) => clients.all.map(({ clientId }) => clientId);

  it("are those of the file and those that were made, at every process; clients name both kinds", async () => {
    const [one, two] = [await open("one"), await open("two")];
    let changes = 0;
    two.rooms.onChange(() => changes++);
    await one.rooms.changes.create(winter, "ops");
    expect([idsOf(one), idsOf(two), changes]).toEqual([["filed", "winter"], ["filed"], 0]);
    await two.registry.refresh();
    expect([idsOf(two), changes]).toEqual([["filed", "winter"], 1]);
    expect(two.rooms.get("winter")).toEqual(one.rooms.get("winter"));
    await two.clients.changes.create(siteOf("site", { rooms: ["filed", "winter"] }), by);
    await one.registry.refresh();
    expect(clientIdsOf(one)).toEqual(["site"]);
    // Nothing was said of rooms.
    expect(changes).toBe(1);
    await expect(two.clients.changes.create(siteOf("lost", { room: "sumer" }), by)).rejects.toThrow(/no such room/);
    expect(events.filter(({ event }) => event.startsWith("room."))).toEqual([
      { event: "room.created", room: "winter", admin: "ops", issuer: "https://queue.example.com" },
    ]);
  });

  it("are read once each: a change of one costs nothing of the others", async () => {
    const one = await open("one");
    await one.rooms.changes.create(winter, "ops");
    const read = one.rooms.registered[0]?.reading;
    await one.rooms.changes.create({ ...winter, id: "summer" }, "ops");
    expect(one.rooms.registered.find(({ id }) => id === "winter")?.reading).toBe(read);
    await one.rooms.changes.patch("winter", { language: "de" }, "ops");
    expect(one.rooms.get("winter")?.language).toBe("de");
  });

  it("outlive the store and the process by the file beside the secrets file", async () => {
    const one = await open("one");
    await one.rooms.changes.create(winter, "ops");
    documents = createMemoryStore({ clock, random: systemRandom }).documents;
    expect((await open("one")).rooms.get("winter")).toEqual(one.rooms.get("winter"));
  });

  it.each([
    ["filed", /the configuration file has a room of this id/],
    ["other-brand", /another issuer has a room of this id/],
    ["winter", /there is a room of this id already/],
  ])("are not made where there is one: %s", async (id, message) => {
    const one = await open("one");
    await one.rooms.changes.create(winter, "ops");
    await expect(one.rooms.changes.create({ ...winter, id }, "ops")).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(message),
    });
  });

  it("take a patch of the document, and keep the line; a bad one changes nothing", async () => {
    const one = await open("one");
    await one.rooms.changes.create(winter, "ops");
    const before = one.rooms.get("winter");
    await one.rooms.changes.patch("winter", { targets: ["https://a.example.com/"], language: "de" }, "ops");
    const after = one.rooms.get("winter");
    expect([after?.line, after?.language, after?.waysIn.targets]).toEqual([
      before?.line,
      "de",
      ["https://a.example.com/"],
    ]);
    const bad = { targets: ["nowhere"], language: "xx" };
    await expect(one.rooms.changes.patch("winter", bad, "ops")).rejects.toThrow(
      /targets\[0\].*; language: unknown language/s,
    );
    expect(one.rooms.get("winter")).toBe(after);
    for (const id of ["filed", "no-such-room"]) {
      await expect(one.rooms.changes.patch(id, {}, "ops")).rejects.toMatchObject({
        status: id === "filed" ? 409 : 404,
      });
    }
  });

  it("are not removed while clients name them; by force they are taken off those that have others", async () => {
    const one = await open("one");
    await one.rooms.changes.create(winter, "ops");
    const starts = { initiate_login_uris: { winter: "https://w.example.com/", filed: "https://f.example.com/" } };
    await one.clients.changes.create(siteOf("both", { rooms: ["filed", "winter"], ...starts }), by);
    await one.clients.changes.create(siteOf("alone", { room: "winter" }), by);
    await expect(one.rooms.changes.remove("winter", false, "ops")).rejects.toThrow(
      /clients name this room: both, alone/,
    );
    await one.rooms.changes.remove("winter", true, "ops");
    expect([idsOf(one), clientIdsOf(one)]).toEqual([["filed"], ["both"]]);
    expect(one.clients.get("both")).toMatchObject({
      rooms: ["filed"],
      initiateLoginUris: { filed: "https://f.example.com/" },
    });
    expect(one.clients.views.find(({ id }) => id === "alone")).toMatchObject({ status: "unusable" });
    // Made anew it is another room, and the client has it again.
    const line = one.rooms.get("winter")?.line;
    await one.rooms.changes.create(winter, "ops");
    expect(one.rooms.get("winter")?.line).not.toBe(line);
    expect(clientIdsOf(one)).toEqual(["both", "alone"]);
  });

  it("keep their line when the file has them, by the file's settings, and say so; one that does not fit is left out", async () => {
    const one = await open("one");
    await one.rooms.changes.create({ ...winter, title: "By the API", language: "de" }, "ops");
    const made = one.rooms.get("winter");
    const filed = await open("two", ["filed", "winter"]);
    expect(filed.rooms.get("winter")).toMatchObject({ line: made?.line, settings: { title: "winter" } });
    expect(filed.rooms.registered).toMatchObject([{ id: "winter", status: "shadowed" }]);
    await expect(filed.rooms.changes.remove("winter", true, "ops")).rejects.toMatchObject({ status: 409 });
    const poorer = await open("three", ["filed"], ["en"]);
    expect([idsOf(poorer), poorer.rooms.registered[0]?.status]).toEqual([["filed"], "unusable"]);
    expect(events.flatMap(({ event }) => (event.startsWith("room.") ? [event] : []))).toEqual([
      "room.created",
      "room.shadowed",
      "room.unusable",
    ]);
  });

  it("are in a store that they name, and one that names none of this process's is refused, or left out", async () => {
    const one = await open("one");
    await expect(one.rooms.changes.create({ ...winter, store: "c" }, "ops")).rejects.toThrow(/no such entry of stores/);
    await one.rooms.changes.create({ ...winter, store: "b" }, "ops");
    expect(one.rooms.get("winter")?.store).toBe("b");
    const poorer = await open("three", ["filed"], undefined, []);
    expect([idsOf(poorer), poorer.rooms.registered[0]?.status]).toEqual([["filed"], "unusable"]);
  });

  it("give way to a room that another issuer has made at the same moment, with their clients, until that is gone", async () => {
    const one = await open("one");
    await one.rooms.changes.create(winter, "ops");
    await one.clients.changes.create(siteOf("site", { room: "winter" }), by);
    const made = one.rooms.get("winter");
    first = "winter";
    one.rooms.review();
    expect([idsOf(one), clientIdsOf(one), one.rooms.registered[0]?.status]).toEqual([["filed"], [], "shadowed"]);
    first = undefined;
    one.rooms.review();
    expect([one.rooms.get("winter"), clientIdsOf(one)]).toEqual([made, ["site"]]);
  });
});
