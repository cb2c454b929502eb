/** Goal: the printed link signs nobody in where there may be admin keys that this process cannot read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "koa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { createSignInLink } from "../../../../src/operate/admin-api/sign-in/sign-in-link.ts";
import {
  createAdminKeys,
  createOneTimeLinks,
  createRegistryFile,
  oneTimeLinkModel,
} from "../../../../src/registry/index.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../../support/moved-clock.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";

const minuteMs = 60_000;
let folder: TempDir;
let clock: MovedClock;
beforeEach(async () => {
  clock = createMovedClock();
  folder = await makeTempDir("sign-in-link");
});
afterEach(() => folder.remove());

/** A request of a browser that has this cookie, or none. What it is given is in `given`. */
function browser(cookie = "", given: string[] = []): Context {
  const append = (_: string, value: string) => void given.push(value.split(";")[0] ?? "");
  return { headers: { cookie }, append } as unknown as Context;
}

function open(copy: string | null) {
  const path = join(folder.path, "registry.json");
  if (copy !== null) writeFileSync(path, copy);
  const store = createMemoryStore({ clock, random: systemRandom });
  const terms = { ofFile: [], clock, random: systemRandom, report: () => undefined };
  const file = createRegistryFile(path, "admin keys");
  const adminKeys = createAdminKeys({ ...terms, documents: store.documents, file });
  const links = createOneTimeLinks(store.oidcAdapter(oneTimeLinkModel), clock, systemRandom);
  const admin = { url: "https://usher.example.com", signIn: null } as Parameters<typeof createSignInLink>[0];
  const link = createSignInLink(admin, { adminKeys, links });
  const made = async () => (await links.make("sign-in", {}, 15 * minuteMs)).token;
  return { store, adminKeys, link, made };
}

test("it signs somebody in where there is no key", async () => {
  const { link, made } = open(null);
  const token = await made();
  expect([
    await link.isGood(browser(), token),
    await link.use(browser(), token),
    await link.use(browser(), token),
  ]).toEqual([true, true, false]);
});

test("the browser that saw its page may press twice, or again after a failure, for two minutes; no other may", async () => {
  const { link, made } = open(null);
  const token = await made();
  const given: string[] = [];
  await link.isGood(browser("", given), token);
  const own = () => browser(given[0]);
  expect(given).toEqual([expect.stringMatching(/^__Host-usher-sign-in-link=[\w-]{43}$/)]);
  expect(await Promise.all([link.use(own(), token), link.use(own(), token)])).toEqual([true, true]);
  expect([await link.use(browser(), token), await link.isGood(own(), token)]).toEqual([false, false]);
  clock.advance(minuteMs);
  expect(await link.use(own(), token)).toBe(true);
  clock.advance(minuteMs);
  expect(await link.use(own(), token)).toBe(false);
});

test("it signs nobody in by keys that cannot be read in the store", async () => {
  const { store, adminKeys, link, made } = open(null);
  await store.documents.replace("admin keys", '{"format":2}', 0);
  await adminKeys.registry.refresh();
  const token = await made();
  expect([adminKeys.views, await link.isGood(browser(), token), await link.use(browser(), token)]).toEqual([
    [],
    false,
    false,
  ]);
});

test("it signs nobody in by a copy that cannot be read, until the store says which keys there are", async () => {
  const { store, adminKeys, link, made } = open("{");
  const token = await made();
  await adminKeys.registry.refresh();
  expect([await link.isGood(browser(), token), await link.use(browser(), token)]).toEqual([false, false]);
  await store.documents.replace("admin keys", '{"format":1,"keys":{}}', 0);
  await adminKeys.registry.refresh();
  expect([await link.isGood(browser(), token), await link.use(browser(), token)]).toEqual([true, true]);
});
