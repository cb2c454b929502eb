import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, settings } from "../room-driver.ts";

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

  it("tells the earlier answer of a request id for a day, and carries nothing out", async () => {
    const room = await context.room().open();
    await room.join(20);
    const by = { step: "increment", by: 5 } as const;
    expect(await room.repeatedStep(by, "id")).toBeNull();
    expect((await room.state()).serving).toBe(0);
    const first = await room.step(by, "id");
    await room.step({ step: "reset" });
    expect(await room.repeatedStep(by, "id")).toEqual(first);
    expect(await room.repeatedStep({ step: "increment", by: 6 }, "id")).toEqual({ conflict: true });
    expect((await room.state()).serving).toBe(0);
    await context.harness.advance(25 * 60 * minute);
    expect(await room.repeatedStep(by, "id")).toBeNull();
  });

  it("carries out each step that has no request id", async () => {
    const room = await context.room().open();
    for (const by of [5, 5, 6]) await room.step({ step: "increment", by }, null);
    expect((await room.state()).serving).toBe(16);
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
    expect((await admissionOf(room, one.sub))?.edition).toBe(one.edition);
    await room.pass(2 * minute);
    expect(await room.step({ step: "reset" })).toMatchObject({
      edition: Math.floor(context.harness.nowMs() / 1_000),
    });
  });

  it("changes settings only at the version the caller saw", async () => {
    const room = await context.room({ limit: 60 }).open();
    const { version } = await room.state();
    const live = { inlet: { outflowPerMinute: 120 } };
    const change = (at: number) =>
      room.rooms.changeSettings(room.room, room.incarnation, live, settings({ limit: 120 }), at);
    expect(await change(version)).toEqual({ result: "ok", value: { version: version + 1 } });
    expect(await change(version)).toEqual({ result: "ok", value: null });
    expect((await room.state()).settings).toEqual({
      file: settings({ limit: 60 }),
      live,
      effective: settings({ limit: 120 }),
    });
  });

  it("keeps live changes in force over a changed configuration file, and may take a limit away", async () => {
    const room = await context.room({ limit: 60, durationMs: minute }).open();
    const { version } = await room.state();
    const live = { title: "Now", inlet: { outflowPerMinute: null } };
    await room.rooms.changeSettings(
      room.room,
      room.incarnation,
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

  it("keeps the operator's time zone over a changed file and a loss, and no phase goes by it", async () => {
    const room = await context.room({ schedule: { opensAtMs: context.harness.nowMs() - 1_000 } }).open();
    await room.step({ step: "phase", phase: "ended" });
    await room.change({ timeZone: "Europe/Berlin" });
    expect(await room.state()).toMatchObject({
      phase: "ended",
      settings: { effective: { timeZone: "Europe/Berlin" } },
    });
    const fileSettings = { ...room.file, timeZone: "Asia/Tokyo" };
    // A ticket may be shown to a process with an old file.
    await room.contribute({ fileSettings, memory: { ...(await room.memory()), version: 0, admissions: [] } });
    expect((await room.state()).settings.file).toEqual(room.file);
    await room.contribute({ fileSettings });
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    expect((await room.state()).settings).toMatchObject({
      live: { timeZone: "Europe/Berlin" },
      effective: { timeZone: "Europe/Berlin" },
    });
  });

  it("keeps the operator's words in their order of languages over a changed file and a loss", async () => {
    const room = await context.room().open();
    const texts = [
      { language: "pt-BR", text: "Esgotado" },
      { language: "en", text: "Sold out" },
    ];
    const change = { message: { severity: "sold_out", texts } } as const;
    await room.change(change);
    expect((await room.state()).settings).toMatchObject({ live: change, effective: change });
    const other = { severity: "warning", texts: [{ language: "en", text: "Soon" }] } as const;
    await room.contribute({ fileSettings: { ...room.file, message: other } });
    expect((await room.state()).settings.file).toMatchObject({ message: other });
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    const { settings: kept } = await room.state();
    expect(kept).toMatchObject({ live: change, effective: change });
    expect(kept.effective.message?.texts).toEqual(texts);
  });

  it("drops a live inlet that a changed file would leave periodic without a limit, and nothing else", async () => {
    const room = await context.room({ limit: 60 }).open();
    const { version } = await room.state();
    const live = { title: "Now", inlet: { type: "periodic" as const }, admission: { loginsPerAdmission: 3 } };
    const effective = { ...settings({ type: "periodic", limit: 60, logins: 3 }), title: "Now" };
    await room.rooms.changeSettings(room.room, room.incarnation, live, effective, version);
    const lower = settings({ limit: 30 });
    await room.contribute({ fileSettings: lower });
    expect((await room.state()).settings).toEqual({
      file: lower,
      live,
      effective: { ...settings({ type: "periodic", limit: 30, logins: 3 }), title: "Now" },
    });
    const unlimited = settings({ limit: null });
    await room.contribute({ fileSettings: unlimited });
    expect((await room.state()).settings).toEqual({
      file: unlimited,
      live: { title: "Now", admission: { loginsPerAdmission: 3 } },
      effective: { ...settings({ logins: 3 }), title: "Now" },
    });
    const places = await room.places(2);
    await room.serve(2);
    for (const place of places) expect(await room.claim(place)).toMatchObject({ result: "admitted" });
  });

  it("drops no live inlet that brings its own limit", async () => {
    const room = await context.room({ limit: 60 }).open();
    const { version } = await room.state();
    const live = { inlet: { type: "periodic" as const, outflowPerMinute: 90 } };
    await room.rooms.changeSettings(
      room.room,
      room.incarnation,
      live,
      settings({ type: "periodic", limit: 90 }),
      version,
    );
    await room.contribute({ fileSettings: settings({ limit: null }) });
    expect((await room.state()).settings).toMatchObject({
      live,
      effective: settings({ type: "periodic", limit: 90 }),
    });
  });

  it("reports when a limit or the inlet was changed last, by the operator or the file", async () => {
    const room = await context.room({ type: "periodic", limit: 60 }).open();
    const changed = async () => {
      const { limitChangedMs, flowMs } = await room.state();
      return limitChangedMs === 0 ? null : flowMs - limitChangedMs;
    };
    expect(await changed()).toBeNull();
    await room.change({ title: "Now" });
    expect(await changed()).toBeNull();
    await room.change({ title: "Now", inlet: { outflowPerMinute: 30 } });
    await context.harness.advance(2_000);
    await room.change({ title: "Then", inlet: { outflowPerMinute: 30 } });
    expect(await changed()).toBe(2_000);
    await room.contribute({ fileSettings: settings({ type: "max_active", maxActive: 5, limit: 60 }) });
    expect(await changed()).toBe(0);
  });

  it("reports no change for a gate, the first settings, or a recovery that brings the same", async () => {
    const gate = { healthUrl: "x", intervalMs: 1, timeoutMs: 1, unhealthyAfter: 1, healthyAfter: 1 };
    const room = await context.room({ type: "periodic", limit: 60 }).open();
    await room.change({ inlet: { gate } });
    expect((await room.state()).limitChangedMs).toBe(0);
    await room.change({ inlet: { outflowPerMinute: 30, gate } });
    expect((await room.state()).limitChangedMs).toBeGreaterThan(0);
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    expect(await room.state()).toMatchObject({ limitChangedMs: 0, planLimitPerMinute: 30 });
    await room.change({ inlet: { outflowPerMinute: 30, startsAtMs: 1 } });
    expect((await room.state()).limitChangedMs).toBeGreaterThan(0);
  });
};
