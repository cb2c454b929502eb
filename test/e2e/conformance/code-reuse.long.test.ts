// Long: waits half a minute.
import { beforeAll, describe } from "vitest";
import { memoryStore, useWorld } from "../world.ts";
import { describeLateCodeReuse } from "./code-reuse.ts";

describe("conformance", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "op" }] }));
  beforeAll(() => world().admin.increment("op", 1));
  describeLateCodeReuse(world);
});
