/** How many join by a check that was done in another network: what somebody gets who solves for many, or shares one session. */
import { beforeEach, expect, test } from "vitest";
import { createMoves } from "../../../../src/oidc/check/bounds.ts";
import { createMovedClock, type MovedClock } from "../../../support/moved-clock.ts";

const rate = { perMinute: 6, burst: 8 };

let clock: MovedClock;
let take: (session: string | number, from: string | number, to: string | number, line?: string) => (() => void) | null;
beforeEach(() => {
  clock = createMovedClock();
  const moves = createMoves(clock);
  take = (session, from, to, line = "line") =>
    moves.take({ line, network: String(to) }, { session: String(session), network: String(from) }, rate);
});

/** How many of a hundred. */
const count = (tried: (at: number) => (() => void) | null) =>
  Array.from({ length: 100 }, (_, at) => tried(at)).filter((back) => back !== null).length;

test.each<[string, number, number, (at: number) => (() => void) | null]>([
  ["in one session, between any networks", 3, 1, (at) => take("one", `from ${at}`, `to ${at}`)],
  ["out of one network, in any sessions", 8, 6, (at) => take(at, "one", at)],
  ["into one network, in any sessions", 8, 6, (at) => take(at, at, "one")],
  ["without leaving the network", 100, 100, () => take("one", "here", "here")],
])("so many at once, and so many more each minute: %s", (_, atOnce, perMinute, tried) => {
  expect(count(tried)).toBe(atOnce);
  clock.advance(60_000);
  expect(count((at) => tried(at + 100))).toBe(perMinute);
  // Nothing is saved up beyond that, and a clock that is set back gives nothing.
  clock.advance(3_600_000);
  expect(count((at) => tried(at + 200))).toBe(atOnce);
  clock.advance(-3_600_000);
  expect(count((at) => tried(at + 300))).toBe(atOnce === 100 ? 100 : 0);
});

test("leaving a network and coming to it are counted apart, as each line is", () => {
  expect(count((at) => take(at, "one", at))).toBe(8);
  expect(count((at) => take(at, at, "one"))).toBe(8);
  expect(count((at) => take(at, "one", at, "another"))).toBe(8);
});

test("what is given back, or refused, has taken nothing", () => {
  for (let at = 0; at < 100; at++) {
    const back = take("one", "here", "there");
    expect(back).not.toBeNull();
    back?.();
  }
  // A session that is used up takes nothing from the networks that it is tried from, and a network nothing from a session.
  expect(count(() => take("one", "here", "there"))).toBe(3);
  expect(count((at) => take(at, "here", at))).toBe(5);
  expect(count(() => take("other", "here", "there"))).toBe(0);
  expect(count((at) => take("other", at, "there"))).toBe(3);
});

test("a flood of sessions from anywhere leaves a network's bound as it is", () => {
  expect(count((at) => take(at, "one", at))).toBe(8);
  for (let at = 0; at < 15_000; at++) take(`flood ${at}`, `from ${at}`, `to ${at}`);
  expect(count((at) => take(`late ${at}`, "one", at))).toBe(0);
});
