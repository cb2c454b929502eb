import { expect, test } from "vitest";
import { createJoinLimits } from "../../../../src/room/visitor/join-limits.ts";
import { createPassers } from "../../../../src/room/visitor/passers.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

test("so many new visitors of one address pass as may usually join, and of others as many; time gives them back", () => {
  const clock = createMovedClock();
  const settings = { joinsPerAddress: { perMinute: 6, burst: 2 }, rehearsal: false };
  const room = { name: "shop", settings: settings as never };
  const passers = createPassers(room, createJoinLimits(clock));
  const passed = (address: string | null, tries: number) =>
    Array.from({ length: tries }, () => passers.take(address)).filter((retryMs) => retryMs === 0).length;
  expect(passed("203.0.113.9", 2_000)).toBe(1_200);
  expect(passers.take("203.0.113.9")).toBeGreaterThan(0);
  expect([passed("203.0.113.10", 10), passed(null, 2_000)]).toEqual([10, 2_000]);
  clock.advance(60_000);
  expect(passed("203.0.113.9", 2_000)).toBe(600);
  const off = createPassers(
    { ...room, settings: { ...settings, joinsPerAddress: null } as never },
    createJoinLimits(clock),
  );
  expect(off.take("203.0.113.9")).toBe(0);
});
