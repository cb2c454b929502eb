// Long: ten thousand joins.
import { test } from "vitest";
import { expectJoinsForNothing } from "../../../e2e/cost/memory-of-joins.ts";
import { ownDatabase } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { ask, host, newProgram } from "../support/program.ts";

const redis = ownDatabase();
const world = useWorld(() => ({
  store: redis.store,
  rooms: [{ id: "line", settings: { targets: [`https://${host}/`] } }],
  config: { homes: { cloudflare: { rooms: { line: true } } } } as never,
}));

test(
  "whoever waits takes no byte of the store",
  () =>
    expectJoinsForNothing(world(), redis.database(), "line", () =>
      ask(world().http, world().issuer, newProgram("line")),
    ),
  300_000,
);
