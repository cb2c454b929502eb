import { expect, it } from "vitest";
import { BoundedMap } from "../../../src/lib/bounded-map.ts";

it("a bounded map forgets what was not asked for the longest time", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([1, undefined, 3, 2]);
  map.set("c", 4);
  map.delete("a");
  expect([map.get("c"), map.size]).toEqual([4, 1]);
});
