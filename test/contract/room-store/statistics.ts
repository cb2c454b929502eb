import { describe, expect, it } from "vitest";
import { countNames, gaugeNames, phaseNames, refusalReasons } from "../../../src/core/ports/statistics-ring.ts";
import { sampleRank } from "../../../src/room/public-status/pacing.ts";
import { openPages } from "../../../src/room/statistics/open-pages.ts";
import type { StatisticsPage, StatisticsSlot, StatisticsTier } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, okValue, type Place, type RoomDriver } from "../room-driver.ts";

const slotMs = { tens: 10_000, minutes: minute } as const;
const names = [...countNames, ...refusalReasons.map((reason) => `refused ${reason}`)];
type Figures = Record<string, number>;

const named = (values: readonly number[], of: readonly string[]): Figures =>
  Object.fromEntries(values.map((value, index) => [of[index] ?? "", value]));
const counted = (slot: Pick<StatisticsSlot, "counted">) => named(slot.counted, names);
const gauges = (slot: StatisticsSlot | undefined) => (slot?.gauges ? named(slot.gauges, gaugeNames) : null);

function total(slots: readonly Pick<StatisticsSlot, "counted">[]): Figures {
  const sums: Figures = Object.fromEntries(names.map((name) => [name, 0]));
  for (const slot of slots)
    for (const [name, value] of Object.entries(counted(slot))) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

/** The same for a number each time, in [0, 1): the last steps of MurmurHash3. */
function chance(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** How a room went is kept by the store, by slots of its wall clock. */
export const statistics: RoomTest = (context) => {
  const page = (room: RoomDriver, tier: StatisticsTier, hours = 1): Promise<StatisticsPage> => {
    const chunkMs = 60 * slotMs[tier];
    const first = Math.floor((context.harness.nowMs() - hours * 60 * minute) / chunkMs);
    const last = Math.floor((context.harness.nowMs() + 60 * minute) / chunkMs);
    return room.rooms.readStatistics(room.room, tier, first, last - first + 1);
  };
  const slots = async (room: RoomDriver, tier: StatisticsTier = "tens", hours = 1) =>
    [...(await page(room, tier, hours)).slots].sort((a, b) => a.slot - b.slot);
  const slotNow = (tier: StatisticsTier = "tens") => Math.floor(context.harness.nowMs() / slotMs[tier]);
  const record = async (
    room: RoomDriver,
    part: { process?: number; sequence?: number; refused?: number[]; pages?: number[] } | null = null,
  ) => {
    const report = part && { process: 1, sequence: 1, refused: [], pages: [], ...part };
    okValue(await room.rooms.recordStatistics(room.room, room.incarnation, report));
  };
  /** As processes do: a tick every second, and what it says is due. */
  const pass = async (room: RoomDriver, ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await context.harness.advance(Math.min(1_000, left));
      const { statisticsSlot } = await room.state();
      if (statisticsSlot !== slotNow()) await record(room);
    }
  };
  /** To one second behind the beginning of a minute, whose slot is open. */
  const beginMinute = async (room: RoomDriver) => {
    await pass(room, minute - (context.harness.nowMs() % minute) + 1_000);
  };

  it("has a row for each ten seconds and each minute, which say what the counters say", async () => {
    const room = await context.room({ limit: 600, claimWithinMs: 20_000, durationMs: 30_000 }).open();
    const places = await room.places(40);
    await beginMinute(room);
    await room.serve(30);
    for (const place of places.slice(0, 5)) await room.admit(place);
    await pass(room, 10_000);
    for (const place of places.slice(5, 8)) await room.admit(place);
    await room.leave(places[8] as Place);
    await room.end((places[0] as Place).sub, "completed");
    await room.end((places[1] as Place).sub, "logout");
    await pass(room, 70_000);
    await room.join(3);
    const state = await room.state();
    const { open } = await page(room, "tens");
    for (const tier of ["tens", "minutes"] as const) {
      const rows = await slots(room, tier);
      const rest = { counted: (tier === "tens" ? open?.counted : open?.minuteCounted) ?? [] };
      const { served, ...sums } = total([...rows, rest]);
      expect(sums).toMatchObject(state.counts);
      expect(served).toBe(30);
      expect(new Set(rows.map(({ flags }) => flags))).toEqual(new Set([0]));
    }
    const rows = await slots(room);
    const entered = rows
      .map(counted)
      .map((row) => row.entered)
      .filter((count) => count !== 0);
    expect(entered).toEqual([5, 3]);
    expect(counted(rows.at(-1) as StatisticsSlot)).toMatchObject({ joined: 0 });
    expect(open?.counted[0]).toBe(3);
  });

  it("says how the room stood at the end of a slot", async () => {
    const room = await context.room({ limit: 60, claimWithinMs: 3_600_000 }).open();
    const places = await room.places(10);
    await beginMinute(room);
    await room.serve(6);
    for (const place of places.slice(0, 4)) await room.claim(place);
    await context.harness.advance(slotMs.tens);
    for (const place of places.slice(1, 4)) await room.claim(place);
    await record(room);
    const [first] = (await slots(room)).slice(-1);
    expect(gauges(first)).toEqual({
      waiting: 4,
      held: expect.any(Number),
      absent: 0,
      live: expect.any(Number),
      limit: 61,
      rate: 601,
      latency: 0,
      pages: 0,
      pagesShift: 0,
      errors: 0,
      phase: 1 + phaseNames.indexOf("open"),
    });
    const { liveAdmissions } = await room.state();
    expect(gauges(first)).toMatchObject({ live: liveAdmissions, held: 4 - liveAdmissions });
  });

  it("says how long the site took at the gate's last answer, and nothing of a site that is not well or has no gate", async () => {
    const gate = {
      healthUrl: "http://site/health",
      intervalMs: 5_000,
      timeoutMs: 1_000,
      unhealthyAfter: 3,
      healthyAfter: 2,
    };
    const room = await context.room({ type: "periodic", limit: 60, gate }).open();
    await beginMinute(room);
    const latencies: unknown[] = [];
    const endSlot = async () => {
      await pass(room, 10_000);
      latencies.push(gauges((await slots(room)).at(-1))?.latency);
    };
    await room.report(true, 1, 180);
    await room.report(true, 1, 41.6);
    await endSlot();
    await room.report(true, 1, 0);
    await endSlot();
    await room.report(false);
    await endSlot();
    await room.report(true, 1, 300);
    await room.change({ inlet: { gate: null } });
    await room.report(true, 1, 300);
    await endSlot();
    // One more than the milliseconds; 0 for none.
    expect(latencies).toEqual([43, 1, 0, 0]);
  });

  it("says the fraction of errors that the site reported to an adaptive inlet, and nothing where it reported none", async () => {
    const adaptive = { floorPerMinute: 30, startPerMinute: 60, latencyMs: 400, decideEveryMs: 5_000 };
    const room = await context.room({ type: "adaptive", limit: 60, adaptive }).open();
    await beginMinute(room);
    const errors: unknown[] = [];
    for (const report of [{ errorRate: 0.0312 }, { errorRate: 0 }, { errorRate: 1 }, { latencyMs: 90 }]) {
      await room.reportSite(report);
      await pass(room, 10_000);
      errors.push(gauges((await slots(room)).at(-1))?.errors);
    }
    // One more than the ten-thousandths; 0 for none.
    expect(errors).toEqual([313, 1, 10_001, 0]);
  });

  it("counts what happened before anybody has recorded, and what a reset ends", async () => {
    const room = await context.room().open();
    await room.places(7);
    await room.serve(5);
    await room.step({ step: "reset" });
    await room.join(2);
    await room.serve(1);
    await pass(room, 20_000);
    expect(total(await slots(room))).toMatchObject({ joined: 9, served: 6 });
    await room.serve(-1);
    await pass(room, 20_000);
    expect(total(await slots(room))).toMatchObject({ served: 5 });
  });

  it("keeps no row of quiet slots, and tells them from those that nobody recorded", async () => {
    const room = await context.room().open();
    await beginMinute(room);
    await room.join(1);
    await pass(room, 10_000);
    const busy = slotNow() - 1;
    await pass(room, 5 * minute);
    expect((await slots(room)).map(({ slot }) => slot)).toContain(busy);
    const { open } = await page(room, "tens");
    expect(open).toMatchObject({ tensLast: busy, tensQuiet: 30 });
    await room.join(1);
    await pass(room, 10_000);
    expect((await slots(room)).find(({ slot }) => slot === busy)).toMatchObject({ quiet: 30 });
    const before = slotNow();
    // All processes are away.
    await context.harness.advance(5 * minute);
    await room.join(1);
    await pass(room, 20_000);
    const rows = await slots(room);
    expect(rows.filter(({ slot }) => slot > before && slot < before + 30)).toEqual([]);
    expect(rows.find(({ slot }) => slot === before)).toMatchObject({ flags: 1, quiet: 0, gauges: null });
    expect(total(rows)).toMatchObject({ joined: 3 });
  });

  it("closes a slot once, however many processes say so at once", async () => {
    const room = await context.room().open();
    const { rooms } = await context.harness.second();
    await beginMinute(room);
    const sum = () => slots(room).then((rows) => total(rows).joined);
    const earlier = (await sum()) ?? 0;
    await room.join(11);
    await context.harness.advance(10_000);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? rooms : room.rooms).recordStatistics(room.room, room.incarnation, null),
      ),
    );
    expect(await sum()).toBe(earlier + 11);
    const { slots: rows } = await page(room, "tens");
    expect(new Set(rows.map(({ slot }) => slot)).size).toBe(rows.length);
  });

  it("adds what happens again to the slots of a time to which the clock was set back", async () => {
    const room = await context.room().open();
    await beginMinute(room);
    await room.join(1);
    await pass(room, 3 * minute);
    await context.harness.advance(-2 * minute);
    await record(room);
    const again = slotNow();
    await room.join(4);
    await pass(room, 3 * minute);
    await room.join(2);
    await pass(room, minute);
    const rows = await slots(room);
    expect(total(rows)).toMatchObject({ joined: 7 });
    expect(counted(rows.find(({ slot }) => slot === again) as StatisticsSlot)).toMatchObject({ joined: 4 });
    expect(total(await slots(room, "minutes"))).toMatchObject({ joined: 7 });
    // A second is no reason to write another row.
    const open = slotNow() + 1;
    await pass(room, 10_000 - (context.harness.nowMs() % 10_000));
    await context.harness.advance(-1_000);
    await room.join(1);
    await record(room);
    expect((await page(room, "tens")).open).toMatchObject({ slot: open });
  });

  it("takes no clock step for time that was recorded", async () => {
    const room = await context.room().open();
    await beginMinute(room);
    await room.join(1);
    const before = slotNow();
    await context.harness.advance(24 * 60 * minute);
    await record(room);
    await context.harness.advance(-24 * 60 * minute);
    await record(room);
    await room.join(2);
    await pass(room, minute);
    const rows = await slots(room);
    expect(total(rows)).toMatchObject({ joined: 3 });
    expect(rows.filter(({ slot }) => slot > before + 10)).toEqual([]);
  });

  it("forgets slots of 48 hours ago, and keeps minutes", async () => {
    const room = await context.room().open();
    // All rows are in one chunk, whose place is written over.
    await context.harness.advance(600_000 - (context.harness.nowMs() % 600_000));
    await record(room);
    await room.join(1);
    await pass(room, 10_000);
    await pass(room, minute);
    const first = slotNow();
    await context.harness.advance(289 * 600_000);
    await record(room);
    await room.join(1);
    await context.harness.advance(10_000);
    await record(room);
    const old = await room.rooms.readStatistics(room.room, "tens", Math.floor(first / 60), 1);
    expect(old.slots).toEqual([]);
    expect(total(await slots(room, "minutes", 50))).toMatchObject({ joined: 1 });
  });

  describe("a loss", () => {
    it("of everything leaves what was before unknown, and counts nothing that others remember", async () => {
      const room = await context.room().open();
      await room.join(5);
      await pass(room, minute);
      const memory = await room.memory();
      await context.harness.wipe();
      expect(await page(room, "tens")).toEqual({ slots: [], open: null });
      await room.recover(memory);
      await room.join(2);
      await pass(room, minute);
      const rows = await slots(room);
      expect((await room.state()).counts.joined).toBe(7);
      expect(total(rows)).toMatchObject({ joined: 2, served: 0 });
      expect(rows[0]).toMatchObject({ flags: 2 });
      expect(rows.slice(1).map(({ flags }) => flags)).not.toContain(2);
    });

    it("of the last minutes marks the slot from which on they are unknown, and the one in which it goes on", async () => {
      const room = await context.room().open();
      await beginMinute(room);
      await room.join(3);
      await context.harness.save();
      const atSave = slotNow();
      await pass(room, 2 * minute);
      await room.join(10);
      await pass(room, minute);
      const memory = await room.memory();
      await context.harness.restore();
      await room.recover(memory);
      const after = slotNow();
      await room.join(1);
      await pass(room, minute);
      const rows = await slots(room);
      expect((await room.state()).counts.joined).toBe(14);
      expect(rows.find(({ slot }) => slot === atSave)).toMatchObject({ flags: 2, gauges: null });
      expect(rows.filter(({ slot }) => slot > atSave && slot < after)).toEqual([]);
      expect(rows.find(({ slot }) => slot === after)).toMatchObject({ flags: 2 });
      expect(total(rows)).toMatchObject({ joined: 4 });
      const minutes = await slots(room, "minutes");
      expect(total(minutes)).toMatchObject({ joined: 4 });
    });

    it("of nothing, a mere restart, loses no figure", async () => {
      const room = await context.room().open();
      await beginMinute(room);
      await room.join(3);
      const memory = await room.memory();
      await context.harness.save();
      await context.harness.restore();
      await room.recover(memory);
      await room.join(4);
      await pass(room, 2 * minute);
      for (const tier of ["tens", "minutes"] as const) {
        expect(total(await slots(room, tier))).toMatchObject({ joined: 7 });
      }
    });
  });

  describe("refusals", () => {
    it("are counted once for each report, by whichever process, and in the slot in which they were reported", async () => {
      const room = await context.room().open();
      await beginMinute(room);
      const refused = refusalReasons.map((_, index) => index);
      await record(room, { process: 7, sequence: 1, refused });
      await record(room, { process: 7, sequence: 1, refused });
      await record(room, { process: 8, sequence: 1, refused: [5] });
      await record(room, { process: 7, sequence: 2, refused: [1, 1] });
      await record(room, { process: 7, sequence: 1, refused });
      await pass(room, 20_000);
      const sums = total((await slots(room)).slice(-2));
      expect(refusalReasons.map((reason) => sums[`refused ${reason}`])).toEqual([6, 2, ...refused.slice(2)]);
    });

    it("that do not fit into a slot are counted with the next", async () => {
      const room = await context.room().open();
      await beginMinute(room);
      await record(room, { sequence: 1, refused: [20_000_000] });
      await pass(room, 3 * minute);
      const most = 2 ** 23 - 1;
      const rows = (await slots(room)).map((row) => counted(row)["refused full"]).filter((count) => count !== 0);
      expect(rows).toEqual([most, most, 20_000_000 - 2 * most]);
      expect(total(await slots(room, "minutes"))).toMatchObject({ "refused full": 20_000_000 });
    });
  });

  describe("presence", () => {
    const pages = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

    it("counts the pages of a minute, each once, and says so when the minute is over", async () => {
      const room = await context.room().open();
      await beginMinute(room);
      await room.join(300);
      for (const from of [1, 1, 51]) await record(room, { pages: pages(100, from) });
      // The minute in which the room was opened was no whole one.
      expect((await room.state()).presence.counted).toBeNull();
      await pass(room, minute);
      expect((await room.state()).presence).toMatchObject({ shift: 0, countedShift: 0, counted: { shift: 0 } });
      expect((await room.state()).presence.counted?.pages).toBeGreaterThanOrEqual(149);
      expect((await room.state()).presence.counted?.pages).toBeLessThanOrEqual(151);
      const rows = await slots(room, "minutes");
      expect(gauges(rows.at(-1))).toMatchObject({ pages: ((await room.state()).presence.counted?.pages ?? 0) + 1 });
      await pass(room, minute);
      expect((await room.state()).presence.counted).toMatchObject({ pages: 0 });
    });

    it("asks fewer pages as the crowd grows, at once, and more when all may know", async () => {
      const room = await context.room({ claimWithinMs: 3_600_000 }).open();
      await beginMinute(room);
      for (let joined = 0; joined < 100_000; joined += 10_000) await room.join(10_000);
      await record(room, { pages: pages(100) });
      await pass(room, 10_000);
      // 6,250 of 100,000.
      expect((await room.state()).presence).toMatchObject({ shift: 4, countedShift: 4 });
      await pass(room, 50_000);
      // What the minute has counted was of another share.
      expect((await room.state()).presence.counted).toBeNull();
      await record(room, { pages: pages(500) });
      await pass(room, minute);
      expect((await room.state()).presence.counted).toMatchObject({ shift: 4 });
      await room.step({ step: "reset" });
      await pass(room, minute);
      expect((await room.state()).presence).toMatchObject({ shift: 0, countedShift: 4 });
      for (let minutes = 0; minutes < 3; minutes++) {
        await pass(room, minute);
        expect((await room.state()).presence).toMatchObject({ shift: 0, countedShift: 4, counted: { shift: 4 } });
      }
      await pass(room, minute);
      expect((await room.state()).presence).toMatchObject({ shift: 0, countedShift: 0, counted: { shift: 4 } });
      await pass(room, minute);
      expect((await room.state()).presence).toMatchObject({ counted: { shift: 0, pages: 0 } });
    });

    it.each(context.isBrief ? [100, 100_000] : [100, 1_000, 10_000, 100_000, 1_000_000])(
      "counts those of %i visitors who look at their page, within the error that is told",
      async (visitors) => {
        const room = await context.room().open();
        await beginMinute(room);
        for (let joined = 0; joined < visitors; joined += 10_000) await room.join(Math.min(10_000, visitors - joined));
        // Until the sample is settled.
        await pass(room, minute);
        for (const part of [1, 0.73, 0.3]) {
          const looking = pages(visitors).filter((position) => chance(position) < part);
          const { countedShift } = (await room.state()).presence;
          const asked = looking.filter((position) => sampleRank(position) * 2 ** countedShift < 1);
          expect(asked.length).toBeLessThanOrEqual(16_384);
          for (let at = 0; at < asked.length; at += 5_000) await record(room, { pages: asked.slice(at, at + 5_000) });
          await pass(room, minute);
          const { counted: told } = (await room.state()).presence;
          const { visitors: estimate, margin } = openPages(told ?? { pages: 0, shift: 0 });
          expect(
            Math.abs(estimate - looking.length),
            `${estimate} ± ${margin} of ${looking.length}`,
          ).toBeLessThanOrEqual(margin);
          expect(margin).toBeLessThanOrEqual(Math.max(3, 0.05 * looking.length));
        }
      },
    );

    it("knows nothing of a minute that was lost in part", async () => {
      const room = await context.room().open();
      await beginMinute(room);
      await record(room, { pages: pages(50) });
      const memory = await room.memory();
      await context.harness.save();
      await context.harness.restore();
      await room.recover(memory);
      await pass(room, minute);
      expect((await room.state()).presence.counted).toBeNull();
      await pass(room, minute);
      expect((await room.state()).presence.counted).toMatchObject({ pages: 0 });
    });
  });

  it("costs nothing where nothing is known, and refuses to read too much at once", async () => {
    expect(await context.harness.store.rooms.readStatistics("no-such-room", "tens", 1, 10)).toEqual({
      slots: [],
      open: null,
    });
    await expect(context.harness.store.rooms.readStatistics("no-such-room", "tens", 1, 121)).rejects.toThrow(
      RangeError,
    );
  });
};
