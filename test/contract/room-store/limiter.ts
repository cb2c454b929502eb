import fc from "fast-check";
import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver, type SettingsSketch, settings } from "../room-driver.ts";
import { createReadyVisitors } from "./ready-visitors.ts";

export const limiter: RoomTest = (context) => {
  /** So many served, with one person left in the line behind them unless `isLine` is false. */
  async function crowd(
    sketch: SettingsSketch,
    count: number,
    isLine = true,
  ): Promise<{ room: RoomDriver; places: Place[] }> {
    const room = await context.room(sketch).open();
    const places: Place[] = [];
    while (places.length < count) places.push(...(await room.places(Math.min(10_000, count - places.length))));
    if (isLine) await room.join();
    await room.serve(count);
    return { room, places };
  }

  it("never admits more than the limit in 60 s nor a tenth of it in 2 s, whatever the times and limits (rule 4)", async () => {
    const actions = fc.array(
      fc.record({
        waitMs: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 4_000 }), fc.constant(70_000)),
        // Which of the waiting places claim, as a share of those ready to enter.
        claims: fc.integer({ min: 1, max: 12 }),
        // A limit now and then; 0 leaves it.
        limit: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 11, 60, 300, 900, 1_001, 6_000),
      }),
      { minLength: 10, maxLength: 60 },
    );
    const run = async (steps: { waitMs: number; claims: number; limit: number }[], isLine: boolean) => {
      const { room, places } = await crowd({ limit: 300, claimWithinMs: 600 * minute }, 800, isLine);
      const ready = createReadyVisitors(room, places, 300);
      for (const step of steps) {
        if (step.limit > 0) await ready.setLimit(step.limit);
        await context.harness.advance(step.waitMs);
        await ready.claimSome(step.claims);
        ready.expectWithinLimits();
      }
    };
    await fc.assert(fc.asyncProperty(actions, fc.boolean(), run), { numRuns: context.runs(200, 40) });
  });

  it.each([60, 600, 1_000, 6_000])("uses at least 98 percent of a limit of %i per minute", async (limit) => {
    // Ten would be the same three times over; of thousands, three would.
    const minutes = limit > 1_000 ? 1 : 3;
    const { room, places } = await crowd({ limit, claimWithinMs: 600 * minute }, minutes * limit + 100);
    const ready = createReadyVisitors(room, places, limit);
    const endMs = context.harness.nowMs() + minutes * minute;
    while (context.harness.nowMs() < endMs) {
      // Ten seconds' worth of people claim.
      await ready.claimDue(Math.max(30, limit / 6));
      await context.harness.advance(limit > 1_000 ? 200 : 100);
    }
    ready.expectWithinLimits();
    expect(ready.admittedMs.length).toBeGreaterThanOrEqual(minutes * limit * 0.98);
  });

  it("admits one after the other at five per minute, about twelve seconds apart", async () => {
    const { room, places } = await crowd({ limit: 5 }, 10);
    const ready = createReadyVisitors(room, places, 5);
    for (let i = 0; i < 600; i++) {
      await ready.claimDue(3);
      await context.harness.advance(100);
    }
    expect(ready.admittedMs).toHaveLength(5);
    const steps = ready.admittedMs.slice(1).map((ms, i) => ms - (ready.admittedMs[i] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(11_000);
  });

  it("admits the lowest ready position first and answers each with the time of its slot", async () => {
    const { room, places } = await crowd({ limit: 50 }, 5);
    const [one, two, three, four] = places;
    if (one === undefined || two === undefined || three === undefined || four === undefined)
      throw new Error("no places");
    await room.admit(four);
    const third = await room.claim(three);
    const second = await room.claim(two);
    const again = await room.claim(three);
    if (third.result !== "held" || second.result !== "held" || again.result !== "held") throw new Error("not held");
    expect([third.rank, second.rank, again.rank]).toEqual([0, 0, 1]);
    expect(again.retryMs).toBeGreaterThan(second.retryMs + 900);
    await context.harness.advance(second.retryMs);
    expect((await room.claim(three)).result).toBe("held");
    expect((await room.claim(two)).result).toBe("admitted");
    // One that never claimed stands behind nobody that is higher.
    await context.harness.advance(1_200);
    expect((await room.claim(one)).result).toBe("admitted");
  });

  it("does not wait for a visitor who has not claimed for five seconds", async () => {
    const { room, places } = await crowd({ limit: 30 }, 3);
    const [one, two, three] = places;
    if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
    await room.admit(three);
    expect((await room.claim(one)).result).toBe("held");
    await context.harness.advance(4_900);
    expect(await room.claim(two)).toMatchObject({ result: "held", rank: 1 });
    await context.harness.advance(200);
    expect((await room.claim(two)).result).toBe("admitted");
  });

  it("counts a lowered limit at once, and admissions made without any limit", async () => {
    const { room, places } = await crowd({}, 60);
    await Promise.all(places.slice(0, 50).map((place) => room.admit(place)));
    const { state } = await room.tick();
    const live = { inlet: { outflowPerMinute: 40 } };
    await room.rooms.changeSettings(room.room, room.incarnation, live, settings({ limit: 40 }), state.version);
    const [, next] = places.slice(49);
    if (next === undefined) throw new Error("no place");
    expect((await room.claim(next)).result).toBe("held");
    await context.harness.advance(4_000);
    expect((await room.claim(next)).result).toBe("held");
    await room.pass(57_000);
    expect((await room.claim(next)).result).toBe("admitted");
  });

  it.each([true, false])("lets a raised limit count at once (a line behind: %s)", async (isLine) => {
    const { room, places } = await crowd({ limit: 1 }, 60, isLine);
    const ready = createReadyVisitors(room, places, 1);
    await ready.claimSome(3);
    await context.harness.advance(1_000);
    await ready.setLimit(600);
    // The pacing of the new limit may be as far ahead as a burst of it would have brought it: 3.1 s.
    await context.harness.advance(isLine ? 3_100 : 100);
    await ready.claimSome(1);
    expect(ready.admittedMs).toHaveLength(2);
    for (let i = 0; i < 20; i++) {
      await context.harness.advance(100);
      await ready.claimSome(5);
    }
    expect(ready.admittedMs.length).toBeGreaterThanOrEqual(2 + 19);
    ready.expectWithinLimits();
  });

  it("is not refilled by a reset", async () => {
    const { room, places } = await crowd({ limit: 5 }, 5);
    const [one] = places;
    if (one === undefined) throw new Error("no place");
    await room.admit(one);
    await room.step({ step: "reset" });
    const [again] = await room.places(1);
    if (again === undefined) throw new Error("no place");
    await room.serve(1);
    expect(await room.claim(again)).toMatchObject({ result: "held" });
  });

  it("saves up nothing: an idle night opens no floodgate", async () => {
    const { room, places } = await crowd({ limit: 60, claimWithinMs: 600 * minute }, 100);
    await context.harness.advance(8 * 60 * minute);
    const ready = createReadyVisitors(room, places, 60);
    await ready.claimSome(100);
    // A second's worth of burst.
    expect(ready.admittedMs.length).toBeLessThanOrEqual(2);
  });

  it.each([
    // A tenth of the limit is 6, and the pacing lets 4 of them in at once: 3.5 s of tolerance.
    [60, 4],
    // Here it is rule 4 that binds: two seconds must not see more than one.
    [12, 1],
    [20, 2],
    [600, 37],
  ])("lets a few in at once at %i per minute while nobody waits, and no more: %i", async (limit, most) => {
    const { room, places } = await crowd({ limit, claimWithinMs: 600 * minute }, 100, false);
    await context.harness.advance(8 * 60 * minute);
    const ready = createReadyVisitors(room, places, limit);
    for (let i = 0; i < 40; i++) await ready.claimSome(1);
    expect(ready.admittedMs).toHaveLength(most);
    ready.expectWithinLimits();
  });

  it("measures the outflow over three minutes", async () => {
    const { room, places } = await crowd({}, 90);
    for (const place of places) {
      await room.admit(place);
      await context.harness.advance(1_000);
    }
    expect((await room.state()).outflowPerMinute).toBeCloseTo(60, 0);
    await room.pass(minute);
    expect((await room.state()).outflowPerMinute).toBeCloseTo(36, 0);
    await room.pass(3 * minute);
    expect((await room.state()).outflowPerMinute).toBe(0);
  });
};
