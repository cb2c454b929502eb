/** Secrets in files, followed while Usher runs: real files, and looks at them when the test says so. */
import { mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nextRsaPem } from "../../support/rsa-keys.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { clientWith, documentWith, follow } from "./reloading.ts";

const [V1, V2, V3] = ["one", "two", "three"].map((name) => `${name}-0123456789abcdef-0123456789abcdef`) as [
  string,
  string,
  string,
];
const HOUR_MS = 3_600_000;

let dir: TempDir;
let stop: () => Promise<void> = async () => {};

beforeEach(async () => {
  dir = await makeTempDir("followed");
});

afterEach(async () => {
  await stop();
  await dir.remove();
});

const fileAt = (name: string) => join(dir.path, name);
let writes = 0;

/** Each at a time of its own: the system's clock for files is too coarse for writes without a pause. */
async function write(name: string, text: string): Promise<void> {
  await writeFile(fileAt(name), text, { mode: 0o600 });
  writes += 1;
  await utimes(fileAt(name), 1_800_000_000 + writes, 1_800_000_000 + writes);
}

/** Follows, and has looked at every file once, as after two and a half seconds. */
async function following(document: unknown) {
  const running = await follow({ document, file: fileAt("usher.yaml") });
  stop = () => running.reloaded.stop();
  const look = async (times = 2) => {
    for (let count = 0; count < times; count++) await running.timers.runAll();
  };
  await look();
  return { ...running, look };
}

const shopFile = { from: "file", path: "shop.secret" };

it("takes a client secret that has changed, and accepts the one before for an hour", async () => {
  await write("shop.secret", V1);
  const { config, changes, clock, look, events } = await following(documentWith([clientWith(shopFile)]));
  expect(config.issuers[0]?.clients[0]?.clientSecret).toBe(V1);
  await look();
  expect(changes).toEqual([]);
  await write("shop.secret", `${V2}\n`);
  await look();
  expect(changes.splice(0)).toEqual([{ kind: "client_secret", clientId: "shop", secrets: [V2, V1] }]);
  clock.advance(HOUR_MS / 2);
  await write("shop.secret", V3);
  await look();
  expect(changes.splice(0)).toEqual([{ kind: "client_secret", clientId: "shop", secrets: [V3, V2, V1] }]);
  clock.advance(HOUR_MS / 2);
  await look(1);
  expect(changes.splice(0)).toEqual([{ kind: "client_secret", clientId: "shop", secrets: [V3, V2] }]);
  clock.advance(HOUR_MS / 2 - 1);
  await look(1);
  expect(changes).toEqual([]);
  clock.advance(1);
  await look(1);
  expect(changes).toEqual([{ kind: "client_secret", clientId: "shop", secrets: [V3] }]);
  expect(new Set(events())).toEqual(new Set(["secrets.changed clients[0].client_secret"]));
});

it("takes a value back, and bounds how many are accepted", async () => {
  await write("shop.secret", V1);
  const { changes, look } = await following(documentWith([clientWith(shopFile)]));
  await write("shop.secret", V2);
  await look();
  await write("shop.secret", V1);
  await look();
  expect(changes.at(-1)).toEqual({ kind: "client_secret", clientId: "shop", secrets: [V1, V2] });
  for (const n of [1, 2, 3, 4, 5, 6]) {
    await write("shop.secret", `${n}${V3}`);
    await look();
  }
  expect(changes.at(-1)).toMatchObject({ secrets: ["6", "5", "4", "3", "2"].map((n) => `${n}${V3}`) });
});

it("takes keys in the order of the list, and a further secret of a client beside the first", async () => {
  for (const name of ["first", "shop.secret", "older"]) await write(name, V1);
  const { changes, look } = await following(
    documentWith([clientWith("s".repeat(16), { previous_client_secret: { from: "file", path: "older" } })], {
      keys: { tickets: [{ from: "file", path: "first" }, V3] },
    }),
  );
  await write("first", V2);
  await write("older", V2);
  await look();
  // Each file is looked at by itself, so either may be first.
  expect(changes.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
    { kind: "client_secret", clientId: "shop", secrets: ["s".repeat(16), V2] },
    { kind: "keys", issuer: "https://q.example", purpose: "tickets", keys: [V2, V3] },
  ]);
});

