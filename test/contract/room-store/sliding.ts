import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, type Place, type RoomDriver, type SettingsSketch } from "../room-driver.ts";

/** How long an admission lasts: fixed, or moved on by each login and refresh up to a maximum. */
export const sliding: RoomTest = (context) => {
  async function admitted(sketch: SettingsSketch) {
    const room = await context.room({ durationMs: 10 * minute, ...sketch }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    return { room, place, admission: await room.admit(place, { login: "first" }) };
  }

  const leftMin = async (room: RoomDriver, { sub }: Place) => {
    const admission = await admissionOf(room, sub);
    return ((admission?.expiresMs ?? 0) - context.harness.nowMs()) / minute;
  };

  it("does not move where it is fixed, by login or refresh", async () => {
    const { room, place, admission } = await admitted({ maxDurationMs: null });
    await room.pass(4 * minute, 5_000);
    expect(await room.claim(place, { login: "second" })).toMatchObject({
      admission: { expiresMs: admission.expiresMs },
    });
    expect(await room.renew(place.sub)).toMatchObject({ expiresMs: admission.expiresMs, ended: null });
    await room.pass(6 * minute, 5_000);
    expect(await room.renew(place.sub)).toMatchObject({ expiresMs: admission.expiresMs, ended: "expired" });
    expect(await room.claim(place)).toEqual({ result: "ended" });
  });

  it("moves by each new login and refresh to a whole duration from then, never backwards", async () => {
    const { room, place } = await admitted({ maxDurationMs: 60 * minute });
    await room.pass(4 * minute, 5_000);
    expect(await leftMin(room, place)).toBe(6);
    await room.claim(place, { login: "second" });
    expect(await leftMin(room, place)).toBe(10);
    await room.pass(4 * minute, 5_000);
    // Not by a login that was answered before, nor by a mere look.
    await room.claim(place, { login: "second" });
    await room.claim(place);
    expect(await leftMin(room, place)).toBe(6);
    await room.renew(place.sub);
    expect(await leftMin(room, place)).toBe(10);
    // What is left is left by the clock of the store's calls, whatever is reported.
    await context.harness.advance(-2 * minute);
    expect(await leftMin(room, place)).toBe(10);
    await room.renew(place.sub);
    expect(await leftMin(room, place)).toBe(10);
  });

  it("moves no further than the maximum since it began, and is over then", async () => {
    const { room, place, admission } = await admitted({ maxDurationMs: 25 * minute });
    for (let i = 0; i < 4; i++) {
      await room.pass(6 * minute, 5_000);
      await room.renew(place.sub);
    }
    expect(await admissionOf(room, place.sub)).toMatchObject({
      expiresMs: admission.admittedMs + 25 * minute,
      ended: null,
    });
    await room.pass(minute, 5_000);
    expect(await room.renew(place.sub)).toMatchObject({ ended: "expired" });
    expect(await room.claim(place, { login: "late" })).toEqual({ result: "ended" });
  });

  it("reports a refresh as a change, unless it extended nothing", async () => {
    const { room, place } = await admitted({ maxDurationMs: 60 * minute });
    await room.tick();
    await room.renew(place.sub);
    expect((await room.tick()).admissions).toEqual([]);
    await room.pass(minute, 5_000);
    await room.renew(place.sub);
    expect((await room.tick()).admissions).toMatchObject([{ sub: place.sub, ended: null }]);
  });

  it("knows nobody without an admission, and leaves an ended one ended", async () => {
    const { room, place } = await admitted({ maxDurationMs: 60 * minute });
    expect(await room.renew("nobody")).toBeNull();
    const ended = await room.end(place.sub, "completed");
    await room.pass(minute, 5_000);
    expect(await room.renew(place.sub)).toEqual(ended);
  });

  it("keeps the place taken with max_active for as long as it slides", async () => {
    const room = await context
      .room({ type: "max_active", maxActive: 1, durationMs: 2 * minute, maxDurationMs: 10 * minute })
      .open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.admit(one);
    for (let i = 0; i < 9; i++) {
      await room.pass(minute);
      await room.renew(one.sub);
      expect(await room.claim(two)).toEqual({ result: "waiting" });
      expect((await room.state()).liveLapses).toMatchObject([{ count: 1 }]);
    }
    await room.pass(minute + 1_000);
    expect(await room.claim(two)).toMatchObject({ result: "admitted", isNew: true });
  });

  it("lets an idle admission slide no further than the end of the idle phase", async () => {
    const opensAtMs = context.harness.nowMs() + 15 * minute;
    const sketch = { whenIdle: "pass_through", schedule: { opensAtMs }, durationMs: 10 * minute } as const;
    const room = await context.room({ ...sketch, maxDurationMs: 60 * minute }).open();
    const visitor = { sub: "visitor", edition: 0, position: 0, joinedMs: 0 };
    await room.admit(visitor);
    await room.pass(8 * minute, 5_000);
    expect(await room.renew("visitor")).toMatchObject({ expiresMs: opensAtMs });
    await room.pass(opensAtMs - context.harness.nowMs(), 5_000);
    expect(await room.renew("visitor")).toMatchObject({ ended: "expired" });
  });

  it("survives a loss with the latest end that a process remembers", async () => {
    const { room, place } = await admitted({ maxDurationMs: 60 * minute });
    const before = await room.memory();
    await room.pass(4 * minute, 5_000);
    const moved = await room.renew(place.sub);
    const after = await room.memory();
    for (const order of [
      [before, after],
      [after, before],
    ]) {
      await context.harness.wipe();
      for (const memory of order) await room.contribute({ memory });
      await context.harness.advance(2_500);
      await room.contribute();
      expect(await admissionOf(room, place.sub)).toEqual(moved);
    }
  });
};
