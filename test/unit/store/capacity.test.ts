import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUnaccounted, capacityFree, liveCount, liveLapses } from "../../../src/core/inlet.ts";
import { setScore } from "../../../src/core/ports/sets.ts";
import { createOpenRoom, startMs } from "./room-data.ts";

const ends = fc.array(fc.integer({ min: -20, max: 1_000 }), { maxLength: 60 });
const lapses = fc.array(
  fc.record({ untilMs: fc.integer({ min: -20, max: 1_000 }), count: fc.integer({ min: 1, max: 9 }) }),
  { maxLength: 8 },
);
const sumOf = (list: readonly { count: number }[]) => list.reduce((sum, { count }) => sum + count, 0);

function roomWith(endsIn: readonly number[], exited: number, maxActive = 50) {
  const room = createOpenRoom({ type: "max_active", maxActive });
  for (const [i, ms] of endsIn.entries()) setScore(room.live, `sub-${i}`, startMs + ms);
  room.exited = Math.min(exited, endsIn.length);
  return room;
}

describe("live admissions as lapses", () => {
  it("are all that are live and all unaccounted admissions, ascending, at most eight", () => {
    fc.assert(
      fc.property(ends, fc.nat(20), lapses, (endsIn, exited, unaccounted) => {
        const room = roomWith(endsIn, exited);
        room.unaccounted = unaccounted.map(({ untilMs, count }) => ({ untilMs: startMs + untilMs, count }));
        const told = liveLapses(room);
        expect(told.length).toBeLessThanOrEqual(8);
        expect(told.map(({ untilMs }) => untilMs)).toEqual(
          told.map(({ untilMs }) => untilMs).toSorted((a, b) => a - b),
        );
        const free = capacityFree(room) ?? 0;
        expect(sumOf(told)).toBe(50 - free);
      }),
    );
  });

  it("are late rather than early: at no time fewer than are live then", () => {
    fc.assert(
      fc.property(ends, fc.nat(20), fc.integer({ min: 0, max: 1_000 }), (endsIn, exited, atMs) => {
        const room = roomWith(endsIn, exited);
        const told = sumOf(liveLapses(room).filter(({ untilMs }) => untilMs > startMs + atMs));
        room.atMs = startMs + atMs;
        room.flowMs = room.atMs;
        expect(told).toBeGreaterThanOrEqual(liveCount(room));
      }),
    );
  });
});

describe("unaccounted admissions", () => {
  it("are what was remembered less what is known, and fit below the number", () => {
    fc.assert(
      fc.property(ends, lapses, fc.integer({ min: 0, max: 40 }), (endsIn, remembered, maxActive) => {
        const room = roomWith(endsIn, 0, maxActive);
        room.rememberedLapses = remembered.map(({ untilMs, count }) => ({ untilMs: startMs + untilMs, count }));
        const sum = sumOf(room.rememberedLapses.filter(({ untilMs }) => untilMs > startMs));
        addUnaccounted(room);
        const live = liveCount(room);
        expect(sumOf(room.unaccounted)).toBe(Math.max(0, Math.min(sum - live, maxActive - live)));
        expect(room.rememberedLapses).toEqual([]);
      }),
    );
  });

  it("that the state knows stay as they are, whatever is live on record and however little is remembered beyond", () => {
    fc.assert(
      fc.property(
        ends,
        lapses,
        lapses,
        fc.integer({ min: 0, max: 40 }),
        (endsIn, unaccounted, remembered, maxActive) => {
          const room = roomWith(endsIn, 0, maxActive);
          const inRoom = ({ untilMs, count }: { untilMs: number; count: number }) => ({
            untilMs: startMs + untilMs,
            count,
          });
          room.unaccounted = unaccounted.map(inRoom);
          room.rememberedLapses = remembered.map(inRoom);
          const isAhead = ({ untilMs }: { untilMs: number }) => untilMs > startMs;
          const known = room.unaccounted.filter(isAhead);
          const live = liveCount(room);
          const beyond = Math.max(0, sumOf(room.rememberedLapses.filter(isAhead)) - live - sumOf(known));
          addUnaccounted(room);
          expect(sumOf(room.unaccounted)).toBe(Math.max(0, Math.min(sumOf(known) + beyond, maxActive - live)));
          if (beyond === 0 && sumOf(known) <= maxActive - live) {
            expect(room.unaccounted).toEqual(known.toSorted((a, b) => a.untilMs - b.untilMs || a.count - b.count));
          }
        },
      ),
    );
  });

  it("are none where the inlet is another", () => {
    const room = createOpenRoom({ type: "periodic", limit: 60 });
    room.rememberedLapses = [{ untilMs: startMs + 1_000, count: 5 }];
    addUnaccounted(room);
    expect(room.unaccounted).toEqual([]);
    expect(capacityFree(room)).toBeNull();
  });
});
