/** What moves in a status, without the rest: whoever brings a status up to date by it knows what a status would have said. */
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import {
  applyPace,
  createStatusReader,
  fixedPart,
  type PaceAnswer,
  writePaceAnswer,
} from "../../../../src/room/public-status/pace.ts";
import type { RoomStatus } from "../../../../src/room/public-status/status.ts";
import { goodStatus } from "../../../support/good-status.ts";

const known: RoomStatus = {
  ...(goodStatus as unknown as RoomStatus),
  while_waiting: null,
  draw: { id: 1, stage: "committed", entries: 5, voids: 0, due_at: null },
  stock: { remaining: 90, enough_for: 45 },
  revision: "abcdef",
};

/** As JSON has gone over the wire. */
const sent = (status: RoomStatus, revision = "abcdef") => JSON.parse(JSON.stringify(writePaceAnswer(status, revision)));

const count = fc.nat(10_000_000);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const moved = fc.record({
  serving: count,
  waiting: count,
  updatedMs: fc.integer({ min: 1, max: 4e12 }),
  steps: fc.array(fc.tuple(fc.nat(3_600), count), { maxLength: 4 }),
  places_per_minute: fc.option(share),
  show_rate: share,
  spread: share,
  spread_up: share,
  extra_seconds: share,
  called: count,
  entries: fc.option(count),
  remaining: fc.option(count),
  enough_for: count,
  draw: fc.boolean(),
  stock: fc.boolean(),
  heldSec: fc.integer({ min: 1, max: 3_600 }),
  isHeld: fc.boolean(),
});

test("a status and what has moved since are the status of now", () => {
  fc.assert(
    fc.property(moved, (figures) => {
      const { serving, waiting, updatedMs, entries, remaining, enough_for, draw, stock, heldSec, isHeld, ...pace } =
        figures;
      const held_until = isHeld ? "2030-01-01T00:01:00.000Z" : null;
      const before: RoomStatus = {
        ...known,
        held_until,
        draw: draw ? known.draw : null,
        stock: stock ? known.stock : null,
      };
      const now: RoomStatus = {
        ...before,
        serving,
        waiting,
        updated_at: new Date(updatedMs).toISOString(),
        held_until: held_until && new Date(updatedMs + 1_000 * heldSec).toISOString(),
        pace: { ...known.pace, ...pace },
        draw: before.draw && { ...before.draw, entries },
        stock: before.stock && { remaining, enough_for },
      };
      const shown = applyPace(before, sent(now));
      // Where the line moves by its order of joining, nobody is told how many are in it.
      expect(shown).toEqual(draw ? now : { ...now, waiting: before.waiting });
    }),
  );
});

test("people are counted wherever pages show how many they are", () => {
  const of = (about: Partial<RoomStatus>) => applyPace(known, sent({ ...known, ...about, waiting: 7 }))?.waiting;
  expect(of({ phase: "prequeue", draw: null })).toBe(7);
  expect(of({ phase: "open", draw: { ...known.draw, stage: "closing" } as never })).toBe(7);
  expect(of({ phase: "open", draw: null })).toBe(known.waiting);
});

const moving = new Set(["held_until", "serving", "waiting", "updated_at", "revision", "draw", "stock", "pace", "room"]);
test.each(Object.keys(known).filter((member) => !moving.has(member)))("another %s has another revision", (member) => {
  expect(fixedPart({ ...known, [member]: "another" })).not.toEqual(fixedPart(known));
});

test("so has a draw, a stock or a note of another kind, and nothing else of them", () => {
  const { draw, stock, pace } = known;
  for (const about of [
    { draw: null },
    ...[{ id: 2 }, { stage: "drawn" }, { voids: 1 }, { due_at: "2030-01-01T00:00:00.000Z" }].map((change) => ({
      draw: { ...draw, ...change },
    })),
    { stock: null },
    { stock: { ...stock, remaining: null } },
    { pace: { ...pace, note: "slower" } },
  ]) {
    expect(fixedPart({ ...known, ...about } as RoomStatus), JSON.stringify(about)).not.toEqual(fixedPart(known));
  }
  const moves = {
    draw: { ...draw, entries: 6 },
    stock: { remaining: 1, enough_for: 1 },
    pace: { ...pace, called: 9, steps: [] },
  };
  expect(fixedPart({ ...known, ...moves, serving: 1, waiting: 1 } as RoomStatus)).toEqual(fixedPart(known));
  // The end of a hold is another by each process's clock.
  const held = (at: string) => fixedPart({ ...known, held_until: at });
  expect(held("2030-01-01T00:00:01.000Z")).toEqual(held("2030-01-01T00:00:01.003Z"));
  expect(held("2030-01-01T00:00:01.000Z")).not.toEqual(fixedPart(known));
});

test("with another revision it says nothing of the status that is known", () => {
  expect(applyPace(known, sent(known, "ghijkl"))).toBeNull();
});

