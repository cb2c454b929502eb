import { test } from "vitest";
import { hour, setClock } from "./set-clock.ts";

test("the clock of the store's host is set forth and back by an hour: places, turns and admissions stay", () =>
  setClock({ offsetsSec: [hour, -hour], hasCrowd: false, asProcess: false }));
