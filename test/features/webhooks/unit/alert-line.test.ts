import { expect, test } from "vitest";
import { alertLine } from "../../../../src/features/webhooks/console/alert-line.ts";

test.each([
  ["unknown to whoever may not see webhooks", null, "unknown"],
  ["left to do where there is none", [], "left"],
  ["left to do where none sends", [{ enabled: false, rooms: null }], "left"],
  ["left to do where all are of other rooms", [{ enabled: true, rooms: ["other"] }], "left"],
  ["to be looked at where one hears of the room", [{ enabled: true, rooms: ["other", "sale"] }], "look"],
  ["to be looked at where one hears of all", [{ enabled: true, rooms: null }], "look"],
] satisfies [string, Parameters<typeof alertLine>[0], string][])(
  "who hears of an alarm is %s",
  (_, webhooks, state) => {
    expect(alertLine(webhooks, "sale", 5)).toMatchObject({ state, atMs: 5 });
  },
);
