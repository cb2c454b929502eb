/**
 * Goal: keys that are lost singly neither stall a room nor let more in than its limit. Method: a line at full pace, one
 * key deleted, and another few minutes.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabaseHarness, type RedisHarness } from "./redis-harness.ts";
import { minute, RoomDriver, type SettingsSketch, settings } from "./room-driver.ts";
import { createCrowd, live, mostIn } from "./room-store/crowd.ts";

let harness: RedisHarness;

beforeAll(async () => {
  harness = await createDatabaseHarness();
});
beforeEach(() => harness.wipe());
afterAll(() => harness.close());

const limit = 60;

/** A line that has moved for a while; answers how it goes on when this key is gone. */
async function lose(key: string, sketch: SettingsSketch) {
  const file = settings({ type: "periodic", claimWithinMs: 60 * minute, ...sketch });
  const room = await new RoomDriver(harness, "shop", file).open();
  const crowd = createCrowd(room);
  await crowd.join(1_000);
  await live([crowd], 90_000, 1_000);
  expect(await harness.command("DEL", key)).toBe(1);
  const lostMs = harness.nowMs();
  return {
    room,
    /** How many were admitted since, and the most in any minute, those before the loss included. */
    async passed(ms: number) {
      await live([crowd], ms, 1_000);
      const times = crowd.entries.map(({ atMs }) => atMs);
      return { since: crowd.between(lostMs, harness.nowMs()), most: mostIn(times, minute) };
    },
  };
}

const shared = { id: "both", outflowPerMinute: limit, weight: 1 };

describe("the limiter", () => {
  it.each([
    ["own", "usher:{shop}:log", { limit }],
    ["shared", "usher:group-log:both", { shared }],
  ])("goes on when its log is lost (%s)", async (_what, key, sketch) => {
    const { passed } = await lose(key, sketch);
    expect((await passed(3 * minute)).since).toBeGreaterThanOrEqual(0.95 * 3 * limit);
  });

  it("keeps a shared limit when the shared state is lost, whose log is there", async () => {
    const { passed } = await lose("usher:group:both", { shared });
    const { since, most } = await passed(3 * minute);
    expect(most).toBeLessThanOrEqual(limit);
    expect(since).toBeGreaterThanOrEqual(0.95 * 3 * limit);
  });

  it("holds a room whose state is lost for a minute, and then counts anew", async () => {
    const { room, passed } = await lose("usher:{shop}:log", { limit });
    const memory = await room.memory();
    await harness.command("DEL", "usher:{shop}:state");
    await room.recover(memory);
    const { since, most } = await passed(3 * minute);
    expect(most).toBeLessThanOrEqual(limit);
    expect(since).toBeGreaterThanOrEqual(0.9 * 2 * limit);
    const total = "return cmsgpack.unpack(redis.call('HGET', KEYS[1], 'values')).log_total";
    expect(await harness.command("EVAL", total, "1", "usher:{shop}:state")).toBe(limit);
  });
});
