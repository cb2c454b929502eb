import { expect, test } from "vitest";
import { type BenchFigures, benchFigures } from "../../../../src/features/plan/bench-figures.ts";
import { describePlan } from "../../../../src/features/plan/describe.ts";
import { type Demand, loginCpuUs, reckonPlan } from "../../../../src/features/plan/reckon.ts";
import { pollGuidance } from "../../../../src/room/index.ts";

const figures: BenchFigures = {
  date: "2026-01-02",
  machine: "a machine",
  cpuUs: { join: 300, reload: 200, pace: 50, file: 60, login: 5_000 },
  store: { joinCallCpuUs: 100, admissionBytes: 3_000 },
  storeLogins: [
    { perSecond: 10, cpuUs: 5_000 },
    { perSecond: 100, cpuUs: 500 },
    { perSecond: 1_000, cpuUs: 250 },
  ],
  bytes: { inline: 13_000, linked: 4_000, files: 10_000, status: 1_000, pace: 200, reopening: 300, login: 5_000 },
  poll: pollGuidance,
};
const million: Demand = { arrivals: 1_000_000, minutes: 1, outflowPerMinute: 6_000, page: "linked", hasCdn: true };
const plan = (demand: Partial<Demand> = {}, over: Partial<BenchFigures> = {}) =>
  reckonPlan({ ...million, ...demand }, { ...figures, ...over });

test("the line, its longest wait and what comes in a second follow from the arrivals", () => {
  const { line, perSecond } = plan();
  expect(line.longest).toBe(994_000);
  expect(line.lastWaitsMinutes).toBeCloseTo(165.7, 1);
  expect(line.lastEntersMinutes).toBeCloseTo(166.7, 1);
  expect(perSecond.joins).toBeCloseTo(16_667, 0);
  expect(perSecond.logins).toBe(100);
  // Nearly all wait for longer than twenty minutes, and ask every 129 s in the mean; those near the front more often.
  expect(perSecond.polls).toBeGreaterThan(994_000 / 129);
  expect(perSecond.polls).toBeLessThan(2.1 * (994_000 / 129));
});

test("the polls of the whole wait are what pages ask: a simulation of each minute says the same", () => {
  const { egressGb } = plan({ arrivals: 240_000, outflowPerMinute: 6_000 });
  let polls = 0;
  for (let position = 1; position <= 234_000; position += 50) {
    for (let waitSec = (position / 6_000) * 60; waitSec > 0; ) {
      const usualSec = Math.min(waitSec < 600 ? 11.5 : 40, Math.max(2, waitSec / 10));
      polls += 50;
      waitSec -= Math.max(usualSec, Math.min(129, waitSec - 1_200));
    }
  }
  // The first of each page is for the status.
  const bytes = 200 * polls + 800 * 240_000;
  expect(egressGb.polls).toBeGreaterThan((bytes * 0.9) / 1e9);
  expect(egressGb.polls).toBeLessThan((bytes * 1.1) / 1e9);
});

test("gateways are as many as the CPU time asks for, and never fewer than two", () => {
  const { gateways } = plan();
  // 16,667 joins with a fifth of a reload each, and 100 logins.
  expect(gateways.cores).toBeCloseTo((16_667 * 340 + 20 * 50 + 100 * 5_000) / 1e6, 2);
  expect(gateways.count).toBe(Math.ceil(gateways.cores / 0.6));
  expect(plan({ arrivals: 100 }).gateways.count).toBe(2);
  const withoutCdn = plan({ hasCdn: false, page: "inline" });
  expect(withoutCdn.gateways.cores - gateways.cores).toBeCloseTo(((withoutCdn.perSecond.polls - 20) * 50) / 1e6, 2);
});

test("linked pages take less of the gateways' traffic, and their files come once", () => {
  const [inline, linked] = [plan({ page: "inline" }), plan()];
  expect(inline.egressGb).toMatchObject({ pages: 15.6, files: 0 });
  expect(linked.egressGb).toMatchObject({ pages: 4.8, files: 10 });
  expect(linked.aws.dollars.balancer).toBeLessThan(inline.aws.dollars.balancer);
  // Without a CDN the gateways answer for the files, too.
  const [ofInline, ofLinked] = [plan({ page: "inline", hasCdn: false }), plan({ hasCdn: false })];
  expect(ofLinked.gateways.cores - ofInline.gateways.cores).toBeCloseTo((16_667 * 3 * 60) / 1e6, 2);
});

test("joins share the calls of each gateway, 250 in a second", () => {
  const { gateways, redis } = plan();
  expect(redis.cores).toBeCloseTo((gateways.count * 250 * 100 + 100 * 500) / 1e6, 3);
  // Where few come, each may have its own.
  expect(plan({ arrivals: 6_000 }).redis.cores).toBeCloseTo((100 * 100 + 100 * 500) / 1e6, 3);
});

test("a login costs the store less, the more there are: between what was measured, and beyond it as at its end", () => {
  const { storeLogins } = figures;
  for (const { perSecond, cpuUs } of storeLogins) expect(loginCpuUs(storeLogins, perSecond)).toBeCloseTo(cpuUs, 6);
  expect(loginCpuUs(storeLogins, Math.sqrt(10 * 100))).toBeCloseTo(Math.sqrt(5_000 * 500), 6);
  expect(loginCpuUs(storeLogins, 1)).toBe(5_000);
  expect(loginCpuUs(storeLogins, 50_000)).toBe(250);
  const perSecond = Array.from({ length: 60 }, (_, at) => 1.2 ** at);
  const costs = perSecond.map((each) => loginCpuUs(benchFigures.storeLogins, each));
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
});

test("a Redis that is not enough is said, and why", () => {
  expect(plan().redis).toMatchObject({ node: "cache.m7g.large", isEnough: true });
  const slow = plan({}, { storeLogins: [{ perSecond: 100, cpuUs: 6_000 }] });
  expect(slow.redis.isEnough).toBe(false);
  expect(describePlan(slow)).toContain("more than is to be planned of the one core");
  const large = plan({}, { store: { ...figures.store, admissionBytes: 50_000 } });
  expect(large.redis.node).toBeNull();
  expect(describePlan(large)).toContain("more memory than one node has");
});

test("where as many are let in as come, nobody waits", () => {
  const calm = plan({ arrivals: 600, minutes: 1, outflowPerMinute: 6_000 });
  expect(calm.line).toMatchObject({ longest: 0, lastWaitsMinutes: 0, lastEntersMinutes: 1 });
  expect(calm.perSecond).toMatchObject({ polls: 0, logins: 10 });
  expect(describePlan(calm)).toContain("nobody waits");
});

test("it is told in lines that say where its figures are from", () => {
  const lines = describePlan(plan());
  expect(lines).toContain("1,000,000 arrivals in 1 minute, 6,000 let in a minute, page linked, with a CDN");
  expect(lines).toContain("994,000 people at most; the last one waits 2 h 46 min");
  expect(lines).toContain("16,667 joins");
  expect(lines).toContain("as measured on 2026-01-02 (a machine)");
  expect(lines).toContain("March 2026");
  expect(lines).not.toMatch(/NaN|undefined|Infinity/);
});

test("the figures that are shipped say how pages ask, as the program does", () => {
  expect(benchFigures.poll).toEqual(pollGuidance);
});
