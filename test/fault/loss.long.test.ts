// Long: each loss in the middle of a line; the quick test has one of them.
import { describe, test } from "vitest";
import { faults, loseInTheMiddle } from "./loss.ts";

describe.concurrent("in the middle of a line", () => {
  test.each(faults)("$name: nothing is lost", (fault) => loseInTheMiddle(fault, true));
});
