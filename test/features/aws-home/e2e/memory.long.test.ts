// Long: ten thousand joins.
import { test } from "vitest";
import { expectJoinsForNothing } from "../../../e2e/cost/memory-of-joins.ts";
import { ownDatabase } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { createHomeClient, homeOf } from "../support/home-client.ts";

const redis = ownDatabase();
const world = useWorld(() => ({
  store: redis.store,
  rooms: [{ id: "tickets" }],
  config: homeOf({ Sample: "tickets" }),
}));
const client = createHomeClient(() => world().issuer);

test(
  "whoever waits takes no byte of the store",
  () => expectJoinsForNothing(world(), redis.database(), "tickets", () => client.assign()),
  300_000,
);
