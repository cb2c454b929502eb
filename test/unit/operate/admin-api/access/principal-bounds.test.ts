import { expect, test } from "vitest";
import { createPrincipalBounds } from "../../../../../src/operate/admin-api/access/principal-bounds.ts";
import { createMovedClock } from "../../../../support/moved-clock.ts";

const desk = { kind: "key", id: "desk" } as const;

test.each([
  ["confirmation", 60],
  ["debug link", 100],
  ["request with an Idempotency-Key", 1_000],
] as const)("a principal takes of one kind (%s) %i at once, and further ones in time", (what, burst) => {
  const clock = createMovedClock();
  const bounds = createPrincipalBounds(clock);
  for (let taken = 0; taken < burst; taken++) bounds.take(desk, what);
  const tooMany = expect.objectContaining({ code: "too_many_requests", retryAfterSec: expect.any(Number) });
  expect(() => bounds.take(desk, what)).toThrow(tooMany);
  bounds.take({ kind: "key", id: "desk-2" }, what);
  bounds.take({ kind: "person", id: "desk" }, what);
  clock.advance(60_000);
  bounds.take(desk, what);
});
