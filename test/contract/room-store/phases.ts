import { describe, expect, it } from "vitest";
import type { BasePhase, HoldReason, Schedule } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type RoomDriver, type SettingsSketch } from "../room-driver.ts";

const gate = { healthUrl: "http://site", intervalMs: 1_000, timeoutMs: 500, unhealthyAfter: 1, healthyAfter: 1 };

/** Schedule, operators and holds: which phase a room is in. What each phase means for visitors is in `without-line.ts`. */
export const phases: RoomTest = (context) => {
  /** A schedule in minutes from now. */
  function inMinutes(minutes: { prequeue?: number; opens?: number; ends?: number }): Schedule {
    const at = (value?: number) => (value === undefined ? null : context.harness.nowMs() + value * minute);
    return { prequeueAtMs: at(minutes.prequeue), opensAtMs: at(minutes.opens), endsAtMs: at(minutes.ends) };
  }

  async function scheduled(minutes: { prequeue?: number; opens?: number; ends?: number }, sketch: SettingsSketch = {}) {
    const schedule = inMinutes(minutes);
    const room = await context.room({ schedule, ...sketch }).open();
    return { room, schedule, at: (key: keyof Schedule) => schedule[key] ?? 0 };
  }

  const phase = async (room: RoomDriver) => (await room.state()).phase;
  const version = async (room: RoomDriver) => (await room.state()).version;

  describe("schedule", () => {
    it.each([
      [{}, "open"],
      [{ prequeue: 5, opens: 10, ends: 20 }, "idle"],
      [{ opens: 10 }, "idle"],
      [{ prequeue: -5, opens: 10 }, "prequeue"],
      [{ prequeue: -5, opens: -2, ends: 20 }, "open"],
      [{ opens: -5, ends: -2 }, "ended"],
      [{ ends: 5 }, "open"],
      [{ ends: -5 }, "ended"],
      [{ prequeue: 5 }, "idle"],
    ] as const)("begins in the phase that it says: %o is %s", async (minutes, expected) => {
      const { room } = await scheduled(minutes);
      expect(await room.state()).toMatchObject({ phase: expected, basePhase: expected, holds: [], version: 1 });
    });

    it("carries out each time at its millisecond, once, and not before", async () => {
      const { room, at } = await scheduled({ prequeue: 5, opens: 10, ends: 20 });
      const steps = [
        ["prequeueAtMs", "idle", "prequeue"],
        ["opensAtMs", "prequeue", "open"],
        ["endsAtMs", "open", "ended"],
      ] as const;
      for (const [i, [key, before, after]] of steps.entries()) {
        await room.waitUntil(at(key) - 1);
        expect(await room.state()).toMatchObject({ phase: before, version: 1 + i });
        await room.waitUntil(at(key));
        expect(await room.state()).toMatchObject({ phase: after, version: 2 + i, scheduleMarkMs: at(key) });
        await context.harness.advance(1);
        expect(await version(room)).toBe(2 + i);
      }
    });

    it("is carried out by whichever operation comes first", async () => {
      const { room, at } = await scheduled({ opens: 10, ends: 20 });
      await room.waitUntil(at("opensAtMs"));
      expect(await room.join()).toMatchObject({ first: 1, last: 1, refusal: null });
      await room.waitUntil(at("endsAtMs"));
      expect(await room.join()).toMatchObject({ refusal: "closed" });
    });

    it("carries out several times that have passed at once, in order", async () => {
      const { room, at } = await scheduled({ prequeue: 5, opens: 10, ends: 20 });
      await room.waitUntil(at("endsAtMs") + minute);
      const nowMs = context.harness.nowMs();
      expect(await room.state()).toMatchObject({
        phase: "ended",
        version: 4,
        scheduleMarkMs: at("endsAtMs"),
        idleEndedMs: nowMs,
      });
    });

    it("moves forward only: what an operator did since stands", async () => {
      const ended = await scheduled({ prequeue: 5, opens: 10, ends: 20 });
      await ended.room.phase("ended");
      const early = await scheduled({ prequeue: 5, opens: 10, ends: 20 });
      await early.room.phase("open");
      const passing = await scheduled({ prequeue: 5, opens: 10, ends: 20 });
      await passing.room.phase("passthrough");
      const back = await scheduled({ prequeue: 5, opens: 10, ends: 20 });
      const all = async () => Promise.all([ended, early, passing, back].map(({ room }) => phase(room)));

      await context.harness.advance(6 * minute);
      await back.room.phase("idle");
      expect(await all()).toEqual(["ended", "open", "passthrough", "idle"]);
      await context.harness.advance(minute);
      // The time of the prequeue has counted.
      expect(await all()).toEqual(["ended", "open", "passthrough", "idle"]);
      await context.harness.advance(4 * minute);
      expect(await all()).toEqual(["ended", "open", "passthrough", "open"]);
      await context.harness.advance(10 * minute);
      expect(await all()).toEqual(["ended", "ended", "passthrough", "ended"]);
      await early.room.phase("open");
      await passing.room.phase("open");
      await context.harness.advance(60 * minute);
      expect(await all()).toEqual(["ended", "open", "open", "ended"]);
    });

    it("does not go back when the clock does", async () => {
      const { room, at } = await scheduled({ opens: 10 });
      await room.waitUntil(at("opensAtMs"));
      expect(await phase(room)).toBe("open");
      await context.harness.advance(-5 * minute);
      expect(await phase(room)).toBe("open");
    });
  });

  describe("a schedule that is changed in mid-event", () => {
    it("opens at the time that an operator sets, though the clock was ahead of it once", async () => {
      const nowMs = context.harness.nowMs();
      const room = await context.room({ schedule: { opensAtMs: nowMs + 40 * minute } }).open();
      await room.waitUntil(nowMs + 60 * minute);
      expect((await room.state()).phase).toBe("open");
      await room.waitUntil(nowMs + 5_000);
      await room.phase("idle");
      await room.change({ schedule: { opensAtMs: nowMs + 30 * minute } });
      expect((await room.state()).phase).toBe("idle");
      await room.waitUntil(nowMs + 30 * minute - 1);
      expect((await room.state()).phase).toBe("idle");
      await room.waitUntil(nowMs + 30 * minute);
      expect((await room.state()).phase).toBe("open");
    });

    it("moves the opening to a later time", async () => {
      const { room, at } = await scheduled({ prequeue: 5, opens: 10 });
      await room.waitUntil(at("prequeueAtMs"));
      await room.change({ schedule: { opensAtMs: at("opensAtMs") + 10 * minute } });
      await room.waitUntil(at("opensAtMs"));
      expect(await phase(room)).toBe("prequeue");
      await room.waitUntil(at("opensAtMs") + 10 * minute);
      expect(await phase(room)).toBe("open");
    });

    it("moves it to an earlier time, and to one that has passed, which is carried out at once", async () => {
      const one = await scheduled({ prequeue: 5, opens: 10 });
      const two = await scheduled({ prequeue: 5, opens: 10 });
      await two.room.waitUntil(two.at("prequeueAtMs") + minute);
      await one.room.change({ schedule: { opensAtMs: context.harness.nowMs() + 1_000 } });
      await two.room.change({ schedule: { opensAtMs: context.harness.nowMs() - 1_000 } });
      expect(await Promise.all([one, two].map(({ room }) => phase(room)))).toEqual(["prequeue", "open"]);
      await context.harness.advance(1_000);
      expect(await phase(one.room)).toBe("open");
    });

    it("does not close an open room by an opening moved to later, and ends it when it says so", async () => {
      const { room, at } = await scheduled({ opens: 5, ends: 20 });
      await room.waitUntil(at("opensAtMs"));
      await room.change({ schedule: { opensAtMs: at("opensAtMs") + 5 * minute, endsAtMs: at("endsAtMs") } });
      expect(await phase(room)).toBe("open");
      await room.waitUntil(at("opensAtMs") + 6 * minute);
      expect(await phase(room)).toBe("open");
      await room.waitUntil(at("endsAtMs"));
      expect(await phase(room)).toBe("ended");
    });

    it("leaves the room as it is when the schedule is taken away", async () => {
      const { room, at } = await scheduled({ prequeue: 5, opens: 10 });
      await room.waitUntil(at("prequeueAtMs"));
      await room.change({ schedule: { prequeueAtMs: null, opensAtMs: null } });
      await context.harness.advance(60 * minute);
      expect(await phase(room)).toBe("prequeue");
    });

    it("begins the next event in a room that has ended, also by the file", async () => {
      const { room } = await scheduled({ opens: -5, ends: -2 });
      const next = inMinutes({ prequeue: 10, opens: 20, ends: 30 });
      await room.change({ schedule: next });
      expect(await room.state()).toMatchObject({ phase: "idle" });
      await room.waitUntil(next.opensAtMs ?? 0);
      expect(await phase(room)).toBe("open");
      await room.waitUntil(next.endsAtMs ?? 0);
      expect(await phase(room)).toBe("ended");

      const other = await scheduled({ ends: -2 });
      const file = { ...other.room.file, schedule: inMinutes({ opens: -1, ends: 10 }) };
      await other.room.contribute({ fileSettings: file });
      expect(await phase(other.room)).toBe("open");
      // A change that still says "ended", or nothing of the schedule, does not wake it.
      const third = await scheduled({ ends: -2 });
      await third.room.change({ schedule: { endsAtMs: context.harness.nowMs() - 1_000 } });
      await third.room.contribute({ fileSettings: { ...third.room.file, title: "Other" } });
      expect(await phase(third.room)).toBe("ended");
    });
  });

  describe("operators", () => {
    it("puts a room into each phase, once per step", async () => {
      const room = await context.room().open();
      let expected = 1;
      for (const next of ["prequeue", "open", "ended", "idle", "passthrough", "open"] as const) {
        for (let i = 0; i < 2; i++)
          expect(await room.step({ step: "phase", phase: next })).toMatchObject({ phase: next });
        expect(await version(room)).toBe(++expected);
      }
    });

    it.each([
      ["operator", ["prequeue", "open"]],
      ["alarm", ["open"]],
      ["unhealthy", ["open"]],
    ] as const)("holds for the reason %s in %o only, and keeps it for those phases", async (reason, held) => {
      const room = await context.room({ type: "periodic", limit: 60, gate }).open();
      await setHold(room, reason, true);
      for (const base of ["idle", "prequeue", "open", "ended", "passthrough"] as const) {
        await room.phase(base);
        const isHeld = (held as readonly BasePhase[]).includes(base);
        expect(await room.state(), base).toMatchObject({
          basePhase: base,
          phase: isHeld ? "paused" : base,
          phaseReason: isHeld ? reason : null,
          holds: [reason],
        });
      }
    });

    it("names the first reason that holds the room, and resumes of its own reason only", async () => {
      const room = await context.room({ type: "periodic", limit: 60, gate }).open();
      for (const reason of ["unhealthy", "alarm", "operator"] as const) {
        await setHold(room, reason, true);
        await setHold(room, reason, true);
        expect((await room.state()).phaseReason).toBe(reason);
      }
      expect(await room.state()).toMatchObject({ version: 4, holds: ["operator", "alarm", "unhealthy"] });
      expect(await room.step({ step: "resume" })).toMatchObject({ phase: "paused" });
      expect(await room.state()).toMatchObject({ version: 5, phaseReason: "alarm", holds: ["alarm", "unhealthy"] });
      await room.step({ step: "resume" });
      await setHold(room, "alarm", false);
      expect(await room.state()).toMatchObject({ version: 6, phaseReason: "unhealthy" });
      await setHold(room, "unhealthy", false);
      expect(await room.state()).toMatchObject({ version: 7, phase: "open", holds: [] });
    });

    it("keeps a pause of the prequeue beyond the opening, until it is resumed", async () => {
      const { room, at } = await scheduled({ prequeue: -1, opens: 10 });
      const [place] = await room.places(1);
      if (place === undefined) throw new Error("no place");
      await room.serve(1);
      await room.step({ step: "pause" });
      await room.waitUntil(at("opensAtMs"));
      expect(await room.state()).toMatchObject({ phase: "paused", basePhase: "open" });
      expect(await room.claim(place)).toEqual({ result: "paused" });
      await room.step({ step: "resume" });
      expect(await room.claim(place)).toMatchObject({ result: "admitted" });
    });

    it("touches no hold by a change of phase, nor `recovered` by one", async () => {
      const room = context.room();
      await room.recover(null);
      for (const base of ["idle", "prequeue", "open", "ended", "passthrough"] as const) {
        await room.phase(base);
        expect(await room.state(), base).toMatchObject({ phase: "paused", phaseReason: "recovered", basePhase: base });
      }
      await room.step({ step: "resume" });
      expect(await phase(room)).toBe("passthrough");
    });

    it("turns `recovered` into a pause with a reset", async () => {
      const room = context.room();
      await room.recover(null);
      await room.step({ step: "reset" });
      expect(await room.state()).toMatchObject({ phase: "paused", phaseReason: "operator", holds: ["operator"] });
    });
  });

  describe("a loss of the store", () => {
    it.each(["wiped", "restored"])("between two times forgets neither phase nor mark (%s)", async (loss) => {
      const { room, at } = await scheduled({ prequeue: 5, opens: 10, ends: 20 });
      await context.harness.save();
      await room.waitUntil(at("prequeueAtMs"));
      await room.join(3);
      const memory = await room.memory();
      await (loss === "wiped" ? context.harness.wipe() : context.harness.restore());
      await room.recover(memory);
      expect(await room.state()).toMatchObject({ phase: "prequeue", scheduleMarkMs: at("prequeueAtMs") });
      await room.waitUntil(at("opensAtMs"));
      expect(await phase(room)).toBe("open");
    });

    it("while the opening time passes opens the room when it is back", async () => {
      const { room, at } = await scheduled({ prequeue: 5, opens: 10 });
      await room.waitUntil(at("prequeueAtMs"));
      const memory = await room.memory();
      await context.harness.wipe();
      await room.waitUntil(at("opensAtMs") + minute);
      await room.recover(memory);
      expect(await room.state()).toMatchObject({ phase: "open", scheduleMarkMs: at("opensAtMs") });
    });

    it("in a recovery that lasts over the opening time opens it at its end", async () => {
      const { room, at } = await scheduled({ prequeue: 5, opens: 10 });
      await room.waitUntil(at("opensAtMs") - 1_000);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover(memory);
      expect(await phase(room)).toBe("open");
    });

    it.each(["ended", "open", "passthrough", "idle"] as const)(
      "keeps the operator's %s against the schedule",
      async (base) => {
        const { room, at } = await scheduled({ prequeue: 5, opens: 10 });
        await room.waitUntil(at("opensAtMs"));
        await room.phase(base);
        const memory = await room.memory();
        await context.harness.wipe();
        await room.recover(memory);
        expect(await phase(room)).toBe(base);
        await context.harness.advance(minute);
        expect(await phase(room)).toBe(base);
      },
    );

    it("keeps all holds", async () => {
      const room = await context.room({ type: "periodic", limit: 60, gate }).open();
      for (const reason of ["operator", "alarm", "unhealthy"] as const) await setHold(room, reason, true);
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover(memory);
      expect((await room.state()).holds).toEqual(["operator", "alarm", "unhealthy"]);
    });

    it("that nobody remembers leaves the phase of the schedule, held", async () => {
      const schedule = inMinutes({ prequeue: -5, opens: 10 });
      const room = context.room({ schedule });
      await room.recover(null);
      expect(await room.state()).toMatchObject({ phase: "paused", phaseReason: "recovered", basePhase: "prequeue" });
      expect(await room.rooms.join(room.room, room.incarnation, 1)).toEqual({
        result: "recovering",
        remainingMs: 2_000,
      });
      await room.waitUntil(schedule.opensAtMs ?? 0);
      expect(await room.state()).toMatchObject({ phase: "paused", basePhase: "open" });
    });
  });
};

async function setHold(room: RoomDriver, reason: HoldReason, isSet: boolean): Promise<void> {
  if (reason === "operator") await room.step({ step: isSet ? "pause" : "resume" });
  else if (reason === "alarm") await room.step({ step: "alarm", isSet });
  else await room.report(!isSet);
}
