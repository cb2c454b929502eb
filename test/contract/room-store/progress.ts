import { describe, expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver, type SettingsSketch } from "../room-driver.ts";

/** How fast the line moves, for the estimate; and the times between which the inlet moves it. */
export const progress: RoomTest = (context) => {
  const progressOf = async (room: RoomDriver) => (await room.state()).progress;

  it("measures what was served and admitted while a visitor waited", async () => {
    const room = await context.room().open();
    const places = await room.places(200);
    for (let i = 0; i < 60; i++) {
      await room.serve(2);
      if (i % 2 === 0) await room.admit(places[i] as Place);
      await room.pass(1_000);
    }
    expect(await progressOf(room)).toEqual({ spanMs: minute, served: 120, entered: 30, endedEarly: 0 });
  });

  it("takes an operator's step for progress only where the steps are the pace", async () => {
    const shared = { id: "progress", outflowPerMinute: 60, weight: 1 };
    const afterJump = async (sketch: SettingsSketch) => {
      const room = await context.room(sketch).open();
      const startsAtMs = context.harness.nowMs() + 10 * minute;
      // The inlet itself shall not move the line meanwhile.
      if (sketch.type === "periodic") await room.change({ inlet: { startsAtMs } });
      await room.join(10_000);
      await room.serve(5_000);
      const { serving, progress } = await room.state();
      return { serving, served: progress.served };
    };
    expect(await afterJump({})).toEqual({ serving: 5_000, served: 5_000 });
    expect(await afterJump({ limit: 60 })).toEqual({ serving: 5_000, served: 0 });
    expect(await afterJump({ shared })).toEqual({ serving: 5_000, served: 0 });
    expect(await afterJump({ type: "periodic", limit: 60 })).toEqual({ serving: 5_000, served: 0 });
    expect((await afterJump({ type: "max_active", maxActive: 10 })).served).toBeLessThanOrEqual(20);
  });

  it("looks back three minutes", async () => {
    const room = await context.room().open();
    await room.join(1_000);
    for (let i = 0; i < 300; i++) {
      if (i < 100) await room.serve(1);
      await room.pass(1_000);
    }
    const { spanMs, served } = await progressOf(room);
    expect(spanMs).toBeGreaterThan(170_000);
    expect(spanMs).toBeLessThanOrEqual(3 * minute);
    expect(served).toBe(0);
  });

  it("stands still while the room is paused, held, closed, or nobody waits", async () => {
    const gate = { healthUrl: "x", intervalMs: 1, timeoutMs: 1, unhealthyAfter: 1, healthyAfter: 1 };
    const room = await context.room({ type: "periodic", limit: 60, gate }).open();
    await room.pass(10_000);
    expect(await progressOf(room)).toEqual({ spanMs: 0, served: 0, entered: 0, endedEarly: 0 });
    await room.join(10_000);
    await room.pass(10_000);
    const before = await progressOf(room);
    expect(before.spanMs).toBe(10_000);
    await room.step({ step: "pause" });
    await room.pass(minute);
    await room.step({ step: "resume" });
    await room.report(false);
    await room.pass(minute);
    await room.report(true);
    await room.phase("prequeue");
    await room.pass(minute);
    expect(await progressOf(room)).toEqual(before);
    await room.phase("open");
    await room.pass(10_000);
    expect((await progressOf(room)).spanMs).toBe(20_000);
  });

  it("does not count the hold after a recovery", async () => {
    const room = await context.room({ type: "periodic", limit: 60 }).open();
    await room.join(10_000);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    await room.pass(50_000);
    expect((await progressOf(room)).spanMs).toBe(0);
    await room.pass(20_000);
    expect((await progressOf(room)).spanMs).toBe(10_000);
  });

  it("is forgotten by a reset", async () => {
    const room = await context.room().open();
    await room.join(100);
    await room.serve(10);
    await room.pass(10_000);
    await room.step({ step: "reset" });
    expect(await progressOf(room)).toEqual({ spanMs: 0, served: 0, entered: 0, endedEarly: 0 });
  });

  it("counts admissions that ended before their time, and nobody twice", async () => {
    const room = await context.room({ durationMs: minute }).open();
    const places = await room.places(30);
    await room.serve(20);
    for (const place of places.slice(0, 20)) await room.admit(place);
    const end = async (from: number, to: number) => {
      for (const { sub } of places.slice(from, to)) await room.end(sub, "completed");
    };
    const endedEarly = async () => (await progressOf(room)).endedEarly;
    await end(0, 3);
    expect(await endedEarly()).toBe(3);
    await room.step({ step: "pause" });
    await end(3, 5);
    await room.step({ step: "resume" });
    expect(await endedEarly()).toBe(3);
    await room.step({ step: "exited", count: 4 });
    expect(await endedEarly()).toBe(7);
    // The first four of these are taken to be those who had exited.
    await end(5, 11);
    expect(await endedEarly()).toBe(9);
    // Not more than are live, and no lapse.
    await room.step({ step: "exited", count: 3 });
    await room.pass(minute + 1_000);
    expect(await endedEarly()).toBe(12);
    await room.serve(10);
    await room.admit(places[25] as Place);
    await room.end((places[25] as Place).sub);
    expect(await endedEarly()).toBe(12);
    await room.pass(4 * minute);
    await room.join(5);
    await room.pass(3 * minute);
    expect(await endedEarly()).toBe(0);
  });

  describe("the share of served visitors who come", () => {
    /** All of these ask to come in. */
    const ask = async (room: RoomDriver, crowd: Set<Place>) => {
      for (const place of crowd) {
        if ((await room.claim(place)).result === "admitted") crowd.delete(place);
      }
    };

    /** One in four comes, for two minutes. */
    const quarter = async () => {
      const room = await context.room({ type: "periodic", limit: 60 }).open();
      const places = await room.places(3_000);
      const crowd = new Set<Place>();
      for (let sec = 0, looked = 0; sec < 120; sec++) {
        await room.pass(1_000);
        for (const { serving } = await room.state(); looked < serving; looked++) {
          if (looked % 4 === 0) crowd.add(places[looked] as Place);
        }
        await ask(room, crowd);
      }
      return { room, places };
    };
    const doorOf = async (room: RoomDriver) => {
      const { readyToEnter, enteringShare } = await room.state();
      return { readyToEnter, enteringShare };
    };

    it("is everybody before anything was seen", async () => {
      const room = await context.room({ limit: 60 }).open();
      expect(await doorOf(room)).toEqual({ readyToEnter: 0, enteringShare: 1 });
    });

    it("is known of the line, and stays known while those come in whom an operator has called", async () => {
      const { room, places } = await quarter();
      const { enteringShare, readyToEnter } = await doorOf(room);
      expect(enteringShare).toBeGreaterThan(0.22);
      expect(enteringShare).toBeLessThan(0.3);
      expect(readyToEnter).toBeLessThan(9);
      const from = (await room.state()).serving;
      await room.serve(400);
      // They are expected at once, and counted when they come.
      expect((await doorOf(room)).readyToEnter).toBeGreaterThan(85);
      expect((await doorOf(room)).readyToEnter).toBeLessThan(130);
      const crowd = new Set(places.slice(from, from + 400).filter((_, index) => index % 4 === 0));
      for (let sec = 0; sec < 60; sec += 4) {
        await room.pass(4_000);
        await ask(room, crowd);
        expect((await doorOf(room)).enteringShare).toBeGreaterThan(0.22);
        expect((await doorOf(room)).enteringShare).toBeLessThan(0.3);
      }
      expect(crowd.size).toBeGreaterThan(30);
      expect((await doorOf(room)).readyToEnter).toBe(crowd.size);
    });

    it("counts the places that were open before any visitor came", async () => {
      const room = await context.room({ limit: 600 }).open();
      await room.serve(300);
      const places = await room.places(300);
      for (const [index, place] of places.entries()) {
        if (index % 3 === 0) await room.claim(place);
        if (index % 10 === 0) await room.pass(1_000);
      }
      await room.pass(10_000);
      expect((await doorOf(room)).enteringShare).toBeCloseTo(1 / 3, 1);
    });

    it("forgets ready visitors with a reset, and not how many come", async () => {
      const { room, places } = await quarter();
      const { serving } = await room.state();
      await room.serve(40);
      for (const place of places.slice(serving, serving + 40)) await room.claim(place);
      await room.pass(1_000);
      const { enteringShare } = await doorOf(room);
      await room.step({ step: "reset" });
      const after = await doorOf(room);
      expect(after.readyToEnter).toBe(0);
      expect(after.enteringShare).toBeGreaterThan(enteringShare * 0.7);
      expect(after.enteringShare).toBeLessThan(enteringShare * 1.3);
    });
  });

  describe("a periodic inlet with times", () => {
    it("serves from its start until its end, and hands out places before and after", async () => {
      const startsAtMs = context.harness.nowMs() + 10_000;
      const endsAtMs = startsAtMs + 20_000;
      const room = await context.room({ type: "periodic", limit: 600, startsAtMs, endsAtMs }).open();
      await room.join(5_000);
      await room.waitUntil(startsAtMs - 1);
      expect((await room.state()).serving).toBe(0);
      await room.waitUntil(startsAtMs);
      await room.tick();
      await room.pass(1_000);
      const { serving } = await room.state();
      expect(serving).toBeGreaterThan(0);
      await room.waitUntil(endsAtMs - 1);
      const last = (await room.state()).serving;
      expect(last).toBeGreaterThan(serving);
      await room.waitUntil(endsAtMs);
      await room.pass(10_000);
      expect(await room.state()).toMatchObject({ serving: last, phase: "open" });
      expect(await room.join()).toMatchObject({ refusal: null });
      // Places that were served stay good.
      const range = { edition: (await room.state()).edition, joinedMs: 0 };
      expect(await room.claim(room.place(range, last))).toMatchObject({ result: "admitted" });
    });

    it("counts only the time in between as progress", async () => {
      const nowMs = context.harness.nowMs();
      const [startsAtMs, endsAtMs] = [nowMs + 10_500, nowMs + 30_250];
      const room = await context.room({ type: "periodic", limit: 60, startsAtMs, endsAtMs }).open();
      await room.join(5_000);
      await room.waitUntil(nowMs + 10_000);
      expect((await progressOf(room)).spanMs).toBe(0);
      await room.pass(1_000);
      expect((await progressOf(room)).spanMs).toBe(500);
      await room.pass(minute);
      expect((await progressOf(room)).spanMs).toBe(19_750);
    });

    it("follows times that are changed, and an operator may serve at any time", async () => {
      const nowMs = context.harness.nowMs();
      const room = await context.room({ type: "periodic", limit: 600, endsAtMs: nowMs }).open();
      await room.join(100);
      await room.serve(3);
      await room.pass(2_000);
      expect((await room.state()).serving).toBe(3);
      await room.change({ inlet: { endsAtMs: null } });
      await room.pass(2_000);
      expect((await room.state()).serving).toBeGreaterThan(3);
    });
  });
};
