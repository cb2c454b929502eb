import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addPoint, minutesMax, type Point, pastMinutes } from "../../../src/browser/past-minutes.ts";

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
