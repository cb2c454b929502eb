import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";

/** A bound for the line: beyond it, newcomers take no position. */
export const maxWaiting: RoomTest = (context) => {
  const granted = (range: { first: number; last: number }) => range.last - range.first + 1;

  it("hands out places until so many wait, and refuses the others without a gap", async () => {
    const room = await context.room({ maxWaiting: 10 }).open();
    expect(await room.join(7)).toMatchObject({ first: 1, last: 7, refusal: null });
    expect(await room.join(7)).toMatchObject({ first: 8, last: 10, refusal: "full" });
    const none = await room.join(7);
    expect([granted(none), none.refusal]).toEqual([0, "full"]);
    expect(await room.state()).toMatchObject({ queued: 10, counts: { joined: 10 } });
    await room.serve(2);
    expect(await room.join(7)).toMatchObject({ first: 11, last: 12, refusal: "full" });
  });

  it("does not count visitors who need not wait", async () => {
    const room = await context.room({ type: "max_active", maxActive: 5, maxWaiting: 3 }).open();
    const range = await room.join(20);
    expect([granted(range), range.serving, range.refusal]).toEqual([8, 5, "full"]);
  });

  it("lets in whom it serves at once, though nobody may wait at all", async () => {
    const room = await context.room({ type: "periodic", limit: 60, maxWaiting: 0 }).open();
    const range = await room.join(20);
    expect([granted(range), range.serving, range.refusal]).toEqual([4, 4, "full"]);
    for (let p = 1; p <= 4; p++) expect(await room.claim(room.place(range, p))).toMatchObject({ result: "admitted" });
    await room.pass(10_000);
    expect(await room.join()).toMatchObject({ first: 5, last: 5, refusal: null });
  });

  it("does not count open places", async () => {
    const room = await context.room({ maxWaiting: 2 }).open();
    await room.serve(5);
    expect(await room.join(20)).toMatchObject({ first: 1, last: 7, refusal: "full" });
  });

  it("does not count the numbers of a gap", async () => {
    const room = await context.room({ maxWaiting: 6 }).open();
    await room.join(4);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    expect(granted(await room.join(20))).toBe(2);
  });

  it("holds in the prequeue and in a pause, and follows a change at once", async () => {
    const room = await context.room({ maxWaiting: 2 }).open();
    await room.phase("prequeue");
    expect(granted(await room.join(5))).toBe(2);
    await room.change({ maxWaiting: 4 });
    await room.step({ step: "pause" });
    expect(granted(await room.join(5))).toBe(2);
    await room.change({ maxWaiting: 1 });
    expect(granted(await room.join(5))).toBe(0);
    await room.change({ maxWaiting: null });
    expect(await room.join(5)).toMatchObject({ first: 5, last: 9, refusal: null });
  });
};
