import { beforeEach, expect, it } from "vitest";
import { createExpiredTokens } from "../../../../src/features/aws-home/expired-tokens.ts";
import { usualTerms, writeLogin } from "../../../../src/features/aws-home/home.ts";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import type { WaitingRoom } from "../../../../src/room/index.ts";
import type { SharedDocuments } from "../../../../src/store/contract/shared.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

const startMs = 1_900_000_000_000;
const idOf = (at: number) => `${at.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
let documents: SharedDocuments;
/** As a process sees it. */
let room: { name: string; id: string; nowMs: number; state: { edition: number }; admissions: { allCached: object[] } };
const seenAs = (other: object) => ({ ...room, ...other }) as unknown as WaitingRoom;
const admission = (at: number, expiresInSec: number, more: object = {}) => ({
  edition: 7,
  admittedMs: startMs,
  expiresMs: startMs + expiresInSec * 1_000,
  logins: [writeLogin(idOf(at), usualTerms)],
  ...more,
});

beforeEach(() => {
  documents = createMemoryStore({ clock: createMovedClock(), random: systemRandom }).documents;
  room = { name: "tickets", id: "tickets", nowMs: startMs, state: { edition: 7 }, admissions: { allCached: [] } };
});

it("lists those that have expired, the latest first, long after their admissions are forgotten", async () => {
  const expired = createExpiredTokens(documents);
  const allCached = [admission(1, -5), admission(2, -60), admission(3, 60), admission(4, 3_600)];
  expect(await expired.list(seenAs({ admissions: { allCached } }))).toEqual([idOf(1), idOf(2)]);
  await expired.look(seenAs({ admissions: { allCached } }));
  // Forgotten here; another process never knew them.
  for (const process of [expired, createExpiredTokens(documents)]) {
    expect(await process.list(seenAs({}))).toEqual([idOf(1), idOf(2)]);
    // What was about to expire was recorded, too.
    expect(await process.list(seenAs({ nowMs: startMs + 61_000 }))).toEqual([idOf(3), idOf(1), idOf(2)]);
  }
});

it("keeps them for a day", async () => {
  const expired = createExpiredTokens(documents);
  await expired.look(seenAs({ admissions: { allCached: [admission(1, -60), admission(2, -5)] } }));
  const later = (sec: number) => expired.list(seenAs({ nowMs: startMs + sec * 1_000 }));
  expect(await later(86_400 - 61)).toEqual([idOf(2), idOf(1)]);
  expect(await later(86_400 - 30)).toEqual([idOf(2)]);
  expect(await later(86_401)).toEqual([]);
});

it("loses nothing when two processes add at once, and nothing that another one has added since", async () => {
  const [first, second] = [createExpiredTokens(documents), createExpiredTokens(documents)];
  const views = [
    seenAs({ admissions: { allCached: [admission(1, -5)] } }),
    seenAs({ admissions: { allCached: [admission(2, -6)] } }),
  ] as const;
  await Promise.all([first.look(views[0]), second.look(views[1])]);
  await Promise.all([first.look(views[0]), second.look(views[1])]);
  expect(await createExpiredTokens(documents).list(seenAs({}))).toEqual([idOf(1), idOf(2)]);
});

it("has none of an earlier line, nor of those who came another way", async () => {
  const expired = createExpiredTokens(documents);
  const others = [admission(2, -5, { edition: 6 }), admission(3, -5, { logins: ["hash:client"] })];
  await expired.look(seenAs({ admissions: { allCached: [admission(1, -5), ...others] } }));
  expect(await expired.list(seenAs({}))).toEqual([idOf(1)]);
  expect(await expired.list(seenAs({ state: { edition: 8 } }))).toEqual([]);
});

it("goes by the validity that a program has chosen", async () => {
  const expired = createExpiredTokens(documents);
  const login = writeLogin(idOf(1), { issuer: "https://op.test", validitySec: 30 });
  const view = { admissions: { allCached: [admission(1, 3_600, { logins: [login] })] } };
  expect(await expired.list(seenAs({ ...view, nowMs: startMs + 29_000 }))).toEqual([]);
  expect(await expired.list(seenAs({ ...view, nowMs: startMs + 31_000 }))).toEqual([idOf(1)]);
});

it("keeps the latest ten thousand, in a document that the store takes", async () => {
  const expired = createExpiredTokens(documents);
  const allCached = Array.from({ length: 10_500 }, (_, at) => admission(at, -at - 1));
  await expired.look(seenAs({ admissions: { allCached } }));
  const kept = await createExpiredTokens(documents).list(seenAs({}));
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([10_000, idOf(0), idOf(9_999)]);
});

it("comes back with a process that remembers it, when the store is emptied", async () => {
  const expired = createExpiredTokens(documents);
  await expired.look(seenAs({ admissions: { allCached: [admission(1, -5)] } }));
  const emptied = createMemoryStore({ clock: createMovedClock(), random: systemRandom }).documents;
  // The same process meets a store that has nothing.
  const same = createExpiredTokens({
    exchange: (name, cached) => (isEmptied ? emptied : documents).exchange(name, cached),
    replace: (...args) => (isEmptied ? emptied : documents).replace(...args),
  });
  let isEmptied = false;
  expect(await same.list(seenAs({}))).toEqual([idOf(1)]);
  isEmptied = true;
  expect(await same.list(seenAs({}))).toEqual([idOf(1)]);
  expect(await createExpiredTokens(emptied).list(seenAs({}))).toEqual([idOf(1)]);
});
