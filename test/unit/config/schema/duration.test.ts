import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "../../../../src/config/schema/times.ts";

describe("durations", () => {
  it.each([
    ["20m", 1_200_000],
    ["90s", 90_000],
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["4m30s", 270_000],
    ["1d2h3m4s5ms", 93_784_005],
    ["0s", 0],
    ["007s", 7_000],
  ])("reads %s", (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  it.each([
    "",
    " 20m",
    "20m ",
    "20",
    "1.5h",
    "-5m",
    "20 m",
    "20M",
    "m",
    "30m1h",
    "5m5m",
    "1h 30m",
    "20min",
    "٣m",
    "1e3s",
  ])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it("refuses what is not exact as a number", () => {
    expect(parseDuration("999999999999999d")).toBeNull();
  });

  it("reads back what it writes, for every duration", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (durationMs) => {
        expect(parseDuration(formatDuration(durationMs))).toBe(durationMs);
      }),
    );
  });

  it("is the sum of its parts", () => {
    const part = fc.option(fc.nat(9_999), { nil: null });
    fc.assert(
      fc.property(part, part, part, part, part, (d, h, m, s, ms) => {
        const parts = [d, h, m, s, ms];
        fc.pre(parts.some((count) => count !== null));
        const text = ["d", "h", "m", "s", "ms"].map((u, i) => (parts[i] === null ? "" : `${parts[i]}${u}`)).join("");
        const total = [86_400_000, 3_600_000, 60_000, 1_000, 1].reduce(
          (sum, unit, i) => sum + unit * (parts[i] ?? 0),
          0,
        );
        expect(parseDuration(text)).toBe(total);
      }),
    );
  });

  it("never throws and answers whole milliseconds or null, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9dhms]{0,30}$/)), (text) => {
        const durationMs = parseDuration(text);
        expect(durationMs === null || (Number.isSafeInteger(durationMs) && durationMs >= 0)).toBe(true);
      }),
    );
  });
});
