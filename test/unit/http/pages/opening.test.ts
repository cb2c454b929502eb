import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeOpening, pollForOpeningMs } from "../../../../src/browser/opening.ts";
import { createTimeWords } from "../../../../src/browser/time-words.ts";

const texts = { unset: "some day", in: "in {span}", now: "any moment" };
const times = createTimeWords("en-GB", "{large} {small}");
const opensAtMs = Date.UTC(2030, 0, 2, 20, 0);
const describeAt = (nowMs: number) => describeOpening(texts, times, opensAtMs, nowMs);

describe("what is said of the opening", () => {
  test("counts down", () => {
    expect(describeAt(opensAtMs - 754_000)).toMatchObject({ countdown: "in 12 minutes", span: "12 minutes" });
    expect(describeAt(opensAtMs - 754_000).moment).toContain("2 January");
  });

  test("an opening that is a little late is on its way; one that has been put off is not spoken of", () => {
    expect(describeAt(opensAtMs)).toMatchObject({ countdown: "any moment", span: null });
    expect(describeAt(opensAtMs + 50_000)).toMatchObject({ countdown: "any moment" });
    expect(describeAt(opensAtMs + 70_000)).toEqual({ moment: "some day", countdown: "", span: null });
    expect(describeOpening(texts, times, null, 0)).toEqual({ moment: "some day", countdown: "", span: null });
  });
});

describe("polls before the opening", () => {
  const poll = { floor_ms: 2_000, ceiling_ms: 40_000, divisor: 10 };

  test("none is later than five seconds after it, and none is far from the server's pace before", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 100_000_000 }), (ahead, opensInMs) => {
        const ms = pollForOpeningMs(poll, ahead, opensInMs);
        expect(ms).toBeLessThanOrEqual(Math.min(opensInMs + 5_000, 40_000 * 1.3));
        expect(ms).toBeGreaterThanOrEqual(Math.min(opensInMs, 2_000 * 0.7));
      }),
    );
  });

  test("a late opening is asked for every few seconds; one that is put off, or has no time, at the usual pace", () => {
    expect(pollForOpeningMs(poll, 1_000_000, -1_000)).toBeLessThanOrEqual(7_000);
    expect(pollForOpeningMs(poll, 1_000_000, -1_000)).toBeGreaterThanOrEqual(2_000);
    expect(pollForOpeningMs(poll, 1_000_000, -90_000)).toBeGreaterThanOrEqual(28_000);
    expect(pollForOpeningMs(poll, 1_000_000, null)).toBeGreaterThanOrEqual(28_000);
  });
});
