/** What a page shows of the draw of its place. */
import { describe, expect, test } from "vitest";
import { createSeededRandom } from "../../../support/seeded-random.ts";

interface Draw {
  readonly id: number;
  readonly stage: string;
  readonly entries: number | null;
  readonly due_at: string | null;
}

interface DrawShow {
  describeDraw(
    texts: object,
    format: { number(value: number): string; span(ms: number): string },
    draw: Draw | null,
    nowMs: number,
  ): string;
  splitAtNumber(text: string): [string, string];
  isWitness(lastHeardMs: number, nowMs: number): boolean;
  rollTo(entries: number, chance: () => number): [shown: number, forMs: number][];
}

/** Written for browsers, whose types are not those of tests. */
const { describeDraw, splitAtNumber, isWitness, rollTo } = (await import(
  new URL("../../../../src/web/browser/draw-show.ts", import.meta.url).href
)) as DrawShow;

describe("before the draw", () => {
  const texts = {
    soFar: "Taking part so far: {n}",
    takingPart: "Taking part: {n}",
    due: "The draw: in {span}",
    soon: "Any moment now",
  };
  const format = { number: (value: number) => value.toLocaleString("en"), span: (ms: number) => `${ms / 1_000} s` };
  const dueMs = Date.UTC(2031, 4, 10, 8, 0, 8);
  const due = new Date(dueMs).toISOString();
  const say = (draw: Draw | null, nowMs: number) => describeDraw(texts, format, draw, nowMs);
  const draw = (stage: string, entries: number | null, due_at: string | null = null): Draw => ({
    id: 1,
    stage,
    entries,
    due_at,
  });

  test.each([
    ["in the prequeue", draw("committed", 1_041), "Taking part so far: 1,041"],
    ["while entries are taken", draw("closing", 41), "Taking part so far: 41"],
    ["once the last number is fixed", draw("closed", 41), "Taking part: 41"],
    ["before the first number", draw("committed", null), ""],
    ["called off", draw("cancelled", null), ""],
    ["where nothing is known of a draw", null, ""],
  ] as const)("%s the number of those who take part is said as it is: %j", (_, told, said) => {
    expect(say(told, dueMs)).toBe(said);
  });

  test.each([
    [600_001, ""],
    [599_000, "The draw: in 599 s"],
    [7_001, "The draw: in 8 s"],
    [1, "The draw: in 1 s"],
    [0, "Any moment now"],
    [-20_000, "Any moment now"],
  ])("%d ms before it, the time is %j", (leftMs, time) => {
    const lines = ["Taking part so far: 41", time].filter((line) => line !== "");
    expect(say(draw("closing", 41, due), dueMs - leftMs)).toBe(lines.join("\n"));
  });

  test("the time stands alone where the number is not known", () => {
    expect(say(draw("committed", null, due), dueMs - 5_000)).toBe("The draw: in 5 s");
  });

  test("a time that is none is not counted down to", () => {
    expect(say(draw("closed", 41, "soon"), dueMs)).toBe("Taking part: 41");
  });
});

test.each([
  ["You drew {n} of 41", ["You drew", "of 41"]],
  ["{n}. sıra", ["", ". sıra"]],
  ["Platz {n}", ["Platz", ""]],
])("%s is split at the number", (text, parts) => {
  expect(splitAtNumber(text)).toEqual(parts);
});

test("a page that has heard nothing for long was asleep, also where the clock was moved", () => {
  expect(isWitness(0, 60_000)).toBe(true);
  expect(isWitness(0, 90_000)).toBe(false);
  expect(isWitness(3_600_000, 0)).toBe(false);
});

describe("the numbers before the one that was drawn", () => {
  test.each([2, 3, 41, 1_000_000])(
    "are of the %d that took part, slow down, and are over within two seconds",
    (entries) => {
      const shown = rollTo(entries, createSeededRandom("roll").fraction);
      expect(shown.length).toBeGreaterThan(5);
      for (const [value] of shown) expect(value >= 1 && value <= entries && Number.isInteger(value)).toBe(true);
      const pauses = shown.map(([, forMs]) => forMs);
      expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
      expect(pauses.reduce((sum, each) => sum + each, 0)).toBeLessThan(2_000);
    },
  );

  test("are left out where one alone took part", () => {
    expect(rollTo(1, Math.random)).toEqual([]);
  });
});
