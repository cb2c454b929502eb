import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { RoomDriver } from "../room-driver.ts";

export const newRooms: RoomTest = (context) => {
  it("opens a new room at once, or, in a shared store, when others had time to say that it is none", async () => {
    const room = context.room({ limit: 60 });
    const remainingMs = room.store.isShared ? 2_500 : 0;
    expect(await room.contribute({ isNewRoom: true })).toMatchObject({ recovering: remainingMs > 0, remainingMs });
    // A process that knows nothing of the room says nothing against it.
    await room.contribute();
    await context.harness.advance(remainingMs);
    const nowMs = context.harness.nowMs();
    expect(await room.state()).toMatchObject({
      edition: Math.floor(nowMs / 1_000),
      phase: "open",
      phaseReason: null,
      version: 1,
      holdRemainingMs: 0,
      queued: 0,
      serving: 0,
      gaps: [],
      incarnationStartedMs: nowMs,
      claimMs: nowMs,
    });
  });

  it("frees a room that is no more, and only that; it is missing then, and another may be opened in its place", async () => {
    const [gone, other] = [await context.room().open(), await context.room().open()];
    if (gone === undefined || other === undefined) throw new Error("no rooms");
    for (const room of [gone, other]) {
      const [place] = await room.places(5);
      if (place === undefined) throw new Error("no place");
      await room.serve(2);
      await room.admit(place);
    }
    await gone.rooms.forget(gone.room);
    expect(await gone.rooms.tick(gone.room, gone.incarnation, 0)).toEqual({ result: "recover" });
    expect((await gone.rooms.listAdmissions(gone.room, 0, 10)).admissions).toEqual([]);
    expect((await gone.rooms.readLog(gone.room, 0, 10)).rows).toEqual([]);
    expect(await other.state()).toMatchObject({ queued: 5, serving: 2, liveAdmissions: 1 });
    await gone.open();
    expect(await gone.state()).toMatchObject({ queued: 0, serving: 0, liveAdmissions: 0, gaps: [] });
    // Nor is it an error to free what is not there.
    await gone.rooms.forget("no-such-room");
  });

  it("believes a memory rather than processes that take the room for new, while a shared store recovers", async () => {
    const room = await context.room().open();
    const [one] = await room.places(10);
    if (one === undefined) throw new Error("no place");
    await room.serve(4);
    const memory = await room.memory();
    await context.harness.wipe();
    const mistaken = new RoomDriver(context.harness, room.room, room.file, await context.harness.second());
    const { recovering } = await mistaken.contribute({ isNewRoom: true });
    expect(recovering).toBe(room.store.isShared);
    // Where there is nobody else, nobody is waited for.
    if (!recovering) return;
    expect(await room.contribute({ memory })).toMatchObject({ recovering: true });
    await mistaken.contribute({ isNewRoom: true });
    await context.harness.advance(2_500);
    expect(await room.state()).toMatchObject({ edition: memory.edition, phase: "open", queued: 1_010, serving: 4 });
    expect((await room.claim(one)).result).toBe("admitted");
  });
};
