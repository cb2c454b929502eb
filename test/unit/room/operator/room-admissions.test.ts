/** Admissions that are looked up at once go together. Method: one process, whose calls of the store are watched. */
import { expect, test, vi } from "vitest";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { startServed } from "../processes.ts";

async function start(seed: string, visitors: number) {
  const { room, tickets } = await startServed(seed, visitors);
  await Promise.all(tickets.map((ticket) => room.claim(ticket, "login")));
  const watch = vi.spyOn(room.store, "admissions");
  return { room, subs: tickets.map(({ sub }) => sub), watch };
}

test("those of one turn are read in one call, up to 32, and each is answered its own", async () => {
  const { room, subs, watch } = await start("one-turn", 40);
  const asked = [...subs.slice(20), "nobody", ...subs.slice(0, 20)];
  const found = await Promise.all(asked.map((sub) => room.admissions.find(sub)));
  expect(watch.mock.calls.map(([, some]) => some.length)).toEqual([32, 9]);
  expect(found.map((admission) => admission?.sub)).toEqual(asked.map((sub) => (sub === "nobody" ? undefined : sub)));
});

test("what has ended since is read anew by who asks afterwards, while a call is under way, too", async () => {
  const { room, subs } = await start("afterwards", 1);
  const [sub = ""] = subs;
  const before = room.admissions.find(sub);
  const after = room.admissions.end(sub, "logout").then(() => room.admissions.find(sub));
  expect([(await before)?.sub, (await after)?.ended]).toEqual([sub, "logout"]);
});

test("where the store does not answer, nobody is answered", async () => {
  const { room, subs, watch } = await start("away", 3);
  watch.mockRejectedValueOnce(new StoreUnavailableError());
  const found = await Promise.allSettled(subs.map((sub) => room.admissions.find(sub)));
  expect(found.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect((await room.admissions.find(subs[0] ?? ""))?.ended).toBeNull();
});
