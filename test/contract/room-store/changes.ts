import { expect, it } from "vitest";
import type { WantedAdmissions } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute } from "../room-driver.ts";

export const changes: RoomTest = (context) => {
  it("reports each change of admissions once after the cursor, in order", async () => {
    const room = await context.room({ durationMs: 10 * minute }).open();
    const [one, two] = await room.places(2);
    if (one === undefined || two === undefined) throw new Error("no places");
    await room.serve(2);
    expect((await room.tick()).admissions).toEqual([]);
    await room.admit(one);
    await room.admit(two);
    await room.claim(one, { login: "x" });
    expect((await room.tick()).admissions.map((a) => [a.sub, a.logins])).toEqual([
      [two.sub, []],
      [one.sub, ["x"]],
    ]);
    expect((await room.tick()).admissions).toEqual([]);
    await room.rooms.endAdmission(room.room, room.incarnation, two.sub, "abandoned");
    expect((await room.tick()).admissions).toMatchObject([{ sub: two.sub, ended: "abandoned" }]);
    await room.pass(10 * minute, 5_000);
    expect((await room.tick()).admissions).toMatchObject([{ sub: one.sub, ended: "expired" }]);
    expect((await room.state()).liveAdmissions).toBe(0);
  });

  it("answers at most 500 changes at once and says that more wait", async () => {
    const room = await context.room().open();
    const places = await room.places(700);
    await room.serve(700);
    await Promise.all(places.map((place) => room.admit(place)));
    const first = await room.tick();
    const second = await room.tick();
    expect([first.admissions.length, first.more, second.admissions.length, second.more]).toEqual([
      500,
      true,
      200,
      false,
    ]);
    expect(new Set([...first.admissions, ...second.admissions].map((a) => a.sub)).size).toBe(700);
  });

  it("reports everything to a caller whose cursor is of another history", async () => {
    const room = await context.room().open();
    const [one] = await room.places(1);
    if (one === undefined) throw new Error("no place");
    await room.serve(1);
    await room.admit(one);
    room.cursor = 9e15;
    expect((await room.tick()).admissions).toHaveLength(1);
  });

  it("ends an admission once: the first end stays", async () => {
    const room = await context.room().open();
    const [one] = await room.places(1);
    if (one === undefined) throw new Error("no place");
    await room.serve(1);
    await room.admit(one);
    const end = (reason: "logout" | "completed") =>
      room.rooms.endAdmission(room.room, room.incarnation, one.sub, reason);
    expect(await end("logout")).toMatchObject({ result: "ok", value: { sub: one.sub, ended: "logout" } });
    expect(await end("completed")).toMatchObject({ result: "ok", value: { ended: "logout" } });
    expect(await room.rooms.endAdmission(room.room, room.incarnation, "nobody", "logout")).toEqual({
      result: "ok",
      value: null,
    });
    expect(await admissionOf(room, "nobody")).toBeNull();
    expect(await admissionOf({ rooms: room.rooms, room: "no-such-room" }, one.sub)).toBeNull();
  });

  it("answers admissions in the order in which they are asked for, of 64 visitors at most", async () => {
    const room = await context.room().open();
    const places = await room.places(63);
    await room.serve(63);
    for (const place of places.slice(0, 3)) await room.admit(place);
    const [a, b, c] = places.map(({ sub }) => sub) as [string, string, string];
    const found = await room.rooms.admissions(room.room, [c, "nobody", a, a, b]);
    expect(found.map((admission) => admission?.sub)).toEqual([c, undefined, a, a, b]);
    expect(found[2]).toEqual(await admissionOf(room, a));
    const all = ["nobody", ...places.map(({ sub }) => sub)];
    expect((await room.rooms.admissions(room.room, all)).filter((admission) => admission !== null)).toHaveLength(3);
    await expect(room.rooms.admissions(room.room, [])).rejects.toThrow(RangeError);
    await expect(room.rooms.admissions(room.room, [...all, "another"])).rejects.toThrow(RangeError);
  });

  it("pages through the admissions by order of last change", async () => {
    const room = await context.room().open();
    const places = await room.places(7);
    await room.serve(7);
    for (const place of places) await room.admit(place);
    await room.claim(places[0] ?? { sub: "", edition: 0, position: 0, joinedMs: 0 }, { login: "again" });
    const seen: number[] = [];
    let cursor: number | null = 0;
    for (let pages = 0; cursor !== null && pages < 10; pages++) {
      const page: { admissions: { position: number }[]; cursor: number | null } = await room.rooms.listAdmissions(
        room.room,
        cursor,
        3,
      );
      seen.push(...page.admissions.map((a) => a.position));
      cursor = page.cursor;
    }
    expect(seen).toEqual([2, 3, 4, 5, 6, 7, 1]);
    expect(await room.rooms.listAdmissions("no-such-room", 0, 3)).toEqual({ admissions: [], cursor: null });
  });

  it("lists the admissions of one status, and of one edition or all others, in pages that go on where they ended", async () => {
    const room = await context.room({ durationMs: 10 * minute }).open();
    const { edition } = await room.state();
    for (const place of await room.places(3)) {
      await room.serve(1);
      await room.admit(place);
      if (place.position === 2) await room.rooms.endAdmission(room.room, room.incarnation, place.sub, "logout");
    }
    await room.step({ step: "reset" });
    const [again] = await room.places(1);
    if (again === undefined) throw new Error("no place");
    await room.serve(1);
    await room.admit(again);
    const all = async (limit: number, wanted: WantedAdmissions) => {
      const pages: string[][] = [];
      let cursor: number | null = 0;
      while (cursor !== null && pages.length < 10) {
        const page: Awaited<ReturnType<typeof room.rooms.listAdmissions>> = await room.rooms.listAdmissions(
          room.room,
          cursor,
          limit,
          wanted,
        );
        pages.push(page.admissions.map((each) => `${each.edition - edition}.${each.position} ${each.ended ?? "live"}`));
        cursor = page.cursor;
      }
      return pages.filter((page) => page.length > 0);
    };
    const live = { status: "live" } as const;
    expect(await all(10, live)).toEqual([["0.1 live", "0.3 live", "1.1 live"]]);
    expect(await all(2, live)).toEqual([["0.1 live", "0.3 live"], ["1.1 live"]]);
    expect(await all(10, { status: "logout" })).toEqual([["0.2 logout"]]);
    expect(await all(10, { edition: { id: edition + 1, isOthers: false } })).toEqual([["1.1 live"]]);
    expect(await all(2, { edition: { id: edition + 1, isOthers: true } })).toEqual([
      ["0.1 live", "0.2 logout"],
      ["0.3 live"],
    ]);
    expect(await all(10, { ...live, edition: { id: edition, isOthers: false } })).toEqual([["0.1 live", "0.3 live"]]);
    const { nowMs } = await room.state();
    await room.pass(10 * minute - 4_000, 5_000);
    await room.waitUntil(nowMs + 10 * minute);
    // Nobody has seen to them since their time was over.
    expect(await all(10, live)).toEqual([]);
    expect((await all(10, { status: "expired" })).flat()).toHaveLength(3);
  });

  it("looks at a thousand admissions at most, however few are wanted", async () => {
    const room = await context.room().open();
    const places = await room.places(1_200);
    await room.serve(1_200);
    await Promise.all(places.map((place) => room.admit(place)));
    const last = places.at(-1);
    if (last === undefined) throw new Error("no places");
    await room.rooms.endAdmission(room.room, room.incarnation, last.sub, "logout");
    const first = await room.rooms.listAdmissions(room.room, 0, 5, { status: "logout" });
    expect([first.admissions.length, first.cursor === null]).toEqual([0, false]);
    const second = await room.rooms.listAdmissions(room.room, first.cursor ?? 0, 5, { status: "logout" });
    expect([second.admissions.map(({ sub }) => sub), second.cursor]).toEqual([[last.sub], null]);
  });

  it("forgets ended admissions in time, but not while a recovery would open their place again", async () => {
    const room = await context.room({ durationMs: minute, claimWithinMs: 40 * minute }).open();
    const [one] = await room.places(1);
    if (one === undefined) throw new Error("no place");
    await room.serve(1);
    await room.admit(one);
    await room.pass(30 * minute, 5_000);
    expect(await room.claim(one)).toEqual({ result: "ended" });
    await room.pass(15 * minute, 5_000);
    expect(await admissionOf(room, one.sub)).toBeNull();
    expect(await room.claim(one)).toEqual({ result: "ended" });
  });

  it("cleans up as it admits: each new admission lapses and forgets two older ones", async () => {
    const room = await context.room({ durationMs: minute, claimWithinMs: 1_000 }).open();
    const places = await room.places(12);
    const admitNext = async (count: number) => {
      await room.serve(count);
      for (const place of places.splice(0, count)) await room.admit(place);
    };
    const older = places.slice(0, 6);
    const onRecord = async () => {
      const records = await Promise.all(older.map(({ sub }) => admissionOf(room, sub)));
      return records.filter((record) => record !== null).length;
    };
    await admitNext(6);
    await room.pass(3_000);
    // From here on nothing ticks.
    const visitNobody = async (ms: number) => {
      for (let left = ms; left > 0; left -= 5_000) {
        await context.harness.advance(5_000);
        await room.renew("nobody");
      }
    };
    await visitNobody(minute);
    await admitNext(3);
    await visitNobody(16 * minute);
    expect(await onRecord()).toBe(6);
    await admitNext(2);
    expect(await onRecord()).toBe(2);
    await admitNext(1);
    expect(await onRecord()).toBe(0);
  });
};
