import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { okValue, RoomDriver, settings } from "../room-driver.ts";

export const joins: RoomTest = (context) => {
  it("hands out positions once, from 1, in the order of arrival (rule 1)", async () => {
    const room = await context.room().open();
    const first = await room.join(3);
    const second = await room.join(1);
    expect([first.first, first.last, second.first, second.last]).toEqual([1, 3, 4, 4]);
    expect(first.joinedMs).toBe(context.harness.nowMs());
    expect((await room.state()).queued).toBe(4);
  });

  it("gives 2,000 joins of two clients at once the positions 1…2,000, each once", async () => {
    const one = await context.room().open();
    const two = new RoomDriver(context.harness, one.room, settings(), await context.harness.second());
    await two.contribute();
    const ranges = await Promise.all(Array.from({ length: 2_000 }, (_, i) => (i % 2 ? one : two).join()));
    const positions = ranges.map((range) => range.first).toSorted((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 1));
  });

  it("takes 1…10,000 places at once and refuses any other number", async () => {
    const room = await context.room().open();
    expect((await room.join(10_000)).last).toBe(10_000);
    for (const count of [0, -1, 1.5, 10_001]) {
      await expect(room.rooms.join(room.room, room.incarnation, count)).rejects.toThrow(RangeError);
    }
  });

  it("hands out none where there is no line", async () => {
    const room = await context.room().open();
    await room.phase("ended");
    expect(await room.join(2)).toMatchObject({ first: 1, last: 0, refusal: "closed" });
  });

  it("knows the busiest second of the last ten", async () => {
    const room = await context.room().open();
    await room.join(5);
    await room.join(7);
    await context.harness.advance(1_000);
    await room.join(3);
    expect((await room.state()).joinsPerSecondPeak).toBe(12);
    await room.pass(10_000);
    expect((await room.state()).joinsPerSecondPeak).toBe(0);
  });

  it("asks for recovery when no incarnation or a wrong one is given", async () => {
    const room = await context.room().open();
    for (const incarnation of [null, "another"]) {
      expect(await room.rooms.join(room.room, incarnation, 1)).toEqual({ result: "recover" });
      expect(await room.rooms.tick(room.room, incarnation, 0)).toEqual({ result: "recover" });
    }
    expect(await room.rooms.join("no-such-room", room.incarnation, 1)).toEqual({ result: "recover" });
    expect(okValue(await room.rooms.join(room.room, room.incarnation, 1)).first).toBe(1);
  });
};
