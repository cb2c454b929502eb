import { expect, test } from "vitest";
import { createOutage, createOutages } from "../../../src/lib/outage.ts";
import { createMovedClock } from "../../support/moved-clock.ts";

test("one visitor alone makes no outage, however often; three of them in a row do, until it is over", () => {
  const clock = createMovedClock();
  const outage = createOutage(clock);
  for (let i = 0; i < 100; i++) outage.fail("one", 10_000);
  outage.fail("two", 10_000);
  expect(outage.leftMs).toBe(0);
  outage.fail("three", 10_000);
  expect(outage.leftMs).toBe(10_000);
  clock.advance(9_999);
  expect(outage.leftMs).toBe(1);
  clock.advance(1);
  expect(outage.leftMs).toBe(0);
});

test("what is long ago does not count, and an answer in between starts anew", () => {
  const clock = createMovedClock();
  const outage = createOutage(clock);
  outage.fail("one", 1_000);
  outage.fail("two", 1_000);
  clock.advance(10_001);
  outage.fail("three", 1_000);
  expect(outage.leftMs).toBe(0);
  outage.fail("one", 1_000);
  outage.end();
  outage.fail("two", 1_000);
  expect(outage.leftMs).toBe(0);
});

test("a clock that is set back ends it", () => {
  const clock = createMovedClock();
  const outage = createOutage(clock);
  for (const visitor of ["one", "two", "three"]) outage.fail(visitor, 10_000);
  clock.advance(-3_600_000);
  expect(outage.leftMs).toBe(0);
});

test("of many services those are remembered that were asked last", () => {
  const clock = createMovedClock();
  const outages = createOutages(clock, 2);
  for (const service of ["a", "b"])
    for (const visitor of ["one", "two", "three"]) outages.of(service).fail(visitor, 10_000);
  expect(["a", "b"].map((service) => outages.of(service).leftMs)).toEqual([10_000, 10_000]);
  outages.of("made up");
  expect(["b", "a"].map((service) => outages.of(service).leftMs)).toEqual([10_000, 0]);
});
