import { expect, test } from "vitest";
import {
  barOf,
  chartOf,
  endOf,
  latelyOf,
  movementLines,
  painter,
} from "../../../../src/operate/commands/rooms/movement.ts";

test.each([
  [0, 0, "░░░░░"],
  [0, 10, "░░░░░"],
  [1, 1_000, "█░░░░"],
  [5, 10, "███░░"],
  [999, 1_000, "████░"],
  [10, 10, "█████"],
  // Places that nobody has yet are called.
  [12, 10, "█████"],
])("%i served of %i is %s: empty only at nothing, full only at all", (served, all, bar) => {
  expect(barOf(served, all, 5)).toBe(bar);
});

test.each([
  [[], ""],
  [[0, 0], "▁▁"],
  [[0, 50, 100], "▁▅█"],
  [[null, 1], "·█"],
])("%j is the chart %j", (values, chart) => {
  expect(chartOf(values)).toBe(chart);
});

test.each([
  [null, ""],
  [{ low: null, high: null }, "none in a week"],
  [{ low: "2027-03-01T10:31:10.000Z", high: "2027-03-01T10:37:00.000Z" }, "11:31–11:37"],
  [{ low: "2027-03-01T10:31:10.000Z", high: "2027-03-01T10:31:50.000Z" }, "11:31"],
  [{ low: "2027-03-01T10:31:10.000Z", high: null }, "11:31 or later"],
])("a line that ends at %j ends, for a reader in Berlin, at %j", (ends, said) => {
  expect(endOf(ends, "Europe/Berlin")).toBe(said);
});

test("the last minutes begin where something is known, and end with what is over; what is missing between stays missing", () => {
  const step = (waiting: number | null, queue: number | null = waiting) => ({
    waiting,
    admitted: { queue, bypass: queue === null ? null : 1, without_line: queue === null ? null : 0 },
  });
  expect(latelyOf([step(null), step(5, 3), step(null), step(4, 2), step(null, 1)])).toEqual({
    entered: [4, null, 3],
    waiting: [5, null, 4],
  });
  expect(latelyOf([step(5, 3)])).toEqual({ entered: [4], waiting: [5] });
  for (const steps of [[], [step(null)], [step(null), step(null, 1)]])
    expect(latelyOf(steps)).toEqual({ entered: [], waiting: [] });
});

test("what is not known is left out", () => {
  expect(movementLines({ entered: [], waiting: [], lineEnds: null })).toEqual([]);
  expect(movementLines({ entered: [3, null], waiting: [1_200, 1_100], lineEnds: null })).toEqual([
    "",
    "entered  █·  each column 10 seconds, up to 3",
    "waiting  █▇  up to 1,200",
  ]);
  expect(movementLines({ entered: [], waiting: [], lineEnds: { low: null, high: null } })).toEqual([
    "",
    "As the line moves now, it doesn't end within a week.",
  ]);
});

test.each([
  [{}, true],
  [{ NO_COLOR: "" }, true],
  [{ NO_COLOR: "1" }, false],
  [{ TERM: "dumb" }, false],
  [{ TERM: "xterm-256color" }, true],
])("with the environment %j there are colours: %j", (env, hasColours) => {
  expect(painter(env)("open", "good")).toBe(hasColours ? "\u001b[32mopen\u001b[0m" : "open");
});
