import { expect, it } from "vitest";
import { minute } from "../room-driver.ts";
import type { RoomTest } from "../room-store.contract.ts";
import { mostIn } from "./crowd.ts";

const hour = 60 * minute;

export const clocks: RoomTest = (context) => {
  it("clamps each step of the flow and claim clocks to 0…5 s", async () => {
    const room = await context.room().open();
    const start = await room.state();
    expect([start.flowMs, start.claimMs]).toEqual([start.nowMs, start.nowMs]);
    for (const [step, passed] of [
      [1_234, 1_234],
      [hour, 5_000],
      [-hour, 0],
      [2_000, 2_000],
      [8 * hour, 5_000],
    ] as const) {
      const before = await room.state();
      await context.harness.advance(step);
      const after = await room.state();
      expect([after.flowMs - before.flowMs, after.claimMs - before.claimMs], `${step}`).toEqual([passed, passed]);
      expect(after.nowMs).toBe(context.harness.nowMs());
    }
  });

  it("admits by the wall clock even when it steps back", async () => {
    const room = await context.room({ durationMs: 10 * minute }).open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(2);
    await room.admit(one);
    await context.harness.advance(-hour);
    const second = await room.admit(two);
    expect(second.admittedMs).toBe(context.harness.nowMs());
    expect(second.expiresMs).toBe(context.harness.nowMs() + 10 * minute);
    expect((await room.state()).liveAdmissions).toBe(2);
    // A lapsed admission stays ended when the clock goes back.
    await context.harness.advance(hour + 10 * minute);
    expect((await room.state()).liveAdmissions).toBe(0);
    await context.harness.advance(-hour);
    expect((await room.state()).liveAdmissions).toBe(0);
    expect(await room.claim(one)).toEqual({ result: "ended" });
  });

  it("does not expire places over a night without calls", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    const [one] = await room.places(1);
    if (one === undefined) throw new Error("no place");
    await room.serve(1);
    await context.harness.advance(8 * hour);
    expect(await room.claim(one)).toMatchObject({ result: "admitted" });
  });

  it("does not let a clock step refill the inlet: it serves as if five seconds had passed", async () => {
    async function servedAfter(steps: number[]): Promise<number> {
      const room = await context.room({ type: "periodic", limit: 60, claimWithinMs: hour }).open();
      await room.join(1_000);
      await room.pass(3_000);
      for (const step of steps) {
        await context.harness.advance(step);
        await room.tick();
      }
      return (await room.state()).serving;
    }
    expect(await servedAfter([hour, -hour, 8 * hour])).toBe(await servedAfter([5_000, 0, 5_000]));
  });

  it.each([
    ["a night in which nobody calls", 8 * hour],
    ["a clock that is set an hour forward", hour],
    ["a clock that is set an hour back", -hour],
    ["an hour's pause", null],
  ] as const)("neither floods nor stalls after %s in the middle of a line", async (_what, stepMs) => {
    const limit = 120;
    const room = await context.room({ type: "periodic", limit, claimWithinMs: 15 * minute }).open();
    const places = await room.places(500);
    /** When people entered, by the time that the test let pass before their eyes. */
    const enteredMs: number[] = [];
    let elapsedMs = 0;
    let next = 0;
    const stand = async (ms: number) => {
      for (const endMs = elapsedMs + ms; elapsedMs < endMs; elapsedMs += 250) {
        await context.harness.advance(250);
        const { serving } = await room.state();
        for (let place = places[next]; place !== undefined && place.position <= serving; place = places[next]) {
          if ((await room.claim(place)).result !== "admitted") break;
          enteredMs.push(elapsedMs);
          next++;
        }
      }
    };
    await stand(minute);
    const before = enteredMs.length;
    if (stepMs === null) {
      await room.step({ step: "pause" });
      await room.pass(hour);
      await room.step({ step: "resume" });
    } else await context.harness.advance(stepMs);
    await stand(90_000);

    // A clock that is set forward is believed for five seconds of it, once.
    const believed = stepMs !== null && stepMs > 0 ? (limit * 5) / 60 : 0;
    expect(before).toBeGreaterThanOrEqual(0.95 * limit);
    expect(mostIn(enteredMs, minute)).toBeLessThanOrEqual(limit + believed);
    expect(mostIn(enteredMs, 2_000)).toBeLessThanOrEqual(limit / 10);
    const after = enteredMs.filter((ms) => ms >= minute + 5_000 && ms < 2 * minute + 5_000).length;
    expect(after).toBeGreaterThanOrEqual(0.95 * limit);
  });
};
