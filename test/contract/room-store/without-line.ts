import { describe, expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, type Place, type RoomDriver } from "../room-driver.ts";

const nobody: Place = { sub: "newcomer", edition: 0, position: 0, joinedMs: 0 };

/** What visitors get in the phases that have no line, and in the prequeue, whose line does not move. */
export const withoutLine: RoomTest = (context) => {
  async function served(room: RoomDriver, count: number) {
    const places = await room.places(count);
    await room.serve(count);
    return places;
  }

  it("hands out positions in prequeue and open, held or not, and in no other phase", async () => {
    const room = await context.room().open();
    for (const base of ["prequeue", "open"] as const) {
      await room.phase(base);
      expect(await room.join(2)).toMatchObject({ refusal: null });
      await room.step({ step: "pause" });
      expect(await room.join(2)).toMatchObject({ refusal: null });
      await room.step({ step: "resume" });
    }
    for (const base of ["idle", "ended", "passthrough"] as const) {
      await room.phase(base);
      const { first, last, refusal } = await room.join(2);
      expect([base, last - first + 1, refusal]).toEqual([base, 0, "closed"]);
    }
    expect(await room.state()).toMatchObject({ queued: 8, counts: { joined: 8 } });
  });

  it("forgets in time visitors who passed without a place, however long the phase lasts", async () => {
    const room = await context.room({ durationMs: minute }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.phase("passthrough");
    await room.admit(place);
    for (let i = 0; i < 20; i++) await room.admit({ ...nobody, sub: `new-${i}` });
    await room.pass(2_000);
    const onRecord = async () => (await room.rooms.listAdmissions(room.room, 0, 500)).admissions.map(({ sub }) => sub);
    expect(await onRecord()).toHaveLength(21);
    await room.pass(20 * minute, 5_000);
    // A recovery would open the place again; only its record says that it was claimed.
    expect(await onRecord()).toEqual([place.sub]);
  });

  describe("prequeue", () => {
    it.each(["periodic", "max_active", "manual"] as const)("serves nobody of itself (%s)", async (type) => {
      const room = await context.room({ type, limit: 60, maxActive: 10 }).open();
      await room.phase("prequeue");
      await room.join(20);
      await room.pass(20_000);
      expect(await room.state()).toMatchObject({ serving: 0, queued: 20, progress: { spanMs: 0 } });
    });

    it("lets nobody in even if an operator moves the counter, until it opens", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      await room.phase("prequeue");
      const [one, two] = await served(room, 2);
      if (one === undefined || two === undefined) throw new Error("no places");
      expect(await room.claim(one)).toEqual({ result: "waiting" });
      expect(await room.claim(nobody)).toEqual({ result: "no_place" });
      // The claim clock stands still: nobody loses the place before it could be claimed.
      await room.pass(5 * minute);
      expect(await room.claim(one)).toEqual({ result: "waiting" });
      await room.phase("open");
      expect(await room.claim(one)).toMatchObject({ result: "admitted", isNew: true });
      await room.pass(minute - 1_000);
      expect(await room.claim(two)).toMatchObject({ result: "admitted", isNew: true });
    });
  });

  describe.each(["idle", "ended"] as const)("%s", (base) => {
    it("shows a page to newcomers and to places alike", async () => {
      const room = await context.room().open();
      const [one, two, three] = await served(room, 3);
      if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
      await room.admit(one);
      await room.leave(two);
      await room.phase(base);
      expect(await room.claim(nobody)).toEqual({ result: "closed" });
      expect(await room.claim(three)).toEqual({ result: "closed" });
      expect(await room.claim(two)).toEqual({ result: "left" });
      expect(await room.claim({ ...three, position: 9 })).toEqual({ result: "beyond" });
      expect(await room.claim(one, { login: "x" })).toMatchObject({ result: "admitted", isNew: false });
      await room.end(one.sub);
      expect(await room.claim(one)).toEqual({ result: "ended" });
    });

    it("passes everybody through where the settings say so, held or not", async () => {
      const room = await context
        .room({ whenIdle: "pass_through", whenEnded: "pass_through", type: "periodic", limit: 5 })
        .open();
      const places = await served(room, 3);
      const [, two, three] = places;
      if (two === undefined || three === undefined) throw new Error("no places");
      await room.leave(two);
      await room.phase(base);
      await room.step({ step: "pause" });
      const nowMs = context.harness.nowMs();
      for (let i = 0; i < 20; i++) {
        expect(await room.claim({ ...nobody, sub: `new-${i}` }), `${i}`).toMatchObject({
          result: "admitted",
          isNew: true,
          admission: { position: 0, via: base, admittedMs: nowMs, ended: null },
        });
      }
      // A place goes with it, once; one that was left does not.
      expect(await room.claim(three)).toMatchObject({ isNew: true, admission: { position: 3, via: base } });
      expect(await room.claim(two)).toMatchObject({ isNew: true, admission: { position: 0, via: base } });
      expect(await room.claim(three)).toMatchObject({ isNew: false });
      expect(await room.state()).toMatchObject({ counts: { entered: 0, passed: 22, left: 1 }, liveAdmissions: 22 });
      await room.end(three.sub);
      await room.step({ step: "resume" });
      await room.phase("open");
      expect(await room.claim(three)).toEqual({ result: "ended" });
    });
  });

  describe("passthrough", () => {
    it("serves every place, takes no limit, and gives newcomers no place", async () => {
      const room = await context.room({ type: "periodic", limit: 5, claimWithinMs: minute }).open();
      await room.join(50);
      const range = { edition: (await room.state()).edition, joinedMs: context.harness.nowMs() };
      const before = (await room.state()).serving;
      await room.phase("passthrough");
      expect(before).toBeLessThan(5);
      expect((await room.state()).serving).toBe(50);
      for (let position = 1; position <= 40; position++) {
        const answer = await room.claim(room.place(range, position));
        expect(answer).toMatchObject({ isNew: true, admission: { position, via: "passthrough" } });
      }
      expect(await room.claim(nobody)).toMatchObject({ isNew: true, admission: { position: 0, via: "passthrough" } });
      expect(await room.state()).toMatchObject({ counts: { entered: 0, passed: 41 } });
    });

    it("is held by nothing but a recovery that remembers nothing", async () => {
      const room = await context.room().open();
      await room.phase("passthrough");
      await room.step({ step: "pause" });
      expect(await room.claim(nobody)).toMatchObject({ result: "admitted", isNew: true });

      const forgotten = context.room();
      await forgotten.recover(null);
      await forgotten.phase("passthrough");
      expect(await forgotten.claim(nobody)).not.toMatchObject({ result: "admitted" });
      await forgotten.step({ step: "resume" });
      expect(await forgotten.claim(nobody)).toMatchObject({ result: "admitted", isNew: true });
    });

    it("leaves the places served when the line is back, and serves no place twice", async () => {
      const room = await context.room({ claimWithinMs: minute }).open();
      const places = await room.places(10);
      await room.phase("passthrough");
      await room.phase("open");
      for (const place of places)
        expect(await room.claim(place)).toMatchObject({ isNew: true, admission: { via: "queue" } });
      expect(await room.state()).toMatchObject({ serving: 10, queued: 10, counts: { entered: 10, passed: 0 } });
    });

    it("forgets no claimed place for an admission without one, in a loss either (rule 3)", async () => {
      const room = await context.room({ claimWithinMs: 30 * minute }).open();
      const [place] = await room.places(2);
      if (place === undefined) throw new Error("no place");
      await room.serve(2);
      await room.admit(place);
      await room.end(place.sub);
      await room.phase("passthrough");
      await room.admit({ ...place, position: 0, joinedMs: 0 });
      await room.end(place.sub);
      await room.phase("open");
      const memory = await room.memory();
      expect(memory.admissions).toMatchObject([{ sub: place.sub, position: 0, usedPosition: place.position }]);
      await context.harness.wipe();
      await room.recover(memory);
      await room.pass(minute);
      expect(await room.claim(place)).toMatchObject({ result: "ended" });
    });

    it("counts against the limit afterwards for a minute, and not longer (rule 4)", async () => {
      const room = await context.room({ type: "periodic", limit: 60, claimWithinMs: 60 * minute }).open();
      const places = await served(room, 100);
      await room.join(100);
      await room.phase("passthrough");
      for (let i = 0; i < 500; i++) await room.claim({ ...nobody, sub: `new-${i}` });
      await room.phase("open");
      const startMs = context.harness.nowMs();
      const admittedMs: number[] = [];
      for (let i = 0; i < 900 && admittedMs.length < 20; i++) {
        const next = places[admittedMs.length];
        if (next !== undefined && (await room.claim(next)).result === "admitted") {
          admittedMs.push(context.harness.nowMs() - startMs);
        }
        await context.harness.advance(100);
      }
      expect(admittedMs[0]).toBeGreaterThanOrEqual(minute);
      expect(admittedMs[0]).toBeLessThan(minute + 5_000);
      expect(admittedMs[19]).toBeLessThan(minute + 25_000);
    });
  });

  describe("admissions of an idle phase", () => {
    it.each(["prequeue", "open", "ended"] as const)("are over with %s, whatever phase came between", async (next) => {
      const room = await context.room({ whenIdle: "pass_through" }).open();
      await room.phase("idle");
      await room.admit(nobody);
      await context.harness.advance(1_000);
      await room.phase("passthrough");
      expect(await room.claim(nobody)).toMatchObject({ result: "admitted", isNew: false });
      await room.phase(next);
      expect(await admissionOf(room, nobody.sub)).toMatchObject({ via: "idle", ended: "expired" });
    });

    it("are not over before they begin when the clock was ahead at the end of the last one", async () => {
      const room = await context.room({ whenIdle: "pass_through" }).open();
      await room.phase("idle");
      await context.harness.advance(60 * minute);
      await room.phase("open");
      await context.harness.advance(-60 * minute);
      await room.phase("idle");
      await context.harness.advance(1_000);
      expect((await room.admit(nobody, { login: "a" })).ended).toBeNull();
      expect(await room.claim(nobody, { login: "b" })).toMatchObject({ result: "admitted", isNew: false });
    });

    it("lapse when the schedule begins the line, at its millisecond", async () => {
      const prequeueAtMs = context.harness.nowMs() + 10 * minute;
      const schedule = { prequeueAtMs, opensAtMs: prequeueAtMs + 5 * minute };
      const room = await context.room({ whenIdle: "pass_through", schedule }).open();
      const { expiresMs } = await room.admit(nobody);
      expect(expiresMs).toBe(prequeueAtMs);
      await room.waitUntil(prequeueAtMs - 1);
      expect(await room.claim(nobody)).toMatchObject({ result: "admitted", isNew: false });
      await room.waitUntil(prequeueAtMs);
      expect(await room.claim(nobody)).toEqual({ result: "no_place" });
      expect(await admissionOf(room, nobody.sub)).toMatchObject({ ended: "expired" });
    });

    it("lapse at the room's end, where that comes next", async () => {
      const endsAtMs = context.harness.nowMs() + 10 * minute;
      const room = await context.room({ whenIdle: "pass_through", schedule: { endsAtMs } }).open();
      await room.phase("idle");
      expect((await room.admit(nobody)).expiresMs).toBe(endsAtMs);
    });

    it("end for everybody when an operator begins it early: on record, in lists, changes, counts and claims", async () => {
      const opensAtMs = context.harness.nowMs() + 10 * minute;
      const room = await context.room({ whenIdle: "pass_through", schedule: { opensAtMs } }).open();
      for (let i = 0; i < 700; i++) await room.admit({ ...nobody, sub: `new-${i}` });
      for (let i = 0; i < 3; i++) await room.tick();
      await context.harness.advance(1_000);
      await room.phase("prequeue");
      const nowMs = context.harness.nowMs();
      expect(await admissionOf(room, "new-699")).toMatchObject({ via: "idle", ended: "expired" });
      const { admissions } = await room.rooms.listAdmissions(room.room, 0, 10);
      expect(admissions.map(({ ended }) => ended)).toEqual(Array.from({ length: 10 }, () => "expired"));
      expect(await room.claim({ ...nobody, sub: "new-699" })).toEqual({ result: "no_place" });
      const ended = new Set<string>();
      for (let i = 0; i < 4; i++) {
        const changes = await room.tick();
        for (const { sub, ended: end } of changes.admissions) if (end === "expired") ended.add(sub);
      }
      expect(ended.size).toBe(700);
      expect(await room.state()).toMatchObject({
        idleEndedMs: nowMs,
        liveAdmissions: 0,
        counts: { passed: 700, expired: 700, entered: 0 },
      });
      // They come back with a place of the line, and it is another admission.
      const range = await room.join();
      await room.phase("open");
      await room.serve(1);
      await context.harness.advance(1);
      expect(await room.claim({ ...room.place(range, range.first), sub: "new-1" })).toMatchObject({
        isNew: true,
        admission: { via: "queue", position: range.first },
      });
    });

    it("do not come back by a proof, nor by a memory, after a loss", async () => {
      const room = await context.room({ whenIdle: "pass_through" }).open();
      await room.phase("idle");
      const admission = await room.admit(nobody);
      await context.harness.advance(1_000);
      const idle = await room.memory();
      await room.phase("open");
      const open = await room.memory();
      await context.harness.wipe();
      await room.contribute({ memory: idle });
      await room.recover(open);
      expect(await room.state()).toMatchObject({ phase: "open" });
      const { admittedMs, expiresMs, via } = admission;
      expect(await room.claim(nobody, { proof: { admittedMs, expiresMs, via } })).toEqual({ result: "no_place" });
      expect(await admissionOf(room, nobody.sub)).toMatchObject({ ended: "expired" });
      expect((await room.state()).liveAdmissions).toBe(0);
    });

    it("go on in passthrough", async () => {
      const room = await context.room({ whenIdle: "pass_through" }).open();
      await room.phase("idle");
      await room.admit(nobody);
      await context.harness.advance(1_000);
      await room.phase("passthrough");
      expect(await room.claim(nobody)).toMatchObject({ result: "admitted", isNew: false });
    });
  });
};
