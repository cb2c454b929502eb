import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paceJson, paceOf } from "../../../../src/room/index.ts";
import { estimateWait as estimateWaitOfState } from "../../../../src/room/line.ts";
import { countAhead, estimateWait, pollAfterMs } from "../../../../src/room/public-status/pacing.ts";
import type { RoomState } from "../../../../src/store/contract/room-store.ts";
import { createLineWording } from "../../../../src/web/browser/line-figures.ts";
import { readLocales } from "../../../../src/web/pages/locales/read-locales.ts";
import { estimateText } from "../../../../src/web/pages/shared/wording.ts";
import { viewsDir } from "../../../support/browser-scripts.ts";

const locales = readLocales(join(viewsDir, "locales"));
const locale = locales.choose({ language: "en" });

describe("the script says what the server says", () => {
  test.each(locales.all.map((each) => [each.tag, each] as const))("in %s, with its plural forms", (tag, own) => {
    const said = createLineWording(own.texts.waiting.live, tag);
    const { ahead, aheadAtMost } = own.texts.waiting.live;
    for (const count of [1, 2, 3, 5, 11, 21, 22, 25, 100, 101, 102, 1_000_000]) {
      expect(said.people(count, false)).toBe(own.plural(ahead, count));
      expect(said.people(count, true)).toBe(own.plural(aheadAtMost, count));
      for (const lowSec of [count * 60, count * 30, count * 1_800]) {
        const highSec = lowSec + 900;
        expect(said.estimate([lowSec, highSec])).not.toMatch(/[{}]/);
      }
    }
  });

  test("for every pace", () => {
    const room = fc.record({
      phase: fc.constantFrom("open", "paused", "prequeue"),
      type: fc.constantFrom("manual", "periodic", "max_active"),
      limit: fc.integer({ min: 1, max: 100_000 }),
      spanMs: fc.nat(180_000),
      served: fc.nat(10_000),
      entered: fc.nat(10_000),
      endedEarly: fc.nat(100),
      lapses: fc.array(fc.record({ inMs: fc.integer({ min: 1, max: 1_200_000 }), count: fc.nat(20) }), {
        maxLength: 5,
      }),
      holdRemainingMs: fc.nat(60_000),
      ahead: fc.nat(1_000_000),
    });
    fc.assert(
      fc.property(room, ({ phase, type, limit, spanMs, served, entered, endedEarly, lapses, ...rest }) => {
        const { holdRemainingMs, ahead } = rest;
        const times = { startsAtMs: null, endsAtMs: null };
        const inlet = { type, outflowPerMinute: limit, maxActive: 100, sharedOutflow: null, ...times };
        const liveLapses = lapses
          .sort((a, b) => a.inMs - b.inMs)
          .map(({ inMs, count }) => ({ untilMs: 1_000_000 + inMs, count }));
        const state = {
          phase,
          settings: { effective: { inlet, admission: { durationMs: 1_200_000 } } },
          planLimitPerMinute: type === "periodic" ? limit : null,
          enteringShare: 1,
          progress: { spanMs, served, entered, endedEarly },
          liveLapses,
          outflowPerMinute: entered,
          limitChangedMs: 0,
          flowMs: 1_000_000,
          nowMs: 1_000_000,
          holdRemainingMs,
        } as unknown as RoomState;
        const pace = paceJson(paceOf(state));
        const expected = estimateWaitOfState(state, ahead);
        expect(phase === "open" ? estimateWait(pace, ahead) : null).toEqual(expected && [expected.low, expected.high]);
      }),
    );
  });

  test.each([
    [0, 40, "Less than a minute to go"],
    [30, 110, "About 1 to 2 minutes to go"],
    [180, 300, "About 3 to 5 minutes to go"],
    [61, 120, "About 1 to 2 minutes to go"],
    [120, 120, "About 2 minutes to go"],
    [1_000, 1_300, "About 15 to 25 minutes to go"],
    [4_000, 6_000, "About 1 to 2 hours to go"],
    [90_000, 99_000, "More than a day to go"],
  ])("%i to %i seconds: %s", (lowSec, highSec, text) => {
    expect(estimateText(locale.texts.waiting.live.estimate, locale, [lowSec, highSec])).toBe(text);
  });
});

test("only positions that somebody holds count as ahead", () => {
  expect(countAhead(10, { serving: 0, gaps: [] })).toBe(9);
  expect(countAhead(10, { serving: 9, gaps: [] })).toBe(0);
  expect(countAhead(10, { serving: 12, gaps: [] })).toBe(0);
  expect(countAhead(10, { serving: 2, gaps: [[4, 6]] })).toBe(4);
  expect(countAhead(10, { serving: 5, gaps: [[4, 6]] })).toBe(3);
  expect(countAhead(10, { serving: 2, gaps: [[8, 20]] })).toBe(5);
  expect(countAhead(10, { serving: 2, gaps: [[10, 20]] })).toBe(7);
});

test("polls are two seconds apart near the front and forty far away", () => {
  const poll = { floor_ms: 2_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 10_000 };
  expect(pollAfterMs(poll, 0, null)).toBe(2_000);
  expect(pollAfterMs(poll, 100, [90, 110])).toBe(11_000);
  expect(pollAfterMs(poll, 100_000, null)).toBe(40_000);
});
