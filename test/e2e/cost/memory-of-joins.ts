import { expect } from "vitest";
import { forEach } from "../../fault/people.ts";
import { memoryOfKeys } from "../../support/memory-of-keys.ts";
import type { RedisDatabase } from "../../support/shared-redis.ts";
import { queued } from "../line.ts";
import type { World } from "../world.ts";

const joins = 10_000;

/** Ten thousand who come and wait take no byte of the store each: `MEMORY USAGE` of the room's keys before and after. */
export async function expectJoinsForNothing(
  world: World,
  redis: Pick<RedisDatabase, "command">,
  room: string,
  join: () => Promise<unknown>,
): Promise<void> {
  const joinAll = (count: number) =>
    forEach(Array.from({ length: count }), 16, async () => {
      await join();
    });
  // What is there once, however many come.
  await joinAll(100);
  const before = await memoryOfKeys(redis, `*{${room}}*`);
  await joinAll(joins);
  expect(await queued(world, room)).toBe(joins + 100);
  expect(before).toBeGreaterThan(0);
  expect(((await memoryOfKeys(redis, `*{${room}}*`)) - before) / joins).toBeLessThan(0.05);
}
