// Long: each loss in the middle of a line; the quick test has one of them.
import { describe, test } from "vitest";
import { faults, loseInProcesses } from "./loss.ts";

describe.concurrent("in the middle of a line", () => {
  test.each(faults)("$name: nothing is lost", (fault) =>
    loseInProcesses(fault, { joins: 300, served: 100, inside: 50, newcomers: 200 }),
  );
});
