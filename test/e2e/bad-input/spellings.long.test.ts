// Long: asks each address in every spelling.
import { expect, test } from "vitest";
import { freePort } from "../../support/ports.ts";
import { askForAll, leaks, registeredPaths } from "../spellings.ts";
import { memoryStore, useWorld } from "../world.ts";
import { describeSpellings } from "./spellings.ts";

describeSpellings({ isThorough: true });

const world = useWorld(async () => ({
  store: memoryStore,
  rooms: [{ id: "line" }],
  config: { admin: { listen: { port: await freePort() } } },
}));

test("where operators have a listener of their own, the public one has nothing of theirs by any method", async () => {
  const answers = await askForAll(world().issuer, registeredPaths("line").operators, { isThorough: true });
  expect(leaks(answers, [404, 400, 421])).toEqual([]);
});
