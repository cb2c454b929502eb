import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AdminKey } from "../../../src/config/index.ts";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { UsherError } from "../../../src/lib/errors.ts";
import {
  type AdminKeyEvent,
  type AdminKeys,
  createAdminKeys,
  createRegistryFile,
} from "../../../src/registry/index.ts";
import type { SharedDocuments } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const hourMs = 3_600_000;
const sha256 = (text: string) => createHash("sha256").update(text).digest();
const ofFile = (id: string, more: Partial<AdminKey> = {}): AdminKey => ({
  id,
  keySha256: sha256(`secret of ${id}`).toString("hex"),
  ...more,
});
const desk = { id: "desk", role: "box_office", rooms: ["a"], note: null, expiresMs: null } as const;

describe("the admin keys of an installation", () => {
  let folder: TempDir;
  let clock: MovedClock;
  let documents: SharedDocuments;
  let events: AdminKeyEvent[];

  beforeEach(async () => {
    folder = await makeTempDir("admin-keys");
    clock = createMovedClock();
    documents = createMemoryStore({ clock, random: systemRandom }).documents;
    events = [];
  });
  afterEach(() => folder.remove());

  /** A process that shares the store with the others, with a copy of its own. */
  function open(keys: readonly AdminKey[] = [ofFile("root")], copy = "one", at = documents): AdminKeys {
    return createAdminKeys({
      ofFile: keys,
      documents: at,
      file: createRegistryFile(join(folder.path, `${copy}.json`), "admin keys"),
      clock,
      random: systemRandom,
      report: (event) => void (event.event.startsWith("admin_key.") && events.push(event as AdminKeyEvent)),
    });
  }
  const grantOf = (keys: AdminKeys, secret: string) => keys.find(sha256(secret));
  const refusal = (change: Promise<unknown>) =>
    change.then(
      () => "taken",
      (error: unknown) => (error instanceof UsherError ? `${error.code}: ${error.message}` : String(error)),
    );

  it("has one of the file as an admin of all rooms, or an operator of those that it names, unless a role is written", () => {
    const keys = open([ofFile("root"), ofFile("door", { rooms: ["a"] }), ofFile("sight", { role: "viewer" })]);
    expect(["root", "door", "sight"].map((id) => grantOf(keys, `secret of ${id}`))).toEqual([
      { id: "root", role: "admin", rooms: null },
      { id: "door", role: "operator", rooms: ["a"] },
      { id: "sight", role: "viewer", rooms: null },
    ]);
    expect([grantOf(keys, "secret of nobody"), grantOf(keys, "")]).toEqual([null, null]);
  });

  it("has what was made at one process at the others with their next refresh, and no more once it is revoked", async () => {
    const [one, two] = [open(), open([ofFile("root")], "two")];
    const secret = await one.changes.create(desk, "root");
    expect(secret).toMatch(/^usher_[\w-]{43}$/);
    expect(grantOf(one, secret)).toEqual({ id: "desk", role: "box_office", rooms: ["a"] });
    expect(grantOf(two, secret)).toBeNull();
    await two.registry.refresh();
    expect(grantOf(two, secret)).toEqual({ id: "desk", role: "box_office", rooms: ["a"] });

    await two.changes.revoke("desk", "root");
    expect(grantOf(two, secret)).toBeNull();
    await one.registry.refresh();
    expect([grantOf(one, secret), one.views.map(({ id }) => id)]).toEqual([null, ["root"]]);
    expect(events).toEqual([
      { event: "admin_key.created", key: "desk", admin: "root", role: "box_office", rooms: ["a"], expires_at: null },
      { event: "admin_key.revoked", key: "desk", admin: "root" },
    ]);
  });

  it("knows the made ones from its copy where the store was emptied, before it is asked", async () => {
    const secret = await open().changes.create(desk, "root");
    const emptied = createMemoryStore({ clock, random: systemRandom }).documents;
    expect(grantOf(open([ofFile("root")], "one", emptied), secret)?.id).toBe("desk");
    expect(grantOf(open([ofFile("root")], "another machine", emptied), secret)).toBeNull();
  });

  it("goes on with the known ones while the store is away, and changes none", async () => {
    let isAway = false;
    const away = () => Promise.reject(new UsherError("store_unavailable", "away"));
    const unreliable: SharedDocuments = {
      exchange: (...given) => (isAway ? away() : documents.exchange(...given)),
      replace: (...given) => (isAway ? away() : documents.replace(...given)),
    };
    const keys = open([], "one", unreliable);
    const secret = await keys.changes.create(desk, "root");
    isAway = true;
    expect(await refusal(keys.changes.revoke("desk", "root"))).toBe("store_unavailable: away");
    expect(grantOf(keys, secret)?.id).toBe("desk");
  });

  it("ends a key at its time, and says so in the list", async () => {
    const keys = open();
    const expiresMs = clock.now() + hourMs;
    const secret = await keys.changes.create({ ...desk, expiresMs }, "root");
    clock.advance(hourMs - 1);
    expect(grantOf(keys, secret)?.id).toBe("desk");
    clock.advance(1);
    expect(grantOf(keys, secret)).toBeNull();
    expect(keys.views.at(-1)).toMatchObject({ id: "desk", status: "expired" });
    expect(await refusal(keys.changes.rotate("desk", hourMs, "root"))).toMatch(/^conflict: this admin key has expired/);
    expect(await refusal(keys.changes.create({ ...desk, id: "late", expiresMs }, "root"))).toMatch(
      /^bad_request: expires_at: .* is past$/,
    );
  });

  it("has the secret before a rotation until the overlap is over, and never longer than the key", async () => {
    const keys = open();
    const first = await keys.changes.create(desk, "root");
    const { secret: second, previousExpiresMs } = await keys.changes.rotate("desk", hourMs, "root");
    expect(previousExpiresMs).toBe(clock.now() + hourMs);
    expect([first, second].map((secret) => grantOf(keys, secret)?.id)).toEqual(["desk", "desk"]);
    clock.advance(hourMs);
    expect([first, second].map((secret) => grantOf(keys, secret)?.id)).toEqual([undefined, "desk"]);
    const { secret: third } = await keys.changes.rotate("desk", 0, "root");
    expect([second, third].map((secret) => grantOf(keys, secret)?.id)).toEqual([undefined, "desk"]);

    const short = await keys.changes.create({ ...desk, id: "short", expiresMs: clock.now() + hourMs }, "root");
    const { secret: newer } = await keys.changes.rotate("short", 24 * hourMs, "root");
    clock.advance(hourMs);
    expect([short, newer].map((secret) => grantOf(keys, secret))).toEqual([null, null]);
  });

  it("refuses a fourth secret that works at once", async () => {
    const keys = open();
    await keys.changes.create(desk, "root");
    const rotate = () => refusal(keys.changes.rotate("desk", hourMs, "root"));
    expect([await rotate(), await rotate()]).toEqual(["taken", "taken"]);
    expect(await rotate()).toMatch(/^conflict: 2 older secrets still work/);
  });

  it("keeps no secret, in the store, in its copy, or in what it reports", async () => {
    const keys = open();
    const made = await keys.changes.create(desk, "root");
    const { secret } = await keys.changes.rotate("desk", hourMs, "root");
    const kept = JSON.stringify([await documents.exchange("admin keys", null), events, keys.views]);
    expect(kept).toContain(sha256(secret).toString("hex"));
    for (const each of [made, secret]) expect(kept).not.toContain(each.slice(6));
  });

  it("prefers one of the file where both have an id, and says so once", async () => {
    const elsewhere = open([ofFile("root")], "two");
    const secret = await elsewhere.changes.create(desk, "root");
    const keys = open([ofFile("root"), ofFile("desk")]);
    await keys.registry.refresh();
    await keys.registry.refresh();
    expect([grantOf(keys, secret), grantOf(keys, "secret of desk")?.role]).toEqual([null, "admin"]);
    expect(keys.views.map((view) => (view.source === "file" ? view.id : `${view.id} ${view.status}`))).toEqual([
      "root",
      "desk",
      "desk shadowed",
    ]);
    expect(events.filter(({ event }) => event === "admin_key.shadowed")).toEqual([
      { event: "admin_key.shadowed", key: "desk" },
    ]);
    expect(await refusal(keys.changes.revoke("desk", "root"))).toBe("taken");
  });

  it("cannot change one of the file, make one of its id, or find one that is none", async () => {
    const keys = open();
    expect(await refusal(keys.changes.revoke("root", "root"))).toMatch(/^conflict: .* is in the configuration/);
    expect(await refusal(keys.changes.rotate("root", 0, "root"))).toMatch(/^conflict: .* is in the configuration/);
    expect(await refusal(keys.changes.create({ ...desk, id: "root" }, "root"))).toMatch(/^conflict: /);
    for (const id of ["nobody", "constructor", "__proto__"]) {
      expect(await refusal(keys.changes.revoke(id, "root")), id).toMatch(/^not_found: /);
    }
  });

  it("never revokes the last key that can make others", async () => {
    const keys = open([ofFile("sight", { role: "viewer" }), ofFile("some", { role: "admin", rooms: ["a"] })]);
    const all = { ...desk, role: "admin", rooms: null } as const;
    await keys.changes.create({ ...all, id: "first" }, "link");
    await keys.changes.create({ ...all, id: "short", expiresMs: clock.now() + hourMs }, "first");
    clock.advance(hourMs);
    expect(await refusal(keys.changes.revoke("first", "first"))).toMatch(/^conflict: this is the last key/);
    await keys.changes.create({ ...all, id: "second" }, "first");
    const both = ["first", "second"].map((id) => refusal(keys.changes.revoke(id, "first")));
    expect(await Promise.all(both)).toEqual(["taken", expect.stringMatching(/^conflict: this is the last key/)]);
    expect(await refusal(open().changes.revoke("second", "root"))).toBe("taken");
  });

  it("takes 200 at most", async () => {
    const keys = open();
    for (let index = 0; index < 200; index++) await keys.changes.create({ ...desk, id: `key-${index}` }, "root");
    expect(await refusal(keys.changes.create(desk, "root"))).toMatch(/^conflict: there are 200 admin keys/);
    await keys.changes.revoke("key-7", "root");
    expect(await refusal(keys.changes.create(desk, "root"))).toBe("taken");
  });

  it("makes each of many at two processes at once", async () => {
    const [one, two] = [open(), open([ofFile("root")], "two")];
    const made = Array.from({ length: 10 }, (_, index) => ({ ...desk, id: `key-${index}` }));
    const secrets = await Promise.all(
      made.map((key, index) => (index % 2 === 0 ? one : two).changes.create(key, "root")),
    );
    await Promise.all([one.registry.refresh(), two.registry.refresh()]);
    for (const keys of [one, two]) {
      expect(secrets.map((secret) => grantOf(keys, secret)?.id)).toEqual(made.map(({ id }) => id));
    }
    const again = await Promise.all([one, two].map((keys) => refusal(keys.changes.create(desk, "root"))));
    expect(again.sort()).toEqual([expect.stringMatching(/^conflict: there is an admin key of this id/), "taken"]);
  });
});
