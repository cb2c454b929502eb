// Long: waits as long as a service says, and for one that hangs.
import { describe, expect, test } from "vitest";
import { usePushes } from "./pushes.ts";

describe("two gateways", () => {
  const { world, service, subscribe, bothHear, stages, metric } = usePushes();

  test("leave a service alone that is overloaded, for as long as it says, and forget a browser that is gone", async () => {
    await subscribe("refusals", "carl");
    await subscribe("refusals", "dora");
    service().unsubscribe("dora");
    service().refusals.push({ status: 429, headers: { "retry-after": "2" } });
    await world().admin.increment("refusals", 2);
    await expect.poll(() => stages("carl"), { timeout: 30_000 }).toEqual(["turn"]);
    await bothHear("refusals", 0);
    expect(stages("dora")).toEqual([]);
    const failures = await metric("usher_push_failures_total", "refusals");
    expect(failures.reduce((sum, each) => sum + each, 0)).toBe(1);
    const gone = await metric("usher_push_gone_total", "refusals");
    expect(gone.reduce((sum, each) => sum + each, 0)).toBe(1);
  });

  test("notify again a service that has not answered", async () => {
    await subscribe("hangs", "emil");
    service().refuse("hang");
    await world().admin.increment("hangs", 1);
    await expect.poll(() => service().hanging()).toBe(1);
    service().refuse(null);
    await expect.poll(() => stages("emil"), { timeout: 60_000 }).toEqual(["turn"]);
  });
});
