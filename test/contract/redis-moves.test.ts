/**
 * Goal: what Redis keeps of moved places does no harm where a key is lost, and stays
 * bounded. Method: keys are written and deleted past the store.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { LinkClaim } from "../../src/store/contract/room-store.ts";
import { createDatabaseHarness, type RedisHarness } from "./redis-harness.ts";
import { minute, type Place, RoomDriver, settings } from "./room-driver.ts";

/** Servers and processes take their time on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const key = (name: string) => `usher:{shop}:${name}`;
const maxLinks = 100_000;

let harness: RedisHarness;
let links = 0;

beforeAll(async () => {
  harness = await createDatabaseHarness();
});
beforeEach(() => harness.wipe());
afterAll(() => harness.close());

function link(): LinkClaim {
  const madeMs = harness.nowMs();
  return { id: `move-${++links}`, madeMs, expiresMs: madeMs + 10 * minute };
}

async function opened() {
  const room = await new RoomDriver(harness, "shop", settings({ moves: "unlimited" })).open();
  const [one, two] = (await room.places(2)) as [Place, Place];
  return { room, one, two };
}

describe("moved places", () => {
  it("are as good as never moved when their holders are lost", async () => {
    const { room, one, two } = await opened();
    await room.move(one, "phone", link());
    await harness.command("DEL", key("holders"));
    room.cursor = 0;
    expect((await room.tick()).moves).toEqual([]);
    expect(await room.move(two, "tablet", link())).toBe("moved");
    room.cursor = 0;
    expect((await room.tick()).moves).toMatchObject([{ number: 2, sub: "tablet" }]);
    await room.serve(1);
    expect(await room.claim(one)).toMatchObject({ result: "admitted" });
  });

  it("leave so many used links behind at most, however often a place goes to and fro; none after a reset", async () => {
    const { room, one } = await opened();
    const expiresMs = harness.nowMs() + minute;
    for (let from = 0; from < maxLinks; from += 5_000) {
      const old = Array.from({ length: 5_000 }, (_, index) => [String(expiresMs), `old-${from + index}`]).flat();
      await harness.command("ZADD", key("used_moves"), ...old);
    }
    const by = link();
    expect(await room.move(one, "phone", by)).toBe("moved");
    expect(await room.move({ ...one, sub: "phone" }, one.sub, link())).toBe("moved");
    expect(await harness.command("ZCARD", key("used_moves"))).toBe(maxLinks);
    // The last ones are remembered.
    expect(await room.move(one, "thief", by)).toBe("void");
    expect(await harness.command("EXISTS", key("used_links"))).toBe(0);
    await room.step({ step: "reset" });
    expect(await harness.command("EXISTS", key("used_moves"))).toBe(0);
  });
});
