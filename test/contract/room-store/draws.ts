import { expect, it } from "vitest";
import { drandChain } from "../drand-chain.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, RoomDriver } from "../room-driver.ts";
import { beacon, close, drawn, inPrequeue } from "./drawn-room.ts";

const random = { order: "random", beacon: "none" } as const;
const withBeacon = { order: "random", beacon: "drand" } as const;

export const draws: RoomTest = (context) => {
  it("begins a draw with each prequeue of a room whose order is random, and with no other", async () => {
    const byArrival = await context.room({ draw: { order: "arrival", beacon: "none" } }).open();
    const ofEarlierBuild = await context.room().open();
    for (const room of [byArrival, ofEarlierBuild]) {
      await room.phase("prequeue");
      expect((await room.state()).draws).toEqual([]);
      expect((await room.join(2)).last).toBe(2);
    }
    const room = await context.room({ draw: withBeacon }).open();
    await room.join(3);
    expect((await room.state()).draws).toEqual([]);
    await room.phase("prequeue");
    expect((await room.state()).draws).toEqual([
      {
        id: 1,
        stage: "committed",
        keyId: "",
        commitment: "",
        chain: null,
        usesBeacon: true,
        first: 4,
        last: 0,
        gaps: [],
        closesMs: 0,
        seed: "",
        beacon: null,
      },
    ]);
  });

  it("takes nobody into a prequeue before something binds the seed", async () => {
    const room = await context.room({ draw: random }).open();
    await room.phase("prequeue");
    const join = () => room.rooms.join(room.room, room.incarnation, 1);
    expect(await join()).toEqual({ result: "recovering", remainingMs: 2_000 });
    await room.commit();
    expect(await join()).toMatchObject({ result: "ok", value: { first: 1, last: 1 } });
  });

  it("drops a draw that nobody could enter, and gives its id to the next", async () => {
    const room = await context.room({ draw: random }).open();
    await room.phase("prequeue");
    await room.phase("open");
    expect((await room.state()).draws).toEqual([]);
    const [one] = (await room.places(1)) as [Place];
    await room.serve(1);
    expect(await room.claim(one)).toMatchObject({ result: "admitted" });
    await room.phase("prequeue");
    expect(await room.draw(1)).toMatchObject({ stage: "committed", first: 2 });
  });

  it("lets the last commitment count until the prequeue begins, and the first one from then on", async () => {
    const room = await context.room({ draw: random }).open();
    await room.phase("idle");
    await room.commit({ commitment: "a" });
    await room.commit({ id: 2, commitment: "of no draw" });
    await room.commit({ commitment: "b", keyId: "key-2", chain: drandChain("b") });
    expect((await room.state()).draws).toMatchObject([
      { id: 1, first: 0, commitment: "b", keyId: "key-2", chain: drandChain("b") },
    ]);
    await room.phase("prequeue");
    const { edition } = await room.state();
    for (const part of [{}, { commitment: "c" }, { edition: edition + 1 }, { id: 2 }]) await room.commit(part);
    await close(room);
    await room.commit({ commitment: "d" });
    expect(await room.draw()).toMatchObject({ commitment: "b", keyId: "key-2", chain: drandChain("b"), first: 1 });
    expect(await room.fix({ id: 2 })).toBe(false);
  });

  it("lets one of two processes at once commit, and one of two outcomes count", async () => {
    const one = await context.room({ draw: random }).open();
    const two = new RoomDriver(context.harness, one.room, one.file, await context.harness.second());
    await two.contribute();
    await one.phase("prequeue");
    await Promise.all([one.commit({ commitment: "one" }), two.commit({ commitment: "two" })]);
    const { commitment } = (await one.draw()) ?? {};
    await two.commit({ commitment: "late" });
    expect(["one", "two"]).toContain(commitment);
    expect((await two.draw())?.commitment).toBe(commitment);
    await one.join(2);
    await close(one);
    await one.pass(2_500);
    expect(await Promise.all([one.fix({ seed: "one" }), two.fix({ seed: "two" })])).toEqual([true, true]);
    const { seed } = (await one.draw()) ?? {};
    expect(["one", "two"]).toContain(seed);
    expect(await two.fix({ seed: "late" })).toBe(true);
    expect((await two.draw())?.seed).toBe(seed);
  });

  it("takes entries for 5 s after the opening, or after the schedule's time where it opened in time", async () => {
    const nowMs = context.harness.nowMs();
    const byHand = await inPrequeue(context);
    const late = await inPrequeue(context, { schedule: { opensAtMs: nowMs + 10_000 } });
    const punctual = await inPrequeue(context, { schedule: { opensAtMs: nowMs + 10_000 } });
    for (const room of [byHand, late, punctual]) await room.join(3);
    await byHand.waitUntil(nowMs + 12_000);
    await byHand.phase("open");
    await punctual.tick();
    await late.waitUntil(nowMs + 12_001);
    await late.tick();
    const closings = [byHand, punctual, late].map(async (room) => (await room.draw())?.closesMs);
    expect(await Promise.all(closings)).toEqual([nowMs + 17_000, nowMs + 15_000, nowMs + 17_001]);
    await punctual.waitUntil(nowMs + 14_999);
    expect((await punctual.join(1)).first).toBe(4);
    expect(await punctual.draw()).toMatchObject({ stage: "closing", last: 0 });
    await punctual.waitUntil(nowMs + 15_000);
    expect((await punctual.join(1)).first).toBe(5);
    expect(await punctual.draw()).toMatchObject({ stage: "closed", first: 1, last: 4 });
  });

  it("closes by the flow clock, whatever is done to the wall clock", async () => {
    const room = await inPrequeue(context);
    await room.phase("open");
    await context.harness.advance(-60 * minute);
    expect(await room.draw()).toMatchObject({ stage: "closing" });
    await room.pass(4_999);
    expect(await room.draw()).toMatchObject({ stage: "closing" });
    await room.pass(1);
    expect(await room.draw()).toMatchObject({ stage: "closed" });
  });

  it("is drawn once every process can know the last number", async () => {
    const room = await inPrequeue(context);
    await room.join(4);
    expect(await room.fix()).toBe(false);
    await room.phase("open");
    expect(await room.fix()).toBe(false);
    await room.pass(5_000);
    await room.pass(2_499, 500);
    const { edition } = await room.state();
    expect(await room.fix()).toBe(false);
    expect(await room.draw()).toMatchObject({ stage: "closed", seed: "" });
    await room.pass(1);
    expect(await room.fix({ edition: edition - 1 })).toBe(false);
    expect(await room.fix({ beacon })).toBe(true);
    // None was announced.
    expect(await room.draw()).toMatchObject({ stage: "drawn", last: 4, seed: "seed-1", beacon: null });
  });

  it("waits 30 s for a beacon that was announced, whatever the settings say since", async () => {
    const [quick, slow] = [
      await inPrequeue(context, { draw: withBeacon }),
      await inPrequeue(context, { draw: withBeacon }),
    ];
    for (const room of [quick, slow]) {
      await room.change({ draw: random });
      await close(room);
      await room.pass(2_500);
      expect(await room.fix()).toBe(false);
    }
    expect(await quick.fix({ beacon })).toBe(true);
    expect((await quick.draw())?.beacon).toEqual(beacon);
    await slow.pass(27_400);
    expect(await slow.fix()).toBe(false);
    await slow.pass(100);
    expect(await slow.fix()).toBe(true);
    expect(await slow.draw()).toMatchObject({ stage: "drawn", usesBeacon: true, beacon: null });
  });

  it("serves nobody before the order is fixed, and everybody in it from then on", async () => {
    const room = await inPrequeue(context, { type: "periodic", limit: 1_200 });
    const places = await room.places(10);
    await room.phase("open");
    const late = await room.places(2);
    for (let i = 0; i < 30; i++) {
      expect((await room.state()).serving).toBe(0);
      for (const place of [places[0], places[9], late[0]] as Place[]) {
        expect(await room.claim(place)).toEqual({ result: "waiting" });
      }
      expect((await room.join(1)).serving).toBe(0);
      await room.pass(1_000);
    }
    expect(await room.fix()).toBe(true);
    await room.pass(2_000);
    expect((await room.state()).serving).toBeGreaterThanOrEqual(12);
    for (const place of [...places, ...late]) {
      // A process that has not heard of it yet.
      expect(await room.claim(place)).toEqual({ result: "waiting" });
    }
    // Those who came in the closing seconds are among the entries.
    const last = (await room.draw())?.last ?? 0;
    expect(last).toBeGreaterThanOrEqual(12);
    const first = await room.admit(drawn(room.place({ edition: late[0]?.edition ?? 0, joinedMs: 0 }, last), 1, last));
    expect(first).toMatchObject({ position: 1, via: "queue" });
    const after = room.place({ edition: first.edition, joinedMs: 0 }, last + 1);
    expect(await room.claim({ ...after, entry: { number: last + 1, draw: 1 } })).toEqual({ result: "waiting" });
    expect((await room.claim(after)).result).toMatch(/admitted|waiting|held/);
  });

  it("serves `max_active` and whom a place is free for only then, too", async () => {
    const room = await inPrequeue(context, { type: "max_active", maxActive: 5 });
    const places = await room.places(3);
    await close(room);
    await room.step({ step: "exited", count: 1 });
    expect(await room.join(1)).toMatchObject({ first: 4, serving: 0 });
    await room.pass(2_500);
    expect((await room.state()).serving).toBe(0);
    await room.fix();
    await room.pass(2_000);
    expect((await room.state()).serving).toBe(4);
    for (const place of places) expect(await room.claim(drawn(place, 1, 3))).toMatchObject({ result: "admitted" });
  });

  it("lets an operator serve places before, which nobody claims until they are drawn", async () => {
    const room = await inPrequeue(context, { claimWithinMs: minute });
    const [one, , three] = (await room.places(3)) as [Place, Place, Place];
    await room.serve(1);
    await close(room);
    expect(await room.claim(one)).toEqual({ result: "waiting" });
    await room.pass(2 * minute);
    await room.fix();
    expect(await room.claim(drawn(one, 1, 3))).toEqual({ result: "waiting" });
    // The time for which the order was awaited does not count.
    await room.pass(minute);
    expect(await room.claim(drawn(three, 1, 3))).toMatchObject({ result: "admitted", admission: { position: 1 } });
  });

  it("serves no place before its entries", async () => {
    const room = await context.room({ draw: { order: "random", beacon: "none" } }).open();
    const [first] = await room.places(2);
    if (first === undefined) throw new Error("nobody has joined");
    await room.phase("prequeue");
    await room.commit();
    await room.places(3);
    await close(room);
    await room.pass(2_500);
    await room.fix();
    expect(await room.draw()).toMatchObject({ stage: "drawn", first: 3, last: 5 });
    expect((await room.state()).serving).toBe(0);
    expect(await room.claim(first)).toEqual({ result: "waiting" });
  });

  it("judges a place by what the draw has made of its number, and of no other draw", async () => {
    const room = await inPrequeue(context);
    const [one, two, three] = (await room.places(3)) as [Place, Place, Place];
    await close(room);
    await room.pass(2_500);
    await room.fix();
    await room.serve(3);
    expect(await room.claim({ ...drawn(one, 1, 3), entry: { number: 1, draw: 2 } })).toEqual({ result: "waiting" });
    expect(await room.claim(one)).toEqual({ result: "waiting" });
    expect(await room.admit(drawn(one, 1, 3))).toMatchObject({ position: 3, usedPosition: 3 });
    // Position 3 is claimed, and number 3 is not.
    expect(await room.claim({ ...drawn(one, 1, 3), sub: "copy" })).toEqual({ result: "ended" });
    expect(await room.claim(drawn(three, 1, 3))).toMatchObject({ result: "admitted", admission: { position: 1 } });
    await room.leave(drawn(two, 1, 3));
    expect(await room.claim(drawn(two, 1, 3))).toEqual({ result: "left" });
    expect((await room.state()).counts).toMatchObject({ entered: 2, left: 1 });
    // Who came when the entries were closed has a number and no entry.
    const [four] = (await room.places(1)) as [Place];
    await room.serve(1);
    expect(await room.claim({ ...four, entry: { number: 4, draw: 1 } })).toEqual({ result: "waiting" });
    expect(await room.claim(four)).toMatchObject({ result: "admitted", admission: { position: 4 } });
  });

  it("voids an entry that is left before, once, whether its position is known then or not", async () => {
    const room = await inPrequeue(context);
    const [one, two] = (await room.places(2)) as [Place, Place];
    await room.leave(one);
    await room.leave(one);
    await room.leave({ ...two, position: 9 });
    expect(await room.claim(one)).toEqual({ result: "left" });
    await close(room);
    await room.pass(2_500);
    await room.fix();
    await room.serve(2);
    await room.leave(drawn(one, 1, 2));
    expect(await room.claim(drawn(one, 1, 2))).toEqual({ result: "left" });
    expect(await room.claim(one)).toEqual({ result: "left" });
    expect(await room.claim(drawn(two, 1, 2))).toMatchObject({ result: "admitted" });
    expect((await room.state()).counts.left).toBe(1);
    await room.step({ step: "reset" });
    await room.phase("prequeue");
    await room.commit();
    const [again] = (await room.places(1)) as [Place];
    expect(await room.claim(again)).toEqual({ result: "waiting" });
  });

  it("uses up an entry that is not drawn, by an admission that bypasses the queue", async () => {
    const room = await inPrequeue(context, { whenIdle: "pass_through", durationMs: minute });
    const [one, two, three] = (await room.places(3)) as [Place, Place, Place];
    const madeMs = context.harness.nowMs();
    const bypass = { id: "link", madeMs, expiresMs: madeMs + minute };
    expect(await room.admit(one, { bypass })).toMatchObject({ via: "bypass", position: 0, usedPosition: 0 });
    await room.phase("idle");
    expect(await room.admit(two)).toMatchObject({ via: "idle", position: 0 });
    await room.end(one.sub);
    await room.phase("prequeue");
    expect(await room.claim(one)).toEqual({ result: "left" });
    expect(await room.claim({ ...two, sub: "copy" })).toEqual({ result: "left" });
    await close(room);
    await room.pass(2_500);
    await room.fix();
    await room.serve(3);
    expect(await room.claim(drawn(one, 1, 3))).toEqual({ result: "left" });
    expect(await room.claim(drawn(two, 1, 3))).toEqual({ result: "left" });
    // With a link, whose position is not known to the caller, too.
    expect(await room.admit(three, { bypass: { ...bypass, id: "other" } })).toMatchObject({ position: 0 });
    await room.end(three.sub);
    expect(await room.claim(drawn(three, 1, 3))).toEqual({ result: "left" });
  });

  it("keeps an entry with its visitor until the draw, where places are moved once", async () => {
    const room = await inPrequeue(context);
    const [one, two] = (await room.places(2)) as [Place, Place];
    const link = (id: string) => {
      const madeMs = context.harness.nowMs();
      return { id, madeMs, expiresMs: madeMs + minute };
    };
    expect(await room.move(one, "phone", link("a"))).toBe("void");
    await close(room);
    expect(await room.move(one, "phone", link("b"))).toBe("void");
    await room.pass(2_500);
    await room.fix();
    expect(await room.move(drawn(one, 1, 2), "phone", link("c"))).toBe("moved");
    expect(await room.move({ ...drawn(one, 1, 2), sub: "phone" }, two.sub, link("d"))).toBe("void");
  });

  it("carries an entry to another visitor, before and after, where places are moved without end", async () => {
    const room = await inPrequeue(context, { moves: "unlimited" });
    const [one, two] = (await room.places(2)) as [Place, Place];
    const link = (id: string) => {
      const madeMs = context.harness.nowMs();
      return { id, madeMs, expiresMs: madeMs + minute };
    };
    expect(await room.move(one, "phone", link("a"))).toBe("moved");
    await room.leave(one);
    await room.leave(two);
    expect(await room.move(two, "phone", link("b"))).toBe("void");
    await close(room);
    await room.pass(2_500);
    await room.fix();
    const phone = { ...drawn(one, 1, 2), sub: "phone" };
    expect(await room.move(phone, "tablet", link("c"))).toBe("moved");
    expect((await room.memory()).moves).toMatchObject([{ number: 1, sub: "tablet" }]);
    await room.serve(2);
    expect(await room.claim(drawn(one, 1, 2))).toEqual({ result: "moved" });
    expect(await room.claim({ ...phone, sub: "tablet" })).toMatchObject({
      result: "admitted",
      admission: { position: 2 },
    });
    expect(await room.move({ ...phone, sub: "tablet" }, "desk", link("d"))).toBe("void");
  });

  it("goes on with the same draw when the phase goes back before the entries are closed", async () => {
    const room = await inPrequeue(context);
    await room.join(2);
    await room.phase("open");
    await room.phase("prequeue");
    expect(await room.draw()).toMatchObject({ stage: "committed", closesMs: 0, commitment: "commitment-1" });
    await room.pass(10_000);
    await room.join(1);
    await room.phase("open");
    await room.phase("idle");
    await room.pass(10_000);
    expect(await room.draw()).toMatchObject({ stage: "committed", closesMs: 0, first: 1 });
    await close(room);
    expect((await room.state()).draws).toMatchObject([{ id: 1, stage: "closed", first: 1, last: 3 }]);
  });

  it("begins another draw when the phase goes back later, which leaves the first alone", async () => {
    const room = await inPrequeue(context);
    const [one, two] = (await room.places(2)) as [Place, Place];
    await close(room);
    await room.phase("prequeue");
    await room.commit({ id: 2, commitment: "commitment-2" });
    const three = (await room.places(3))[0] as Place;
    expect((await room.state()).draws).toMatchObject([
      { id: 1, stage: "closed", first: 1, last: 2 },
      { id: 2, stage: "committed", first: 3, last: 0, commitment: "commitment-2" },
    ]);
    await room.pass(2_500);
    expect(await room.fix()).toBe(true);
    await close(room);
    await room.pass(2_500);
    await room.serve(5);
    expect(await room.claim(drawn(one, 1, 2))).toMatchObject({ result: "admitted" });
    expect(await room.claim(drawn(three, 3, 5, 2))).toEqual({ result: "waiting" });
    expect(await room.fix({ id: 2, seed: "seed-2" })).toBe(true);
    expect(await room.claim(drawn(three, 3, 5, 2))).toMatchObject({ result: "admitted", admission: { position: 5 } });
    expect(await room.claim(drawn(two, 1, 2))).toMatchObject({ result: "admitted", admission: { position: 1 } });
  });

  for (const phase of ["passthrough", "ended"] as const) {
    for (const stage of ["committed", "closing", "closed"] as const) {
      it(`cancels a draw that is ${stage} when the room goes to ${phase}: numbers are positions then`, async () => {
        const room = await inPrequeue(context, { claimWithinMs: minute });
        const [one, two, three] = (await room.places(3)) as [Place, Place, Place];
        if (stage !== "committed") await room.phase("open");
        if (stage === "closed") await room.pass(5_000);
        expect((await room.draw())?.stage).toBe(stage);
        await room.phase(phase);
        expect(await room.draw()).toMatchObject({ stage: "cancelled", seed: "" });
        if (phase === "passthrough") expect(await room.admit(one)).toMatchObject({ via: "passthrough", position: 1 });
        await room.phase("open");
        if (phase === "ended") await room.serve(3);
        await room.pass(10_000);
        expect(await room.fix()).toBe(false);
        expect(await room.claim(two)).toMatchObject({ result: "admitted", admission: { position: 2 } });
        expect(await room.claim({ ...three, entry: { number: 3, draw: 1 } })).toEqual({ result: "waiting" });
        await room.phase("prequeue");
        expect(await room.draw(2)).toMatchObject({ stage: "committed", first: 4 });
      });
    }
  }

  it("leaves a draw that is drawn as it is, whatever becomes of the phase", async () => {
    const room = await inPrequeue(context);
    const [one] = (await room.places(2)) as [Place];
    await close(room);
    await room.pass(2_500);
    await room.fix();
    const record = await room.draw();
    for (const phase of ["idle", "open", "ended", "passthrough", "prequeue", "open"] as const) {
      await room.phase(phase);
      expect((await room.state()).draws).toMatchObject([record, ...(phase === "prequeue" ? [{ id: 2 }] : [])]);
    }
    expect(await room.claim(drawn(one, 1, 2))).toMatchObject({ result: "admitted", admission: { position: 2 } });
  });

  for (const stage of ["committed", "closing", "closed", "drawn"] as const) {
    it(`drops a draw that is ${stage} at a reset, and begins the next in a prequeue`, async () => {
      const room = await inPrequeue(context, { type: "periodic", limit: 600 });
      await room.join(3);
      if (stage !== "committed") await room.phase("open");
      if (stage === "closed" || stage === "drawn") await room.pass(7_500);
      if (stage === "drawn") await room.fix();
      expect((await room.draw())?.stage).toBe(stage);
      const { edition } = await room.state();
      await room.step({ step: "reset" });
      const { draws: left } = await room.state();
      expect(left).toMatchObject(stage === "committed" ? [{ id: 1, stage, commitment: "", first: 1 }] : []);
      await room.commit({ edition, commitment: "of the old edition" });
      if (stage === "committed") return expect((await room.draw())?.commitment).toBe("");
      await room.join(1);
      await room.pass(2_000);
      expect((await room.state()).serving).toBe(1);
    });
  }

  it("has no entries where nobody came, and no later visitor is one", async () => {
    const room = await inPrequeue(context);
    await close(room);
    expect(await room.draw()).toMatchObject({ stage: "closed", first: 1, last: 0, gaps: [] });
    const [one] = (await room.places(1)) as [Place];
    await room.serve(1);
    expect(await room.claim(one)).toMatchObject({ result: "admitted", admission: { position: 1 } });
    await room.pass(2_500);
    expect(await room.fix()).toBe(true);
    const [two] = (await room.places(1)) as [Place];
    await room.serve(1);
    expect(await room.claim(two)).toMatchObject({ result: "admitted", admission: { position: 2 } });
  });

  it("remembers sixteen draws of an edition", async () => {
    const room = await context.room({ draw: random }).open();
    for (let id = 1; id <= 17; id++) {
      await room.phase("prequeue");
      await room.commit({ id, commitment: `commitment-${id}` });
      await room.join(1);
      await close(room);
      await room.pass(2_500);
      expect(await room.fix({ id })).toBe(true);
    }
    const ids = (await room.state()).draws.map((draw) => draw.id);
    expect(ids).toEqual(Array.from({ length: 16 }, (_, i) => i + 2));
    expect((await room.draw(17))?.first).toBe(17);
  });
};
