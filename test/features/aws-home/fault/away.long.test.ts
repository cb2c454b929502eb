// Long: visitors are let in without the store once it has been away for ten seconds.
/**
 * Goal: while the store is away clients of the AWS interface keep their numbers, and are let in where the room says so; no token is made by accident.
 * Method: a store that is killed (SIGKILL) and started again, two rooms, of which one lets visitors in meanwhile.
 */
import { expect, test } from "vitest";
import { ownRedis } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { createHomeClient, homeOf } from "../support/home-client.ts";

const redis = ownRedis();
const world = useWorld(() => ({
  store: redis.store,
  rooms: [{ id: "open", settings: { when_away: "let_in" } }, { id: "held" }],
  config: homeOf({ open: "open", held: "held" }),
}));
const open = createHomeClient(() => world().issuer, "open");
const held = createHomeClient(() => world().issuer, "held");

test("an id keeps its number while the store is away, and opens only what the room lets in", async () => {
  const [ofOpen, ofHeld] = [await open.assign(), await held.assign()];
  await world().admin.increment("held", 1);
  await redis.server().kill();
  await expect.poll(async () => (await held.token(ofHeld)).status, { timeout: 30_000 }).toBe(503);
  expect((await held.queueNum(ofHeld)).body).toMatchObject({ queue_number: 1 });
  const refused = await held.post("assign_queue_num", { event_id: "held" });
  expect([refused.status, refused.body]).toEqual([503, { message: "Service Unavailable" }]);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.headers.get("access-control-allow-origin")).toBeNull();

  await expect.poll(async () => (await open.token(ofOpen)).status, { timeout: 60_000 }).toBe(200);
  await expect
    .poll(async () => (await open.post("assign_queue_num", { event_id: "open" })).status, { timeout: 60_000 })
    .toBe(200);
  const newcomer = await open.assign();
  expect((await open.queueNum(newcomer)).body).toMatchObject({ queue_number: 0 });
  const tokens = await open.token(newcomer);
  expect(tokens).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
  expect((await open.token(newcomer)).body.access_token).toBe(tokens.body.access_token);
  expect((await held.token(ofHeld)).status).toBe(503);

  await redis.server().restart();
  await expect
    .poll(async () => (await held.queueNum(ofHeld)).body, { timeout: 60_000 })
    .toMatchObject({ queue_number: 1 });
  await expect.poll(async () => (await held.token(ofHeld)).status, { timeout: 120_000 }).toBe(200);
});
