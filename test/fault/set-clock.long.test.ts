// Long: people come all the time; set-clock.test.ts has those alone who stand in line and are inside.
import { test } from "vitest";
import { hour, setClock } from "./set-clock.ts";

test("the clock of the store's host is set forth and back by an hour: places, turns, admissions and flow stay", () =>
  setClock({ offsetsSec: [hour, 0, -hour, 0], hasCrowd: true, asProcess: true }));
