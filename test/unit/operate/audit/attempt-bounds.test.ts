import { expect, test } from "vitest";
import { createAttemptBounds } from "../../../../src/operate/audit/attempt-bounds.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

const dayMs = 86_400_000;

/** Rows of attempts that come every second of a day, each time from another address or always from one. */
function rowsOfADay(isStranger: boolean, addressOf: (second: number) => string): number {
  const clock = createMovedClock();
  const bounds = createAttemptBounds(clock);
  let rows = 0;
  for (let second = 0; second < dayMs / 1_000; second++) {
    if (bounds.takeFailure(addressOf(second), isStranger)) rows++;
    clock.advance(1_000);
  }
  return rows;
}

test("strangers fill a small part of the audit in a day, however many addresses they have", () => {
  const many = (second: number) => `2001:db8:${(second >> 8).toString(16)}:${(second & 255).toString(16)}::1`;
  const rows = rowsOfADay(true, many);
  expect(rows).toBeGreaterThan(300);
  expect(rows).toBeLessThanOrEqual(50 + 288);
});

test("of a principal's failures each address has a row every five seconds, strangers or not", () => {
  const rows = rowsOfADay(false, () => "203.0.113.7");
  expect(rows).toBeGreaterThan(17_000);
  expect(rows).toBeLessThanOrEqual(20 + 17_280);
});

test("one key that changes something every second for a day fills a part of the audit, and hides nothing at another route", () => {
  const clock = createMovedClock();
  const bounds = createAttemptBounds(clock);
  let rows = 0;
  for (let second = 0; second < dayMs / 1_000; second++) {
    if (bounds.takePrincipals("key desk PATCH /rooms/:room done")) rows++;
    clock.advance(1_000);
  }
  expect(rows).toBeGreaterThan(1_000);
  expect(rows).toBeLessThanOrEqual(300 + 1_440);
  expect(bounds.takePrincipals("key desk POST /rooms/:room/reset done")).toBe(true);
  expect(bounds.takePrincipals("key other PATCH /rooms/:room done")).toBe(true);
});