it("reads a file only when two looks in a row saw the same: half of one may be a secret, too", async () => {
  await write("key", V1);
  const { changes, timers, look } = await following(
    documentWith([clientWith("s".repeat(16))], { keys: { tickets: [{ from: "file", path: "key" }] } }),
  );
  expect(timers.delaysMs).toEqual([2_000]);
  await write("key", V2.slice(0, 33));
  await look(1);
  expect(timers.delaysMs).toEqual([500]);
  await write("key", V2);
  await look(1);
  expect(changes).toEqual([]);
  await look(1);
  expect(changes).toMatchObject([{ keys: [V2] }]);
});

it("follows a link that is replaced, as Kubernetes does with mounted secrets", async () => {
  for (const [name, value] of [
    ["..1", V1],
    ["..2", V2],
  ] as const) {
    await mkdir(fileAt(name));
    await write(`${name}/shop.secret`, value);
  }
  await symlink("..1", fileAt("..data"));
  await symlink("..data/shop.secret", fileAt("shop.secret"));
  const { changes, look } = await following(documentWith([clientWith(shopFile)]));
  await symlink("..2", fileAt("..data_tmp"));
  await rename(fileAt("..data_tmp"), fileAt("..data"));
  await rm(fileAt("..1"), { recursive: true });
  await look();
  expect(changes).toEqual([{ kind: "client_secret", clientId: "shop", secrets: [V2, V1] }]);
});

it.each<[string, (file: string) => Promise<void>, RegExp]>([
  ["is empty", (file) => writeFile(file, "\n"), /shop\.secret is empty/],
  ["is deleted", (file) => rm(file), /can't be read \(ENOENT\)/],
  ["becomes a folder", (file) => rm(file).then(() => mkdir(file)), /not a file|EISDIR/],
  ["is invalid for its place", (file) => writeFile(file, "zwölf"), /expected at most 1024 printable ASCII/],
  ["is huge", (file) => writeFile(file, "x".repeat(70_000)), /is not a file of at most/],
])("keeps the last value while a file %s, and says so once", async (_, spoil, message) => {
  await write("shop.secret", V1);
  const { changes, look, reloaded, events, reports } = await following(documentWith([clientWith(shopFile)]));
  await spoil(fileAt("shop.secret"));
  await look(4);
  expect(reloaded.faults()).toEqual([expect.stringMatching(message)]);
  expect(changes).toEqual([]);
  await rm(fileAt("shop.secret"), { recursive: true, force: true });
  await write("shop.secret", V1);
  await look(4);
  expect(reloaded.faults()).toEqual([]);
  expect(events()).toEqual(["secrets.failed clients[0].client_secret", "secrets.restored clients[0].client_secret"]);
  expect(JSON.stringify(reports)).not.toContain("zwölf");
});

it("takes a signing key only if it is one", async () => {
  const [first, second] = [nextRsaPem(), nextRsaPem()];
  await write("signing.pem", first);
  const { changes, look, reloaded } = await following(
    documentWith([clientWith("s".repeat(16))], { keys: { signing: [{ from: "file", path: "signing.pem" }] } }),
  );
  await write("signing.pem", second.slice(0, 900));
  await look();
  expect([changes, reloaded.faults()]).toEqual([[], [expect.stringContaining("private key, unencrypted")]]);
  await write("signing.pem", second);
  await look();
  expect(changes).toMatchObject([{ kind: "keys", purpose: "signing", keys: [second.trimEnd()] }]);
});

it("follows each issuer's files for itself, and ends when it is told", async () => {
  await write("a.key", V1);
  await write("b.key", V2);
  const issuers = ["a", "b"].map((name) => ({
    issuer: `https://${name}.example`,
    rooms: [{ id: name }],
    keys: { cookies: [{ from: "file", path: `${name}.key` }] },
  }));
  const { changes, look, reloaded, timers } = await following({ issuers });
  await write("b.key", V3);
  await look();
  expect(changes).toEqual([{ kind: "keys", issuer: "https://b.example", purpose: "cookies", keys: [V3] }]);
  await reloaded.stop();
  expect(timers.delaysMs).toEqual([]);
});
