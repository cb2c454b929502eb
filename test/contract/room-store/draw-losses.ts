import { expect, it } from "vitest";
import type { Draw, RoomMemory } from "../../../src/store/contract/room-store.ts";
import { drandChain } from "../drand-chain.ts";
import type { RoomContext, RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver } from "../room-driver.ts";
import { close, drawn, inPrequeue } from "./drawn-room.ts";

type Stage = Exclude<Draw["stage"], "cancelled">;
const stages: readonly Stage[] = ["committed", "closing", "closed", "drawn"];

/** A room at a stage of its draw, with three entries. */
async function at(context: RoomContext, stage: Stage, type: "manual" | "periodic" = "manual") {
  const room = await inPrequeue(context, type === "periodic" ? { type, limit: 1_200 } : { claimWithinMs: 5 * minute });
  const places = (await room.places(3)) as [Place, Place, Place];
  await reach(room, stage);
  return { room, places };
}

async function reach(room: RoomDriver, stage: Stage): Promise<void> {
  const now = (await room.draw())?.stage as Stage;
  if (stages.indexOf(now) < 1 && stages.indexOf(stage) >= 1) await room.phase("open");
  if (stages.indexOf(now) < 2 && stages.indexOf(stage) >= 2) await room.pass(5_000);
  if (stages.indexOf(now) >= 3 || stage !== "drawn") return;
  await room.pass(2_500);
  await room.fix();
}

