import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClaimResult, LinkClaim } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver, type SettingsSketch } from "../room-driver.ts";

const validMs = 3 * minute;

/** Links that let somebody in ahead of the line, once. */
export const bypass: RoomTest = (context) => {
  let links = 0;
  let newcomers = 0;

  /** Made now, or so long after it. */
  function link(inMs = 0): LinkClaim {
    const madeMs = context.harness.nowMs() + inMs;
    return { id: `link-${++links}`, madeMs, expiresMs: madeMs + validMs };
  }

  const newcomer = (): Place => ({ sub: `newcomer-${++newcomers}`, edition: 0, position: 0, joinedMs: 0 });
  const enter = (room: RoomDriver, by: LinkClaim, place = newcomer()) => room.claim(place, { bypass: by });

  /** So many served places, and somebody in the line behind them. */
  async function withReadyVisitors(sketch: SettingsSketch, count: number) {
    const crowd = await served(sketch, count);
    await crowd.room.join();
    return crowd;
  }

  async function served(sketch: SettingsSketch, count: number): Promise<{ room: RoomDriver; places: Place[] }> {
    const room = await context.room(sketch).open();
    const places = await room.places(count);
    await room.serve(count);
    return { room, places };
  }

  function first(places: readonly Place[]): Place {
    const [place] = places;
    if (place === undefined) throw new Error("no place");
    return place;
  }

  describe("let in", () => {
    it.each(["idle", "prequeue", "open", "ended"] as const)("in the phase %s, held or not", async (phase) => {
      const room = await context.room().open();
      await room.join(3);
      await room.phase(phase);
      const before = await room.state();
      for (const step of ["resume", "pause"] as const) {
        await room.step({ step });
        expect(await enter(room, link())).toMatchObject({
          result: "admitted",
          isNew: true,
          admission: { via: "bypass", position: 0, admittedMs: context.harness.nowMs(), ended: null },
        });
      }
      const { serving, counts, liveAdmissions, progress } = await room.state();
      expect([serving, progress]).toEqual([before.serving, before.progress]);
      expect(counts).toEqual({ ...before.counts, bypassed: 2 });
      expect(liveAdmissions).toBe(2);
    });

    it("for as long as any admission lasts, beyond the end of an idle phase", async () => {
      const room = await context.room({ whenIdle: "page", durationMs: 2 * minute }).open();
      await room.phase("idle");
      const person = newcomer();
      await enter(room, link(), person);
      await room.pass(1_000);
      await room.phase("open");
      expect(await room.claim(person, { login: "a" })).toMatchObject({ result: "admitted", isNew: false });
      await room.pass(2 * minute);
      expect(await room.claim(person)).toEqual({ result: "no_place" });
    });

    it("with the place in line, which is claimed then, served or not; not with one that was left", async () => {
      const { room, places } = await served({}, 2);
      const [one, two] = places as [Place, Place];
      const [three] = await room.places(1);
      await room.leave(two);
      expect(await enter(room, link(), one)).toMatchObject({ isNew: true, admission: { position: 1, via: "bypass" } });
      expect(await enter(room, link(), two)).toMatchObject({ isNew: true, admission: { position: 0 } });
      expect(await enter(room, link(), three)).toMatchObject({ isNew: true, admission: { position: 3 } });
      // The place is spent (rule 3): a copy of the ticket, under whatever name, is worth nothing.
      await room.serve(1);
      for (const place of [one, first([three as Place])]) {
        await room.end(place.sub);
        expect(await room.claim(place)).toEqual({ result: "ended" });
        expect(await room.claim({ ...place, sub: "another" })).toEqual({ result: "ended" });
      }
      expect(await room.state()).toMatchObject({ counts: { entered: 0, bypassed: 3, noShows: 0 } });
    });

    it("again a visitor whose admission is over, or whose place has expired", async () => {
      const { room, places } = await served({ claimWithinMs: minute }, 2);
      const [one, two] = places as [Place, Place];
      await room.admit(one);
      await room.end(one.sub);
      await room.pass(2 * minute);
      expect(await room.claim(two)).toEqual({ result: "expired" });
      expect(await enter(room, link(), one)).toMatchObject({ isNew: true, admission: { position: 0 } });
      expect(await enter(room, link(), two)).toMatchObject({ isNew: true, admission: { position: 2 } });
    });

    it("no visitor with a place of another edition, which is answered as ever", async () => {
      const { room, places } = await served({}, 1);
      const by = link();
      const { edition } = first(places);
      expect(await enter(room, by, { ...first(places), edition: edition - 1 })).toEqual({ result: "old_edition" });
      expect(await enter(room, by, { ...first(places), edition: edition + 1 })).toEqual({ result: "newer_edition" });
      expect(await enter(room, by)).toMatchObject({ result: "admitted" });
    });
  });

  describe("are used once", () => {
    it("by the first visitor who comes with them, and used up by nothing but a new admission", async () => {
      const { room, places } = await served({}, 1);
      const by = link();
      await room.admit(first(places));
      expect(await enter(room, by, first(places))).toMatchObject({ result: "admitted", isNew: false });
      await room.phase("passthrough");
      expect(await enter(room, by)).toMatchObject({ isNew: true, admission: { via: "passthrough" } });
      await room.phase("open");
      const person = newcomer();
      expect(await enter(room, by, person)).toMatchObject({ isNew: true, admission: { via: "bypass" } });
      expect(await enter(room, by)).toEqual({ result: "void" });
      expect(await enter(room, by, person)).toMatchObject({ isNew: false });
      await room.end(person.sub);
      expect(await enter(room, by, person)).toEqual({ result: "void" });
      expect(await room.state()).toMatchObject({ counts: { entered: 1, passed: 1, bypassed: 1 } });
    });

    it("over a reset, and over any number of others", async () => {
      const room = await context.room().open();
      const used = [];
      for (let i = 0; i < 30; i++) used.push(link());
      for (const by of used) await enter(room, by);
      await room.step({ step: "reset" });
      for (const by of used) expect(await enter(room, by)).toEqual({ result: "void" });
    });
  });

  describe("are void", () => {
    it("from three minutes on, by the store's clock", async () => {
      const room = await context.room().open();
      const [early, late] = [link(), link()];
      await room.pass(validMs, 5_000);
      expect(await enter(room, early)).toMatchObject({ result: "admitted" });
      await context.harness.advance(1);
      expect(await enter(room, late)).toEqual({ result: "void" });
    });

    it("when they were made before this incarnation of the store: it may have forgotten that they were used (rules 6, 9)", async () => {
      const room = await context.room().open();
      await room.pass(minute);
      const [used, unused] = [link(), link()];
      await enter(room, used);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.contribute({ memory });
      const during = link();
      expect(await room.rooms.claim(room.room, room.incarnation, [{ ...request(), bypass: during }])).toMatchObject({
        result: "recovering",
      });
      await context.harness.advance(2_500);
      await room.contribute();
      for (const by of [used, unused, during]) expect(await enter(room, by)).toEqual({ result: "void" });
      expect(await enter(room, link())).toMatchObject({ result: "admitted" });
      expect((await room.state()).counts.bypassed).toBe(2);
    });

    it("when they were used before a restart that lost nothing, as somebody says who has seen the room; the others go on", async () => {
      const room = await context.room().open();
      const [used, unused] = [link(), link()];
      await enter(room, used);
      const { incarnation, flowMs, edition, queued } = await room.state();
      const memory = await room.memory();
      await context.harness.save();
      await context.harness.restore();
      await room.contribute({ memory, seen: { incarnation, flowMs, edition, queued } });
      await context.harness.advance(2_500);
      await room.contribute();
      expect(await enter(room, used)).toEqual({ result: "void" });
      expect(await enter(room, unused)).toMatchObject({ result: "admitted" });
    });

    it.each([
      ["has seen a later state", { flowMs: 1 }],
      ["has handed out more since", { queued: 1 }],
      ["has not seen the room for long", { flowMs: -10_001 }],
    ])("all of them after a restart, where who comes %s", async (_, later: { flowMs?: number; queued?: number }) => {
      const room = await context.room().open();
      await room.pass(minute);
      const unused = link();
      const { incarnation, flowMs, edition, queued } = await room.state();
      const seen = { incarnation, edition, flowMs: flowMs + (later.flowMs ?? 0), queued: queued + (later.queued ?? 0) };
      const memory = await room.memory();
      await context.harness.save();
      await context.harness.restore();
      await room.contribute({ memory, seen });
      await context.harness.advance(2_500);
      await room.contribute();
      expect(await enter(room, unused)).toEqual({ result: "void" });
    });

    it("when the store is rolled back to before their use", async () => {
      const room = await context.room().open();
      const by = link();
      await context.harness.save();
      await enter(room, by);
      await context.harness.restore();
      await room.recover(null);
      expect(await enter(room, by)).toEqual({ result: "void" });
    });

    it.each([3_600_000, -3_600_000])("when they were used, though the clock is set by %i ms and back", async (byMs) => {
      const room = await context.room().open();
      // What the clock says of the incarnation's beginning stays true.
      await context.harness.advance(2 * 3_600_000);
      const used = link();
      await enter(room, used);
      for (const stepMs of [byMs, -byMs]) {
        await context.harness.advance(stepMs);
        expect(await enter(room, used)).toEqual({ result: "void" });
        // Each use cleans up.
        expect(await enter(room, link())).toMatchObject({ result: "admitted" });
      }
      expect(await enter(room, used)).toEqual({ result: "void" });
    });

    it("when the clock is set back to before they were made; a moment's difference is none", async () => {
      const room = await context.room().open();
      expect(await enter(room, link(5_000))).toMatchObject({ result: "admitted" });
      expect(await enter(room, link(5_001))).toEqual({ result: "void" });
    });
  });

  describe("go first", () => {
    it("before visitors who are ready to enter, whose rank grows by one", async () => {
      const { room, places } = await withReadyVisitors({ limit: 50 }, 3);
      const [one, two, three] = places as [Place, Place, Place];
      await room.admit(three);
      const claimed = await room.claim(one);
      expect(claimed).toMatchObject({ result: "held", rank: 0, by: "limit" });
      const by = link();
      const person = newcomer();
      const held = await enter(room, by, person);
      if (held.result !== "held" || claimed.result !== "held") throw new Error("not held");
      expect(held).toEqual({ result: "held", rank: 0, by: "limit", retryMs: claimed.retryMs });
      expect(await room.claim(two)).toMatchObject({ result: "held", rank: 2 });
      await context.harness.advance(held.retryMs);
      expect(await room.claim(one)).toMatchObject({ result: "held", rank: 1 });
      expect(await enter(room, by, person)).toMatchObject({ result: "admitted", isNew: true });
      expect(await room.claim(one)).toMatchObject({ result: "held", rank: 0 });
    });

    it("and hold nobody up once they have not asked for five seconds", async () => {
      const { room, places } = await withReadyVisitors({ limit: 30 }, 2);
      const [one, two] = places as [Place, Place];
      await room.admit(two);
      await enter(room, link());
      await context.harness.advance(4_900);
      expect(await room.claim(one)).toMatchObject({ result: "held", rank: 1 });
      await context.harness.advance(200);
      expect(await room.claim(one)).toMatchObject({ result: "admitted" });
    });

    it("and keep no place from expiring", async () => {
      const { room, places } = await served({ limit: 5, claimWithinMs: minute }, 2);
      const [one, two] = places as [Place, Place];
      await room.admit(one);
      for (let i = 0; i < 65; i++) {
        await enter(room, link());
        await room.pass(1_000);
      }
      expect(await room.claim(two)).toEqual({ result: "expired" });
      expect((await room.state()).expiredThrough).toBe(2);
    });
  });

  describe("stay within all limits", () => {
    it("of any 60 seconds and any 2 seconds, with a crowd ready to enter (rule 4)", async () => {
      const limit = 120;
      const turns = fc.array(
        fc.record({
          waitMs: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 3_000 })),
          links: fc.integer({ min: 0, max: 20 }),
          claims: fc.integer({ min: 0, max: 6 }),
          phase: fc.constantFrom("open", "open", "open", "prequeue", "idle", "ended"),
        } as const),
        { minLength: 10, maxLength: 40 },
      );
      await fc.assert(
        fc.asyncProperty(turns, async (steps) => {
          const { room, places } = await withReadyVisitors({ limit, claimWithinMs: 600 * minute }, 300);
          const admittedMs: number[] = [];
          let next = 0;
          const note = ({ result }: ClaimResult) => {
            if (result === "admitted") admittedMs.push(context.harness.nowMs());
            return result === "admitted";
          };
          for (const { waitMs, links: count, claims, phase } of steps) {
            await room.phase(phase);
            await context.harness.advance(waitMs);
            for (let i = 0; i < count; i++) note(await enter(room, link()));
            for (let i = 0; i < claims; i++) if (note(await room.claim(places[next] as Place))) next++;
            const nowMs = context.harness.nowMs();
            const within = (ms: number) => admittedMs.filter((atMs) => atMs > nowMs - ms).length;
            expect(within(minute)).toBeLessThanOrEqual(limit);
            expect(within(2_000)).toBeLessThanOrEqual(limit / 10);
          }
        }),
        { numRuns: context.runs(40, 10) },
      );
    });

    it("of a shared outflow (rule 4)", async () => {
      const shared = { id: `shared-${links}`, outflowPerMinute: 60, weight: 1 };
      const rooms = [await context.room({ shared }).open(), await context.room({ shared }).open()];
      const admitted: number[] = [];
      for (let i = 0; i < 900; i++) {
        for (const room of rooms) {
          if ((await enter(room, link())).result === "admitted") admitted.push(context.harness.nowMs());
        }
        await context.harness.advance(100);
      }
      expect(admitted.length).toBeGreaterThan(80);
      for (const fromMs of admitted) {
        expect(admitted.filter((atMs) => atMs >= fromMs && atMs < fromMs + minute).length).toBeLessThanOrEqual(60);
      }
    });

    it("of their room's share of it: any number of links leave another room its part", async () => {
      const shared = { id: `shared-${links}`, outflowPerMinute: 60, weight: 1 };
      const [one, two] = [await context.room({ shared }).open(), await context.room({ shared }).open()];
      const places = await two.places(60);
      await two.serve(60);
      let [byLinks, byLine] = [0, 0];
      for (let i = 0; i < 600; i++) {
        if ((await enter(one, link())).result === "admitted") byLinks++;
        if ((await two.claim(places[byLine] as Place)).result === "admitted") byLine++;
        await context.harness.advance(100);
      }
      expect(byLinks).toBeGreaterThan(24);
      expect(byLine).toBeGreaterThan(24);
    });

    it("of max_active: held until a visitor leaves (rule 5)", async () => {
      const room = await context.room({ type: "max_active", maxActive: 2 }).open();
      const people = [newcomer(), newcomer(), newcomer()] as [Place, Place, Place];
      const by = link();
      expect(await enter(room, link(), people[0])).toMatchObject({ isNew: true });
      expect(await enter(room, link(), people[1])).toMatchObject({ isNew: true });
      expect(await enter(room, by, people[2])).toEqual({ result: "held", by: "capacity", rank: 0, retryMs: 2_000 });
      expect((await room.state()).liveAdmissions).toBe(2);
      await room.end(people[0].sub);
      expect(await enter(room, by, people[2])).toMatchObject({ isNew: true });
      expect((await room.state()).liveAdmissions).toBe(2);
    });

    it("of the hold after a recovery", async () => {
      const room = await context.room({ limit: 60 }).open();
      await room.pass(2_000);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover(memory);
      const by = link();
      expect(await enter(room, by)).toMatchObject({ result: "held", by: "recovery" });
      await room.pass(minute);
      expect(await enter(room, by)).toMatchObject({ result: "admitted" });
    });
  });

  it("come back after a loss as the admissions that they gave, by memory and by ticket", async () => {
    const room = await context.room().open();
    const [one, two] = [newcomer(), newcomer()];
    const by = link();
    await enter(room, by, one);
    await enter(room, link(), two);
    const memory = await room.memory();
    await context.harness.wipe();
    await context.harness.advance(1_000);
    await room.recover({ ...memory, admissions: memory.admissions.filter(({ sub }) => sub === one.sub) });
    expect(await room.claim(one)).toMatchObject({ isNew: false, admission: { via: "bypass" } });
    const proven = memory.admissions.find(({ sub }) => sub === two.sub);
    if (proven === undefined) throw new Error("no admission");
    const { admittedMs, expiresMs, via } = proven;
    expect(await room.claim(two, { proof: { admittedMs, expiresMs, via } })).toMatchObject({
      isNew: false,
      admission: { via: "bypass", admittedMs },
    });
    expect((await room.state()).counts.bypassed).toBe(2);
  });

  function request() {
    return { ...newcomer(), login: null, address: null, proof: null };
  }
};
