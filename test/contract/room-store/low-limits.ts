import { describe, expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type RoomDriver, type SettingsSketch } from "../room-driver.ts";
import { createCrowd, live, mostIn } from "./crowd.ts";

/** Limits of a few per minute, where each admission counts. */
export const lowLimits: RoomTest = (context) => {
  const periodic = (limit: number, sketch: SettingsSketch = {}) =>
    context.room({ type: "periodic", limit, claimWithinMs: 60 * minute, ...sketch }).open();
  const steps = (times: readonly number[]) => times.slice(1).map((ms, i) => ms - (times[i] ?? 0));

  it.each([1, 2, 5, 12, 30])("spaces %i per minute evenly while there is a line, and uses them all", async (limit) => {
    const room = await periodic(limit);
    const crowd = createCrowd(room);
    await crowd.join(30 * limit);
    await live([crowd], 2 * minute);
    const fromMs = context.harness.nowMs();
    await live([crowd], 10 * minute);
    const times = crowd.entries.map(({ atMs }) => atMs);
    expect(crowd.between(fromMs, context.harness.nowMs())).toBeGreaterThanOrEqual(Math.floor(0.96 * 10 * limit));
    expect(mostIn(times, 60_000)).toBeLessThanOrEqual(limit);
    expect(mostIn(times, 2_000)).toBeLessThanOrEqual(Math.max(1, limit / 10));
    // From the second on: those who come before anybody waits may be closer.
    const pace = minute / limit;
    expect(Math.min(...steps(times.slice(3)))).toBeGreaterThan(0.91 * pace - 550);
  });

  it("admits no two closer than 11 s at five per minute", async () => {
    const room = await periodic(5);
    const crowd = createCrowd(room, { delayMs: (position) => (position * 137) % 900 });
    await crowd.join(200);
    await live([crowd], 15 * minute);
    const times = crowd.entries.map(({ atMs }) => atMs).slice(2);
    expect(times.length).toBeGreaterThanOrEqual(0.96 * 75 - 2);
    expect(Math.min(...steps(times))).toBeGreaterThan(11_000);
  });

  describe("a change of the limit", () => {
    it("counts at once when it is lowered", async () => {
      const room = await periodic(60);
      const crowd = createCrowd(room);
      await crowd.join(1_000);
      await live([crowd], minute);
      await room.change({ inlet: { outflowPerMinute: 5 } });
      const fromMs = context.harness.nowMs();
      await live([crowd], 56_000);
      // The last minute has seen sixty, of which the last five were in its last eight seconds.
      expect(crowd.between(fromMs, fromMs + 52_000)).toBe(0);
      await live([crowd], 2 * minute);
      const times = crowd.entries.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs);
      expect(times.length).toBeGreaterThanOrEqual(9);
      expect(mostIn(times, 60_000)).toBeLessThanOrEqual(5);
      expect(await room.state()).toMatchObject({ planLimitPerMinute: 5 });
    });

    it("never overshoots when it is raised, and is used at once", async () => {
      const room = await periodic(5);
      const crowd = createCrowd(room);
      await crowd.join(2_000);
      await live([crowd], 2 * minute);
      await room.change({ inlet: { outflowPerMinute: 60 } });
      const fromMs = context.harness.nowMs();
      await live([crowd], 2 * minute);
      const times = crowd.entries.map(({ atMs }) => atMs);
      expect(mostIn(times, 60_000)).toBeLessThanOrEqual(60);
      expect(mostIn(times, 2_000)).toBeLessThanOrEqual(6);
      expect(crowd.between(fromMs + 10_000, fromMs + 70_000)).toBeGreaterThanOrEqual(55);
    });

    it("never exceeds the higher of the two however often it goes up and down", async () => {
      const room = await periodic(20);
      const crowd = createCrowd(room);
      await crowd.join(2_000);
      for (let i = 0; i < 40; i++) {
        await room.change({ inlet: { outflowPerMinute: i % 2 === 0 ? 5 : 20 } });
        await live([crowd], 1_000 + ((i * 7_919) % 9_000));
      }
      const times = crowd.entries.map(({ atMs }) => atMs);
      expect(mostIn(times, 60_000)).toBeLessThanOrEqual(20);
      expect(mostIn(times, 2_000)).toBeLessThanOrEqual(2);
    });
  });

  describe("those whom the limit holds", () => {
    /** The longest that a visitor with `before` others before it may stand ready to enter. */
    const boundMs = (limit: number, before: number) => Math.max(15_000, ((before + 1) * minute) / limit);

    async function standing(limit: number, sketch: SettingsSketch, run: (room: RoomDriver) => Promise<unknown>) {
      const room = await periodic(limit, sketch);
      return run(room);
    }

    it.each([5, 12, 60])("get in within 15 s or their turn of %i per minute, in order", async (limit) => {
      await standing(limit, {}, async (room) => {
        const crowd = createCrowd(room);
        await crowd.join(40);
        await live([crowd], 4 * minute);
        for (const { position, rank, waitedMs } of crowd.entries) {
          expect(waitedMs, `place ${position}`).toBeLessThanOrEqual(boundMs(limit, rank) + 250);
        }
        const order = crowd.entries.map(({ position }) => position);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      });
    });

    it.each([5, 12, 60])("get in when an operator serves many at once, in order, at %i per minute", async (limit) => {
      await standing(limit, { type: "manual" }, async (room) => {
        const crowd = createCrowd(room, { delayMs: (position) => (position * 7_919) % 3_000 });
        await crowd.join(21);
        await room.serve(20);
        await live([crowd], (20 * minute) / limit + 20_000);
        expect(crowd.entries).toHaveLength(20);
        for (const { position, atMs, servedMs } of crowd.entries) {
          const before = crowd.entries.filter((e) => e.atMs < atMs).length;
          expect(atMs - servedMs, `place ${position}`).toBeLessThanOrEqual(boundMs(limit, before) + 4_250);
        }
      });
    });

    it.each([5, 12])("are not starved by lower places that come late, at %i per minute", async (limit) => {
      await standing(limit, { type: "manual" }, async (room) => {
        // The higher half is there at once, the lower half comes one by one, the lowest last.
        const crowd = createCrowd(room, {
          delayMs: (position) => (position > 10 ? 0 : (10 - position) * 9_000),
        });
        await crowd.join(21);
        await room.serve(20);
        await live([crowd], (20 * minute) / limit + 2 * minute);
        expect(crowd.entries).toHaveLength(20);
        const entered = crowd.entries;
        for (const { position, atMs, waitedMs } of entered) {
          const sinceMs = atMs - waitedMs;
          const before = entered.filter((e) => e.atMs >= sinceMs && e.atMs < atMs).length;
          expect(waitedMs, `place ${position}`).toBeLessThanOrEqual(boundMs(limit, before) + 4_250);
        }
        // Nobody got in before a lower place that had been ready to enter for more than a moment.
        for (const [i, later] of entered.entries()) {
          for (const earlier of entered.slice(0, i)) {
            if (earlier.position < later.position) continue;
            expect(earlier.atMs - (later.atMs - later.waitedMs)).toBeLessThanOrEqual(250);
          }
        }
      });
    });

    it.each([6, 12, 30])(
      "admits visitors who come one after the other, while nobody waits, at %i per minute",
      async (limit) => {
        await standing(limit, {}, async (room) => {
          const crowd = createCrowd(room);
          let entered = -1;
          // The next one comes when the last one got in.
          const arrive = async () => {
            if (crowd.entries.length > entered) await crowd.join(1);
            entered = crowd.entries.length;
          };
          await live([crowd], 4 * minute, 250, arrive);
          expect(crowd.entries.length).toBeGreaterThanOrEqual(Math.floor(0.96 * 4 * limit));
          for (const { position, rank, waitedMs } of crowd.entries) {
            expect(waitedMs, `place ${position}`).toBeLessThanOrEqual(boundMs(limit, rank) + 250);
          }
          const times = crowd.entries.map(({ atMs }) => atMs);
          expect(mostIn(times, 60_000)).toBeLessThanOrEqual(limit);
        });
      },
    );

    it("admits one after the other the visitors who come while nobody waits", async () => {
      await standing(5, {}, async (room) => {
        const crowd = createCrowd(room);
        let count = 0;
        // One visitor every 9 s: more than five per minute, and each is served at once or soon.
        const arrive = async () => {
          if (count++ % 36 === 0 && count < 36 * 8) await crowd.join(1);
        };
        await live([crowd], 3 * minute, 250, arrive);
        expect(crowd.entries).toHaveLength(8);
        for (const { position, rank, waitedMs } of crowd.entries) {
          expect(waitedMs, `place ${position}`).toBeLessThanOrEqual(boundMs(5, rank) + 250);
        }
        expect(
          mostIn(
            crowd.entries.map(({ atMs }) => atMs),
            60_000,
          ),
        ).toBeLessThanOrEqual(5);
      });
    });
  });
};