test("a hold that is over in a moment is none that is over", () => {
  const until = (held_until: string) => applyPace({ ...known, held_until }, sent({ ...known, held_until }))?.held_until;
  expect(until("2030-01-01T00:00:59.001Z")).toBe("2030-01-01T00:01:00.000Z");
  expect(until("2029-12-31T23:59:59.900Z")).toBe("2030-01-01T00:00:01.000Z");
});

const good = sent(known);
const nonsense = [{}, null, 7, "text", true, [], ["abcdef"], { error: "not_found" }, good.with(1, "x"), [[good]]];
test.each([...nonsense, good.with(2, "10"), good.with(4, null), good.with(9, [["x"]])].map((answer) => [answer]))(
  "%j is none",
  (answer) => {
    expect(() => applyPace(known, answer)).toThrow();
  },
);

const asked: string[] = [];
let answers: { pace: unknown; status: unknown };
const ask = async (url: string) => {
  asked.push(url);
  const answer = url === "/rooms/pace/pace" ? answers.pace : answers.status;
  if (answer instanceof Error) throw answer;
  return JSON.parse(JSON.stringify(answer));
};
const later = (about: Partial<RoomStatus> = {}) => ({ ...known, updated_at: "2030-01-01T00:00:09.000Z", ...about });

beforeEach(() => {
  asked.length = 0;
  pauses.length = 0;
  answers = { pace: sent(later({ serving: 12 })), status: known };
});
/** The room is called "pace". */
const pauses: number[] = [];
const read = () =>
  createStatusReader(
    "/rooms/pace/status",
    async (ms) => void pauses.push(ms),
    () => 0.5,
  );
const whole = "/rooms/pace/status";
const pace = "/rooms/pace/pace";

test("a page asks for the status once, and then for what has moved", async () => {
  const reader = read();
  expect(await reader(ask)).toEqual(known);
  expect(await reader(ask)).toEqual(later({ serving: 12 }));
  answers.pace = sent(later({ serving: 13 }));
  expect((await reader(ask)).serving).toBe(13);
  expect(asked).toEqual([whole, pace, pace]);
});

test("it asks for the status again as soon as something else has changed", async () => {
  const reader = read();
  await reader(ask);
  const changed = later({ title: "Another", revision: "ghijkl" });
  answers = { pace: sent(changed, "ghijkl"), status: changed };
  expect((await reader(ask)).title).toBe("Another");
  expect((await reader(ask)).title).toBe("Another");
  expect(asked).toEqual([whole, pace, whole, pace]);
});

test("a status that is older than what announced it is asked for once more: a cache keeps it for a second yet", async () => {
  const reader = read();
  await reader(ask);
  const changed = later({ title: "Another", revision: "ghijkl" });
  answers.pace = sent(changed, "ghijkl");
  const asking = reader(async (url) => {
    // The second time the cache has the new one.
    if (asked.length === 3) answers.status = changed;
    return ask(url);
  });
  expect((await asking).title).toBe("Another");
  expect([asked, pauses]).toEqual([[whole, pace, whole, whole], [1_500]]);
  // Who is behind for longer is believed, and announced again.
  answers = { pace: sent(later({ revision: "mnopqr" }), "mnopqr"), status: known };
  expect((await reader(ask)).revision).toBe("abcdef");
  expect((await reader(ask)).revision).toBe("abcdef");
  expect(asked.slice(4)).toEqual([pace, whole, whole, pace, whole, whole]);
});

test("by a clock that is behind, the same status is as good", async () => {
  const reader = read();
  await reader(ask);
  const changed = later({ title: "A third", revision: "mnopqr" });
  answers = { pace: sent(changed, "mnopqr"), status: { ...changed, updated_at: "2030-01-01T00:00:05.000Z" } };
  expect((await reader(ask)).title).toBe("A third");
  expect(asked).toEqual([whole, pace, whole]);
});

test("after a failure it asks for the whole, and where nothing but the status is let pass, for that alone", async () => {
  const reader = read();
  answers.pace = new Error("blocked");
  for (let times = 0; times < 6; times++) await reader(ask).catch(() => {});
  expect(asked).toEqual([whole, pace, whole, pace, whole, pace]);
  for (let times = 0; times < 60; times++) await reader(ask).catch(() => {});
  // And now and then it tries again.
  const tries = asked.slice(6).filter((url) => url === pace).length;
  expect(tries).toBeGreaterThan(1);
  expect(tries).toBeLessThan(5);
});

test("a gateway that names no revision is asked for the status", async () => {
  const reader = read();
  const { revision: _, ...without } = known;
  answers.status = without;
  await reader(ask);
  await reader(ask);
  expect(asked).toEqual([whole, whole]);
});

test("an answer has no more than it needs", () => {
  const plain = { ...known, draw: null, stock: null, pace: { ...known.pace, steps: [], places_per_minute: 600 } };
  const answer: PaceAnswer = writePaceAnswer(plain, "abcdef");
  expect(answer).toEqual(["abcdef", Date.parse(known.updated_at), 10, 600, 1, 0.3, 0.3, 0, 0]);
});
