import { expect, it } from "vitest";
import { unknownRow } from "../../../src/core/ports/lists.ts";
import type { JoinRange, VoidAnswer, VoidRequest } from "../../../src/store/contract/room-store.ts";
import type { RoomContext, RoomTest } from "../room-context.ts";
import { okValue, type Place, type RoomDriver } from "../room-driver.ts";
import { close, inPrequeue } from "./drawn-room.ts";

/** Rows of entries: `a1` stands for an address of the network `a`. */
function rows(...names: string[]): string {
  return names.map((name) => (name === "?" ? unknownRow : hash(name) + hash(name.charAt(0)))).join("");
}

function hash(name: string): string {
  return name.padEnd(8, "_");
}

async function join(room: RoomDriver, ...names: string[]): Promise<JoinRange> {
  return okValue(await room.rooms.join(room.room, room.incarnation, names.length, rows(...names)));
}

async function voidBlocks(room: RoomDriver, names: string[], part: Partial<VoidRequest> = {}): Promise<VoidAnswer> {
  const { edition } = await room.state();
  const request = {
    edition,
    draw: 1,
    reference: "BCDFGHJK",
    reason: "One address, very many entries.",
    blocks: names.map(hash),
    numbers: [],
    through: 0,
    ...part,
  };
  return okValue(await room.rooms.voidEntries(room.room, room.incarnation, request));
}

async function restore(room: RoomDriver, reference = "BCDFGHJK") {
  const { edition } = await room.state();
  return okValue(await room.rooms.restoreEntries(room.room, room.incarnation, { edition, reference }));
}

/** Six entries, of which the second, third and fifth are of the network `b`. */
async function withEntries(context: RoomContext) {
  const room = await inPrequeue(context);
  const range = await join(room, "a1", "b1", "b2", "c1", "b1", "?");
  const places = Array.from({ length: 6 }, (_, index) => room.place(range, index + 1));
  return { room, places };
}

/** As drawn backwards: entries first, then what nobody holds. */
function drawnAt(place: Place, position: number): Place {
  return { ...place, position, entry: { number: place.position, draw: 1 } };
}

