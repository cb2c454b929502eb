import { expect, it } from "vitest";
import { FailedAttempts } from "../../../src/lib/failed-attempts.ts";

it("counts by what was tried and from where; time makes up for failures", () => {
  let nowMs = 0;
  const failures = new FailedAttempts({ now: () => nowMs });
  const fail = (what: string, address: string) => failures.count(what, address);
  for (let turn = 0; turn < 20; turn++) expect(fail("admin", "192.0.2.1")).toBe(0);
  expect([fail("admin", "192.0.2.1"), fail("admin", "::ffff:192.0.2.1")]).toEqual([5, 5]);
  expect([fail("client shop", "192.0.2.1"), fail("admin", "192.0.2.2"), fail("admin", "127.0.0.1")]).toEqual([0, 0, 0]);
  nowMs += 5_000;
  expect([fail("admin", "192.0.2.1"), fail("admin", "192.0.2.1")]).toEqual([0, 5]);
});
