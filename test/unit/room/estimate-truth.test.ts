/**
 * Goal: the upper end of an estimate is true, whoever comes, and no wider than it must be. Method: rooms whose crowd changes from absent to
 * present and back; each estimate that a visitor read is compared with the wait that followed. Many more of them: the long test beside.
 */
import { describe, expect, test } from "vitest";
import { crowdPlans, judge, playCrowd } from "./estimate-play.ts";

describe("an estimate", () => {
  test("has an upper end that is seldom too low, and no wide one", async () => {
    const statements = [];
    for (const plan of crowdPlans([30])) statements.push(...(await playCrowd({ ...plan, untilSec: 1_500 })));
    const { tooLow, median, ...truth } = judge(statements);
    expect(truth.statements).toBeGreaterThan(2_500);
    expect(tooLow).toBeLessThanOrEqual(0.02);
    expect(median).toBeLessThanOrEqual(1.5);
    // What everybody can reckon: the people ahead, at the limit.
    const beaten = statements.filter(({ ahead, high }) => high < (ahead * 60) / 30);
    expect(beaten).toEqual([]);
  }, 120_000);
});
