import { expect, test } from "vitest";
import { Joiner } from "../../../../src/room/visitor/joiner.ts";
import type { JoinRange } from "../../../../src/store/contract/room-store.ts";

function fakeCounter() {
  const counts: number[] = [];
  let last = 0;
  const take = async (count: number): Promise<JoinRange> => {
    counts.push(count);
    const first = last + 1;
    last += count;
    await new Promise((resolve) => setImmediate(resolve));
    return { edition: 1, first, last, joinedMs: 5, serving: 0, refusal: null };
  };
  return { counts, take };
}

test("joins of one turn take one range, and those that come meanwhile the next one", async () => {
  const { counts, take } = fakeCounter();
  const joiner = new Joiner(take);
  const first = Array.from({ length: 100 }, () => joiner.join());
  await new Promise((resolve) => setImmediate(resolve));
  const second = Array.from({ length: 50 }, () => joiner.join());
  const places = await Promise.all([...first, ...second]);
  expect(counts).toEqual([100, 50]);
  expect(places).toEqual(Array.from({ length: 150 }, (_, index) => ({ edition: 1, position: index + 1, joinedMs: 5 })));
});

test("a range that fails fails for its own joins only", async () => {
  let calls = 0;
  const joiner = new Joiner(async (count) => {
    calls++;
    if (calls === 1) throw new Error("away");
    return { edition: 1, first: 1, last: count, joinedMs: 0, serving: 0, refusal: null };
  });
  await expect(joiner.join()).rejects.toThrow("away");
  await expect(joiner.join()).resolves.toEqual({ edition: 1, position: 1, joinedMs: 0 });
});

test("no range is larger than the store allows", async () => {
  const { counts, take } = fakeCounter();
  const joiner = new Joiner(take);
  await Promise.all(Array.from({ length: 10_500 }, () => joiner.join()));
  expect(counts).toEqual([10_000, 500]);
});

test("where fewer positions are handed out than asked for, those who came first have them", async () => {
  const joiner = new Joiner(async () => ({ edition: 1, first: 8, last: 9, joinedMs: 3, serving: 0, refusal: "full" }));
  expect(await Promise.all([joiner.join(), joiner.join(), joiner.join()])).toEqual([
    { edition: 1, position: 8, joinedMs: 3 },
    { edition: 1, position: 9, joinedMs: 3 },
    "full",
  ]);
});