export const voids: RoomTest = (context) => {
  it("keeps the blocks of entries until they are drawn, and of a room that is open none", async () => {
    const { room } = await withEntries(context);
    const page = await room.rooms.entryBlocks(room.room, 2, 3);
    const { edition } = await room.state();
    expect(page).toEqual({ draw: 1, edition, first: 2, rows: rows("b1", "b2", "c1"), queued: 6 });
    await close(room);
    expect((await room.rooms.entryBlocks(room.room, 1, 10)).rows).toBe(rows("a1", "b1", "b2", "c1", "b1", "?"));
    await room.pass(2_500);
    await room.fix();
    await join(room, "d1");
    expect(await room.rooms.entryBlocks(room.room, 1, 10)).toMatchObject({ draw: 0, rows: "" });
  });

  it("refuses rows of another number than joins", async () => {
    const room = await inPrequeue(context);
    await expect(room.rooms.join(room.room, room.incarnation, 2, rows("a1"))).rejects.toThrow(RangeError);
  });

  it("takes the entries of a block out of the draw, and refuses their claims", async () => {
    const { room, places } = await withEntries(context);
    const answer = await voidBlocks(room, ["b"]);
    const numbers = [
      { from: 2, to: 3 },
      { from: 5, to: 5 },
    ];
    expect(answer).toMatchObject({ result: "voided", void: { numbers, restoredMs: 0 } });
    expect(await room.state()).toMatchObject({ voidedEntries: 3, voids: [{ reference: "BCDFGHJK", numbers }] });
    expect(await room.step({ step: "pause" })).toMatchObject({ waiting: 3 });
    await room.step({ step: "resume" });
    await close(room);
    await room.pass(2_500);
    await room.fix();
    expect(await room.draw()).toMatchObject({ stage: "drawn", first: 1, last: 6, gaps: numbers });
    const state = await room.state();
    expect(state).toMatchObject({ gaps: [{ from: 4, to: 6 }], voidedEntries: 0 });
    await room.serve(3);
    expect((await room.state()).serving).toBeGreaterThanOrEqual(3);
    expect(await room.claim(drawnAt(places[0] as Place, 3))).toMatchObject({ result: "admitted" });
    expect(await room.claim(drawnAt(places[1] as Place, 4))).toEqual({ result: "voided" });
    expect(await room.claim(drawnAt(places[4] as Place, 6))).toEqual({ result: "voided" });
    expect((await join(room, "b1")).refusal).toBe(null);
  });

  it("looks by itself for what came since the caller has looked, and takes what the caller has found", async () => {
    const { room } = await withEntries(context);
    const answer = await voidBlocks(room, ["b1"], { numbers: [{ from: 2, to: 2 }], through: 4 });
    expect(answer).toMatchObject({
      void: {
        numbers: [
          { from: 2, to: 2 },
          { from: 5, to: 5 },
        ],
      },
    });
  });

  it("lets nobody in from a voided block while entries are taken, and says who that was", async () => {
    const { room } = await withEntries(context);
    await voidBlocks(room, ["b1", "c"]);
    expect(await join(room, "a1", "b1", "b2", "c7")).toMatchObject({
      first: 7,
      last: 6,
      refusal: "voided",
      voided: [1, 3],
    });
    expect(await join(room, "a1", "b2", "?")).toMatchObject({ first: 7, last: 9, refusal: null, voided: [] });
  });

  it("moves no voided entry", async () => {
    const room = await inPrequeue(context, { moves: "unlimited" });
    const range = await join(room, "a1", "b1");
    await voidBlocks(room, ["b"]);
    const now = context.harness.nowMs();
    const link = (id: string) => ({ id, madeMs: now, expiresMs: now + 60_000 });
    expect(await room.move(room.place(range, 1), "another", link("one"))).toBe("moved");
    expect(await room.move(room.place(range, 2), "another", link("two"))).toBe("void");
  });

  it("notifies nobody of the turn of a voided entry", async () => {
    const room = await inPrequeue(context, { push: true });
    const range = await join(room, "a1", "b1");
    const [kept, voided] = [room.place(range, 1), room.place(range, 2)];
    expect(await room.subscribe(kept)).toBe("kept");
    expect(await room.subscribe(voided)).toBe("kept");
    await voidBlocks(room, ["b"]);
    expect(await room.subscribe(voided)).toBe("over");
    await close(room);
    await room.pass(2_500);
    await room.fix();
    await room.serve(2);
    const { undrawn } = await room.takePushes();
    const placed = undrawn.map((entry) => ({ ...entry, position: entry.number }));
    const { taken } = await room.takePushes({ placed });
    expect(taken.map(({ sub }) => sub)).toEqual([kept.sub]);
  });

  it("gives entries back until the entries are closed, and not after", async () => {
    const { room, places } = await withEntries(context);
    await voidBlocks(room, ["b"]);
    await voidBlocks(room, ["c"], { reference: "CCCCCCCC" });
    await room.phase("open");
    expect(await restore(room)).toMatchObject({ result: "restored", void: { reference: "BCDFGHJK" } });
    expect(await restore(room)).toMatchObject({ result: "restored" });
    expect(await restore(room, "DDDDDDDD")).toEqual({ result: "unknown" });
    expect((await join(room, "b1")).refusal).toBe(null);
    await room.pass(5_000);
    expect(await restore(room, "CCCCCCCC")).toEqual({ result: "closed" });
    expect(await restore(room)).toMatchObject({ result: "restored" });
    expect(await voidBlocks(room, ["a"], { reference: "DDDDDDDD" })).toEqual({ result: "closed" });
    await room.pass(2_500);
    await room.fix();
    expect(await room.draw()).toMatchObject({ last: 7, gaps: [{ from: 4, to: 4 }] });
    await room.serve(6);
    expect(await room.claim(drawnAt(places[1] as Place, 5))).toMatchObject({ result: "admitted" });
  });

  it("keeps out what one void has, though another of the same entries is taken back", async () => {
    const { room } = await withEntries(context);
    await voidBlocks(room, ["b1"]);
    await voidBlocks(room, ["b"], { reference: "CCCCCCCC" });
    await restore(room);
    expect((await room.state()).voidedEntries).toBe(3);
  });

  it("answers a repeated void as before, and another of its reference not at all", async () => {
    const { room } = await withEntries(context);
    const first = await voidBlocks(room, ["b"]);
    expect(await voidBlocks(room, ["b"])).toEqual(first);
    expect(await voidBlocks(room, ["b"], { reason: "Another." })).toEqual({ result: "conflict" });
    expect(await voidBlocks(room, ["a"])).toEqual({ result: "conflict" });
    expect((await room.state()).voids).toHaveLength(1);
  });

  it("bounds what a void looks for, and how many there are", async () => {
    const { room } = await withEntries(context);
    const stretches = Array.from({ length: 5_001 }, (_, index) => ({ from: 2 * index + 1, to: 2 * index + 1 }));
    expect(await voidBlocks(room, ["d"], { numbers: stretches })).toEqual({ result: "too_many" });
    for (let joined = 0; joined < 30_000; joined += 10_000) await room.join(10_000);
    expect(await voidBlocks(room, ["d"])).toEqual({ result: "behind" });
    expect(await voidBlocks(room, ["d"], { through: 20_000 })).toMatchObject({
      result: "voided",
      void: { numbers: [] },
    });
  });

  it("forgets voids and blocks with the edition", async () => {
    const { room } = await withEntries(context);
    await voidBlocks(room, ["b"]);
    await room.step({ step: "reset" });
    expect(await room.state()).toMatchObject({ voids: [], voidedEntries: 0 });
    expect(await room.rooms.entryBlocks(room.room, 1, 10)).toMatchObject({ draw: 0, rows: "" });
  });

  it("does not admit a voided entry of a draw that is cancelled", async () => {
    const { room, places } = await withEntries(context);
    await voidBlocks(room, ["b"]);
    await room.phase("ended");
    await room.phase("open");
    await room.serve(6);
    expect(await room.claim(places[1] as Place)).toEqual({ result: "voided" });
    expect(await room.claim(places[0] as Place)).toMatchObject({ result: "admitted" });
  });

  it("remembers voids over a loss of the store by each process, and that one was taken back", async () => {
    const { room, places } = await withEntries(context);
    await voidBlocks(room, ["b1"]);
    await voidBlocks(room, ["c"], { reference: "CCCCCCCC" });
    const early = await room.memory();
    await restore(room, "CCCCCCCC");
    const late = await room.memory();
    await context.harness.wipe();
    await room.contribute({ memory: late });
    await room.recover(early);
    const { voids: kept, voidedEntries } = await room.state();
    expect(kept.map(({ reference, restoredMs }) => [reference, restoredMs > 0])).toEqual([
      ["BCDFGHJK", false],
      ["CCCCCCCC", true],
    ]);
    expect(voidedEntries).toBe(2);
    expect((await join(room, "b1")).refusal).toBe("voided");
    expect(await voidBlocks(room, ["a1"], { reference: "DDDDDDDD" })).toMatchObject({ void: { numbers: [] } });
    await close(room);
    await room.pass(2_500);
    await room.fix();
    const { gaps = [] } = (await room.draw()) ?? {};
    expect(gaps).toEqual([
      { from: 2, to: 2 },
      { from: 5, to: 5 },
      { from: 7, to: 1_006 },
    ]);
    expect(await room.claim(drawnAt(places[1] as Place, 5))).toEqual({ result: "voided" });
  });

  it("takes in what one process remembers late, and nothing that would change a draw that is fixed", async () => {
    const { room, places } = await withEntries(context);
    const before = await room.memory();
    await voidBlocks(room, ["b1"]);
    const knowing = await room.memory();
    await context.harness.wipe();
    await room.recover(before);
    expect((await room.state()).voids).toEqual([]);
    await room.contribute({ memory: knowing });
    expect(await room.state()).toMatchObject({ voidedEntries: 2, voids: [{ reference: "BCDFGHJK" }] });
    await context.harness.wipe();
    await room.recover(before);
    await close(room);
    await room.contribute({ memory: knowing });
    await room.pass(2_500);
    await room.fix();
    expect((await room.state()).voids).toEqual([]);
    await room.serve(6);
    expect(await room.claim(drawnAt(places[1] as Place, 2))).toMatchObject({ result: "admitted" });
  });
};
