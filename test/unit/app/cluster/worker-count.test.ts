import { expect, test } from "vitest";
import { workerCount } from "../../../../src/app/cluster/primary.ts";

const [redis, memory] = [{ type: "redis" as const }, { type: "memory" as const }];

test.each([
  ["auto", redis, 4, 4],
  ["auto", redis, 1, 1],
  ["auto", memory, 4, 1],
  [3, redis, 1, 3],
  [1, redis, 8, 1],
] as const)("workers: %s, store %o, %i cores make %i", (workers, store, cores, expected) => {
  expect(workerCount({ workers, store }, cores)).toBe(expected);
});
