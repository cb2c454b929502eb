/** The sessions of operators' browsers: when they end by themselves, whom the provider logs out, and how many there are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AdminKey, SignInConfig } from "../../../src/config/index.ts";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import {
  type AdminSessions,
  createAdminSessions,
  createRegistryFile,
  refreshAll,
} from "../../../src/registry/index.ts";
import type { SharedDocuments } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const minuteMs = 60_000;
const signIn: SignInConfig = {
  issuer: "https://sso.example.com",
  clientId: "usher",
  clientSecret: "secret",
  tokenEndpointAuthMethod: "client_secret_basic",
  scopes: ["openid"],
  rules: [{ claim: "groups", value: "readers", role: "viewer" }],
};
const otherRules: SignInConfig = { ...signIn, rules: [{ claim: "groups", value: "others", role: "viewer" }] };
const key: AdminKey = { id: "one", keySha256: "0".repeat(64) };
let folder: TempDir;
let clock: MovedClock;
let documents: SharedDocuments;
let copies = 0;

beforeEach(async () => {
  folder = await makeTempDir("admin-sessions");
  clock = createMovedClock();
  documents = createMemoryStore({ clock, random: systemRandom }).documents;
});
afterEach(() => folder.remove());

/** A process that shares the store with the others: a session lasts an hour, and ten minutes unused. */
function open(under: SignInConfig | null = signIn, keys: readonly AdminKey[] = []): AdminSessions {
  return createAdminSessions({
    adminKeys: { find: () => null },
    admin: { signIn: under, keys, session: { lifetimeMs: 60 * minuteMs, idleMs: 10 * minuteMs } },
    documents,
    file: createRegistryFile(join(folder.path, `${copies++}.json`), "admin sessions"),
    clock,
    random: systemRandom,
    report: () => undefined,
  });
}
const person = (id: string, sid: string | null = null) => ({
  id: `person:${id}`,
  name: id,
  role: "viewer" as const,
  rooms: null,
  sid,
});
const isIn = (sessions: AdminSessions, id: string) => sessions.find(id) !== null;
/** Until what was noted in the background is in the store. */
const noted = () => new Promise((resolve) => setTimeout(resolve, 50));

it("ends when nobody has used it for the idle time, and when its lifetime is over, however much it is used", async () => {
  const sessions = open();
  const [unused, used] = [await sessions.create(person("a"), null), await sessions.create(person("b"), null)];
  for (let minutes = 0; minutes < 55; minutes += 5) {
    clock.advance(5 * minuteMs);
    expect(isIn(sessions, used), `after ${minutes + 5} minutes`).toBe(true);
    await noted();
  }
  expect(isIn(sessions, unused)).toBe(false);
  clock.advance(5 * minuteMs);
  expect(isIn(sessions, used)).toBe(false);
  expect(sessions.views).toEqual([]);
});

it("that is only used is written to the file with others, within half a minute, and at the stop", async () => {
  const sessions = open();
  const path = join(folder.path, `${copies - 1}.json`);
  const id = await sessions.create(person("a"), null);
  const seen = () => /seen_ms\D+(\d+)/.exec(readFileSync(path, "utf8"))?.[1];
  const atFirst = seen();
  const use = async () => {
    clock.advance(5 * minuteMs);
    expect(isIn(sessions, id)).toBe(true);
    await noted();
    return String(Math.floor(clock.now()));
  };
  await use();
  expect(seen()).toBe(atFirst);
  const last = await use();
  for (let second = 0; second < 30; second++) await sessions.registry.refresh();
  expect(seen()).toBe(last);
  const atEnd = await use();
  expect(seen()).toBe(last);
  sessions.registry.stop();
  expect(seen()).toBe(atEnd);
  await sessions.end(id);
  expect(seen()).toBeUndefined();
});

it("is worth nothing where the rules are others, and is not lost to a process that still goes by them", async () => {
  const [before, after] = [open(), open(otherRules)];
  const id = await before.create(person("a"), null);
  await after.create(person("b"), null);
  await refreshAll([before, after]);
  expect([isIn(before, id), isIn(after, id)]).toEqual([true, false]);
});

it("of a printed link is worth nothing where there is a key, or a provider, by now", async () => {
  const id = await open(null).create(person("sign-in-link"), null);
  const worth = await Promise.all(
    [open(null), open(null, [key]), open(signIn)].map(async (each) => {
      await refreshAll([each]);
      return isIn(each, id);
    }),
  );
  expect(worth).toEqual([true, false, false]);
});

it("the provider ends one session by its sid, or all of a person, and a token once", async () => {
  const [one, two] = [open(), open()];
  const ids: string[] = [];
  const signedIn = [
    ["a", "s1"],
    ["a", "s2"],
    ["b", "s1"],
    ["c", "s1"],
    ["d", null],
    ["e", null],
  ] as const;
  for (const [name, sid] of signedIn) ids.push(await one.create(person(name, sid), null));
  const who = async () => {
    await refreshAll([one, two]);
    return ids.map((id) => isIn(two, id));
  };
  const end = (jti: string, sid: string | null, personId: string | null) =>
    two.endByProvider({ jti, sid, personId, expiresMs: clock.now() + minuteMs });
  await end("1", "s1", "person:a");
  expect(await who()).toEqual([false, true, true, true, true, true]);
  await expect(end("1", null, "person:b")).rejects.toMatchObject({ code: "bad_request" });
  await end("2", "s1", null);
  expect(await who()).toEqual([false, true, false, false, true, true]);
  await end("3", null, "person:a");
  expect(await who()).toEqual([false, false, false, false, true, true]);
  // Whose session at the provider is not known.
  await end("4", "s9", "person:d");
  expect(await who()).toEqual([false, false, false, false, false, true]);
});

it("what only asks whether a session is in force is no use of it", async () => {
  const sessions = open();
  const id = await sessions.create(person("a"), null);
  const seenMs = () => Object.values(sessions.registry.content.sessions)[0]?.seen_ms;
  const before = seenMs();
  clock.advance(9 * minuteMs);
  expect(sessions.isInForce(id)).toBe(true);
  expect(sessions.isInForce("another")).toBe(false);
  await refreshAll([sessions]);
  expect(seenMs()).toBe(before);
  sessions.find(id);
  await expect.poll(seenMs).not.toBe(before);
});

it("one person has ten at most, the oldest leave, and nobody else's", async () => {
  const sessions = open();
  const other = await sessions.create(person("other"), null);
  const own: string[] = [];
  for (let made = 0; made < 12; made++) {
    clock.advance(1_000);
    own.push(await sessions.create(person("a"), null));
  }
  expect(own.map((id) => isIn(sessions, id))).toEqual([false, false, ...Array.from({ length: 10 }, () => true)]);
  expect(isIn(sessions, other)).toBe(true);
});
