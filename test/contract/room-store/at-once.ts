import fc from "fast-check";
import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver, type SettingsSketch } from "../room-driver.ts";

/** Joins that need not wait, because nobody waits and there is room for them. */
export const atOnce: RoomTest = (context) => {
  const periodic = (sketch: SettingsSketch = {}) => context.room({ type: "periodic", limit: 600, ...sketch });

  /** Each of `count` visitors joins and claims, one after the other, as the gateway does for them. */
  async function visit(room: RoomDriver, count = 1): Promise<string[]> {
    const results: string[] = [];
    for (let i = 0; i < count; i++) {
      const range = await room.join();
      results.push((await room.claim(room.place(range, range.first))).result);
    }
    return results;
  }

  it("serves and admits them in the same instant while they come below the limit", async () => {
    const room = await periodic({ limit: 60 }).open();
    for (let i = 0; i < 50; i++) {
      expect(await visit(room)).toEqual(["admitted"]);
      await context.harness.advance(1_000);
    }
    expect(await room.state()).toMatchObject({ queued: 50, serving: 50, counts: { entered: 50 } });
  });

  it("admits a few who come together at once, and the others within a few seconds", async () => {
    const room = await periodic({ limit: 600 }).open();
    const results = await visit(room, 30);
    expect(results).toEqual(Array.from({ length: 30 }, () => "admitted"));
    const range = await room.join(40);
    // 36 is what the tolerance for nobody waiting allows in all.
    expect(range.serving).toBe(37);
    await room.pass(4_000);
    expect((await room.state()).serving).toBeGreaterThan(60);
  });

  it("needs no tick at all", async () => {
    const room = await periodic({ limit: 60 }).open();
    await context.harness.advance(60 * minute);
    expect(await visit(room)).toEqual(["admitted"]);
  });

  it.each([1, 5, 12, 60, 600, 3_000])(
    "never admits more than a tenth of %i in any two seconds, nor more than it in 60 s (rule 4)",
    async (limit) => {
      const arrivals = fc.array(
        fc.record({
          waitMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 5_000 })),
          count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: Math.max(2, Math.ceil(limit / 20)) })),
          claims: fc.boolean(),
          ticks: fc.boolean(),
        }),
        { minLength: 20, maxLength: 80 },
      );
      const run = async (steps: { waitMs: number; count: number; claims: boolean; ticks: boolean }[]) => {
        const room = await periodic({ limit }).open();
        const admitted: number[] = [];
        const waiting: Place[] = [];
        for (const { waitMs, count, claims, ticks } of steps) {
          await context.harness.advance(waitMs);
          if (ticks) await room.tick();
          const range = await room.join(count);
          for (let p = range.first; p <= range.last; p++) waiting.push(room.place(range, p));
          if (!claims) continue;
          for (const place of [...waiting]) {
            const { result } = await room.claim(place);
            if (result !== "admitted") break;
            admitted.push(context.harness.nowMs());
            waiting.splice(waiting.indexOf(place), 1);
          }
        }
        const inWindow = (atMs: number, ms: number) => admitted.filter((t) => t <= atMs && t > atMs - ms).length;
        for (const atMs of admitted) {
          expect(inWindow(atMs, 2_000)).toBeLessThanOrEqual(Math.max(1, limit / 10));
          expect(inWindow(atMs, 60_000)).toBeLessThanOrEqual(limit);
        }
      };
      await fc.assert(fc.asyncProperty(arrivals, run), { numRuns: context.runs(40, 6) });
    },
  );

  it("serves none while a visitor waits", async () => {
    const room = await periodic({ limit: 60 }).open();
    const { serving } = await room.join(20);
    expect(serving).toBeLessThan(20);
    expect((await room.join()).serving).toBe(serving);
    await context.harness.advance(900);
    expect((await room.join()).serving).toBe(serving);
  });

  it("leaves room for visitors who were served and have not come yet", async () => {
    const room = await periodic({ limit: 60 }).open();
    const first = await room.join(3);
    expect(first.serving).toBe(3);
    const second = await room.join(3);
    expect(second.serving).toBe(4);
  });

  it.each(["pause", "alarm", "unhealthy", "prequeue", "manual", "not yet", "no more", "recovery"] as const)(
    "serves none at: %s",
    async (why) => {
      const nowMs = context.harness.nowMs();
      const gate = { healthUrl: "x", intervalMs: 1, timeoutMs: 1, unhealthyAfter: 1, healthyAfter: 1 };
      const room = await periodic({
        gate,
        ...(why === "manual" ? { type: "manual" } : {}),
        ...(why === "not yet" ? { startsAtMs: nowMs + minute } : {}),
        ...(why === "no more" ? { endsAtMs: nowMs } : {}),
      }).open();
      if (why === "pause") await room.step({ step: "pause" });
      if (why === "alarm") await room.step({ step: "alarm", isSet: true });
      if (why === "unhealthy") await room.report(false);
      if (why === "prequeue") await room.phase("prequeue");
      if (why === "recovery") {
        const memory = await room.memory();
        await context.harness.wipe();
        await room.recover(memory);
      }
      const { first, serving } = await room.join();
      expect(serving).toBeLessThan(first);
      expect((await room.state()).serving).toBeLessThan(first);
    },
  );

  it("serves from its start on and until its end, by the millisecond", async () => {
    const startsAtMs = context.harness.nowMs() + minute;
    const endsAtMs = startsAtMs + minute;
    const room = await periodic({ startsAtMs, endsAtMs }).open();
    const isServed = async () => {
      const { first, serving } = await room.join();
      return serving >= first;
    };
    await room.waitUntil(startsAtMs - 1);
    expect(await isServed()).toBe(false);
    await room.waitUntil(startsAtMs);
    // The one before still waits.
    expect(await isServed()).toBe(false);
    await room.pass(2_000);
    expect(await isServed()).toBe(true);
    await room.waitUntil(endsAtMs - 1);
    await room.tick();
    expect(await isServed()).toBe(true);
    await room.waitUntil(endsAtMs);
    expect(await isServed()).toBe(false);
    await room.pass(10_000);
    const { serving, queued } = await room.state();
    expect(queued - serving).toBe(1);
  });

  it("serves up to the free capacity with max_active, less the visitors who were served and have not come yet", async () => {
    const room = await context.room({ type: "max_active", maxActive: 10 }).open();
    expect((await room.join(7)).serving).toBe(7);
    expect((await room.join(7)).serving).toBe(10);
    expect((await room.join(1)).serving).toBe(10);
  });

  it("goes by both bounds with max_active and a limit", async () => {
    const room = await context.room({ type: "max_active", maxActive: 30, limit: 60 }).open();
    expect((await room.join(30)).serving).toBe(4);
    const full = await context.room({ type: "max_active", maxActive: 2, limit: 600 }).open();
    expect((await full.join(30)).serving).toBe(2);
  });
};
