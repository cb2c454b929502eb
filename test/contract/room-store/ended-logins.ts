import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, okValue, type RoomDriver, type SettingsSketch } from "../room-driver.ts";

/** Clients that are notified when an admission ends. */
export const endedLogins: RoomTest = (context) => {
  async function admitted(sketch: SettingsSketch = {}, logins: readonly string[] = ["first:shop"]) {
    const room = await context.room({ durationMs: 10 * minute, ...sketch }).open();
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    await room.serve(1);
    let admission = await room.admit(place, { login: logins[0] ?? null });
    for (const login of logins.slice(1)) admission = await room.admit(place, { login });
    const named = (attempt: number, client = "shop") => `${attempt}:${admission.admittedMs}:${place.sub}:${client}`;
    return { room, place, named };
  }

  const taken = async (room: RoomDriver, done?: readonly string[]) => (await room.takeEnded(done)).map(({ id }) => id);

  it.each(["logout", "completed", "abandoned", "revoked"] as const)(
    "are lined up when it ends (%s), and handed out once",
    async (end) => {
      const { room, place, named } = await admitted();
      expect(await taken(room)).toEqual([]);
      await room.end(place.sub, end);
      await room.end(place.sub, "logout");
      expect(await taken(room)).toEqual([named(1)]);
      expect(await taken(room)).toEqual([]);
    },
  );

  it("are lined up when it lapses, and when the idle phase ends", async () => {
    const { room, named } = await admitted({ durationMs: minute });
    await room.pass(59_000);
    expect(await taken(room)).toEqual([]);
    await room.pass(1_000);
    expect(await taken(room)).toEqual([named(1)]);

    const idle = await context.room({ whenIdle: "pass_through" }).open();
    await idle.phase("idle");
    const visitor = { sub: "early", edition: 0, position: 0, joinedMs: 0 };
    expect(await idle.claim(visitor, { login: "x:shop" })).toMatchObject({ admission: { via: "idle" } });
    await context.harness.advance(5);
    await idle.phase("open");
    await idle.tick();
    expect(await taken(idle)).toHaveLength(1);
  });

  it("are those of the clients that want to be notified, each once, whatever characters their names have", async () => {
    const { room, place, named } = await admitted({}, ["a", "b:shop", "c:shop", "d:https://x.example/?a:b", "e:"]);
    await room.end(place.sub);
    expect(await taken(room)).toEqual([named(1, "https://x.example/?a:b"), named(1)]);
    const quiet = await admitted({}, ["a", "b"]);
    await quiet.room.end(quiet.place.sub);
    expect(await taken(quiet.room)).toEqual([]);
  });

  const nineTimes =
    "come again until the client was notified: after 30 s, then after twice as long each time, nine times in all";
  if (!context.isBrief)
    it(nineTimes, async () => {
      const { room, place, named } = await admitted();
      await room.end(place.sub);
      expect(await room.takeEnded()).toEqual([{ id: named(1), isLast: false }]);
      for (let attempt = 2; attempt <= 9; attempt++) {
        await room.pass(30_000 * 2 ** (attempt - 2) - 1_000, 5_000);
        expect(await room.takeEnded()).toEqual([]);
        await room.pass(1_000);
        expect(await room.takeEnded()).toEqual([{ id: named(attempt), isLast: attempt === 9 }]);
      }
      await room.pass(130 * minute, 5_000);
      expect(await room.takeEnded()).toEqual([]);
    });

  it("come no more once a process has notified the client", async () => {
    const { room, place, named } = await admitted({}, ["a:shop", "b:blog"]);
    await room.end(place.sub);
    const second = await context.harness.second();
    expect(await taken(room)).toEqual([named(1, "blog"), named(1)]);
    const elsewhere = await second.rooms.takeEndedLogins(room.room, room.incarnation, [named(1)], 100);
    expect(okValue(elsewhere)).toEqual([]);
    await room.pass(30_000);
    expect(await taken(room)).toEqual([named(2, "blog")]);
    expect(await taken(room, [named(2, "blog"), "unknown"])).toEqual([]);
    await room.pass(10 * minute, 5_000);
    expect(await taken(room)).toEqual([]);
  });

  it("are given to one of all processes that ask at once", async () => {
    const room = await context.room().open();
    const places = await room.places(40);
    await room.serve(40);
    for (const place of places) await room.admit(place, { login: "a:shop" });
    for (const { sub } of places) await room.end(sub, "revoked");
    const stores = [context.harness.store, await context.harness.second(), await context.harness.second()];
    const answers = await Promise.all(
      [...stores, ...stores].map((store) => store.rooms.takeEndedLogins(room.room, room.incarnation, [], 9)),
    );
    const ids = answers.flatMap((answer) => okValue(answer).map(({ id }) => id));
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  it("of an earlier admission stay lined up when its visitor comes back", async () => {
    const { room, place, named } = await admitted();
    await room.end(place.sub);
    const [next] = await room.places(1);
    await room.serve(1);
    await context.harness.advance(1_000);
    await room.admit({ ...place, position: next?.position ?? 0 }, { login: "later:shop" });
    expect(await taken(room)).toEqual([named(1)]);
  });

  it("are lined up again after a loss, since no process knows which clients were notified", async () => {
    const { room, place, named } = await admitted();
    await room.end(place.sub);
    const memory = await room.memory();
    expect(await taken(room)).toEqual([named(1)]);
    await context.harness.wipe();
    await room.recover(memory);
    expect(await taken(room)).toEqual([named(1)]);
  });
};
