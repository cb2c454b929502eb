import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute } from "../room-driver.ts";

export const advances: RoomTest = (context) => {
  it("lets a place be claimed until claimWithin after it was served, or joined when places were open", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    const [one, two, three] = await room.places(3);
    if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
    await room.pass(5 * minute);
    await room.serve(5);
    await room.pass(minute);
    expect(await room.claim(one)).toMatchObject({ result: "admitted" });
    await context.harness.advance(1);
    expect(await room.claim(two)).toEqual({ result: "expired" });
    const late = (await room.places(2))[1];
    if (late === undefined) throw new Error("no place");
    expect(late.position).toBe(5);
    await room.pass(minute);
    const state = await room.state();
    // The row of the two that came late began with their join.
    expect(state).toMatchObject({ serving: 5, expiredThrough: 3 });
    expect(await room.claim(late)).toMatchObject({ result: "admitted" });
    expect(await room.claim(three)).toEqual({ result: "expired" });
  });

  it("keeps the windows of many advances apart", async () => {
    const room = await context.room({ claimWithinMs: 10 * minute }).open();
    const places = await room.places(20);
    for (let i = 0; i < 20; i++) {
      await room.serve(1);
      await room.pass(30_000);
    }
    // The k-th was served 30 s × (20 - k + 1) ago.
    const results = [];
    for (const place of places) results.push((await room.claim(place)).result);
    expect(results).toEqual(Array.from({ length: 20 }, () => "admitted"));
    await room.serve(1);
    expect((await room.state()).expiredThrough).toBe(0);
    await room.pass(30_000);
    expect((await room.state()).expiredThrough).toBe(1);
    await room.pass(5 * minute);
    expect((await room.state()).expiredThrough).toBe(11);
  });

  it("does not let a place expire that the limiter holds back", async () => {
    const room = await context.room({ limit: 5, claimWithinMs: 10_000 }).open();
    const [one, two, three] = await room.places(4);
    if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
    await room.serve(3);
    await room.admit(one);
    let result = "held";
    for (let i = 0; i < 40 && result === "held"; i++) {
      await room.pass(500);
      result = (await room.claim(two)).result;
    }
    expect(result).toBe("admitted");
    expect(await room.claim(three)).toEqual({ result: "expired" });
  });

  it("freezes claim windows while the room is paused", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    await room.pass(40_000);
    await room.step({ step: "pause" });
    await room.pass(5 * minute);
    expect((await room.state()).phase).toBe("paused");
    await room.step({ step: "resume" });
    await room.pass(20_000);
    expect(await room.claim(place)).toMatchObject({ result: "admitted" });
  });

  it("keeps a place that is held past its time through a loss", async () => {
    const room = await context.room({ limit: 5, claimWithinMs: 5_000 }).open();
    const [one, two] = await room.places(4);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(4);
    await room.admit(one);
    for (let second = 0; second < 9; second++) {
      await room.pass(1_000);
      expect((await room.claim(two)).result).toBe("held");
      expect((await room.state()).expiredThrough).toBeLessThan(two.position);
    }
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    let { result } = await room.claim(two);
    for (let second = 0; second < 70 && result === "held"; second++) {
      await room.pass(1_000);
      ({ result } = await room.claim(two));
    }
    expect(result).toBe("admitted");
  });

  it("does not lose a place held to a long pause", async () => {
    const room = await context.room({ limit: 5, claimWithinMs: 10_000 }).open();
    const [one, two] = await room.places(3);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(2);
    await room.admit(one);
    for (let i = 0; i < 11; i++) {
      await room.pass(1_000);
      expect((await room.claim(two)).result).toBe("held");
    }
    await room.step({ step: "pause" });
    await room.pass(minute);
    expect((await room.claim(two)).result).toBe("paused");
    await room.step({ step: "resume" });
    await room.pass(10_000);
    expect((await room.claim(two)).result).toBe("admitted");
  });

  it("moves over gaps without cost, forwards and back, and may pass the queue counter", async () => {
    const room = await context.room().open();
    await room.join(10);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    expect(await room.state()).toMatchObject({ queued: 1_010, gaps: [{ from: 11, to: 1_010 }] });
    await room.join(10);
    // Until then visitors may come who stand in the gap.
    await room.pass(55_000, 5_000);
    const moves = [
      [5, 5, 15],
      [5, 10, 10],
      [1, 1_011, 9],
      [-2, 9, 11],
      [3, 1_012, 8],
      [20, 1_032, 0],
      [-30, 2, 18],
      [-5, 0, 20],
      [11, 1_011, 9],
    ];
    for (const [by = 0, serving, waiting] of moves) {
      expect(await room.step({ step: "increment", by }), `after ${by}`).toMatchObject({ serving, waiting });
    }
    expect((await room.state()).gaps).toEqual([]);
  });

  it("takes a step back: those places wait again and get a fresh window later", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    const [one, , three] = await room.places(3);
    if (one === undefined || three === undefined) throw new Error("no places");
    await room.serve(3);
    await room.serve(-2);
    expect(await room.claim(three)).toEqual({ result: "waiting" });
    await room.pass(50_000);
    await room.serve(2);
    await room.pass(20_000);
    expect(await room.claim(three)).toMatchObject({ result: "admitted" });
    expect(await room.claim(one)).toEqual({ result: "expired" });
  });

  it("keeps a place void after it was left, whatever the operator does", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    for (let i = 0; i < 2; i++) await room.rooms.leave(room.room, room.incarnation, one);
    await room.rooms.leave(room.room, room.incarnation, { ...two, edition: two.edition - 1 });
    await room.serve(2);
    expect(await room.claim(one)).toEqual({ result: "left" });
    expect(await room.claim(two)).toMatchObject({ result: "admitted" });
    await room.pass(minute + 2_000);
    await room.serve(-2);
    await room.serve(2);
    expect(await room.claim(one)).toEqual({ result: "left" });
    await room.step({ step: "reset" });
    const [another] = await room.places(1);
    if (another === undefined) throw new Error("no place");
    await room.serve(1);
    expect(await room.claim(another)).toMatchObject({ result: "admitted" });
  });
};
