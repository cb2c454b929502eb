import { test } from "vitest";
import { loseHere, storeEmptied } from "./loss.ts";

test("the store is emptied: no place is lost", () =>
  loseHere(storeEmptied, { joins: 30, served: 10, inside: 5, newcomers: 20 }));
