/** Goal: what a subscription costs in Redis, as docs/push.md says. Method: two hundred as browsers make them, and the sizes of their keys. */
import { createECDH, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeSubscription } from "../../../../src/features/push/subscription.ts";
import { createDatabaseHarness, type RedisHarness } from "../../../contract/redis-harness.ts";
import { RoomDriver, settings } from "../../../contract/room-driver.ts";

let harness: RedisHarness;

beforeAll(async () => {
  harness = await createDatabaseHarness();
});
afterAll(() => harness.close());

const names = ["texts", "turns", "near", "undrawn", "due"];
const count = 200;

it("is less than 1,000 bytes, and nothing once all are told", async () => {
  const room = await new RoomDriver(harness, "pushing", settings({ push: true })).open();
  const places = await room.places(count);
  const ecdh = createECDH("prime256v1");
  for (const place of places) {
    const text = writeSubscription({
      // As long as those of Chrome.
      endpoint: `https://fcm.googleapis.com/fcm/send/${"x".repeat(152)}`,
      p256dh: ecdh.generateKeys().toString("base64url"),
      auth: randomBytes(16).toString("base64url"),
      language: "pt-BR",
      kid: "abcdefgh",
      address: "https://shop.example.com/oauth2/start?rd=/tickets",
      client: "shop-alb",
    });
    await room.subscribe({ ...place, sub: `pushing.${randomBytes(16).toString("base64url")}` }, { text });
  }
  const sizes = await Promise.all(
    names.map(async (name) => Number(await harness.command("MEMORY", "USAGE", `usher:{pushing}:push_${name}`)) || 0),
  );
  const each = sizes.reduce((sum, size) => sum + size, 0) / count;
  expect(each).toBeGreaterThan(400);
  expect(each).toBeLessThan(1_000);
  await room.serve(count);
  for (let taken = -1; taken !== 0; ) {
    const answer = await room.takePushes();
    taken = answer.taken.length;
    const settled = answer.taken.map(({ id }) => ({ id, outcome: "done" as const, retryMs: 0 }));
    await room.takePushes({ settled, limit: 0 });
  }
  for (const name of names) expect(await harness.command("EXISTS", `usher:{pushing}:push_${name}`)).toBe(0);
});

it("is refused beyond 50,000 in a room", async () => {
  const room = await new RoomDriver(harness, "full", settings({ push: true })).open();
  const [first, second] = await room.places(2);
  if (first === undefined || second === undefined) throw new Error("no places");
  expect(await room.subscribe(first)).toBe("kept");
  for (let from = 1; from < 50_000; from += 1_000) {
    const members = Array.from({ length: Math.min(1_000, 50_000 - from) }, (_, index) => [
      "9",
      `other.${from + index}`,
    ]);
    await harness.command("ZADD", "usher:{full}:push_turns", ...members.flat());
  }
  expect(await room.subscribe(second)).toBe("full");
  expect(await room.subscribe(first)).toBe("kept");
});
