// Long: thousands of random walks, of which short tests beside them make some.
import fc from "fast-check";
import { test } from "vitest";
import { keysRotate } from "./registry/key-rotation-walk.ts";
import { advancesAreKnown } from "./store/advances-walk.ts";
import { newcomersAreServed } from "./store/served-at-once-walk.ts";

test("every key that signed is verified with while that is shown, and none signs before all have known it for a minute", async () => {
  await fc.assert(keysRotate, { numRuns: 200 });
});

test("each place is known to be served when it was, and each no-show is counted once", () => {
  fc.assert(advancesAreKnown, { numRuns: 1_000 });
});

test("newcomers of a room with places to spare are served at once, all of them, however many others are expected", () => {
  fc.assert(newcomersAreServed, { numRuns: 2_000 });
});
