import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type SettingsSketch } from "../room-driver.ts";
import { type Crowd, createCrowd, live, mostIn } from "./crowd.ts";

const settleMs = 30_000;

/** An outflow limit that several rooms share by weight. */
export const sharedOutflow: RoomTest = (context) => {
  const nowMs = () => context.harness.nowMs();

  /** Rooms of these weights, with nobody in them yet. */
  async function crowds(limit: number, weights: readonly number[], sketches: readonly SettingsSketch[] = []) {
    const rooms: Crowd[] = [];
    for (const [i, weight] of weights.entries()) {
      const shared = { id: "both", outflowPerMinute: limit, weight };
      const sketch = { type: "periodic", claimWithinMs: 60 * minute, shared, ...sketches[i] } as const;
      rooms.push(createCrowd(await context.room(sketch).open()));
    }
    return rooms;
  }

  function expectWithinLimit(all: readonly Crowd[], limit: number): void {
    const times = all.flatMap(({ entries }) => entries.map(({ atMs }) => atMs));
    expect(mostIn(times, 60_000)).toBeLessThanOrEqual(limit);
    expect(mostIn(times, 2_000)).toBeLessThanOrEqual(Math.max(1, limit / 10));
  }

  /** Admissions per minute from then until now. */
  const rate = (crowd: Crowd, fromMs: number, toMs = nowMs()) =>
    (crowd.between(fromMs, toMs) * minute) / (toMs - fromMs);

  it.each([
    [240, [1, 3]],
    [240, [1, 1, 2]],
    [120, [1, 1]],
    [60, [2, 1]],
  ])("gives %i per minute by weight to those who all want more: %o", async (limit, weights) => {
    const all = await crowds(limit, weights);
    for (const crowd of all) await crowd.join(2_000);
    await live(all, settleMs);
    const fromMs = nowMs();
    await live(all, 4 * minute);
    const rates = all.map((crowd) => rate(crowd, fromMs));
    const sum = rates.reduce((total, each) => total + each, 0);
    expect(sum).toBeGreaterThanOrEqual(0.97 * limit);
    const weightSum = weights.reduce((total, weight) => total + weight, 0);
    for (const [i, weight] of weights.entries()) {
      const share = (limit * weight) / weightSum;
      expect(Math.abs((rates[i] ?? 0) - share), `room ${i}: ${rates}`).toBeLessThanOrEqual(Math.max(1, 0.05 * share));
    }
    expectWithinLimit(all, limit);
  });

  it("reports to each room its share among the rooms with people", async () => {
    const [one, three] = await crowds(600, [1, 3], [{}, { limit: 400 }]);
    if (one === undefined || three === undefined) throw new Error("no rooms");
    expect((await one.room.state()).planLimitPerMinute).toBe(600);
    expect((await three.room.state()).planLimitPerMinute).toBe(400);
    await one.join(1_000);
    await three.join(1_000);
    await live([one, three], 3_000);
    // By weight it would be 150, but the other can use no more than 400.
    expect((await one.room.state()).planLimitPerMinute).toBe(200);
    expect((await three.room.state()).planLimitPerMinute).toBe(400);
  });

  it("goes by a weight that was changed live, though the file is changed since", async () => {
    const [one, two] = await crowds(600, [1, 1]);
    if (one === undefined || two === undefined) throw new Error("no rooms");
    for (const crowd of [one, two]) await crowd.join(1_000);
    const shares = async () => {
      await live([one, two], 3_000);
      return [(await one.room.state()).planLimitPerMinute, (await two.room.state()).planLimitPerMinute];
    };
    expect(await shares()).toEqual([300, 300]);
    await two.room.change({ inlet: { weight: 4 } });
    expect(await shares()).toEqual([120, 480]);
    const { file } = two.room;
    const shared = { id: "both", outflowPerMinute: 600, weight: 2 };
    await two.room.contribute({ fileSettings: { ...file, inlet: { ...file.inlet, sharedOutflow: shared } } });
    expect(await shares()).toEqual([120, 480]);
    await two.room.change({});
    expect(await shares()).toEqual([200, 400]);
  });

  it("plans with what capped rooms leave to the others, by weight", async () => {
    const sketches = [{ limit: 60 }, {}, { limit: 100 }, {}];
    const all = await crowds(600, [1, 1, 6, 3], sketches);
    for (const crowd of all) await crowd.join(1_000);
    await live(all, 3_000);
    const planned = [];
    for (const { room } of all) planned.push((await room.state()).planLimitPerMinute);
    // 600 less 100, then 500 by 1, 1 and 3: the first could have 100; its 60 taken off, 440 by 1 and 3.
    expect(planned).toEqual([60, 110, 100, 330]);
  });

  it("counts by weight those whose visitors hardly wait, too", async () => {
    const [steady, line] = await crowds(600, [1, 1]);
    if (steady === undefined || line === undefined) throw new Error("no rooms");
    // Two in a quarter of a second: 480 per minute, never refused by themselves.
    const arrive = () => steady.join(2);
    await live([steady], minute, 250, arrive);
    await line.join(5_000);
    await live([steady, line], 30_000, 250, arrive);
    const fromMs = nowMs();
    await live([steady, line], 2 * minute, 250, arrive);
    for (const crowd of [steady, line]) expect(Math.abs(rate(crowd, fromMs) - 300)).toBeLessThanOrEqual(15);
    expectWithinLimit([steady, line], 600);
  });

  it.each([
    ["none", null],
    ["another", { id: "another", outflowPerMinute: 6_000, weight: 1 }],
  ])("counts what a room admitted in the last minute when it joins from %s", async (_what, shared) => {
    const sketch = { type: "max_active", maxActive: 100_000, shared } as const;
    const room = await context.room(sketch).open();
    const places = await room.places(1_000);
    await room.serve(400);
    const admitted = async () => {
      let count = 0;
      for (const place of places.splice(0, 700)) {
        const { result } = await room.claim(place);
        if (result === "admitted") count++;
        else places.unshift(place);
        if (result !== "admitted") break;
      }
      return count;
    };
    const before = await admitted();
    expect(before).toBeGreaterThan(0);
    const [other] = await crowds(before, [1]);
    if (other === undefined) throw new Error("no room");
    await room.change({ inlet: { sharedOutflow: { id: "both", outflowPerMinute: before, weight: 1 } } });
    await room.tick();
    await other.join(100);
    await live([other], 56_000, 1_000);
    // All is used up for a minute, and no longer.
    expect(other.entries.length).toBe(0);
    await live([other], 14_000, 1_000);
    expect(other.entries.length).toBeGreaterThan(0);
  });

  it("lets others use what one leaves, within a few seconds", async () => {
    const [one, two] = await crowds(600, [1, 1]);
    if (one === undefined || two === undefined) throw new Error("no rooms");
    for (const crowd of [one, two]) await crowd.join(3_000);
    await live([one, two], minute);
    one.disperse();
    await one.room.step({ step: "pause" });
    await live([two], 10_000);
    const fromMs = nowMs();
    await live([two], minute);
    expect(rate(two, fromMs)).toBeGreaterThanOrEqual(0.95 * 600);
    expectWithinLimit([one, two], 600);
  });

  it("lets others use what a room with few visitors leaves, whose visitors hardly wait", async () => {
    const [few, many] = await crowds(600, [1, 1]);
    if (few === undefined || many === undefined) throw new Error("no rooms");
    await many.join(5_000);
    let count = 0;
    const arrive = async () => {
      if (count++ % 4 === 0) await few.join(1);
    };
    await live([few, many], settleMs, 250, arrive);
    const fromMs = nowMs();
    await live([few, many], 3 * minute, 250, arrive);
    expect(rate(few, fromMs)).toBeGreaterThanOrEqual(55);
    expect(rate(many, fromMs)).toBeGreaterThanOrEqual(0.95 * 540);
    const waits = few.entries.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b);
    expect(waits[Math.floor(0.95 * waits.length)]).toBeLessThanOrEqual(6_000);
    expectWithinLimit([few, many], 600);
  });

  it("lets others use what a room with a limit of its own cannot, and keeps that limit", async () => {
    const [own, other] = await crowds(600, [1, 1], [{ limit: 60 }]);
    if (own === undefined || other === undefined) throw new Error("no rooms");
    for (const crowd of [own, other]) await crowd.join(5_000);
    await live([own, other], settleMs);
    const fromMs = nowMs();
    await live([own, other], 3 * minute);
    expectWithinLimit([own], 60);
    expectWithinLimit([own, other], 600);
    expect(rate(own, fromMs)).toBeGreaterThanOrEqual(0.9 * 60);
    expect(rate(other, fromMs)).toBeGreaterThanOrEqual(0.95 * 540);
  });

  it("starves nobody whose room had it to itself until others came", async () => {
    const [first, late] = await crowds(600, [1, 1]);
    if (first === undefined || late === undefined) throw new Error("no rooms");
    // Below the limit, so that it is never refused.
    let count = 0;
    const arrive = async () => {
      if (count++ % 4 === 0) await first.join(7);
    };
    await live([first], 3 * minute, 250, arrive);
    await late.join(5_000);
    const fromMs = nowMs();
    await live([first, late], 30_000, 250, arrive);
    expect(rate(first, fromMs)).toBeGreaterThanOrEqual(0.8 * 300);
    expect(rate(late, fromMs)).toBeGreaterThanOrEqual(0.8 * 300 - 60);
  });

  it("gives a room that comes back its share at once, and no more", async () => {
    const [stays, returns] = await crowds(600, [1, 1]);
    if (stays === undefined || returns === undefined) throw new Error("no rooms");
    for (const crowd of [stays, returns]) await crowd.join(5_000);
    await live([stays, returns], minute);
    await returns.room.step({ step: "pause" });
    await live([stays], 3 * minute);
    await returns.room.step({ step: "resume" });
    const fromMs = nowMs();
    await live([stays, returns], 20_000);
    for (const crowd of [stays, returns]) {
      expect(rate(crowd, fromMs)).toBeGreaterThanOrEqual(0.7 * 300);
      expect(rate(crowd, fromMs)).toBeLessThanOrEqual(1.3 * 300);
    }
    expectWithinLimit([stays, returns], 600);
  });

  it("does not make a room pay long for visitors who passed while it had no line", async () => {
    const [passing, other] = await crowds(600, [1, 1]);
    if (passing === undefined || other === undefined) throw new Error("no rooms");
    await passing.join(700);
    await other.join(5_000);
    await live([passing, other], 10_000);
    await passing.room.phase("passthrough");
    for (let i = 0; i < 2_000; i++) {
      await passing.room.claim({ sub: `new-${i}`, edition: 0, position: 0, joinedMs: 0 });
    }
    await passing.room.phase("open");
    // The limit is used up for a minute.
    const from = nowMs();
    await live([passing, other], 66_000);
    expect([passing, other].map((crowd) => crowd.between(from, from + 60_000))).toEqual([0, 0]);
    const fromMs = nowMs();
    await live([passing, other], minute);
    for (const crowd of [passing, other]) expect(rate(crowd, fromMs)).toBeGreaterThanOrEqual(0.85 * 300);
  });

  it("admits at once the visitors who come below the limit, in all rooms together (rule 4)", async () => {
    const all = await crowds(60, [1, 5]);
    const times: number[] = [];
    for (let i = 0; i < 200; i++) {
      for (const { room } of all) {
        const range = await room.join();
        if ((await room.claim(room.place(range, range.first))).result === "admitted") times.push(nowMs());
      }
      await context.harness.advance(i < 100 ? 2_100 : 300);
    }
    expect(times.length).toBeGreaterThanOrEqual(200);
    expect(mostIn(times, 60_000)).toBeLessThanOrEqual(60);
    expect(mostIn(times, 2_000)).toBeLessThanOrEqual(6);
  });

  it("lets a raised limit count at once, and a lowered one", async () => {
    const all = await crowds(2, [1, 1]);
    const setLimit = async (limit: number) => {
      for (const { room } of all) {
        await room.change({ inlet: { sharedOutflow: { id: "both", outflowPerMinute: limit, weight: 1 } } });
      }
    };
    for (const crowd of all) await crowd.join(2_000);
    await live(all, 45_000);
    await setLimit(600);
    const fromMs = nowMs();
    await live(all, 12_000);
    expect(all.reduce((sum, crowd) => sum + crowd.between(fromMs, nowMs()), 0)).toBeGreaterThanOrEqual(60);
    await live(all, 30_000);
    await setLimit(2);
    const loweredMs = nowMs();
    await live(all, 45_000);
    expect(all.map((crowd) => crowd.between(loweredMs, nowMs()))).toEqual([0, 0]);
    expectWithinLimit(all, 600);
  });

  it("holds all its rooms for a minute after a loss", async () => {
    const all = await crowds(60, [1, 1]);
    const memories = [];
    for (const crowd of all) {
      await crowd.join(100);
      memories.push(await crowd.room.memory());
    }
    await context.harness.wipe();
    for (const [i, { room }] of all.entries()) await room.contribute({ memory: memories[i] ?? null });
    await context.harness.advance(2_500);
    for (const { room } of all) {
      await room.contribute();
      expect((await room.state()).holdRemainingMs).toBe(60_000);
    }
    const fromMs = nowMs();
    await live(all, 59_000);
    expect(all.map(({ entries }) => entries.filter(({ atMs }) => atMs >= fromMs).length)).toEqual([0, 0]);
    await live(all, 2 * minute);
    for (const crowd of all) expect(crowd.between(fromMs, nowMs())).toBeGreaterThanOrEqual(50);
    expectWithinLimit(all, 60);
  });
};
