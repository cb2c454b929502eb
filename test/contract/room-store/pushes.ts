import { expect, it } from "vitest";
import type { PushSettlement, TakenPush } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, RoomDriver, type SettingsSketch } from "../room-driver.ts";

import { close, inPrequeue } from "./drawn-room.ts";

const leaseMs = 30_000;

/** Visitors who are notified that their turn is near, and that it has come. */
export const pushes: RoomTest = (context) => {
  async function line(count: number, sketch: SettingsSketch = {}) {
    const room = await context.room({ push: true, ...sketch }).open();
    return { room, places: await room.places(count) };
  }

  async function elsewhere(room: RoomDriver): Promise<RoomDriver> {
    const other = new RoomDriver(context.harness, room.room, room.file, await context.harness.second());
    await other.contribute();
    return other;
  }

  const at = (places: readonly Place[], position: number): Place => {
    const place = places[position - 1];
    if (place === undefined) throw new Error(`there is no place ${position}`);
    return place;
  };
  const told = ({ taken }: { readonly taken: readonly TakenPush[] }) =>
    taken.map(({ stage, sub }) => `${stage} ${sub}`);
  const settled = (taken: readonly TakenPush[], outcome: PushSettlement["outcome"], retryMs = 0) =>
    taken.map(({ id }): PushSettlement => ({ id, outcome, retryMs }));
  const nobody = { taken: [], undrawn: [], stored: 0 };

  it("are told once that the turn is near, and once that it has come; then they are forgotten", async () => {
    const { room, places } = await line(30);
    expect(await room.subscribe(at(places, 10))).toBe("kept");
    expect(await room.subscribe(at(places, 20))).toBe("kept");
    expect(await room.takePushes({ nearThrough: 9 })).toEqual({ ...nobody, stored: 2 });
    const near = await room.takePushes({ nearThrough: 10 });
    const sub = at(places, 10).sub;
    expect(near.taken).toEqual([
      { id: `1:near:10:${sub}`, sub, stage: "near", text: `to ${sub}`, attempt: 1, isLast: false },
    ]);
    expect(told(await room.takePushes({ settled: settled(near.taken, "done"), nearThrough: 10 }))).toEqual([]);
    await room.serve(9);
    expect(told(await room.takePushes({ nearThrough: 10 }))).toEqual([]);
    await room.serve(1);
    const turn = await room.takePushes({ nearThrough: 10 });
    expect(told(turn)).toEqual([`turn ${sub}`]);
    expect(await room.takePushes({ settled: settled(turn.taken, "done"), nearThrough: 10 })).toEqual({
      ...nobody,
      stored: 1,
    });
    await room.pass(10 * minute, 5_000);
    expect(told(await room.takePushes({ nearThrough: 10 }))).toEqual([]);
    expect(await room.subscribe(at(places, 10))).toBe("over");
  });

  it("are not told that it is near once the turn has come, nor where it was near when they subscribed", async () => {
    const { room, places } = await line(10);
    await room.subscribe(at(places, 2));
    await room.subscribe(at(places, 3), { nearThrough: 5 });
    await room.serve(2);
    expect(told(await room.takePushes({ nearThrough: 10 }))).toEqual([`turn ${at(places, 2).sub}`]);
    await room.subscribe(at(places, 9));
    const near = await room.takePushes({ nearThrough: 10 });
    expect(told(near)).toEqual([`near ${at(places, 9).sub}`]);
    await room.takePushes({ settled: settled(near.taken, "failed", 1_000) });
    await room.serve(8);
    const turns = await room.takePushes({ nearThrough: 10 });
    expect(told(turns)).toEqual([`turn ${at(places, 3).sub}`, `turn ${at(places, 9).sub}`]);
    await room.pass(2_000);
    expect(told(await room.takePushes({ nearThrough: 10 }))).toEqual([]);
  });

  it("are each told by one process, however many take at once", async () => {
    const { room, places } = await line(120);
    for (const place of places.slice(0, 40)) await room.subscribe(place);
    await room.serve(120);
    const other = await elsewhere(room);
    const takes = [room, other, room, other, room, other];
    const all = (await Promise.all(takes.map((each) => each.takePushes({ limit: 10 })))).flatMap(({ taken }) => taken);
    expect(all).toHaveLength(40);
    expect(new Set(all.map(({ sub }) => sub))).toEqual(new Set(places.slice(0, 40).map(({ sub }) => sub)));
  });

  it("come again when a process has not settled them in time, and after what failed has waited; six times in all", async () => {
    const { room, places } = await line(1);
    const sub = at(places, 1).sub;
    await room.subscribe(at(places, 1));
    await room.serve(1);
    const first = await room.takePushes();
    expect(first.taken).toMatchObject([{ attempt: 1, isLast: false }]);
    await room.pass(leaseMs - 1_000, 5_000);
    expect(await room.takePushes()).toEqual({ ...nobody, stored: 1 });
    await room.pass(1_000);
    const second = await (await elsewhere(room)).takePushes();
    expect(second.taken).toMatchObject([{ id: `2:turn:1:${sub}`, attempt: 2 }]);
    // The process that was too slow says at last that it failed: the other has it.
    expect(await room.takePushes({ settled: settled(first.taken, "failed", 0) })).toEqual({ ...nobody, stored: 1 });
    let { taken } = second;
    for (let attempt = 3; attempt <= 6; attempt++) {
      expect(told(await room.takePushes({ settled: settled(taken, "failed", 5_000) }))).toEqual([]);
      await room.pass(4_000);
      expect(told(await room.takePushes())).toEqual([]);
      await room.pass(1_000);
      ({ taken } = await room.takePushes());
      expect(taken).toMatchObject([{ attempt, isLast: attempt === 6 }]);
    }
    await room.pass(leaseMs);
    expect(await room.takePushes()).toEqual(nobody);
    expect(await room.takePushes()).toEqual(nobody);
  });

  it("are forgotten with the subscription, the place, the edition, the line and the setting", async () => {
    const { room, places } = await line(20);
    const subscribe = async (...positions: number[]) => {
      for (const position of positions) expect(await room.subscribe(at(places, position))).toBe("kept");
    };
    await subscribe(2, 3, 4, 5, 6);
    await room.unsubscribe(at(places, 2).sub);
    await room.leave(at(places, 3));
    const link = { id: "link", madeMs: context.harness.nowMs(), expiresMs: context.harness.nowMs() + minute };
    await room.move(at(places, 4), "phone", link);
    expect(await room.subscribe(at(places, 4))).toBe("over");
    expect(await room.subscribe({ ...at(places, 4), sub: "phone" })).toBe("kept");
    await room.serve(5);
    await room.admit(at(places, 5));
    const taken = await room.takePushes();
    expect(told(taken)).toEqual(["turn phone"]);
    expect(taken.stored).toBe(2);
    await room.takePushes({ settled: settled(taken.taken, "gone") });

    await room.serve(-4);
    expect(await room.takePushes()).toEqual({ ...nobody, stored: 1 });
    await room.phase("ended");
    expect(await room.takePushes()).toEqual(nobody);
    expect(await room.subscribe(at(places, 6))).toBe("over");

    await room.phase("open");
    await subscribe(6);
    await room.change({ push: false });
    expect(await room.takePushes({ nearThrough: 20 })).toEqual(nobody);
    expect(await room.subscribe(at(places, 6))).toBe("over");
    await room.change({ push: true });
    await subscribe(6);
    await room.step({ step: "reset" });
    expect(await room.takePushes({ nearThrough: 20 })).toEqual(nobody);
    expect(await room.subscribe(at(places, 6))).toBe("over");
    await room.rooms.forget(room.room);
  });

  it("are not told of a place that has expired meanwhile", async () => {
    const { room, places } = await line(2, { claimWithinMs: minute });
    await room.subscribe(at(places, 1));
    await room.subscribe(at(places, 2));
    await room.serve(1);
    await room.pass(2 * minute, 5_000);
    await room.serve(1);
    expect(told(await room.takePushes())).toEqual([`turn ${at(places, 2).sub}`]);
  });

  it("wait while something holds the room", async () => {
    const { room, places } = await line(2);
    await room.subscribe(at(places, 1));
    await room.serve(1);
    await room.step({ step: "pause" });
    expect(await room.takePushes({ nearThrough: 2 })).toEqual({ ...nobody, stored: 1 });
    await room.step({ step: "resume" });
    expect(told(await room.takePushes({ limit: 0 }))).toEqual([]);
    expect(told(await room.takePushes())).toEqual([`turn ${at(places, 1).sub}`]);
  });

  it("may subscribe again: the last subscription counts, and nothing is told twice", async () => {
    const { room, places } = await line(9);
    await room.subscribe(at(places, 5));
    const near = await room.takePushes({ nearThrough: 5 });
    expect(await room.subscribe(at(places, 5), { text: "elsewhere" })).toBe("kept");
    await room.takePushes({ settled: settled(near.taken, "done") });
    expect(await room.subscribe(at(places, 5), { text: "there" })).toBe("kept");
    expect(told(await room.takePushes({ nearThrough: 9 }))).toEqual([]);
    await room.serve(5);
    expect((await room.takePushes()).taken).toMatchObject([{ stage: "turn", text: "there" }]);
    // The same visitor with another place: what was taken for the first one says nothing of it.
    const again = { ...at(places, 8), sub: at(places, 5).sub };
    expect(await room.subscribe(again)).toBe("kept");
    await room.pass(leaseMs);
    expect(await room.takePushes()).toEqual({ ...nobody, stored: 1 });
  });

  it("who stand in a draw are told by the place that they draw", async () => {
    const room = await inPrequeue(context, { push: true });
    const entered = await room.places(3);
    for (const place of entered) expect(await room.subscribe(place)).toBe("kept");
    await close(room);
    expect(await room.takePushes({ nearThrough: 3 })).toEqual({ ...nobody, stored: 3 });
    await room.pass(2_500);
    expect(await room.fix()).toBe(true);
    const { undrawn } = await room.takePushes({ nearThrough: 3 });
    expect(undrawn).toEqual(entered.map(({ sub, position }) => ({ sub, number: position, draw: 1 })));
    const placed = undrawn.map((each) => ({ ...each, position: 4 - each.number }));
    expect(told(await room.takePushes({ placed, nearThrough: 1 }))).toEqual([`near ${at(entered, 3).sub}`]);
    await room.serve(2);
    expect(told(await room.takePushes({ placed, nearThrough: 3 }))).toEqual([
      `turn ${at(entered, 3).sub}`,
      `turn ${at(entered, 2).sub}`,
      `near ${at(entered, 1).sub}`,
    ]);
  });

  it("are gone with the store's data, and may subscribe again", async () => {
    const { room, places } = await line(3);
    await room.subscribe(at(places, 3));
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    expect(await room.takePushes({ nearThrough: 3 })).toEqual(nobody);
    expect(await room.subscribe(at(places, 3))).toBe("kept");
    await room.pass(minute, 5_000);
    await room.serve(200);
    expect(told(await room.takePushes())).toEqual([`turn ${at(places, 3).sub}`]);
  });

  it("wait for the end of the hold after a recovery, in which nobody could enter", async () => {
    const { room, places } = await line(3, { limit: 60 });
    await room.subscribe(at(places, 1));
    await room.subscribe(at(places, 3));
    await context.harness.save();
    await context.harness.restore();
    await room.recover(null);
    await room.serve(1_000);
    await room.subscribe(at(places, 3));
    expect((await room.takePushes({ nearThrough: 3 })).taken).toEqual([]);
    await room.pass(minute, 5_000);
    expect(told(await room.takePushes({ nearThrough: 3 }))[0]).toBe(`turn ${at(places, 1).sub}`);
  });

  it("stay through a restart of a store that keeps its data", async () => {
    const { room, places } = await line(3);
    await room.subscribe(at(places, 3));
    await context.harness.save();
    await context.harness.restore();
    await room.recover(null);
    await room.serve(1_000);
    expect(told(await room.takePushes())).toEqual([`turn ${at(places, 3).sub}`]);
  });

  it("are at most 50,000 in a room", async () => {
    if (context.harness.store.isShared) return;
    const { room, places } = await line(10_000);
    for (let left = 4; left > 0; left--) places.push(...(await room.places(10_000)));
    const [last] = await room.places(1);
    for (const place of places) await room.subscribe(place);
    expect((await room.takePushes({ limit: 0 })).stored).toBe(50_000);
    expect(await room.subscribe(last as Place)).toBe("full");
    expect(await room.subscribe(at(places, 7), { text: "another" })).toBe("kept");
  });
};
