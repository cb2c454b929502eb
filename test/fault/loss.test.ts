import { test } from "vitest";
import { faults, loseInTheMiddle } from "./loss.ts";

test.each(faults.filter(({ name }) => name === "the store is emptied"))("$name: no place is lost", (fault) =>
  loseInTheMiddle(fault, false),
);
