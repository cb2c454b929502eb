// Long: simulates hours of rooms of several kinds.
/** As estimate-truth.test.ts, over more limits, other inlets and longer absences. */
import { expect, test } from "vitest";
import { crowdPlans, judge, playCrowd, type Statement } from "./estimate-play.ts";

test.each([
  ["a limit", {}, undefined],
  ["a limit and so many at a time", { type: "max_active", maxActive: 120 }, 60],
] as const)(
  "%s: at most one upper end in fifty is too low, and half of them are at most one and a half times the wait",
  async (_, inlet, staySec) => {
    const all: Statement[] = [];
    for (const plan of crowdPlans([12, 30, 60, 240, 600])) {
      const maxActive = "maxActive" in inlet ? { ...inlet, maxActive: 2 * (plan.inlet.outflowPerMinute ?? 0) } : {};
      const statements = await playCrowd({
        ...plan,
        inlet: { ...plan.inlet, ...maxActive },
        ...(staySec && { staySec }),
      });
      expect(judge(statements).tooLow, plan.seed).toBeLessThanOrEqual(0.05);
      all.push(...statements);
    }
    const { tooLow, median, statements } = judge(all);
    expect(statements).toBeGreaterThan(40_000);
    expect(tooLow).toBeLessThanOrEqual(0.02);
    expect(median).toBeLessThanOrEqual(1.5);
  },
  600_000,
);
