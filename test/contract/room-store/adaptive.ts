import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type RoomDriver, type SettingsSketch } from "../room-driver.ts";
import { type Crowd, createCrowd, live, mostIn } from "./crowd.ts";

const second = 1_000;
const everyMs = 5 * second;
const target = 400;

/** The inlet `adaptive`: a rate that follows what is heard of the site. */
export const adaptive: RoomTest = (context) => {
  const adapted = async (part: NonNullable<SettingsSketch["adaptive"]> = {}, sketch: SettingsSketch = {}) => {
    const room = await context
      .room({
        type: "adaptive",
        limit: 600,
        claimWithinMs: 60 * minute,
        ...sketch,
        adaptive: {
          floorPerMinute: 30,
          startPerMinute: 120,
          stepPerMinute: 60,
          latencyMs: target,
          decideEveryMs: everyMs,
          ...part,
        },
      })
      .open();
    // The first interval begins.
    await room.tick();
    return room;
  };
  const of = async (room: RoomDriver) => (await room.state()).adaptive;
  /** A room whose line moves, with as many as may be in it. */
  const line = async (part = {}, sketch = {}): Promise<Crowd> => {
    const crowd = createCrowd(await adapted(part, sketch));
    await crowd.join(5_000);
    return crowd;
  };
  /** So many intervals go by in which the site says so once a second. */
  async function hear(crowd: Crowd, reported: Parameters<RoomDriver["reportSite"]>[0], intervals = 1) {
    let turn = 0;
    await live([crowd], intervals * everyMs, 250, async () => {
      if (turn++ % 4 === 0) await crowd.room.reportSite(reported);
    });
    return of(crowd.room);
  }
  /** Until the next decision has been made by what the site says. */
  async function decided(room: RoomDriver, reported: Parameters<RoomDriver["reportSite"]>[0]) {
    await room.reportSite(reported);
    await room.pass(everyMs);
    return of(room);
  }

  it("begins at its start, and says what it goes by", async () => {
    const room = await adapted();
    expect(await room.state()).toMatchObject({
      planLimitPerMinute: 120,
      adaptive: {
        ratePerMinute: 120,
        targetMs: target,
        latencyMs: null,
        baselineMs: null,
        errorRate: null,
        decision: "hold",
        reason: "no_data",
        decidedMs: 0,
        probedMs: 0,
      },
    });
    const plain = await context.room({ type: "adaptive", limit: 6_000, adaptive: {} }).open();
    expect((await of(plain))?.ratePerMinute).toBe(600);
    expect((await of(plain))?.targetMs).toBeNull();
  });

  it("is not reported by other inlets, which take no notice of reports", async () => {
    const room = await context.room({ type: "periodic", limit: 60 }).open();
    await room.reportSite({ latencyMs: 9_000, errorRate: 1, signal: "off" });
    const state = await room.state();
    expect(state).toMatchObject({ phase: "open", holds: [], version: 1 });
    expect(state).not.toHaveProperty("adaptive");
  });

  it("rises by its step, as long as the rate is used, up to the limit; then 60 s see no more than that", async () => {
    const crowd = await line({ stepPerMinute: 120 });
    expect(await hear(crowd, { latencyMs: 100 }, 2)).toMatchObject({
      ratePerMinute: 360,
      latencyMs: 100,
      baselineMs: 100,
      decision: "increase",
      reason: "below_target",
    });
    expect(await hear(crowd, { latencyMs: 100 }, 6)).toMatchObject({ ratePerMinute: 600, reason: "at_limit" });
    await hear(crowd, { latencyMs: 100 }, 14);
    const times = crowd.entries.map(({ atMs }) => atMs);
    expect(mostIn(times, minute)).toBeLessThanOrEqual(600);
    expect(mostIn(times, minute)).toBeGreaterThanOrEqual(580);
    expect(mostIn(times, 2 * second)).toBeLessThanOrEqual(60);
  });

  it("adds less the nearer the target is, and nothing within a tenth of it", async () => {
    const crowd = await line();
    const far = await hear(crowd, { latencyMs: 0.75 * target }, 1);
    expect(far).toMatchObject({ ratePerMinute: 120 + 30, decision: "increase" });
    const near = await line();
    for (const part of [0.95, 1.05]) {
      expect(await hear(near, { latencyMs: part * target }, 3)).toMatchObject({
        ratePerMinute: 120,
        decision: "hold",
        reason: "on_target",
      });
    }
  });

  it("does not grow where nobody waits, or where hardly any of it is used", async () => {
    const empty = await adapted();
    expect(await decided(empty, { latencyMs: 50 })).toMatchObject({ ratePerMinute: 120, reason: "unused" });
    // Of those who are served only one in thirty looks.
    const crowd = createCrowd(await adapted(), { isAbsent: (position) => position % 30 !== 0 });
    await crowd.join(400);
    const held = await hear(crowd, { latencyMs: 50 }, 2);
    expect(held?.ratePerMinute).toBe(120);
    expect(held?.reason).toBe("unused");
  });

  it("comes down by how far the latency is above the target, and lets that show before it goes on", async () => {
    const room = await adapted({ startPerMinute: 500 });
    expect(await decided(room, { latencyMs: 1.44 * target })).toMatchObject({
      ratePerMinute: Math.floor(500 / 1.2),
      decision: "decrease",
      reason: "above_target",
    });
    for (let i = 0; i < 2; i++) {
      expect(await decided(room, { latencyMs: 1.44 * target })).toMatchObject({
        ratePerMinute: 416,
        reason: "settling",
      });
    }
    expect(await decided(room, { latencyMs: 1.44 * target })).toMatchObject({
      ratePerMinute: Math.floor(416 / 1.2),
      decision: "decrease",
    });
    const far = await adapted({ startPerMinute: 500 });
    expect((await decided(far, { latencyMs: 50 * target }))?.ratePerMinute).toBe(350);
  });

  it("leaves it where the latency is on its way by itself", async () => {
    const room = await adapted({ startPerMinute: 500 });
    await decided(room, { latencyMs: 8 * target });
    let last = await of(room);
    for (const part of [6, 4, 2.5, 2]) last = await decided(room, { latencyMs: part * target });
    expect(last).toMatchObject({ ratePerMinute: 350, decision: "hold", reason: "settling" });
  });

  it("lowers the pace at once", async () => {
    const crowd = await line({ startPerMinute: 600 });
    await live([crowd], 10 * second);
    await hear(crowd, { latencyMs: 20 * target }, 1);
    expect((await of(crowd.room))?.ratePerMinute).toBe(420);
    const fromMs = crowd.room.harness.nowMs();
    await live([crowd], 10 * second);
    const passed = crowd.between(fromMs, crowd.room.harness.nowMs());
    // Whoever came in before is in nobody's way: neither a stop nor the old pace.
    expect(passed).toBeGreaterThanOrEqual(60);
    expect(passed).toBeLessThanOrEqual(75);
  });

  it("never comes below its floor, however bad the site is", async () => {
    const room = await adapted();
    for (let i = 0; i < 20; i++) await decided(room, { latencyMs: 30 * target, errorRate: 1 });
    expect(await of(room)).toMatchObject({ ratePerMinute: 30, decision: "hold", reason: "at_floor" });
    expect(await room.state()).toMatchObject({ phase: "open", planLimitPerMinute: 30 });
  });

  it("goes by the error rate, too", async () => {
    const room = await adapted({ errorRate: 0.1 });
    expect(await decided(room, { errorRate: 0.1, latencyMs: target })).toMatchObject({ reason: "on_target" });
    expect(await decided(room, { errorRate: 0.2, latencyMs: 10 })).toMatchObject({
      ratePerMinute: 84,
      errorRate: 0.2,
      decision: "decrease",
      reason: "errors",
    });
  });

  it("takes one probe that failed for chance, and several for errors", async () => {
    const room = await adapted();
    const probe = (latencyMs: number | null) => room.load({ source: "probe", latencyMs });
    await probe(null);
    for (let i = 0; i < 9; i++) await probe(target);
    await room.pass(everyMs);
    expect(await of(room)).toMatchObject({ errorRate: 0, reason: "on_target", latencyMs: target });
    await probe(null);
    await probe(target);
    await room.pass(everyMs);
    expect(await of(room)).toMatchObject({ ratePerMinute: 84, reason: "errors" });
    const { probedMs } = (await of(room)) ?? { probedMs: 0 };
    expect((await room.state()).flowMs - probedMs).toBe(everyMs);
  });

  it("takes the median of an interval, and the worse of what was probed and what was reported", async () => {
    const room = await adapted();
    for (const latencyMs of [100, 9_000, 120]) await room.load({ source: "probe", latencyMs });
    await room.pass(everyMs);
    expect((await of(room))?.latencyMs).toBe(120);
    await room.reportSite({ latencyMs: 320 });
    for (const latencyMs of [80, 100]) await room.load({ source: "probe", latencyMs });
    await room.pass(everyMs);
    expect((await of(room))?.latencyMs).toBe(220);
  });

  it("is held by a site that says off until it says on, and comes back at a lower rate", async () => {
    const room = await adapted();
    await room.reportSite({ signal: "off" });
    expect(await room.state()).toMatchObject({
      phase: "paused",
      phaseReason: "unhealthy",
      holds: ["signal"],
      adaptive: { ratePerMinute: 84, decision: "decrease", reason: "signal_off" },
    });
    await room.reportSite({ signal: "off" });
    await room.pass(2 * everyMs);
    expect(await of(room)).toMatchObject({ ratePerMinute: 84, decision: "hold", reason: "signal_off" });
    await room.step({ step: "resume" });
    await room.step({ step: "alarm", isSet: false });
    expect((await room.state()).phase).toBe("paused");
    await room.reportSite({ signal: "on" });
    expect(await room.state()).toMatchObject({ phase: "open", holds: [], adaptive: { ratePerMinute: 84 } });
  });

  it("goes by the signal alone where nothing else is reported", async () => {
    const crowd = await line();
    expect(await hear(crowd, { signal: "on" }, 2)).toMatchObject({ ratePerMinute: 240, reason: "below_target" });
  });

  it("loses the signal's hold, and what it had learnt, with another type", async () => {
    const room = await adapted();
    await room.reportSite({ signal: "off", latencyMs: 100 });
    await room.change({ inlet: { type: "periodic" } });
    expect(await room.state()).toMatchObject({ phase: "open", holds: [], planLimitPerMinute: 600 });
    await room.change({});
    expect(await of(room)).toMatchObject({ ratePerMinute: 120, latencyMs: null, baselineMs: null, reason: "no_data" });
  });

  it("stays where it is without data, then goes back to its start; below that it stays", async () => {
    const crowd = await line();
    await hear(crowd, { latencyMs: 100 }, 3);
    const { room } = crowd;
    const rate = (await of(room))?.ratePerMinute ?? 0;
    expect(rate).toBe(300);
    await room.pass(115 * second);
    expect(await of(room)).toMatchObject({ ratePerMinute: rate, reason: "below_target" });
    await room.pass(15 * second);
    expect(await of(room)).toMatchObject({ decision: "decrease", reason: "no_data" });
    await room.pass(minute);
    expect(await of(room)).toMatchObject({ ratePerMinute: 120, decision: "hold", reason: "no_data" });
    const low = await adapted();
    await decided(low, { latencyMs: 9 * target });
    await low.pass(4 * minute);
    expect(await of(low)).toMatchObject({ ratePerMinute: 84, reason: "no_data" });
  });

  it("decides nothing while the line does not move", async () => {
    const room = await adapted();
    await room.step({ step: "pause" });
    for (let i = 0; i < 4; i++) {
      expect(await decided(room, { latencyMs: 20 * target, errorRate: 1 })).toMatchObject({
        ratePerMinute: 120,
        reason: "not_open",
      });
    }
  });

  it("takes a multiple of what the site takes under little load, and learns that anew at the floor", async () => {
    const room = await adapted({ latencyMs: null, timesBaseline: 3 });
    expect(await decided(room, { latencyMs: 100 })).toMatchObject({ baselineMs: 100, targetMs: 300 });
    expect(await decided(room, { latencyMs: 60 })).toMatchObject({ baselineMs: 90, targetMs: 270 });
    // The site became slower for good, of which the line is not the reason.
    for (let i = 0; i < 40; i++) await decided(room, { latencyMs: 900 });
    const slow = await of(room);
    expect(slow?.baselineMs).toBeGreaterThan(300);
    expect(slow?.baselineMs).toBeLessThan(900);
    const busy = await line({ latencyMs: null, timesBaseline: 3 });
    await hear(busy, { latencyMs: 100 }, 2);
    expect((await hear(busy, { latencyMs: 250 }, 3))?.baselineMs).toBe(100);
  });

  it("takes the lower of two targets", async () => {
    const room = await adapted({ timesBaseline: 2 });
    expect((await decided(room, { latencyMs: 150 }))?.targetMs).toBe(300);
    const other = await adapted({ timesBaseline: 20 });
    expect((await decided(other, { latencyMs: 150 }))?.targetMs).toBe(target);
  });

  it("keeps within settings that are changed, and begins anew at another start", async () => {
    const room = await adapted();
    await room.change({ inlet: { outflowPerMinute: 50 } });
    expect((await room.state()).planLimitPerMinute).toBe(50);
    await room.change({ inlet: { floorPerMinute: 200 } });
    expect(await of(room)).toMatchObject({ ratePerMinute: 200 });
    await room.change({ inlet: { startPerMinute: 300 } });
    expect(await of(room)).toMatchObject({ ratePerMinute: 300 });
  });

  it("is remembered: after a loss the lowest rate and the lowest baseline that a process knew count", async () => {
    const room = await adapted({ timesBaseline: 3 });
    await decided(room, { latencyMs: 100 });
    const early = await room.memory();
    expect(early.adaptive).toEqual({ ratePerMinute: 120, baselineMs: 100 });
    await decided(room, { latencyMs: 5_000 });
    const late = await room.memory();
    await context.harness.wipe();
    await room.contribute({ memory: early });
    await room.contribute({ memory: { ...late, adaptive: { ratePerMinute: 84, baselineMs: 140 } } });
    await context.harness.advance(2_500);
    await room.contribute();
    expect(await of(room)).toMatchObject({
      ratePerMinute: 84,
      baselineMs: 100,
      latencyMs: null,
      decision: "hold",
    });
  });

  it("is kept by a store that is put back, and no memory of a room that needs no recovery lowers it", async () => {
    const crowd = await line();
    const { room } = crowd;
    await hear(crowd, { latencyMs: 100 }, 2);
    await context.harness.save();
    await context.harness.restore();
    await room.recover(null);
    expect(await of(room)).toMatchObject({ ratePerMinute: 240, baselineMs: 100 });
    await room.contribute({ memory: await room.memory({ adaptive: { ratePerMinute: 30, baselineMs: 1 } }) });
    expect(await of(room)).toMatchObject({ ratePerMinute: 240, baselineMs: 100 });
  });

  it("shares a limit by its rate", async () => {
    const shared = { id: "both", outflowPerMinute: 300, weight: 1 };
    const room = await adapted({}, { shared });
    expect((await room.state()).planLimitPerMinute).toBe(120);
    await decided(room, { latencyMs: 30 * target });
    expect((await room.state()).planLimitPerMinute).toBe(84);
  });
};
