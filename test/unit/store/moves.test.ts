import { expect, test } from "vitest";
import { move } from "../../../src/core/places.ts";
import { voidEdition } from "../../../src/core/recovery/gaps.ts";
import type { LinkClaim } from "../../../src/store/contract/room-store.ts";
import { createOpenRoom, startMs } from "./room-data.ts";

const maxLinks = 100_000;

test("a place that goes to and fro leaves 100,000 used links behind at most, and none after a reset", () => {
  const room = createOpenRoom();
  room.queued = 1;
  room.moveRule = "unlimited";
  const link = (at: number): LinkClaim => ({ id: `link-${at}`, madeMs: startMs, expiresMs: startMs + at });
  const carry = (from: string, to: string, by: LinkClaim) =>
    move(room, { edition: 1, position: 1, joinedMs: startMs, from, to, link: by });
  let moved = 0;
  for (let at = 1; at <= maxLinks + 2; at++) {
    const [from, to] = at % 2 === 1 ? ["laptop", "phone"] : ["phone", "laptop"];
    if (carry(from as string, to as string, link(at)) !== null) moved++;
  }
  expect(moved).toBe(maxLinks + 2);
  expect(room.usedMoves.scores.size).toBe(maxLinks);
  expect(room.usedLinks.scores.size).toBe(0);
  // The last ones are remembered.
  expect(carry("laptop", "thief", link(maxLinks + 1))).toBeNull();
  voidEdition(room, 2);
  expect(room.usedMoves.scores.size).toBe(0);
});
