import { describe, expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, type Place, type RoomDriver, type SettingsSketch } from "../room-driver.ts";
import { createCrowd, live } from "./crowd.ts";

/** The inlet `max_active`: what it serves, and when. That rule 5 holds whatever happens is in `max-active-rule.ts`. */
export const maxActive: RoomTest = (context) => {
  const bounded = (most: number, sketch: SettingsSketch = {}) =>
    context.room({ type: "max_active", maxActive: most, ...sketch });

  /** Everybody of the line, of whom the served ones claim; answers how many were admitted. */
  async function claimAll(room: RoomDriver, places: readonly Place[]): Promise<number> {
    let admitted = 0;
    for (const place of places) {
      const answer = await room.claim(place);
      if (answer.result === "waiting") break;
      if (answer.result === "admitted" && answer.isNew) admitted++;
    }
    return admitted;
  }

  /** A full room with a line of `line` behind it. */
  async function full(most: number, line: number, sketch: SettingsSketch = {}) {
    const room = await bounded(most, sketch).open();
    const places = await room.places(most + line);
    expect(await claimAll(room, places)).toBe(most);
    return { room, places, inside: places.slice(0, most), line: places.slice(most) };
  }

  const serving = async (room: RoomDriver) => (await room.state()).serving;

  it("admits the first visitors by itself (AWS's version admits nobody)", async () => {
    const { room, line } = await full(20, 30);
    expect(await room.state()).toMatchObject({ serving: 20, liveAdmissions: 20, counts: { entered: 20 } });
    await room.pass(60_000);
    expect(await serving(room)).toBe(20);
    expect(await room.claim(line[0] as Place)).toEqual({ result: "waiting" });
  });

  it("counts visitors who were served and have not come (AWS's version over-admits)", async () => {
    const room = await bounded(20).open();
    const places = await room.places(100);
    for (let second = 0; second < 10; second++) {
      await room.pass(1_000);
      // One more is called at most, who has to wait ready to enter when they come after all.
      expect(await serving(room)).toBeLessThanOrEqual(21);
    }
    expect(await claimAll(room, places)).toBe(20);
  });

  it("serves others in place of absent visitors, who are next when they come late", async () => {
    const room = await bounded(20).open();
    const places = await room.places(100);
    const present = places.slice(5);
    expect(await claimAll(room, present)).toBe(15);
    await room.pass(31_000);
    expect(await claimAll(room, present)).toBe(5);
    expect(await room.state()).toMatchObject({ liveAdmissions: 20, absent: 5 });
    // The late ones, and one who was served after them: the lowest is first.
    const late = places[2] as Place;
    const later = places[4] as Place;
    expect(await room.claim(later)).toEqual({ result: "held", by: "capacity", rank: 0, retryMs: 2_000 });
    expect(await room.claim(late)).toEqual({ result: "held", by: "capacity", rank: 0, retryMs: 2_000 });
    const before = await serving(room);
    await room.end((places[10] as Place).sub);
    expect(await serving(room)).toBe(before);
    expect(await room.claim(later)).toEqual({ result: "held", by: "capacity", rank: 1, retryMs: 2_000 });
    expect(await room.claim(late)).toMatchObject({ result: "admitted", isNew: true });
    await room.end((places[11] as Place).sub);
    expect(await room.claim(later)).toMatchObject({ result: "admitted", isNew: true });
  });

  it.each(["logout", "completed", "abandoned", "revoked"] as const)(
    "serves the next one at once when an admission ends: %s",
    async (end) => {
      const { room, inside, line } = await full(10, 5);
      const [next, second] = line;
      if (next === undefined || second === undefined) throw new Error("no line");
      await room.end((inside[3] as Place).sub, end);
      expect(await room.claim(next)).toMatchObject({ result: "admitted", isNew: true });
      expect(await room.claim(second)).toEqual({ result: "waiting" });
      // The first end stays, and frees no second time.
      await room.end((inside[3] as Place).sub, end);
      expect(await room.claim(second)).toEqual({ result: "waiting" });
    },
  );

  it("serves the next ones when admissions lapse, within a second", async () => {
    const { room, line } = await full(10, 15, { durationMs: 2 * minute });
    await context.harness.advance(1_000);
    await room.pass(2 * minute - 2_000);
    expect(await room.claim(line[0] as Place)).toEqual({ result: "waiting" });
    await room.pass(2_000);
    expect(await claimAll(room, line)).toBe(10);
  });

  it("moves by 70 when 50 have exited from a full room that had 20 free (AWS's version: by 0)", async () => {
    const room = await bounded(120).open();
    const places = await room.places(300);
    expect(await claimAll(room, places)).toBe(120);
    for (const { sub } of places.slice(0, 20)) await room.end(sub);
    const [before, after] = [120, 190];
    // Twenty were free at once, and fifty more.
    expect(await serving(room)).toBe(before + 20);
    await room.step({ step: "exited", count: 50 });
    expect(await serving(room)).toBe(after);
    expect(await claimAll(room, places.slice(120))).toBe(70);
    expect((await room.state()).liveAdmissions).toBe(120);
  });

  it("never moves the line backwards when more are active than may be (AWS's version does)", async () => {
    const { room, inside, line } = await full(105, 50);
    await room.change({ inlet: { maxActive: 100 } });
    for (let i = 0; i < 5; i++) {
      expect(await serving(room)).toBe(105);
      expect(await room.claim(line[0] as Place)).toEqual({ result: "waiting" });
      await room.end((inside[i] as Place).sub);
      await room.pass(1_000);
    }
    expect(await room.state()).toMatchObject({ serving: 105, liveAdmissions: 100 });
    await room.end((inside[6] as Place).sub);
    expect(await serving(room)).toBe(106);
  });

  it("goes on at once when the number is raised", async () => {
    const { room, line } = await full(10, 20);
    await room.change({ inlet: { maxActive: 15 } });
    await room.pass(1_000);
    expect(await claimAll(room, line)).toBe(5);
  });

  it("is not stalled by a gap in the numbers (AWS's version is, for good)", async () => {
    const { room, inside } = await full(10, 0);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    const range = await room.join(20);
    expect(range.first).toBe(1_011);
    const { serving: before } = await room.state();
    expect(before).toBe(10);
    for (const { sub } of inside.slice(0, 4)) await room.end(sub);
    expect(await serving(room)).toBe(1_014);
    expect((await room.claim(room.place(range, 1_014))).result).toBe("admitted");
    expect((await room.claim(room.place(range, 1_015))).result).toBe("waiting");
  });

  it("takes visitors who exited to be the next that lapse, and never takes off more than are live", async () => {
    const { room, line } = await full(10, 40, { durationMs: 2 * minute });
    expect(await room.step({ step: "exited", count: 4 }, "left")).toMatchObject({ exited: 4 });
    expect(await room.step({ step: "exited", count: 4 }, "left")).toMatchObject({ exited: 4 });
    expect(await room.state()).toMatchObject({ liveAdmissions: 6, serving: 14 });
    expect(await claimAll(room, line)).toBe(4);
    expect(await room.step({ step: "exited", count: 1_000 })).toMatchObject({ exited: 10 });
    expect(await room.state()).toMatchObject({ liveAdmissions: 0, serving: 24 });
    expect(await claimAll(room, line)).toBe(10);
    // The fourteen that had exited lapse: that frees nothing a second time.
    await room.pass(2 * minute - 1_000);
    expect(await room.state()).toMatchObject({ liveAdmissions: 10, serving: 24 });
  });

  it("takes no visitor off twice who exited and then logs out, completes or is revoked", async () => {
    const { room, inside, line } = await full(10, 30);
    await room.step({ step: "exited", count: 5 });
    expect((await room.state()).liveAdmissions).toBe(5);
    for (const { sub } of inside.slice(0, 5)) await room.end(sub, "logout");
    expect(await room.state()).toMatchObject({ liveAdmissions: 5, serving: 15 });
    expect(await claimAll(room, line)).toBe(5);
    await room.end((inside[5] as Place).sub, "completed");
    expect(await room.state()).toMatchObject({ liveAdmissions: 9, serving: 16 });
  });

  it("reports the earliest lapse by itself", async () => {
    const room = await bounded(30, { durationMs: 10 * minute }).open();
    const places = await room.places(31);
    const first = await room.admit(places[0] as Place);
    await room.pass(3_000);
    for (const place of places.slice(1, 30)) await room.admit(place);
    const { liveLapses } = await room.state();
    expect(liveLapses).toHaveLength(8);
    expect(liveLapses[0]).toEqual({ untilMs: first.expiresMs, count: 1 });
    expect(liveLapses.slice(1).every(({ untilMs }) => untilMs === first.expiresMs + 3_000)).toBe(true);
    expect(liveLapses.reduce((sum, { count }) => sum + count, 0)).toBe(30);
  });

  it.each([
    [5, 0.5],
    [5, 0.9],
    [20, 0.9],
  ])(
    "is full of %i for short stays, though many never come (%d) and the others take their time",
    async (most, absent) => {
      const room = await bounded(most, { durationMs: 2 * minute }).open();
      const chance = (position: number) => ((position * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
      const crowd = createCrowd(room, {
        isAbsent: (position) => chance(position) < absent,
        delayMs: (position) => chance(position + 7) * 8_000,
      });
      await crowd.join(5_000);
      await live([crowd], 5 * minute, 500);
      const seen: number[] = [];
      for (let i = 0; i < 600; i++) {
        await live([crowd], 1_000, 500);
        seen.push((await room.state()).liveAdmissions);
      }
      expect(Math.max(...seen)).toBeLessThanOrEqual(most);
      expect(seen.reduce((sum, each) => sum + each, 0) / seen.length / most).toBeGreaterThanOrEqual(0.95);
    },
  );

  it("serves nobody beyond the queue counter, paused, or closed", async () => {
    const room = await bounded(10).open();
    await room.pass(5_000);
    expect(await serving(room)).toBe(0);
    await room.join(3);
    await room.pass(5_000);
    expect(await serving(room)).toBe(3);
    await room.step({ step: "pause" });
    await room.join(3);
    await room.pass(5_000);
    expect(await serving(room)).toBe(3);
    await room.phase("ended");
    await room.pass(5_000);
    expect(await serving(room)).toBe(3);
  });

  it("keeps an outflow limit as well", async () => {
    const room = await bounded(100, { limit: 60, claimWithinMs: 60 * minute }).open();
    const places = await room.places(300);
    const admitted: number[] = [];
    const startMs = context.harness.nowMs();
    for (let i = 0; i < 180 * 5; i++) {
      if (i % 5 === 0) await room.tick();
      for (const place of places.slice(admitted.length, admitted.length + 3)) {
        if ((await room.claim(place)).result !== "admitted") break;
        admitted.push(context.harness.nowMs());
      }
      await context.harness.advance(200);
    }
    const duringMinute = (m: number) => admitted.filter((t) => t < startMs + m * minute).length;
    expect(duringMinute(1)).toBeGreaterThanOrEqual(58);
    expect(duringMinute(1)).toBeLessThanOrEqual(60);
    // Full before the second minute is over.
    expect(duringMinute(2)).toBe(100);
    expect(duringMinute(3)).toBe(100);
  });

  describe("after a loss", () => {
    it("counts what was live and no process remembers as unaccounted, until it would have lapsed", async () => {
      const { room, line } = await full(10, 20, { durationMs: 5 * minute });
      await room.pass(minute);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover({ ...memory, admissions: [] });
      const sum = async () => (await room.state()).liveLapses.reduce((total, { count }) => total + count, 0);
      expect(await room.state()).toMatchObject({ liveAdmissions: 0, serving: 10 });
      expect(await sum()).toBe(10);
      await room.pass(3 * minute);
      expect(await serving(room)).toBe(10);
      await room.pass(2 * minute);
      expect(await sum()).toBe(0);
      expect(await claimAll(room, line)).toBe(10);
    });

    it("counts visitors who were about to claim, and no more than may be live in all", async () => {
      const { room, inside, line } = await full(10, 20);
      for (const { sub } of inside.slice(0, 4)) await room.end(sub);
      const memory = await room.memory();
      expect(memory.liveLapses.reduce((total, { count }) => total + count, 0)).toBeGreaterThanOrEqual(10);
      // Two of them claim, which nobody hears of.
      await room.admit(line[0] as Place);
      await room.admit(line[1] as Place);
      await context.harness.wipe();
      await room.recover(memory);
      const { liveAdmissions, liveLapses } = await room.state();
      expect(liveAdmissions).toBe(6);
      expect(liveLapses.reduce((total, { count }) => total + count, 0)).toBe(10);
      // Whose the unaccounted admissions are nobody knows: they keep everybody out until they lapse, or their owners come with a proof.
      expect(await room.claim(line[2] as Place)).toMatchObject({ result: "held", by: "capacity" });
    });

    it("counts no unaccounted admissions where a process that lived through it knows who had claimed", async () => {
      const room = await bounded(10).open();
      const places = await room.places(40);
      await context.harness.advance(1_000);
      const { liveLapses } = await room.state();
      const memory = { ...(await room.memory()), liveLapses };
      await context.harness.wipe();
      await room.recover(memory);
      await room.pass(3_000);
      expect(await room.state()).toMatchObject({ liveAdmissions: 0, liveLapses: [] });
      expect(await claimAll(room, places.slice(0, 10))).toBe(10);
      expect((await room.claim(places[10] as Place)).result).toBe("held");
      expect(await room.state()).toMatchObject({
        liveAdmissions: 10,
        liveLapses: [{ count: 1 }, {}, {}, {}, {}, {}, {}, {}],
      });
    });

    it("counts what lasts longest of all memories, though another memory has more that lapses before", async () => {
      const { room } = await full(10, 20, { durationMs: 20 * minute });
      const memory = await room.memory();
      const at = (ms: number) => context.harness.nowMs() + ms;
      const [busier, later] = [
        [{ untilMs: at(2 * minute), count: 10 }],
        [
          { untilMs: at(minute), count: 1 },
          { untilMs: at(9 * minute), count: 8 },
        ],
      ];
      for (const [one, other] of [
        [busier, later],
        [later, busier],
      ]) {
        await context.harness.wipe();
        await room.contribute({ memory: { ...memory, admissions: [], liveLapses: one ?? [] } });
        await room.recover({ ...memory, admissions: [], liveLapses: other ?? [] });
        const { liveLapses } = await room.state();
        expect(liveLapses.reduce((total, { count }) => total + count, 0)).toBe(10);
        expect(liveLapses.at(-1)).toEqual({ untilMs: later?.[1]?.untilMs, count: 8 });
      }
    });

    it("takes exits beyond the live ones off the unaccounted admissions, the earliest first", async () => {
      const { room, inside } = await full(10, 20);
      const memory = await room.memory();
      const known = [];
      for (const { sub } of inside.slice(0, 4)) known.push(await admissionOf(room, sub));
      const admissions = known.flatMap((each) => each ?? []);
      const at = (ms: number) => context.harness.nowMs() + ms;
      const liveLapses = [
        { untilMs: at(5 * minute), count: 7 },
        { untilMs: at(10 * minute), count: 3 },
      ];
      await context.harness.wipe();
      await room.recover({ ...memory, admissions, liveLapses });
      const lapses = async () => (await room.state()).liveLapses;
      expect((await lapses()).reduce((total, { count }) => total + count, 0)).toBe(10);
      await room.step({ step: "exited", count: 6 });
      expect(await room.state()).toMatchObject({ liveAdmissions: 0, serving: 16 });
      expect(await lapses()).toEqual([
        { untilMs: liveLapses[0]?.untilMs, count: 1 },
        { untilMs: liveLapses[1]?.untilMs, count: 3 },
      ]);
      await room.step({ step: "exited", count: 100 });
      expect(await lapses()).toEqual([]);
    });

    it.each(["nothing", "what the processes know"])(
      "keeps the unaccounted of a state that goes on under another run of the server, remembering %s",
      async (remembered) => {
        const { room, inside, line } = await full(10, 20, { durationMs: 20 * minute });
        const known = [];
        for (const { sub } of inside.slice(0, 4)) known.push(await admissionOf(room, sub));
        const memory = await room.memory();
        const at = (ms: number) => context.harness.nowMs() + ms;
        const liveLapses = [
          { untilMs: at(5 * minute), count: 8 },
          { untilMs: at(10 * minute), count: 2 },
        ];
        await context.harness.wipe();
        await room.recover({ ...memory, admissions: known.flatMap((each) => each ?? []), liveLapses });
        const reported = async () => {
          const { liveAdmissions, liveLapses: lapses } = await room.state();
          return [liveAdmissions, lapses.reduce((total, { count }) => total + count, 0)];
        };
        expect(await reported()).toEqual([4, 10]);
        const { liveLapses: before } = await room.state();
        for (let recovery = 0; recovery < 2; recovery++) {
          const own = remembered === "nothing" ? null : await room.memory();
          await context.harness.save();
          await context.harness.restore();
          await room.recover(own);
          expect(await reported()).toEqual([4, 10]);
          expect((await room.state()).liveLapses).toEqual(before);
        }
        expect(await room.claim(line[0] as Place)).not.toMatchObject({ result: "admitted" });
        // A state that is lost with them leaves as many: what was live, and what may have been.
        const all = await room.memory();
        await context.harness.wipe();
        await room.recover({ ...all, admissions: [] });
        expect(await reported()).toEqual([0, 10]);
        await room.recover({ ...all, admissions: [] });
        expect(await reported()).toEqual([0, 10]);
      },
    );

    it("takes an unaccounted admission off with each proof of one", async () => {
      const { room, inside, line } = await full(3, 20);
      const admission = await admissionOf(room, (inside[1] as Place).sub);
      if (admission === null) throw new Error("no admission");
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover({ ...memory, admissions: [] });
      const { admittedMs, expiresMs, via } = admission;
      const proven = await room.claim(inside[1] as Place, { proof: { admittedMs, expiresMs, via } });
      expect(proven).toMatchObject({ result: "admitted", isNew: false });
      const { liveAdmissions, liveLapses } = await room.state();
      expect([liveAdmissions, liveLapses.reduce((total, { count }) => total + count, 0)]).toEqual([1, 3]);
      await room.end((inside[1] as Place).sub);
      await room.pass(2_000);
      expect(await claimAll(room, line)).toBe(1);
    });

    it("does not take off twice visitors who had exited and whose ends are remembered", async () => {
      const { room, inside, line } = await full(10, 30);
      await room.step({ step: "exited", count: 5 });
      await context.harness.save();
      for (const { sub } of inside.slice(0, 8)) await room.end(sub);
      const memory = await room.memory();
      await context.harness.restore();
      await room.recover(memory);
      expect((await room.state()).liveAdmissions).toBeGreaterThanOrEqual(0);
      await room.pass(minute);
      let admitted = await claimAll(room, line);
      await room.pass(minute);
      admitted += await claimAll(room, line.slice(admitted));
      expect(admitted + 2).toBeLessThanOrEqual(12);
      expect((await room.state()).liveAdmissions).toBeLessThanOrEqual(10);
    });
  });
};
