import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addPoint, minutesMax, type Point, pastMinutes, readPoints } from "../../../../src/web/browser/past-minutes.ts";

const pointsOf = (...points: readonly Point[]) => points.reduce<readonly Point[]>(addPoint, []);

describe("the last minutes of a line", () => {
  test("are not known before one has passed", () => {
    expect(pastMinutes([])).toEqual([]);
    expect(pastMinutes(pointsOf([0, 100], [59_999, 160]))).toEqual([]);
    expect(pastMinutes(pointsOf([0, 100], [60_000, 160]))).toEqual([60]);
  });

  test("are reckoned as if the line moved evenly between two answers", () => {
    expect(pastMinutes(pointsOf([0, 100], [90_000, 190], [150_000, 190]))).toEqual([60, 0]);
    expect(pastMinutes(pointsOf([0, 0], [300_000, 50]))).toEqual([10, 10, 10, 10, 10]);
  });

  test("begin anew where a line was moved back, and keep what is newer than an answer that came late", () => {
    const moved = pointsOf([0, 100], [60_000, 160], [70_000, 20], [130_000, 50]);
    expect(pastMinutes(moved)).toEqual([30]);
    expect(addPoint(moved, [130_000, 90])).toBe(moved);
    expect(addPoint(moved, [100_000, 40])).toBe(moved);
  });

  test("begin anew where the clock was set back by more than they are", () => {
    const early = pointsOf([3_000_000, 100], [3_060_000, 160]);
    expect(addPoint(early, [2_460_000, 170])).toBe(early);
    expect(addPoint(early, [2_459_999, 170])).toEqual([[2_459_999, 170]]);
  });

  test("go on with what was kept, and take nothing else for it", () => {
    const points = pointsOf([0, 100], [60_000, 160]);
    expect(readPoints(points)).toEqual(points);
    for (const junk of [
      null,
      undefined,
      "",
      {},
      7,
      "ab",
      [7],
      [[1]],
      [[1, null]],
      [["1", 2]],
      [[1, Infinity]],
      [[1, 2, 3]],
    ]) {
      expect(readPoints(junk), JSON.stringify(junk)).toEqual([]);
    }
    expect(
      readPoints([
        [0, 5],
        [60000, 3],
      ]),
      "a line that goes back",
    ).toEqual([[60_000, 3]]);
    const many = Array.from({ length: 5_000 }, (_, index) => [index, index]);
    expect(readPoints(many).length).toBeLessThanOrEqual(400);
  });

  test("are ten at most, and add up to what the line has moved, however often was asked", () => {
    const answers = fc.array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.nat(5_000)), { maxLength: 60 });
    fc.assert(
      fc.property(answers, (steps) => {
        let [atMs, serving] = [1_000, 7];
        const all: Point[] = [[atMs, serving]];
        for (const [ms, places] of steps) {
          atMs += ms;
          serving += places;
          all.push([atMs, serving]);
        }
        const points = pointsOf(...all);
        const minutes = pastMinutes(points);
        const whole = Math.floor((atMs - 1_000) / 60_000);
        expect(minutes).toHaveLength(Math.min(minutesMax, whole));
        expect(minutes.every((moved) => moved >= 0)).toBe(true);
        const moved = minutes.reduce((sum, each) => sum + each, 0);
        expect(moved).toBeLessThanOrEqual(serving - 7);
        if (atMs - 1_000 === whole * 60_000 && whole <= minutesMax) expect(moved).toBe(serving - 7);
      }),
    );
  });

  test("need few answers to be kept", () => {
    let points: readonly Point[] = [];
    for (let atMs = 0; atMs < 7_200_000; atMs += 2_000) points = addPoint(points, [atMs, atMs / 100]);
    expect(points.length).toBeLessThanOrEqual(302);
    expect(pastMinutes(points)).toEqual(Array(minutesMax).fill(600));
  });
});