export const drawLosses: RoomTest = (context) => {
  for (const stage of ["closing", "closed"] as const) {
    it(`goes on with a draw that is ${stage} when the room is resumed that nobody but a ticket remembered`, async () => {
      const { room } = await at(context, stage);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.contribute({ memory: { ...memory, version: 0, admissions: [] } });
      await context.harness.advance(2_500);
      await room.contribute();
      await room.pass(12_000);
      expect(await room.state()).toMatchObject({ phaseReason: "recovered" });
      expect((await room.draw())?.stage).toBe(stage);
      await room.step({ step: "resume" });
      await room.phase("open");
      await reach(room, "closed");
      await room.pass(2_500);
      expect(await room.fix()).toBe(true);
      expect(await room.draw()).toMatchObject({ stage: "drawn", first: 1, commitment: "commitment-1" });
    });
  }

  for (const stage of stages) {
    it(`keeps a draw that is ${stage} when the store is emptied`, async () => {
      const { room, places } = await at(context, stage, "periodic");
      const memory = await room.memory();
      const record = await room.draw();
      await context.harness.wipe();
      await room.recover(memory);
      const after = await room.draw();
      if (stage === "closing") expect(after).toMatchObject({ stage: "closing", closesMs: record?.closesMs, first: 1 });
      else expect(after).toEqual(record);
      await room.commit({ commitment: "another" });
      expect((await room.draw())?.commitment).toBe("commitment-1");
      if (stage !== "drawn") {
        expect(await room.fix()).toBe(false);
        for (const place of places) expect(await room.claim(place)).toEqual({ result: "waiting" });
        expect((await room.state()).serving).toBe(0);
      }
      await reach(room, "drawn");
      expect(await room.draw()).toMatchObject({ stage: "drawn", first: 1, seed: "seed-1" });
      await room.pass(minute);
      const { last = 0, gaps = [] } = (await room.draw()) ?? {};
      const isGapWithin = stage === "committed" || stage === "closing";
      expect({ last, gaps }).toEqual(
        isGapWithin ? { last: 1_003, gaps: [{ from: 4, to: 1_003 }] } : { last: 3, gaps: [] },
      );
      expect((await room.state()).serving).toBeGreaterThanOrEqual(3);
      for (const place of places) expect(await room.claim(drawn(place, 1, 3))).toMatchObject({ result: "admitted" });
      expect((await room.join(1)).first).toBe(1_004);
      await room.pass(1_000);
      const late = room.place({ edition: memory.edition, joinedMs: memory.claimMs }, 1_004);
      expect(await room.claim(late)).toMatchObject({ result: "admitted" });
    });

    it(`keeps a draw that is ${stage} when an old copy of the store comes back`, async () => {
      const { room, places } = await at(context, "committed");
      await context.harness.save();
      await reach(room, stage);
      const record = await room.draw();
      const memory = await room.memory();
      await context.harness.restore();
      await room.recover(memory);
      const { stage: now, first, last } = (await room.draw()) as Draw;
      expect({ stage: now, first, last }).toEqual({ stage, first: 1, last: record?.last });
      await reach(room, "drawn");
      await room.serve(3);
      for (const place of places) expect(await room.claim(drawn(place, 1, 3))).toMatchObject({ result: "admitted" });
    });

    it(`learns late that a draw is ${stage}, from a process that did not see the room come back`, async () => {
      const { room, places } = await at(context, "committed");
      const early = await room.memory();
      await reach(room, stage);
      const late = await room.memory();
      await context.harness.wipe();
      await room.recover(early);
      expect(await room.draw()).toMatchObject({ stage: "committed", first: 1 });
      const { incarnation } = room;
      const answer = await room.contribute({ memory: late });
      // What cannot be taken back is a loss to recover from.
      const isLoss = stage === "closed" || stage === "drawn";
      expect(answer.recovering).toBe(isLoss);
      expect(room.incarnation !== incarnation).toBe(isLoss);
      if (isLoss) await room.recover(null);
      expect(await room.draw()).toMatchObject({ stage, first: 1, last: late.draws?.[0]?.last });
      expect(await room.contribute({ memory: late })).toMatchObject({ recovering: false });
      expect(await room.contribute({ memory: early })).toMatchObject({ recovering: false });
      await reach(room, "drawn");
      await room.serve(3);
      for (const place of places) expect(await room.claim(drawn(place, 1, 3))).toMatchObject({ result: "admitted" });
    });
  }

  it("merges to the same record, in either order", async () => {
    const { room } = await at(context, "committed");
    const memories: RoomMemory[] = [];
    for (const stage of stages) {
      await reach(room, stage);
      memories.push(await room.memory());
    }
    const record = await room.draw();
    for (const order of [memories, memories.toReversed()]) {
      await context.harness.wipe();
      for (const memory of order) await room.contribute({ memory });
      await room.recover(null);
      expect((await room.state()).draws).toEqual([record]);
    }
  });

  it("goes by the earlier of two beginnings, and what was committed to then", async () => {
    const { room } = await at(context, "committed");
    const memory = await room.memory();
    const [draw] = memory.draws as [Draw];
    const other = { ...draw, first: 3, commitment: "later", keyId: "key-2", chain: drandChain("b") };
    for (const order of [
      [draw, other],
      [other, draw],
    ] as const) {
      await context.harness.wipe();
      for (const one of order) await room.contribute({ memory: { ...memory, draws: [one] } });
      await room.recover(null);
      expect(await room.draw()).toMatchObject({
        first: 1,
        commitment: "commitment-1",
        keyId: "key-1",
        chain: drandChain("a"),
      });
    }
    await context.harness.wipe();
    await room.recover({ ...memory, draws: [other] });
    await room.phase("open");
    expect(await room.contribute({ memory })).toMatchObject({ recovering: false });
    expect(await room.draw()).toMatchObject({ stage: "closing", first: 1, commitment: "commitment-1", keyId: "key-1" });
  });

  it("takes in entries from before an earlier loss that a process reports late", async () => {
    const { room } = await at(context, "committed");
    const early = await room.memory();
    await room.join(2);
    const late = await room.memory();
    await context.harness.wipe();
    await room.recover(early);
    expect((await room.join(1)).first).toBe(1_004);
    const between = await room.memory();
    await context.harness.wipe();
    await room.recover(between);
    expect((await room.state()).gaps).toEqual([
      { from: 4, to: 1_003 },
      { from: 1_005, to: 2_004 },
    ]);
    expect(await room.contribute({ memory: late })).toMatchObject({ recovering: false });
    const gaps = [
      { from: 6, to: 1_003 },
      { from: 1_005, to: 2_004 },
    ];
    expect((await room.state()).gaps).toEqual(gaps);
    expect(await room.contribute({ memory: early })).toMatchObject({ recovering: false });
    await room.join(1);
    await close(room);
    expect(await room.draw()).toMatchObject({ first: 1, last: 2_005, gaps });
    // What they tell once the draw is closed is put behind its entries, too.
    expect(await room.contribute({ memory: late })).toMatchObject({ recovering: false });
    expect((await room.state()).gaps).toEqual([{ from: 8, to: 2_005 }]);
    expect(await room.draw()).toMatchObject({ gaps });
  });

  it("takes in entries that a ticket alone remembers, and no more of the gap than it proves, until the entries are closed", async () => {
    const { room } = await at(context, "committed");
    const early = await room.memory();
    await room.join(4);
    const ticket = { ...(await room.memory()), version: 0, serving: 0, gaps: [], admissions: [], moves: [] };
    // Marks say how far numbers may have been handed out since.
    const reserved = { ...early, queued: 1_003, gaps: [{ from: 4, to: 1_003 }] };
    await context.harness.wipe();
    await room.recover(reserved);
    expect((await room.state()).gaps).toEqual([{ from: 4, to: 2_003 }]);
    expect(await room.contribute({ memory: { ...ticket, queued: 2 } })).toMatchObject({ recovering: false });
    expect((await room.state()).gaps).toEqual([{ from: 4, to: 2_003 }]);
    expect(await room.contribute({ memory: { ...ticket, queued: 6 } })).toMatchObject({ recovering: false });
    const gaps = [{ from: 7, to: 2_003 }];
    expect((await room.state()).gaps).toEqual(gaps);
    await room.join(1);
    await close(room);
    expect(await room.draw()).toMatchObject({ first: 1, last: 2_004, gaps });
    expect(await room.contribute({ memory: ticket })).toMatchObject({ recovering: false });
    expect((await room.state()).gaps).toEqual([{ from: 8, to: 2_004 }]);
    expect(await room.draw()).toMatchObject({ gaps });
  });

  it("leaves a gap from before its first number, whatever a ticket proves of those behind it", async () => {
    const room = await context.room({ draw: { order: "random", beacon: "none" } }).open();
    const empty = await room.memory();
    await context.harness.wipe();
    await room.recover(empty);
    await room.phase("prequeue");
    await room.commit();
    const early = await room.memory();
    await room.join(2);
    const late = await room.memory();
    const ticket = { ...late, version: 0, serving: 0, gaps: [], admissions: [], moves: [] };
    await context.harness.wipe();
    await room.recover(early);
    expect((await room.state()).gaps).toEqual([{ from: 1, to: 2_000 }]);
    await room.contribute({ memory: { ...ticket, queued: 1_002 } });
    expect((await room.state()).gaps).toEqual([
      { from: 1, to: 1_000 },
      { from: 1_003, to: 2_000 },
    ]);
  });

  it("puts the gaps among its numbers behind its entries, and back where it is cancelled", async () => {
    const { room, places } = await at(context, "committed");
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    await room.join(2);
    expect((await room.state()).gaps).toEqual([{ from: 4, to: 1_003 }]);
    // Two of five places, not two of which one is a gap.
    await room.serve(4);
    expect((await room.state()).serving).toBe(4);
    await close(room);
    expect(await room.draw()).toMatchObject({ last: 1_005, gaps: [{ from: 4, to: 1_003 }] });
    expect(await room.state()).toMatchObject({ serving: 4, gaps: [{ from: 6, to: 1_005 }] });
    await context.harness.save();
    await room.phase("ended");
    await room.phase("open");
    expect((await room.state()).gaps).toEqual([{ from: 4, to: 1_003 }].filter(({ to }) => to > 4));
    await context.harness.restore();
    await room.recover(null);
    await room.pass(2_500);
    await room.fix();
    const place = (number: number, position: number) => {
      return { ...(places[0] as Place), sub: `n${number}`, position, entry: { number, draw: 1 } };
    };
    expect(await room.claim(place(1_005, 1))).toMatchObject({ result: "admitted" });
    expect(await room.claim(place(2, 5))).toEqual({ result: "waiting" });
    // Nobody should hold it; behind all entries it costs nobody a place.
    expect(await room.claim(place(4, 6))).toEqual({ result: "waiting" });
    await room.serve(2);
    expect((await room.state()).serving).toBeGreaterThan(1_005);
    expect(await room.claim(place(2, 5))).toMatchObject({ result: "admitted" });
    expect(await room.claim(place(4, 6))).toMatchObject({ result: "admitted" });
  });

  it("keeps places open that an operator has opened beyond the entries", async () => {
    const { room } = await at(context, "committed");
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    await room.serve(5);
    await close(room);
    expect((await room.state()).serving).toBe(1_005);
    expect(await room.join(3)).toMatchObject({ first: 1_004, last: 1_006 });
    expect(await room.step({ step: "increment", by: 0 })).toMatchObject({ waiting: 1 });
  });

  it("does not apply what a proof says of a number to the position of another visitor", async () => {
    const { room, places } = await at(context, "drawn");
    const [one, , three] = places;
    await room.serve(3);
    const { admittedMs, expiresMs, via } = await room.admit(drawn(one, 1, 3));
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover({ ...memory, admissions: [] });
    const proof = { admittedMs, expiresMs, via };
    // The process that asks has not heard of the draw.
    expect(await room.claim(one, { proof })).toMatchObject({ result: "admitted", isNew: false });
    expect(await room.claim(drawn(three, 1, 3))).toMatchObject({ result: "admitted", admission: { position: 1 } });
    await room.end(one.sub);
    expect((await room.claim(drawn(one, 1, 3))).result).toMatch(/left|ended/);
  });

  it("begins the draw of a room that nobody remembers when an operator lets it go on", async () => {
    const nowMs = context.harness.nowMs();
    const schedule = { prequeueAtMs: nowMs - minute, opensAtMs: nowMs + 60 * minute, endsAtMs: null };
    const room = context.room({ draw: { order: "random", beacon: "none" }, schedule });
    await room.recover(null);
    expect(await room.state()).toMatchObject({ basePhase: "prequeue", holds: ["recovered"], draws: [] });
    await room.step({ step: "resume" });
    expect(await room.draw()).toMatchObject({ id: 1, stage: "committed", first: 1, commitment: "" });
    await room.commit();
    expect((await room.join(1)).first).toBe(1);
  });

  it("goes on by arrival where the prequeue began so, whatever the settings say since", async () => {
    const room = await context.room({ draw: { order: "arrival", beacon: "none" } }).open();
    await room.phase("prequeue");
    await room.join(2);
    await room.change({ draw: { order: "random", beacon: "none" } });
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    expect(await room.state()).toMatchObject({ basePhase: "prequeue", draws: [] });
    await room.join(1);
    await room.phase("open");
    await room.phase("prequeue");
    expect((await room.state()).draws).toMatchObject([{ id: 1, first: 1_004 }]);
  });

  it("begins with a new room whose schedule says prequeue", async () => {
    const nowMs = context.harness.nowMs();
    const schedule = { prequeueAtMs: nowMs - minute, opensAtMs: nowMs + 60 * minute, endsAtMs: null };
    const room = await context.room({ draw: { order: "random", beacon: "none" }, schedule }).open();
    expect(await room.state()).toMatchObject({
      basePhase: "prequeue",
      draws: [{ id: 1, stage: "committed", first: 1 }],
    });
  });

  it("takes up the draw with the phase that a late memory knows", async () => {
    const { room } = await at(context, "committed");
    const early = await room.memory();
    await room.phase("open");
    const late = await room.memory();
    await context.harness.wipe();
    await room.recover(early);
    await room.contribute({ memory: { ...late, draws: early.draws ?? [] } });
    expect(await room.state()).toMatchObject({ basePhase: "open", draws: [{ stage: "closing" }] });
  });
};
