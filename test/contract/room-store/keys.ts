import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { keyName, minute, RoomDriver } from "../room-driver.ts";
import { close, inPrequeue } from "./drawn-room.ts";

const numbersOf = ({ places }: { places: readonly { number: number }[] }) => places.map(({ number }) => number);

/** One place for each key. */
export const keys: RoomTest = (context) => {
  async function second(room: RoomDriver): Promise<RoomDriver> {
    const other = new RoomDriver(context.harness, room.room, room.file, await context.harness.second());
    await other.contribute();
    return other;
  }

  it("give a key its place however often it asks, and others the next ones", async () => {
    const room = await context.room().open();
    expect(await room.joinKeys(["ann", "bob"])).toMatchObject({ first: 1, last: 2, refusal: null });
    expect(numbersOf(await room.joinKeys(["carl", "ann", "dora", "bob"]))).toEqual([3, 1, 4, 2]);
    expect(await room.joinKeys(["ann"])).toMatchObject({ places: [{ name: keyName("ann"), number: 1 }] });
    expect((await room.join()).first).toBe(5);
    expect((await room.state()).counts.joined).toBe(5);
    expect(await room.keys()).toEqual(
      ["ann", "bob", "carl", "dora"].map((name, index) => {
        return { name: keyName(name), number: index + 1, isAgain: false };
      }),
    );
    expect((await room.keys(1, 2)).map(({ number }) => number)).toEqual([2, 3]);
  });

  it("give a key one place when two processes ask at the same time, however often", async () => {
    const room = await context.room().open();
    const other = await second(room);
    const asked = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? room : other).joinKeys(["ann"]));
    expect(new Set((await Promise.all(asked)).flatMap(numbersOf))).toEqual(new Set([1]));
    expect((await room.state()).queued).toBe(1);
  });

  it("know a key by the name of an older ticket key, and name a new one by the newest", async () => {
    const room = await context.room().open();
    await room.keyed("old");
    expect(await room.joinKeys([["new", "old"]])).toMatchObject({ places: [{ name: keyName("old"), number: 1 }] });
    expect(await room.joinKeys([["newer", "older"]])).toMatchObject({
      places: [{ name: keyName("newer"), number: 2 }],
    });
  });

  it("go on with a live admission by whatever name, in another edition, too", async () => {
    const room = await context.room({ durationMs: minute }).open();
    const ann = await room.keyed("old");
    await room.serve(1);
    await room.claimKeyed(ann);
    await room.step({ step: "reset" });
    await context.harness.advance(1_000);
    expect(await room.keys()).toEqual([]);
    await room.phase("open");
    expect(await room.keyed("new", "old")).toMatchObject({ sub: ann.sub, position: 1 });
    await room.pass(2 * minute, 5_000);
    expect(await room.keyed("other", "older")).toMatchObject({ position: 2 });
  });

  it("give the next place when the key's own was left, was not claimed in time, or its admission has ended", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    const [ann, bob, carl] = [await room.keyed("ann"), await room.keyed("bob"), await room.keyed("carl")];
    await room.leave(ann);
    expect((await room.keyed("ann")).position).toBe(4);
    await room.serve(3);
    expect(await room.claimKeyed(bob)).toMatchObject({ result: "admitted", isNew: true });
    expect((await room.keyed("bob")).position).toBe(2);
    await room.end(bob.sub);
    expect((await room.keyed("bob")).position).toBe(5);
    expect((await room.keyed("carl")).position).toBe(3);
    await room.pass(2 * minute);
    expect(await room.claimKeyed(carl)).toEqual({ result: "expired" });
    expect((await room.keyed("carl")).position).toBe(6);
    expect((await room.keys()).map(({ number, isAgain }) => [number, isAgain])).toEqual([
      [4, true],
      [5, true],
      [6, true],
    ]);
    // Copies of the tickets of before are worth nothing.
    for (const place of [ann, bob, carl]) expect(await room.claimKeyed(place)).toEqual({ result: "moved" });
  });

  it("make no window longer when the key asks again", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    await room.keyed("ann");
    await room.serve(1);
    await room.pass(minute - 1_000);
    const copy = await room.keyed("ann");
    expect(copy.position).toBe(1);
    await room.pass(2_000);
    expect(await room.claimKeyed(copy)).toEqual({ result: "expired" });
  });

  it("let one place of a key enter, whatever ticket is shown", async () => {
    const room = await context.room().open();
    const [ann] = [await room.keyed("ann"), await room.keyed("bob")];
    await room.serve(2);
    expect(await room.claimKeyed({ ...ann, position: 2 })).toEqual({ result: "moved" });
    expect(await room.claimKeyed(ann)).toMatchObject({ result: "admitted", isNew: true });
    expect(await room.claimKeyed(ann)).toMatchObject({ result: "admitted", isNew: false });
    expect((await room.state()).counts.entered).toBe(1);
  });

  it("are refused where there is no line, and as far as the line is full; a key with a place is none of those", async () => {
    const room = await context.room({ maxWaiting: 2 }).open();
    await room.keyed("ann");
    const range = await room.joinKeys(["bob", "ann", "carl"]);
    expect([numbersOf(range), range.refusal]).toEqual([[2, 1, 0], "full"]);
    expect(await room.keys()).toHaveLength(2);
    await room.phase("ended");
    expect(await room.joinKeys(["dora"])).toMatchObject({ refusal: "closed", places: [{ number: 0 }] });
  });

  it("are 500 in one call at most, and one at least", async () => {
    const room = await context.room().open();
    await expect(room.joinKeys([])).rejects.toThrow(RangeError);
    await expect(room.joinKeys(Array.from({ length: 501 }, (_, index) => `key-${index}`))).rejects.toThrow(RangeError);
    expect((await room.joinKeys(Array.from({ length: 500 }, (_, index) => `key-${index}`))).last).toBe(500);
  });

  it("enter a draw once; when it is drawn, a place is over as far as the caller knows where it is", async () => {
    const room = await inPrequeue(context);
    await room.keyed("ann");
    await room.keyed("bob");
    expect((await room.keyed("ann")).position).toBe(1);
    await close(room);
    await room.pass(3_000);
    expect(await room.fix()).toBe(true);
    const entry = { draw: 1, number: 1 };
    const ann = { ...(await room.keyed("ann")), position: 2, entry };
    await room.serve(2);
    expect(await room.claimKeyed(ann)).toMatchObject({ result: "admitted" });
    await room.end(ann.sub);
    expect(numbersOf(await room.joinKeys(["ann"]))).toEqual([1]);
    expect(numbersOf(await room.joinKeys(["ann"], { position: 2, entry }))).toEqual([3]);
  });

  it("are remembered over a loss, by any process that knows them; of two numbers the lower one counts", async () => {
    const room = await context.room().open();
    const ann = await room.keyed("ann");
    await room.keyed("bob");
    const memory = await room.memory();
    await context.harness.wipe();
    // Nobody remembers the keys at first.
    await room.recover({ ...memory, keys: [] });
    const twice = await room.keyed("ann");
    expect(twice.position).toBeGreaterThan(2);
    await room.contribute({ memory: { ...memory, keys: memory.keys.slice(0, 1) } });
    expect((await room.keyed("ann")).position).toBe(1);
    await room.serve(twice.position);
    await context.harness.advance(minute);
    expect(await room.claimKeyed(twice)).toEqual({ result: "moved" });
    expect(await room.claimKeyed(ann)).toMatchObject({ result: "admitted", isNew: true });
  });

  it("of a loss keep the place that was given again, though somebody remembers the one before", async () => {
    const room = await context.room().open();
    const first = await room.keyed("ann");
    const before = await room.memory();
    await room.leave(first);
    const again = await room.keyed("ann");
    expect(again.position).toBe(2);
    const after = await room.memory();
    await context.harness.wipe();
    await room.contribute({ memory: after });
    await room.recover(before);
    expect(await room.keys()).toEqual([{ name: keyName("ann"), number: 2, isAgain: true }]);
    await room.contribute({ memory: before });
    expect((await room.keyed("ann")).position).toBe(2);
  });

  it("of which nobody knows have the place that their visitor claims first", async () => {
    const room = await context.room().open();
    const ann = await room.keyed("ann");
    await room.keyed("bob");
    const memory = await room.memory({ keys: [] });
    await context.harness.wipe();
    await room.recover(memory);
    await room.serve(2);
    await context.harness.advance(minute);
    expect(await room.claimKeyed(ann)).toMatchObject({ result: "admitted", isNew: true });
    expect((await room.keyed("ann")).position).toBe(1);
    await room.end(ann.sub);
    expect(await room.claimKeyed({ ...ann, position: 2 })).toEqual({ result: "moved" });
  });

  it("are void with their edition, and those of another edition or beyond the line are not remembered", async () => {
    const room = await context.room().open();
    await room.keyed("ann");
    const memory = await room.memory();
    const beyond = { name: keyName("eve"), number: 9, isAgain: false };
    await room.contribute({ memory: { ...memory, keys: [...memory.keys, beyond] } });
    expect(await room.keys()).toHaveLength(1);
    await context.harness.advance(1_000);
    await room.step({ step: "reset" });
    expect(await room.keys()).toEqual([]);
    await room.contribute({ memory });
    expect(await room.keys()).toEqual([]);
  });
};
