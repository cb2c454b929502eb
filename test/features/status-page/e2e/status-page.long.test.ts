// Long: a store that is killed under two gateways; status-page.test.ts has what they show, rooms/run-time.test.ts an emptied store.
import { expect, test } from "vitest";
import { ownRedis } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { within } from "../../../support/within.ts";
import { config, open, page, rooms, slow, syncedMs, told } from "./incidents.ts";

const redis = ownRedis();
const world = useWorld(() => ({ store: redis.store, gateways: 2, rooms, config }));

test("incidents outlive an emptied store, and a store that is away, and a restart of everything", async () => {
  const id = await open(world());
  await within(syncedMs, async () => expect((await told(world(), 1)).incidents).toHaveLength(1));
  await redis.server().command("flushall");
  await within(15_000, async () => {
    for (const index of [0, 1]) {
      expect(await told(world(), index)).toMatchObject({
        incidents: [{ id, title: slow.title }],
        rooms: [{ availability: "ready" }, {}],
      });
    }
    const listed = (await world().admin.request("GET", "/incidents")).json() as { incidents: object[] };
    expect(listed.incidents).toMatchObject([{ id }]);
  });
  await redis.server().kill();
  await within(15_000, async () => {
    expect(await told(world(), 1)).toMatchObject({
      well: false,
      incidents: [{ id }],
      rooms: [{ availability: "away" }, { availability: "away" }],
    });
  });
  expect(await page(world(), 1)).toContain("Interrupted. Places in line are kept.");
  expect((await world().admin.request("POST", `/incidents/${id}/updates`, { text: "More." })).status).toBe(503);
  for (const gateway of world().gateways) await gateway.halt();
  await redis.server().restart();
  await redis.server().command("flushall");
  for (const gateway of world().gateways) await gateway.start();
  for (const gateway of world().gateways) await gateway.waitUntilReady();
  for (const index of [0, 1]) {
    await within(syncedMs, async () => expect((await told(world(), index)).incidents).toMatchObject([{ id }]));
  }
});
