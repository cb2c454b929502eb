import { expect, test } from "vitest";
import { eventInWords } from "../../../src/lib/event-words.ts";

const about = { subject: "rooms/shop" };
test.each([
  [
    "usher.room.phase_changed",
    { room: "shop", edition: 7, phase: "open", reason: null, before: { phase: "prequeue", reason: null } },
    "shop: room phase changed (edition: 7, phase: prequeue → open)",
  ],
  [
    "usher.room.phase_changed",
    { room: "shop", phase: "open", reason: null, before: { phase: "paused", reason: "operator" } },
    "shop: room phase changed (phase: paused → open, reason: operator → none)",
  ],
  [
    "usher.room.edition_began",
    { room: "shop", edition: 2, before: 1 },
    "shop: room edition began (edition: 2, before: 1)",
  ],
  [
    "usher.room.settings_changed",
    { room: "shop", version: 3, changes: { max_waiting: { before: null, after: 500 }, "draw.at": null } },
    "shop: room settings changed (version: 3, max_waiting: none → 500, draw.at)",
  ],
  ["usher.room.sold_out", { room: "shop" }, "shop: room sold out"],
])("%s with %j", (type, data, words) => {
  expect(eventInWords({ ...about, type, data })).toBe(words);
});
