import { expect, test } from "vitest";
import { createLruCache } from "../../../src/lib/lru-cache.ts";

test("forgets the entry that was used longest ago, beyond so many", () => {
  const cache = createLruCache<string, number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([...cache.entries()].sort()).toEqual([
    ["a", 1],
    ["c", 3],
  ]);
});

test("takes no memory for entries that are not there", () => {
  const before = process.memoryUsage().arrayBuffers;
  const caches = Array.from({ length: 100 }, () => createLruCache<string, number>(1_000_000));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(caches.length * 1_000);
});
