import { expect, it } from "vitest";
import { minute, settings } from "../room-driver.ts";
import type { RoomTest } from "../room-store.contract.ts";

export const admin: RoomTest = (context) => {
  it("carries out a request once for 24 hours and gives the first answer again", async () => {
    const room = await context.room().open();
    await room.join(20);
    const first = await room.step({ step: "increment", by: 5 }, "id");
    await room.step({ step: "increment", by: 5 }, "other");
    expect(await room.step({ step: "increment", by: 5 }, "id")).toEqual(first);
    expect(first).toEqual({ serving: 5, queued: 20, waiting: 15, edition: expect.any(Number), phase: "open" });
    expect((await room.state()).serving).toBe(10);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => room.step({ step: "increment", by: 1 }, "at once")),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await room.state()).serving).toBe(11);
  });

  it("refuses a request id that was used for another step", async () => {
    const room = await context.room().open();
    await room.step({ step: "increment", by: 5 }, "id");
    for (const step of [{ step: "increment", by: 6 } as const, { step: "pause" } as const]) {
      expect(await room.step(step, "id")).toEqual({ conflict: true });
    }
    expect(await room.state()).toMatchObject({ serving: 5, phase: "open" });
  });

  it("pauses and resumes, each change with a new version, and once only", async () => {
    const room = await context.room().open();
    const { version } = await room.state();
    expect(await room.step({ step: "pause" })).toMatchObject({ phase: "paused" });
    await room.step({ step: "pause" });
    expect(await room.state()).toMatchObject({ phase: "paused", phaseReason: "operator", version: version + 1 });
    expect(await room.join()).toMatchObject({ first: 1 });
    expect(await room.step({ step: "resume" })).toMatchObject({ phase: "open" });
    await room.step({ step: "resume" });
    expect(await room.state()).toMatchObject({ phase: "open", phaseReason: null, version: version + 2 });
  });

  it("starts a new edition with a reset: places void, live admissions stay", async () => {
    const room = await context.room().open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(1);
    await room.admit(one);
    const before = await room.state();
    const answer = await room.step({ step: "reset" });
    expect(answer).toMatchObject({ serving: 0, queued: 0, waiting: 0, phase: "open" });
    expect(await room.state()).toMatchObject({ edition: before.edition + 1, version: before.version + 1, gaps: [] });
    expect(await room.claim(two)).toEqual({ result: "old_edition" });
    expect((await room.state()).liveAdmissions).toBe(1);
    const [again] = await room.places(1);
    if (again === undefined) throw new Error("no place");
    expect(again.position).toBe(1);
    expect(await room.claim({ ...again, sub: one.sub })).toMatchObject({ result: "admitted", isNew: false });
    expect((await room.rooms.admission(room.room, one.sub))?.edition).toBe(one.edition);
    await room.pass(2 * minute);
    expect(await room.step({ step: "reset" })).toMatchObject({
      edition: Math.floor(context.harness.nowMs() / 1_000),
    });
  });

  it("changes settings only at the version the caller saw", async () => {
    const room = await context.room({ limit: 60 }).open();
    const { version } = await room.state();
    const live = { inlet: { outflowPerMinute: 120 } };
    const change = (at: number) => room.rooms.changeSettings(room.room, room.life, live, settings({ limit: 120 }), at);
    expect(await change(version)).toEqual({ result: "ok", value: { version: version + 1 } });
    expect(await change(version)).toEqual({ result: "ok", value: null });
    expect((await room.state()).settings).toEqual({
      file: settings({ limit: 60 }),
      live,
      effective: settings({ limit: 120 }),
    });
  });

  it("lays live changes over a changed configuration file, and may take a limit away", async () => {
    const room = await context.room({ limit: 60, durationMs: minute }).open();
    const { version } = await room.state();
    const live = { title: "Now", inlet: { outflowPerMinute: null } };
    await room.rooms.changeSettings(
      room.room,
      room.life,
      live,
      { ...settings({ limit: null }), title: "Now" },
      version,
    );
    const file = settings({ limit: 30, durationMs: 2 * minute });
    await room.contribute({ fileSettings: file });
    const state = await room.state();
    expect(state.settings.live).toEqual(live);
    expect(state.settings.file).toEqual(file);
    expect(state.settings.effective).toEqual({ ...settings({ limit: null, durationMs: 2 * minute }), title: "Now" });
    expect(state.version).toBe(version + 2);
    await room.contribute({ fileSettings: file });
    expect((await room.state()).version).toBe(version + 2);
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    const { admittedMs, expiresMs } = await room.admit(place);
    expect(expiresMs - admittedMs).toBe(2 * minute);
  });
};
