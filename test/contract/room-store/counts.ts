import { describe, expect, it } from "vitest";
import type { RoomCounts } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver } from "../room-driver.ts";

/** What a room counts, each thing once. */
export const counts: RoomTest = (context) => {
  const counted = async (room: RoomDriver, ...names: (keyof RoomCounts)[]) => {
    const { counts: all } = await room.state();
    return names.map((name) => all[name]);
  };
  const at = (places: readonly Place[], position: number): Place => {
    const place = places.find((each) => each.position === position);
    if (place === undefined) throw new Error(`no place ${position}`);
    return place;
  };

  it("starts at nothing", async () => {
    const room = await context.room().open();
    const { counts: all, absent, pending } = await room.state();
    expect(new Set(Object.values(all))).toEqual(new Set([0]));
    expect([absent, pending]).toEqual([0, 0]);
  });

  it("counts joins and admissions of the line, however often they are claimed", async () => {
    const room = await context.room().open();
    const places = await room.places(10);
    await room.serve(10);
    for (let i = 0; i < 3; i++) for (const place of places.slice(0, 4)) await room.claim(place, { login: `${i}` });
    expect(await counted(room, "joined", "entered", "passed")).toEqual([10, 4, 0]);
  });

  it.each([
    ["logout", "loggedOut"],
    ["completed", "completed"],
    ["abandoned", "abandoned"],
    ["revoked", "revoked"],
    ["expired", "expired"],
  ] as const)("counts the end %s once, as %s", async (end, name) => {
    const room = await context.room({ durationMs: minute }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    await room.admit(place);
    await room.end(place.sub, end);
    await room.end(place.sub, "completed");
    await room.pass(2 * minute);
    const { counts: all } = await room.state();
    expect(all).toMatchObject({ completed: 0, abandoned: 0, loggedOut: 0, revoked: 0, expired: 0, [name]: 1 });
  });

  it("counts a lapse once, whichever call notices it", async () => {
    const room = await context.room({ durationMs: minute }).open();
    const places = await room.places(3);
    await room.serve(3);
    for (const place of places) await room.admit(place);
    await room.pass(minute - 2_000);
    await context.harness.advance(2_000);
    await room.claim(at(places, 1));
    await room.renew(at(places, 2).sub);
    expect(await counted(room, "expired")).toEqual([3]);
    await room.pass(minute);
    expect(await counted(room, "expired")).toEqual([3]);
  });

  it("counts a place that was given up once, and not one that was claimed before", async () => {
    const room = await context.room().open();
    const places = await room.places(4);
    await room.serve(2);
    await room.admit(at(places, 1));
    for (const place of [at(places, 1), at(places, 2), at(places, 2), at(places, 4)]) await room.leave(place);
    await room.leave({ ...at(places, 3), edition: 1 });
    expect(await counted(room, "left", "noShows")).toEqual([2, 0]);
  });

  it("keeps its counts through a reset", async () => {
    const room = await context.room().open();
    const places = await room.places(3);
    await room.serve(3);
    await room.admit(at(places, 1));
    await room.leave(at(places, 2));
    await room.step({ step: "reset" });
    await room.join();
    expect(await counted(room, "joined", "entered", "left")).toEqual([4, 1, 1]);
  });

  describe("no-shows", () => {
    it("are the places that were served and neither claimed nor left in time", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      const places = await room.places(12);
      await room.serve(10);
      for (const position of [1, 2, 9]) await room.admit(at(places, position));
      for (const position of [3, 11]) await room.leave(at(places, position));
      await room.pass(minute);
      expect(await counted(room, "noShows")).toEqual([0]);
      await room.pass(1_000);
      // 4…8 and 10; not those that still wait.
      expect(await counted(room, "noShows", "left")).toEqual([6, 2]);
      await room.pass(10 * minute);
      expect(await counted(room, "noShows")).toEqual([6]);
    });

    it("are not the numbers of a gap, nor open places that nobody took", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      await room.places(4);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover(memory);
      await room.join(2);
      await room.pass(55_000, 5_000);
      await room.serve(10);
      await room.pass(minute + 1_000);
      expect(await room.state()).toMatchObject({ queued: 1_006, serving: 1_010, counts: { noShows: 6 } });
    });

    it("are not those whom the limiter holds past their time", async () => {
      const room = await context.room({ limit: 5, claimWithinMs: 10_000 }).open();
      const places = await room.places(4);
      await room.serve(3);
      await room.admit(at(places, 1));
      let result = "";
      const seen: (number | undefined)[] = [];
      for (let i = 0; i < 30 && result !== "admitted"; i++) {
        await room.pass(1_000);
        ({ result } = await room.claim(at(places, 2)));
        seen.push(...(await counted(room, "noShows")));
      }
      expect(result).toBe("admitted");
      expect(Math.max(...seen.slice(0, -1).map(Number))).toBe(0);
      // Nobody is ready to enter any more, and the third has not come.
      expect(await counted(room, "noShows", "entered")).toEqual([1, 2]);
    });

    it("are taken off when the place was joined later than it was served, and comes in its own time", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      await room.join(2);
      await room.serve(4);
      await room.pass(30_000);
      const places = await room.places(2);
      await room.pass(45_000);
      // Those two have had their minute by the counter, and not by their own clock.
      await room.admit(at(places, 3));
      expect(await counted(room, "noShows", "entered")).toEqual([2, 1]);
      await room.pass(20_000);
      expect(await counted(room, "noShows", "entered")).toEqual([3, 1]);
    });

    it("count an open place that was taken when its row had expired already", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      await room.serve(5);
      await room.pass(2 * minute);
      const places = await room.places(3);
      await room.admit(at(places, 1));
      await room.pass(2 * minute);
      expect(await counted(room, "joined", "entered", "noShows")).toEqual([3, 1, 2]);
    });

    it("are not counted twice when the operator steps back and serves them again", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      const places = await room.places(5);
      await room.serve(5);
      await room.pass(minute + 1_000);
      expect(await counted(room, "noShows")).toEqual([5]);
      await room.serve(-3);
      expect(await counted(room, "noShows")).toEqual([2]);
      await room.serve(3);
      await room.admit(at(places, 4));
      await room.pass(minute + 1_000);
      expect(await counted(room, "noShows", "entered")).toEqual([4, 1]);
    });
  });

  describe("absent and pending places", () => {
    it("are absent from 30 s after they were served until they claim, leave or expire", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      const places = await room.places(10);
      await room.serve(6);
      await room.pass(29_000);
      expect((await room.state()).absent).toBe(0);
      await room.pass(1_000);
      expect((await room.state()).absent).toBe(6);
      await room.admit(at(places, 1));
      await room.leave(at(places, 5));
      expect((await room.state()).absent).toBe(4);
      await room.serve(2);
      await room.pass(30_000);
      expect((await room.state()).absent).toBe(6);
      await room.pass(1_000);
      expect(await room.state()).toMatchObject({ absent: 2, counts: { noShows: 4 } });
    });

    it("are pending while they are ready, or may yet show up", async () => {
      const room = await context.room({ limit: 5 }).open();
      const places = await room.places(6);
      await room.serve(5);
      expect((await room.state()).pending).toBe(5);
      await room.admit(at(places, 1));
      await room.claim(at(places, 2));
      expect((await room.state()).pending).toBeGreaterThanOrEqual(4);
      await room.pass(40_000);
      expect((await room.state()).pending).toBe(0);
    });
  });

  describe("a loss", () => {
    it("keeps the highest count that a process remembers, of each kind", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      const places = await room.places(8);
      await room.serve(6);
      await room.admit(at(places, 1));
      const one = await room.memory();
      await room.admit(at(places, 2));
      await room.end(at(places, 2).sub, "completed");
      await room.leave(at(places, 3));
      await room.pass(minute + 1_000);
      const two = await room.memory();
      await context.harness.wipe();
      await room.contribute({ memory: { ...two, counts: { ...two.counts, abandoned: 0 } } });
      await room.recover({ ...one, counts: { ...one.counts, abandoned: 7 } });
      expect((await room.state()).counts).toEqual({ ...two.counts, abandoned: 7 });
    });

    it("counts none of the admissions that are merged, nor those that are proven", async () => {
      const room = await context.room().open();
      const places = await room.places(3);
      await room.serve(3);
      const { admittedMs, expiresMs, via } = await room.admit(at(places, 1));
      await room.admit(at(places, 2));
      await room.end(at(places, 2).sub);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover({ ...memory, admissions: memory.admissions.filter(({ position }) => position === 2) });
      await room.claim(at(places, 1), { proof: { admittedMs, expiresMs, via } });
      expect(await counted(room, "joined", "entered", "loggedOut")).toEqual([3, 2, 1]);
    });
  });
};
