import { describe, expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, type RoomDriver, type SettingsSketch } from "../room-driver.ts";
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

  describe("an admission", () => {
    async function admitted(sketch: SettingsSketch = {}) {
      const room = await context.room({ durationMs: 10 * minute, ...sketch }).open();
      const [place] = await room.places(1);
      if (place === undefined) throw new Error("no place");
      await room.serve(1);
      return { room, place, admission: await room.admit(place) };
    }
    const nowMs = () => context.harness.nowMs();
    const reported = async (room: RoomDriver) => (await room.rooms.listAdmissions(room.room, 0, 10)).admissions[0];

    it.each([hour, -hour, 8 * hour])("lasts its time when the wall clock steps by %i ms", async (stepMs) => {
      const { room, place, admission } = await admitted();
      await room.pass(2 * minute, 5_000);
      await context.harness.advance(stepMs);
      // A step forward is believed for five seconds of it.
      const believedMs = stepMs > 0 ? 5_000 : 0;
      const expiresMs = nowMs() + 8 * minute - believedMs;
      expect(await admissionOf(room, place.sub)).toEqual({ ...admission, expiresMs });
      expect(await reported(room)).toEqual({ ...admission, expiresMs });
      expect(await room.claim(place)).toMatchObject({ result: "admitted", isNew: false, admission: { expiresMs } });
      await room.pass(8 * minute - 10_000, 5_000);
      expect(await admissionOf(room, place.sub)).toEqual({ ...admission, expiresMs });
      expect((await room.state()).liveAdmissions).toBe(1);
      await room.pass(10_000, 5_000);
      expect(await room.state()).toMatchObject({ liveAdmissions: 0, counts: { expired: 1 } });
      expect(await admissionOf(room, place.sub)).toEqual({ ...admission, expiresMs, ended: "expired" });
      // A lapsed admission stays ended, and its end as it was reported, when the clock goes back.
      await context.harness.advance(-2 * hour);
      expect(await reported(room)).toEqual({ ...admission, expiresMs, ended: "expired" });
      expect(await room.claim(place)).toEqual({ result: "ended" });
    });

    it("is reported as it was as long as the clocks agree within a second", async () => {
      const { room, place, admission } = await admitted();
      for (const step of [-600, 5_400, -400, 1_000]) {
        await context.harness.advance(step);
        await room.tick();
        expect(await reported(room)).toEqual(admission);
      }
      await context.harness.advance(-401);
      expect(await room.claim(place)).toMatchObject({ admission: { expiresMs: admission.expiresMs - 1_001 } });
    });

    it.each([hour, -hour])("neither stalls nor floods max_active when the clock steps by %i ms", async (stepMs) => {
      const sketch = { type: "max_active", maxActive: 10, durationMs: 2 * minute } as const;
      const room = await context.room(sketch).open();
      const places = await room.places(200);
      let entered = 0;
      const stand = async (seconds: number) => {
        for (let i = 0; i < seconds; i++) {
          await context.harness.advance(1_000);
          const { serving, liveAdmissions } = await room.state();
          expect(liveAdmissions).toBeLessThanOrEqual(10);
          for (const place of places.slice(entered, serving)) {
            if ((await room.claim(place)).result === "admitted") entered++;
          }
        }
      };
      await stand(30);
      await context.harness.advance(stepMs);
      expect(entered).toBe(10);
      await stand(6 * 60);
      expect(entered).toBe(40);
    });

    it.each([hour, -hour])(
      "is remembered with what is left of it, and so are unaccounted, %i ms after",
      async (stepMs) => {
        const { room, place } = await admitted({ type: "max_active", maxActive: 2 });
        const [second] = await room.places(1);
        if (second === undefined) throw new Error("no place");
        await room.admit(second);
        await context.harness.advance(stepMs);
        const memory = await room.memory();
        const admissions = memory.admissions.filter(({ sub }) => sub === place.sub);
        await context.harness.wipe();
        await room.recover({ ...memory, admissions });
        const remembered = await admissionOf(room, place.sub);
        expect(remembered).toMatchObject({ expiresMs: admissions[0]?.expiresMs, ended: null });
        const { nowMs: at, flowMs } = await room.state();
        expect((remembered?.expiresFlowMs ?? 0) - flowMs).toBe((remembered?.expiresMs ?? 0) - at);
        await context.harness.advance(-stepMs);
        const { liveAdmissions, liveLapses } = await room.state();
        expect(liveAdmissions).toBe(1);
        const leftMs = liveLapses.map(({ untilMs }) => Math.round((untilMs - nowMs()) / minute));
        expect(leftMs).toEqual([10, 10]);
        await room.pass(10 * minute + 1_000, 5_000);
        expect(await room.state()).toMatchObject({ liveAdmissions: 0, liveLapses: [] });
      },
    );
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
