/** Goal: the printed link signs nobody in where there may be admin keys that this process cannot read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSignInLink } from "../../../../src/http/admin/sign-in/sign-in-link.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { systemRandom } from "../../../../src/lib/random.ts";
import {
  createAdminKeys,
  createOneTimeLinks,
  createRegistryFile,
  oneTimeLinkModel,
} from "../../../../src/registry/index.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";

const minuteMs = 60_000;
let folder: TempDir;
beforeEach(async () => {
  folder = await makeTempDir("sign-in-link");
});
afterEach(() => folder.remove());

function open(copy: string | null) {
  const path = join(folder.path, "registry.json");
  if (copy !== null) writeFileSync(path, copy);
  const store = createMemoryStore({ clock: systemClock, random: systemRandom });
  const terms = { ofFile: [], clock: systemClock, random: systemRandom, report: () => undefined };
  const file = createRegistryFile(path, "admin keys");
  const adminKeys = createAdminKeys({ ...terms, documents: store.documents, file });
  const links = createOneTimeLinks(store.oidcAdapter(oneTimeLinkModel), systemClock, systemRandom);
  const admin = { url: "https://usher.example.com", signIn: null } as Parameters<typeof createSignInLink>[0];
  const link = createSignInLink(admin, { adminKeys, links });
  const made = async () => (await links.make("sign-in", {}, minuteMs)).token;
  return { store, adminKeys, link, made };
}

test("it signs somebody in where there is no key", async () => {
  const { link, made } = open(null);
  const token = await made();
  expect([await link.isGood(token), await link.use(token), await link.use(token)]).toEqual([true, true, false]);
});

test("it signs nobody in by keys that cannot be read in the store", async () => {
  const { store, adminKeys, link, made } = open(null);
  await store.documents.replace("admin keys", '{"format":2}', 0);
  await adminKeys.registry.refresh();
  const token = await made();
  expect([adminKeys.views, await link.isGood(token), await link.use(token)]).toEqual([[], false, false]);
});

test("it signs nobody in by a copy that cannot be read, until the store says which keys there are", async () => {
  const { store, adminKeys, link, made } = open("{");
  const token = await made();
  await adminKeys.registry.refresh();
  expect([await link.isGood(token), await link.use(token)]).toEqual([false, false]);
  await store.documents.replace("admin keys", '{"format":1,"keys":{}}', 0);
  await adminKeys.registry.refresh();
  expect([await link.isGood(token), await link.use(token)]).toEqual([true, true]);
});
