// Long: ten thousand joins.
import { test } from "vitest";
import { expectJoinsForNothing } from "../../../e2e/cost/memory-of-joins.ts";
import { ownDatabase } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { newShopper, shop } from "../fault/shoppers.ts";
import { homeOf } from "../support/home.ts";

const redis = ownDatabase();
const world = useWorld(() => {
  const { rooms, config } = homeOf([{ id: "line" }], "https://shop.test");
  return {
    store: redis.store,
    rooms: rooms.map((room) => ({ ...room, settings: { targets: ["https://shop.test/sale"] } })),
    config,
  };
});

test(
  "whoever waits takes no byte of the store",
  () =>
    expectJoinsForNothing(world(), redis.database(), "line", () =>
      shop(world().http, world().issuer, newShopper("line")),
    ),
  300_000,
);
