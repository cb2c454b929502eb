import { describe, expect, it } from "vitest";
import type { Seen } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, okValue, RoomDriver } from "../room-driver.ts";

const gone = { sub: "somebody", position: 1 };

export const recovery: RoomTest = (context) => {
  async function begun(limit: number | null = null) {
    const room = await context.room({ limit }).open();
    const places = await room.places(10);
    await room.serve(4);
    return { room, places, memory: await room.memory() };
  }

  it.each(["wiped", "restored from an older snapshot"])(
    "recovers what processes remember of a %s store",
    async (loss) => {
      const { room, places, memory: old } = await begun(60);
      await context.harness.save();
      await room.join(5);
      await room.serve(2);
      const admission = await room.admit(places[0] ?? room.place({ edition: 0, joinedMs: 0 }, 0));
      const memory = await room.memory();
      if (loss === "wiped") await context.harness.wipe();
      else await context.harness.restore();

      const incarnation = room.incarnation;
      expect(await room.rooms.join(room.room, incarnation, 1)).toEqual({ result: "recover" });
      expect(await room.contribute({ memory: old })).toMatchObject({ recovering: true, remainingMs: 2_500 });
      expect(room.incarnation).not.toBe(incarnation);
      expect(await room.rooms.tick(room.room, room.incarnation, 0)).toEqual({
        result: "recovering",
        remainingMs: 2_500,
      });
      await context.harness.advance(1_000);
      expect(await room.rooms.join(room.room, room.incarnation, 1)).toEqual({
        result: "recovering",
        remainingMs: 1_500,
      });
      await room.contribute({ memory });
      // Who remembers less takes nothing away.
      await room.contribute({ memory: old });
      await context.harness.advance(1_500);
      expect(await room.state()).toMatchObject({
        edition: memory.edition,
        queued: 15 + 1_000,
        serving: 6,
        gaps: [{ from: 16, to: 1_015 }],
        phase: "open",
        liveAdmissions: 1,
        incarnationStartedMs: context.harness.nowMs(),
        holdRemainingMs: minute,
      });
      expect(await admissionOf(room, admission.sub)).toEqual(admission);
      expect((await room.join()).first).toBe(1_016);
    },
  );

  it("needs no memory but the older snapshot itself", async () => {
    const { room } = await begun();
    await context.harness.save();
    await context.harness.restore();
    await room.recover(null);
    expect(await room.state()).toMatchObject({ queued: 1_010, serving: 4, phase: "open" });
  });

  it("lets admissions of an older snapshot end when their time is over", async () => {
    const { room, places } = await begun();
    const [one, two] = places;
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.admit(one);
    await room.pass(10 * minute, 5_000);
    const second = await room.admit(two);
    await context.harness.save();
    await context.harness.advance(15 * minute);
    await context.harness.restore();
    await room.recover(null);
    expect(await room.state()).toMatchObject({ liveAdmissions: 1 });
    expect(await admissionOf(room, one.sub)).toMatchObject({ ended: "expired" });
    expect(await admissionOf(room, two.sub)).toEqual(second);
    await room.pass(5 * minute, 5_000);
    expect(await admissionOf(room, two.sub)).toEqual({ ...second, ended: "expired" });
  });

  it("sizes the gap by the busiest second", async () => {
    const { room } = await begun();
    await room.join(700);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    expect((await room.state()).queued).toBe(710 + 5 * 710);
  });

  it("holds rooms with a limit for a minute, then admits; live admissions log in meanwhile", async () => {
    const { room, places } = await begun(600);
    const [one, two] = places;
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.admit(one);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    const start = await room.state();
    expect(await room.claim(two)).toMatchObject({ result: "held", by: "recovery", retryMs: 4_000 });
    expect(await room.claim(one, { login: "x" })).toMatchObject({ result: "admitted", isNew: false });
    await room.pass(59_000);
    expect(await room.claim(two)).toMatchObject({ result: "held", by: "recovery", retryMs: 1_000 });
    const end = await room.state();
    expect([end.holdRemainingMs, end.claimMs - start.claimMs]).toEqual([1_000, 0]);
    await room.pass(1_000);
    expect(await room.claim(two)).toMatchObject({ result: "admitted", isNew: true });
  });

  it("gives every served place a fresh window, but not one that had expired", async () => {
    const room = await context.room({ claimWithinMs: minute }).open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(1);
    await room.pass(62_000);
    await room.serve(1);
    await room.pass(50_000);
    const memory = await room.memory();
    expect(memory.expiredThrough).toBe(1);
    await context.harness.wipe();
    await room.recover(memory);
    await room.pass(30_000);
    expect(await room.claim(one)).toEqual({ result: "expired" });
    expect(await room.claim(two)).toMatchObject({ result: "admitted" });
  });

  it("pauses a room that nobody remembers until an operator resumes it; tickets raise the counters", async () => {
    const { room, places, memory } = await begun();
    await context.harness.wipe();
    await room.recover(null);
    expect(await room.state()).toMatchObject({ phase: "paused", phaseReason: "recovered", edition: 0, queued: 0 });
    expect(await room.rooms.join(room.room, room.incarnation, 1)).toEqual({ result: "recovering", remainingMs: 2_000 });
    const ticket = places[6];
    if (ticket === undefined) throw new Error("no place");
    expect(await room.claim(ticket)).toEqual({ result: "newer_edition" });
    const asMemory = { ...memory, version: 0, queued: 7, serving: 0, admissions: [], claimMs: ticket.joinedMs };
    expect(await room.contribute({ memory: asMemory })).toMatchObject({ recovering: false });
    await room.contribute({ memory: { ...asMemory, queued: 3 } });
    expect(await room.claim(ticket)).toEqual({ result: "waiting" });
    expect(await room.state()).toMatchObject({ edition: memory.edition, queued: 7, phaseReason: "recovered" });
    expect(await room.step({ step: "resume" })).toMatchObject({ queued: 1_007, waiting: 7, phase: "open" });
    expect((await room.state()).gaps).toEqual([{ from: 8, to: 1_007 }]);
    expect((await room.join()).first).toBe(1_008);
  });

  it("keeps a forgotten room at version 0, whatever happens, so that a true memory wins", async () => {
    const gate = { healthUrl: "x", intervalMs: 1, timeoutMs: 1, unhealthyAfter: 1, healthyAfter: 1 };
    const opensAtMs = context.harness.nowMs() + 10_000;
    const room = await context.room({ type: "periodic", limit: 600, gate, schedule: { opensAtMs } }).open();
    await room.phase("prequeue");
    await room.change({ inlet: { outflowPerMinute: 30 } });
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(null);
    for (let i = 0; i < 3; i++) {
      await room.step({ step: "alarm", isSet: i % 2 === 0 });
      await room.step({ step: "pause" });
      await room.report(i % 2 === 1);
      await room.phase(i % 2 === 0 ? "ended" : "idle");
      await room.change({ title: `Live ${i}` });
    }
    await room.contribute({ fileSettings: { ...room.file, title: "Another" } });
    await context.harness.advance(20_000);
    expect(await room.state()).toMatchObject({ version: 0, holds: ["recovered", "operator", "alarm", "unhealthy"] });
    await room.recover(memory);
    const { version, holds, basePhase, settings } = await room.state();
    expect([holds, basePhase, settings.effective.inlet.outflowPerMinute]).toEqual([[], "open", 30]);
    expect(version).toBeGreaterThan(memory.version);
  });

  it.each(["resume", "reset"] as const)("begins with version 1 when a forgotten room gets a %s", async (step) => {
    const room = context.room();
    await room.recover(null);
    await room.step({ step: "pause" });
    await room.step({ step });
    expect((await room.state()).version).toBe(1);
  });

  it("keeps of a gap what lies beyond another memory, in whatever order they come", async () => {
    const { room, memory } = await begun();
    const far = { ...memory, queued: 1_010, gaps: [{ from: 11, to: 1_010 }] };
    const near = { ...memory, queued: 500, gaps: [{ from: 21, to: 40 }] };
    for (const [first, second] of [
      [far, near],
      [near, far],
    ]) {
      await context.harness.wipe();
      await room.contribute({ memory: first ?? null });
      await room.recover(second ?? null);
      expect((await room.state()).gaps).toEqual([
        { from: 21, to: 40 },
        { from: 501, to: 2_010 },
      ]);
    }
  });

  it("starts a fresh edition when a forgotten room is resumed and no ticket was seen", async () => {
    const room = context.room();
    await room.recover(null);
    await room.step({ step: "resume" });
    expect(await room.state()).toMatchObject({ edition: Math.floor(context.harness.nowMs() / 1_000), queued: 0 });
    expect((await room.join()).first).toBe(1);
  });

  it("recovers again for one that comes late and knows more", async () => {
    const { room, memory } = await begun();
    await room.join(5_000);
    const more = await room.memory({ joinsPerSecondPeak: 0 });
    await context.harness.wipe();
    await room.recover(memory);
    expect((await room.join()).first).toBe(1_011);
    const late = new RoomDriver(context.harness, room.room, room.file);
    expect(await late.contribute({ memory: more })).toMatchObject({ recovering: true });
    expect(await room.rooms.join(room.room, room.incarnation, 1)).toEqual({ result: "recover" });
    await context.harness.advance(2_500);
    const { gaps, queued } = await late.state();
    expect(queued).toBe(6_010);
    expect(gaps).toEqual([{ from: 5_011, to: 6_010 }]);
  });

  it("recovers from nobody's memory when a knower comes late", async () => {
    const { room, memory } = await begun();
    await context.harness.wipe();
    await room.recover(null);
    expect(await room.contribute({ memory })).toMatchObject({ recovering: true });
    await context.harness.advance(2_500);
    expect(await room.state()).toMatchObject({ phase: "open", edition: memory.edition, queued: 1_010, serving: 4 });
  });

  it("moves the gap's start up for a late knower within the gap, without recovering again", async () => {
    const { room, memory } = await begun();
    await context.harness.wipe();
    await room.recover(memory);
    const incarnation = room.incarnation;
    const late = { ...memory, queued: 60, serving: 8 };
    expect(await room.contribute({ memory: late })).toEqual({ incarnation, recovering: false, remainingMs: 0 });
    expect(await room.state()).toMatchObject({ queued: 1_010, serving: 8, gaps: [{ from: 61, to: 1_010 }] });
    // One that knows less changes nothing.
    await room.contribute({ memory });
    expect(await room.state()).toMatchObject({ serving: 8, gaps: [{ from: 61, to: 1_010 }] });
  });

  it("takes what is rounded up for no proof: a late checkpoint moves no gap over positions that nobody has", async () => {
    const { room, memory } = await begun();
    const rounded = { ...memory, queued: 8 + 1_000, gaps: [{ from: 9, to: 1_008 }] };
    await context.harness.wipe();
    await room.recover(memory);
    const incarnation = room.incarnation;
    expect(await room.contribute({ memory: rounded })).toEqual({ incarnation, recovering: false, remainingMs: 0 });
    expect(await room.state()).toMatchObject({ queued: 1_010, gaps: [{ from: 11, to: 1_010 }] });
    // What it knows of the gap all the same, it is believed.
    const nearer = { ...rounded, gaps: [{ from: 41, to: 1_008 }] };
    await room.contribute({ memory: nearer });
    expect((await room.state()).gaps).toEqual([{ from: 41, to: 1_010 }]);
  });

  it("skips what a late checkpoint is rounded up to, without recovering again", async () => {
    const { room, memory } = await begun();
    const rounded = { ...memory, queued: 1_500, gaps: [{ from: 9, to: 1_500 }] };
    await context.harness.wipe();
    await room.recover(memory);
    const incarnation = room.incarnation;
    const range = await room.join(5);
    expect(await room.contribute({ memory: rounded })).toEqual({ incarnation, recovering: false, remainingMs: 0 });
    const gaps = [
      { from: 11, to: 1_010 },
      { from: 1_016, to: 1_500 },
    ];
    expect([range.last, await room.state()]).toMatchObject([1_015, { queued: 1_500, gaps }]);
    expect((await room.join()).first).toBe(1_501);
  });

  it("takes a ticket in the gap for a proof, of those before it as well", async () => {
    const { room, memory } = await begun();
    await context.harness.wipe();
    await room.recover(memory);
    const ticket = { ...memory, version: 0, queued: 60, serving: 0, gaps: [], admissions: [] };
    await room.contribute({ memory: ticket });
    expect(await room.state()).toMatchObject({ queued: 1_010, gaps: [{ from: 61, to: 1_010 }] });
    await room.contribute({ memory: { ...ticket, queued: 30 } });
    expect((await room.state()).gaps).toEqual([{ from: 61, to: 1_010 }]);
    // In the gap of an earlier loss, too.
    await room.join(5);
    const later = await room.memory();
    await context.harness.wipe();
    await room.recover(later);
    await room.contribute({ memory: { ...ticket, queued: 90 } });
    expect((await room.state()).gaps).toEqual([
      { from: 91, to: 1_010 },
      { from: 1_016, to: 2_015 },
    ]);
  });

  it("does not skip a gap for nothing before everybody had time to show a ticket", async () => {
    const { room, memory } = await begun();
    await context.harness.wipe();
    await room.recover(memory);
    // Six wait before the gap; an operator calls eleven, of whom five may stand in it.
    await room.serve(11);
    expect(await room.state()).toMatchObject({ serving: 15 });
    const ticket = { ...memory, version: 0, queued: 60, serving: 0, gaps: [], admissions: [] };
    await room.contribute({ memory: ticket });
    await room.serve(50);
    expect(await room.state()).toMatchObject({ serving: 65, gaps: [{ from: 61, to: 1_010 }] });
    const newcomer = room.place(await room.join(10), 1_015);
    expect(await room.claim(newcomer)).toEqual({ result: "waiting" });
    // Nobody else has come. Five of those called are behind the gap, and a step goes on from there.
    await room.pass(54_000);
    expect(await room.state()).toMatchObject({ serving: 65 });
    await room.pass(1_000);
    expect(await room.state()).toMatchObject({ serving: 1_015 });
    expect(await room.claim(newcomer)).toMatchObject({ result: "admitted" });
    await room.serve(-6);
    expect((await room.state()).serving).toBe(59);
    await room.serve(7);
    expect((await room.state()).serving).toBe(1_016);
  });

  it("keeps what was called in a gap over another loss, and does not open it twice", async () => {
    const { room, memory } = await begun();
    await context.harness.wipe();
    await room.recover(memory);
    await room.serve(8);
    await room.join(4);
    const later = await room.memory();
    await context.harness.wipe();
    await room.recover(later);
    expect(await room.state()).toMatchObject({ serving: 12, queued: 2_014 });
    await room.serve(2);
    expect((await room.state()).serving).toBe(1_012);
    await room.phase("passthrough");
    await room.pass(60_000);
    expect(await room.state()).toMatchObject({ serving: 2_014 });
  });

  it("keeps a gap below a ticket that is shown while the room recovers, and ends it at one that stands in it", async () => {
    const { room, memory } = await begun();
    const withGap = { ...memory, queued: 1_020, gaps: [{ from: 11, to: 1_010 }] };
    await context.harness.wipe();
    await room.contribute({ memory: withGap });
    const ticket = { ...memory, version: 0, queued: 1_025, serving: 0, gaps: [], admissions: [] };
    await room.contribute({ memory: ticket });
    await room.recover({ ...ticket, queued: 20 });
    expect((await room.state()).gaps).toEqual([
      { from: 21, to: 1_010 },
      { from: 1_026, to: 2_025 },
    ]);
  });

  it("follows a higher edition and forgets what is of the older one", async () => {
    const { room, places, memory } = await begun();
    await room.step({ step: "reset" });
    await room.join(2);
    const newer = await room.memory();
    await context.harness.wipe();
    await room.contribute({ memory: newer });
    await room.contribute({ memory });
    await context.harness.advance(2_500);
    expect(await room.state()).toMatchObject({ edition: newer.edition, queued: 1_002, serving: 0 });
    const old = places[0];
    if (old === undefined) throw new Error("no place");
    expect(await room.claim(old)).toEqual({ result: "old_edition" });
  });

  it("merges phase and settings by the higher version", async () => {
    const { room, memory } = await begun();
    await room.step({ step: "pause" });
    const paused = await room.memory();
    await context.harness.wipe();
    await room.contribute({ memory: paused });
    await room.contribute({ memory });
    await context.harness.advance(2_500);
    expect(await room.state()).toMatchObject({ phase: "paused", phaseReason: "operator", version: paused.version });
  });

  it("merges admissions: ended beats live, logins united, the later one counts", async () => {
    const { room, places, memory } = await begun();
    const [one, two, three] = places;
    if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
    const a = await room.admit(one, { login: "a" });
    const b = await room.admit(two);
    const c = await room.admit(three);
    await context.harness.wipe();
    const ended = { ...b, ended: "logout" as const };
    const later = {
      ...c,
      admittedMs: c.admittedMs + 5,
      expiresMs: c.expiresMs + 5,
      expiresFlowMs: c.expiresFlowMs + 5,
    };
    await room.contribute({ memory: { ...memory, admissions: [a, ended, later] } });
    await room.contribute({ memory: { ...memory, admissions: [{ ...a, logins: ["b"] }, b, c] } });
    await context.harness.advance(2_500);
    await room.contribute();
    expect(await admissionOf(room, one.sub)).toEqual({ ...a, logins: ["a", "b"] });
    expect(await admissionOf(room, two.sub)).toEqual(ended);
    expect(await admissionOf(room, three.sub)).toEqual(later);
    expect(await room.claim(two)).toEqual({ result: "ended" });
    expect((await room.state()).liveAdmissions).toBe(2);
  });

  it("takes a proof from before this incarnation, once, unless the admission is known to have ended", async () => {
    const { room, places, memory } = await begun();
    const [one, two] = places;
    if (one === undefined || two === undefined) throw new Error("no places");
    const a = await room.admit(one, { login: "x" });
    const b = await room.admit(two);
    await context.harness.wipe();
    await room.recover({ ...memory, admissions: [{ ...b, ended: "completed" }] });
    const proof = { admittedMs: a.admittedMs, expiresMs: a.expiresMs, via: a.via };
    const outflow = (await room.state()).outflowPerMinute;
    expect(await room.claim(one, { proof, login: "y" })).toEqual({
      result: "admitted",
      isNew: false,
      admission: { ...a, logins: ["y"] },
    });
    expect((await room.state()).outflowPerMinute).toBe(outflow);
    expect(await room.claim(two, { proof })).toEqual({ result: "ended" });
    await room.rooms.endAdmission(room.room, room.incarnation, one.sub, "logout");
    expect(await room.claim(one, { proof })).toEqual({ result: "ended" });
  });

  it("learns of joins that were lost by a ticket beyond the counter", async () => {
    const { room, memory } = await begun();
    const lost = room.place(await room.join(3_000), 2_500);
    await context.harness.wipe();
    await room.recover(memory);
    expect(await room.claim(lost)).toEqual({ result: "beyond" });
    const ticket = { ...memory, version: 0, queued: 2_500, serving: 0, admissions: [], claimMs: lost.joinedMs };
    expect(await room.contribute({ memory: ticket })).toMatchObject({ recovering: true });
    await context.harness.advance(2_500);
    expect(okValue(await room.rooms.join(room.room, room.incarnation, 1)).first).toBe(3_501);
    expect(await room.claim(lost)).toEqual({ result: "waiting" });
  });

  it("does not recover again when a process merely restarts after an operator's step back", async () => {
    const { room, memory } = await begun();
    await room.serve(-3);
    expect(await room.contribute({ memory })).toMatchObject({ recovering: false });
    expect((await room.state()).serving).toBe(1);
  });

  describe("of data that is put back in place, under the same run id", () => {
    /** As the process remembers it, and what it has seen. */
    async function later(room: RoomDriver) {
      const { incarnation, flowMs, edition, queued } = await room.state();
      return { memory: await room.memory(), seen: { incarnation, flowMs, edition, queued } };
    }

    it("hands out nothing that its callers know to be taken, and recovers", async () => {
      const { room } = await begun();
      await context.harness.save();
      const { memory, seen } = await later(room);
      // No time passes, and nothing but the counter tells.
      const known = { ...seen, queued: (await room.join(50)).last };
      await context.harness.restoreInPlace();
      expect(await room.rooms.join(room.room, known, 1)).toEqual({ result: "recover" });
      const late = { ...memory, queued: 60 };
      expect(await room.contribute({ memory: late, seen: known })).toMatchObject({ recovering: true });
      await context.harness.advance(2_500);
      expect(await room.state()).toMatchObject({ queued: 1_060, gaps: [{ from: 61, to: 1_060 }] });
    });

    it.each([
      ["a tick", (room: RoomDriver, seen: Seen) => room.rooms.tick(room.room, seen, 0)],
      [
        "a step",
        (room: RoomDriver, seen: Seen) => room.rooms.adminStep(room.room, seen, { step: "increment", by: 1 }, null),
      ],
      ["a leave", (room: RoomDriver, seen: Seen) => room.rooms.leave(room.room, seen, { ...gone, edition: 1 })],
    ])("is found out by the flow clock alone: %s", async (_, operate) => {
      const { room } = await begun();
      await context.harness.save();
      await context.harness.advance(2_000);
      const { memory, seen } = await later(room);
      await context.harness.restoreInPlace();
      // However long ago that was: what has passed since does not hide it.
      await context.harness.advance(4_000);
      expect(await operate(room, seen)).toEqual({ result: "recover" });
      expect(await room.contribute({ memory, seen })).toMatchObject({ recovering: true });
      await context.harness.advance(2_500);
      expect(await room.state()).toMatchObject({ queued: 1_010, serving: 4 });
    });

    it("is found out where the data is of an earlier incarnation", async () => {
      const { room, memory } = await begun();
      await context.harness.save();
      await context.harness.wipe();
      await context.harness.advance(1_000);
      await room.recover(memory);
      const known = await later(room);
      await context.harness.restoreInPlace();
      expect(await room.rooms.tick(room.room, known.seen, 0)).toEqual({ result: "recover" });
      // Also where nobody remembers more than what was seen.
      expect(await room.contribute({ seen: known.seen })).toMatchObject({ recovering: true });
      expect(await room.contribute(known)).toMatchObject({ recovering: true });
      await context.harness.advance(2_500);
      expect(await room.state()).toMatchObject({ queued: 2_010, gaps: [{ from: 11, to: 2_010 }] });
    });

    it("begins one recovery for all who saw an incarnation of a time that the server's clock was set back from", async () => {
      const { room, memory } = await begun();
      const { seen } = await later(room);
      const run = seen.incarnation.slice(0, seen.incarnation.indexOf("."));
      const latest = { ...seen, incarnation: `${run}.9000000000000000` };
      const first = await room.contribute({ memory, seen: latest });
      expect(first).toMatchObject({ remainingMs: 2_500 });
      await context.harness.advance(1_000);
      const second = await room.contribute({ memory, seen: latest });
      expect(second).toMatchObject({ incarnation: first.incarnation, remainingMs: 1_500 });
    });

    it("is found out by a process that has only its checkpoints of that incarnation, and by none that has seen less", async () => {
      const { room, memory } = await begun();
      const { seen } = await later(room);
      await context.harness.save();
      await context.harness.restoreInPlace();
      expect(await room.contribute({ seen })).toMatchObject({ recovering: false });
      // An operator's step back is no loss.
      await room.serve(-3);
      expect(await room.contribute({ memory, seen })).toMatchObject({ recovering: false });
      expect(await room.contribute({ seen: { ...seen, queued: 11 } })).toMatchObject({ recovering: true });
    });
  });

  it("keeps open places open behind the gap", async () => {
    const room = await context.room().open();
    await room.join(2);
    await room.serve(10);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    const range = await room.join(9);
    const results = [];
    for (let p = range.first; p <= range.last; p++) results.push((await room.claim(room.place(range, p))).result);
    expect(results).toEqual([...Array.from({ length: 8 }, () => "admitted"), "waiting"]);
  });
};
