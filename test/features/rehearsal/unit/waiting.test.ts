/** A played visitor whose turn it is by a status that a cache has kept: nobody enters by old numbers. */
import { expect, test } from "vitest";
import { Tally } from "../../../../src/features/rehearsal/report/tally.ts";
import type { WaitingPage } from "../../../../src/features/rehearsal/visitor/navigate.ts";
import { waitAt } from "../../../../src/features/rehearsal/visitor/waiting.ts";
import { newVisitor, type World } from "../../../../src/features/rehearsal/visitor/world.ts";
import { isLaterStatus, isServed } from "../../../../src/room/public-status/pacing.ts";

const poll = { floor_ms: 1_000, ceiling_ms: 5_000, divisor: 10, spread_ms: 100 };
const pace = {
  steps: [],
  places_per_minute: 60,
  spread: 0.2,
  spread_up: 0.2,
  show_rate: 1,
  called: 0,
  extra_seconds: 0,
  note: null,
};
const page: WaitingPage = {
  room: "sale",
  edition: 1,
  position: 7,
  ahead: 3,
  state: "waiting",
  isUndrawn: false,
  retryMs: 900,
  poll,
  pace,
};
const status = {
  title: "Sale",
  phase: "open",
  serving: 3,
  held_until: null,
  gaps: [],
  draw: null,
  waiting: 4,
  edition: 1,
  opens_at: null,
  presence_share: 0,
  poll,
  pace,
  updated_at: "2030-01-01T12:00:00.000Z",
};

/** Answers with each status in turn, which the server sent at a second of 12:00. Says how often it was asked. */
async function wait(statuses: readonly (readonly [sentSec: number, about: object])[]) {
  let asked = 0;
  let nowMs = 0;
  const ask = async () => {
    const [sentSec, about] = statuses[asked++] ?? [0, {}];
    const date = new Date(Date.UTC(2030, 0, 1, 12, 0, sentSec)).toUTCString();
    return { status: 200, headers: { date }, text: JSON.stringify({ ...status, ...about }), tookMs: 1 };
  };
  const world = {
    stage: { issuer: "https://queue.example", room: "sale", pass: "pass" },
    web: { ask },
    tally: new Tally(),
    chance: () => 0.5,
    nowMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
    isOver: () => asked > statuses.length,
  } as unknown as World;
  const visitor = newVisitor({} as never);
  const why = await waitAt(visitor, world, { reloadsAtMs: Number.POSITIVE_INFINITY, entries: 0, enteredMs: 0 }, page);
  return { why, asked };
}

test.each<[string, object, string]>([
  ["their turn", { serving: 7 }, "turn"],
  ["open doors for all", { phase: "passthrough" }, "turn"],
  ["the end", { phase: "ended" }, "page"],
])("what says %s counts from a fresh status alone", async (_, about, why) => {
  expect(
    await wait([
      [16, about],
      [15, about],
    ]),
  ).toEqual({ why, asked: 2 });
});

test("another edition counts from any status, as the server decides", async () => {
  expect(await wait([[60, { edition: 2 }]])).toEqual({ why: "page", asked: 1 });
});

test.each<[string, Parameters<typeof isServed>[0], boolean, boolean]>([
  ["served", { phase: "open", serving: 7, held_until: null }, false, true],
  ["further back", { phase: "open", serving: 6, held_until: null }, false, false],
  ["held back after a loss", { phase: "open", serving: 7, held_until: "2030-01-01T12:00:00Z" }, false, false],
  ["without a place yet", { phase: "open", serving: 7, held_until: null }, true, false],
  ["paused", { phase: "paused", serving: 7, held_until: null }, false, false],
  ["let through", { phase: "passthrough", serving: 0, held_until: "2030-01-01T12:00:00Z" }, true, true],
])("whose turn it is: %s", (_, about, isUndrawn, expected) => {
  expect(isServed(about, 7, isUndrawn)).toBe(expected);
});

test("servers that fail and proxies say: later", () => {
  expect([200, 400, 404, 408, 409, 425, 429, 500, 503].filter(isLaterStatus)).toEqual([408, 425, 429, 500, 503]);
});
