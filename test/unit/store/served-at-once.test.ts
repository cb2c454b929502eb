import fc from "fast-check";
import { it } from "vitest";
import { newcomersAreServed } from "./served-at-once-walk.ts";

it("newcomers of a room with places to spare are served at once, all of them, however many others are expected", () => {
  fc.assert(newcomersAreServed, { numRuns: 200 });
});
