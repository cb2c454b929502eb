import { describe, expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, okValue, RoomDriver, settings } from "../room-driver.ts";

export const claims: RoomTest = (context) => {
  it("admits a served place once and then knows it", async () => {
    const room = await context.room({ durationMs: 10 * minute }).open();
    const [place, other] = await room.places(2);
    if (place === undefined || other === undefined) throw new Error("no places");
    await room.serve(1);
    const now = context.harness.nowMs();
    const admission = {
      sub: place.sub,
      edition: place.edition,
      position: 1,
      usedPosition: 1,
      via: "queue",
      admittedMs: now,
      expiresMs: now + 10 * minute,
      expiresFlowMs: now + 10 * minute,
      ended: null,
      logins: ["login-1"],
    };
    expect(await room.claim(place, { login: "login-1" })).toEqual({ result: "admitted", isNew: true, admission });
    expect(await room.claim(place)).toEqual({ result: "admitted", isNew: false, admission });
    expect(await admissionOf(room, place.sub)).toEqual(admission);
    expect(await room.claim(other)).toEqual({ result: "waiting" });
    expect((await room.state()).liveAdmissions).toBe(1);
  });

  it("answers each login once and no more than loginsPerAdmission of them (rule 3)", async () => {
    const room = await context.room({ logins: 2 }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    const results = [];
    for (const login of ["a", "a", "b", "c", "b", null]) results.push((await room.claim(place, { login })).result);
    expect(results).toEqual(["admitted", "answered", "admitted", "exhausted", "answered", "admitted"]);
    expect((await admissionOf(room, place.sub))?.logins).toEqual(["a", "b"]);
  });

  it("admits a hundred places a hundred times when they are claimed five hundred times at once", async () => {
    const one = await context.room().open();
    const two = new RoomDriver(context.harness, one.room, one.file, await context.harness.second());
    await two.contribute();
    const places = await one.places(100);
    await one.serve(100);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => places.map((place) => (i % 2 ? one : two).claim(place))).flat(),
    );
    expect(answers.filter((a) => a.result === "admitted" && a.isNew)).toHaveLength(100);
    expect(answers.filter((a) => a.result === "admitted")).toHaveLength(500);
  });

  describe("several in one operation", () => {
    it.each([
      ["limit", { limit: 5 }],
      ["capacity", { type: "max_active", maxActive: 1 }],
    ] as const)("are judged one after the other, by the same %s (rule 1)", async (by, sketch) => {
      const room = await context.room(sketch).open();
      const [one, two, three] = await room.places(3);
      if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
      await room.serve(3);
      expect(await room.claimAll([one, two, three])).toMatchObject([
        { result: "admitted", isNew: true },
        { result: "held", by, rank: 0 },
        { result: "held", by, rank: 1 },
      ]);
      expect((await room.state()).liveAdmissions).toBe(1);
    });

    it("admit a place once, by whomever it is claimed, and answer each login once (rule 3)", async () => {
      const room = await context.room({ logins: 2 }).open();
      const [one, two] = await room.places(2);
      if (one === undefined || two === undefined) throw new Error("no places");
      await room.serve(2);
      const claims = [
        { ...one, login: "a" },
        { ...one, login: "a" },
        { ...one, sub: "somebody" },
        { ...two, edition: two.edition - 1 },
        { ...one, login: "b" },
        { ...one, login: "c" },
        { ...two, login: "d" },
      ];
      const results = ["admitted", "answered", "ended", "old_edition", "admitted", "exhausted", "admitted"];
      expect((await room.claimAll(claims)).map(({ result }) => result)).toEqual(results);
      expect((await admissionOf(room, one.sub))?.logins).toEqual(["a", "b"]);
      expect((await admissionOf(room, two.sub))?.logins).toEqual(["d"]);
      expect((await room.state()).counts.entered).toBe(2);
    });

    it("use a link once (rule 3), and a place that is left by none", async () => {
      const room = await context.room().open();
      const [one] = await room.places(1);
      if (one === undefined) throw new Error("no place");
      const madeMs = context.harness.nowMs();
      const bypass = { id: "link", madeMs, expiresMs: madeMs + minute };
      const nobody = { edition: 0, position: 0, joinedMs: 0, bypass };
      const answers = await room.claimAll([{ ...nobody, sub: "anna" }, { ...nobody, sub: "ben" }, one]);
      expect(answers.map(({ result }) => result)).toEqual(["admitted", "void", "waiting"]);
    });

    it.each([0, 65])("are refused where they are %i", async (count) => {
      const room = await context.room().open();
      const [place] = await room.places(1);
      if (place === undefined) throw new Error("no place");
      await expect(room.claimAll(Array(count).fill(place))).rejects.toThrow(RangeError);
      expect(await room.claimAll(Array(64).fill(place))).toHaveLength(64);
    });
  });

  it("refuses tickets of older and newer editions before anything else", async () => {
    const room = await context.room().open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    await room.admit(place);
    expect(await room.claim({ ...place, edition: place.edition - 1 })).toEqual({ result: "old_edition" });
    expect(await room.claim({ ...place, edition: place.edition + 1 })).toEqual({ result: "newer_edition" });
  });

  it("knows a place whose admission has ended, also by its lapse, and by an older place of the visitor", async () => {
    const room = await context.room({ durationMs: minute }).open();
    const [one, two, three] = await room.places(3);
    if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
    await room.serve(3);
    await room.admit(two);
    await room.rooms.endAdmission(room.room, room.incarnation, two.sub, "logout");
    expect(await room.claim(two)).toEqual({ result: "ended" });
    expect(await room.claim({ ...one, sub: two.sub })).toEqual({ result: "ended" });
    await room.admit(three);
    await room.pass(minute, 5_000);
    expect(await room.claim(three)).toEqual({ result: "ended" });
    // Coming back: the same visitor with a new position.
    await room.serve(1);
    const again = { ...two, position: (await room.join()).first };
    expect(await room.claim(again)).toMatchObject({ result: "admitted", isNew: true });
  });

  it("gives the live admission for any later place of the visitor", async () => {
    const room = await context.room().open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(1);
    await room.admit(one);
    expect(await room.claim({ ...two, sub: one.sub })).toMatchObject({
      result: "admitted",
      isNew: false,
      admission: { position: 1 },
    });
  });

  it("distinguishes left, beyond, waiting and paused, in this order", async () => {
    const room = await context.room().open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    expect(await room.claim({ ...one, position: 3 })).toEqual({ result: "beyond" });
    expect(await room.claim(one)).toEqual({ result: "waiting" });
    await room.rooms.leave(room.room, room.incarnation, two);
    expect(await room.claim(two)).toEqual({ result: "left" });
    await room.serve(1);
    await room.step({ step: "pause" });
    expect(await room.claim(one)).toEqual({ result: "paused" });
    expect(await room.claim(two)).toEqual({ result: "left" });
    expect(await room.claim({ ...one, position: 3 })).toEqual({ result: "beyond" });
    await room.step({ step: "resume" });
    expect((await room.claim(one)).result).toBe("admitted");
  });

  it.each([
    ["limit", { limit: 5 }],
    ["capacity", { type: "max_active", maxActive: 1 }],
  ] as const)("says what keeps a ready visitor out (%s), and when to claim again", async (by, sketch) => {
    const room = await context.room(sketch).open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(2);
    await room.admit(one);
    expect(await room.claim(two)).toMatchObject({ result: "held", by, rank: 0 });
    await room.end(one.sub);
    await room.pass(15_000);
    expect(await room.claim(two)).toMatchObject({ result: "admitted" });
  });

  it("logs live admissions in while the room is paused", async () => {
    const room = await context.room().open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    await room.admit(place);
    await room.step({ step: "pause" });
    expect((await room.claim(place, { login: "later" })).result).toBe("admitted");
  });

  describe("a copy of an unclaimed ticket, kept until the admission is forgotten (rule 3)", () => {
    async function forgotten() {
      const room = await context.room({ durationMs: minute, claimWithinMs: minute }).open();
      const [copied, idle] = await room.places(2);
      if (copied === undefined || idle === undefined) throw new Error("no places");
      await room.serve(2);
      await room.admit(copied);
      await room.pass(3 * minute, 5_000);
      await context.harness.advance(15 * minute);
      await room.tick();
      expect(await admissionOf(room, copied.sub)).toBeNull();
      return { room, copied, idle };
    }

    it("is worth nothing when the operator gives more time to claim", async () => {
      const { room, copied } = await forgotten();
      const { version } = await room.state();
      const live = { admission: { claimWithinMs: 24 * 60 * minute } };
      const effective = settings({ durationMs: minute, claimWithinMs: 24 * 60 * minute });
      okValue(await room.rooms.changeSettings(room.room, room.incarnation, live, effective, version));
      expect(await room.claim(copied)).toEqual({ result: "ended" });
    });

    it("is worth nothing when the operator steps back and forth, which opens the unclaimed places again", async () => {
      const { room, copied, idle } = await forgotten();
      expect(await room.claim(idle)).toEqual({ result: "expired" });
      await room.serve(-2);
      await room.serve(2);
      expect(await room.claim(copied)).toEqual({ result: "ended" });
      expect(await room.claim(idle)).toMatchObject({ result: "admitted", isNew: true });
      expect((await room.state()).liveAdmissions).toBe(1);
    });

    it("is worth nothing after a rollback either, if the admission came before or is remembered", async () => {
      const { room, copied } = await forgotten();
      const [later] = await room.places(1);
      if (later === undefined) throw new Error("no place");
      await context.harness.save();
      await room.serve(1);
      await room.admit(later);
      const memory = await room.memory();
      await context.harness.restore();
      await room.recover(memory);
      await room.rooms.endAdmission(room.room, room.incarnation, later.sub, "logout");
      await room.serve(-3);
      await room.serve(3);
      expect(await room.claim(copied)).toEqual({ result: "ended" });
      expect(await room.claim(later)).toEqual({ result: "ended" });
    });
  });

  it("does not take a proof from within this incarnation, nor a lapsed one", async () => {
    const room = await context.room().open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    const now = context.harness.nowMs();
    expect(await room.claim(place, { proof: { admittedMs: now, expiresMs: now + minute, via: "queue" } })).toEqual({
      result: "ended",
    });
    expect(await room.claim(place, { proof: { admittedMs: now - minute, expiresMs: now, via: "queue" } })).toEqual({
      result: "ended",
    });
    expect(await room.claim(place)).toMatchObject({ result: "admitted", isNew: true });
  });

  it("lets nobody pass silently: only with an admission, or with a place whose turn it is", async () => {
    const isSilent = true;
    const nobody = { sub: "visitor", edition: 0, position: 0, joinedMs: 0 };
    for (const phase of ["passthrough", "idle", "ended"] as const) {
      const room = await context
        .room({ whenIdle: "pass_through", whenEnded: "pass_through", durationMs: minute })
        .open();
      const [place, served] = await room.places(2);
      if (place === undefined || served === undefined) throw new Error("no places");
      await room.serve(2);
      expect(await room.claim(served, { isSilent }), phase).toMatchObject({ result: "admitted", isNew: true });
      await room.phase(phase);
      expect((await room.claim(nobody, { isSilent })).result, phase).toMatch(/^(closed|no_place)$/);
      expect((await room.claim(place, { isSilent })).result, phase).toMatch(/^(closed|paused)$/);
      await room.admit(nobody);
      expect(await room.claim(nobody, { isSilent }), phase).toMatchObject({ result: "admitted", isNew: false });
      await room.rooms.endAdmission(room.room, room.incarnation, nobody.sub, "logout");
      expect((await room.claim(nobody, { isSilent })).result, phase).toMatch(/^(closed|no_place)$/);
      await room.pass(minute, 5_000);
      expect((await room.claim(served, { isSilent })).result, phase).toBe("ended");
      expect(await room.state(), phase).toMatchObject({ counts: { passed: 1 }, liveAdmissions: 0 });
      await room.admit(nobody);
    }
  });
};
