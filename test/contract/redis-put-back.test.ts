/** Goal: what was used once works at no process after the server's data was put back in place. Method: a real Redis, two stores at it, and a snapshot from before the use. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { AlreadyConsumedError } from "../../src/lib/errors.ts";
import { manualSettings } from "../support/room-settings.ts";
import { createRedisHarness, type RedisHarness } from "./redis-harness.ts";

let harness: RedisHarness;
beforeAll(async () => {
  harness = await createRedisHarness();
});
afterAll(() => harness?.close());

const room = "tickets";

it.each(["AuthorizationCode", "RefreshToken", "OneTimeLink"])(
  "%s: used once, put back, and worth nothing",
  async (model) => {
    const [one, two] = [harness.store, await harness.second()];
    const offer = { room, fileSettings: manualSettings, isNewRoom: false, memory: null, seen: null };
    const tick = async (store: typeof one) => {
      const { incarnation } = await store.rooms.contribute(offer);
      const outcome = await store.rooms.tick(room, incarnation, 0);
      return outcome.result;
    };
    await tick(one);
    await harness.advance(3_000);
    expect(await tick(one)).toBe("ok");
    const payload = { iat: Math.floor(harness.nowMs() / 1_000), grantId: `grant of ${model}` };
    await one.oidcAdapter(model).upsert("used", payload, 60);
    await one.oidcAdapter(model).upsert("gone", payload, 60);
    await harness.save();
    await harness.advance(2_000);
    expect(await tick(one)).toBe("ok");
    expect(await tick(two)).toBe("ok");
    // To look voids nothing.
    expect(await two.oidcAdapter(model).find("used")).toMatchObject(payload);
    await one.oidcAdapter(model).consume("used");
    await one.oidcAdapter(model).destroy("gone");
    await harness.restoreInPlace();

    const again = await one.oidcAdapter(model).find("used");
    expect(again === undefined || again.consumed !== undefined).toBe(true);
    await expect(one.oidcAdapter(model).consume("used")).rejects.toThrow(AlreadyConsumedError);
    expect(await one.oidcAdapter(model).find("gone")).toBeUndefined();
    // The other process has not used it, but finds that the data is older than what it has seen.
    if (model !== "RefreshToken") expect(await two.oidcAdapter(model).find("used")).toBeUndefined();
  },
);
