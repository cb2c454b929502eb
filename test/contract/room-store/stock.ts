import { describe, expect, it } from "vitest";
import type { RoomMessage, StockSettings } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { memoryOf, RoomDriver } from "../room-driver.ts";

const stock = (part: Partial<StockSettings> = {}): StockSettings => {
  return { show: "number", perVisitor: 1, returns: true, ...part };
};
const soldOut = (part: Partial<RoomMessage> = {}): RoomMessage => {
  return { severity: "sold_out", texts: [{ language: null, text: "Gone" }], ...part };
};

export const stocks: RoomTest = (context) => {
  const tell = (room: RoomDriver, remaining: number | null, asOfMs: number | null = null) =>
    room.step({ step: "stock", remaining, asOfMs }, null);
  const told = async (room: RoomDriver) => {
    const { events } = await context.harness.store.events.read(room.room, 0, 1_000);
    return events.filter(({ kind }) => kind !== "figures");
  };
  /** Another process of the same room, which has contributed. */
  async function other(room: RoomDriver): Promise<RoomDriver> {
    const driver = new RoomDriver(context.harness, room.room, room.file, await context.harness.second());
    await driver.contribute();
    return driver;
  }

  describe("of the shop", () => {
    it("is known to every process, and null takes it away", async () => {
      const room = await context.room({ stock: stock() }).open();
      expect((await room.state()).stock).toEqual({ left: null, asOfMs: 0, mark: 0 });
      const atMs = context.harness.nowMs();
      expect(await tell(room, 120)).toMatchObject({ remaining: 120, phase: "open" });
      expect((await (await other(room)).state()).stock).toEqual({ left: 120, asOfMs: atMs, mark: atMs });
      const { version } = await room.state();
      expect(await tell(room, null)).not.toHaveProperty("remaining");
      // No settings were changed: an operator who changes some meanwhile is in nobody's way.
      expect(await room.state()).toMatchObject({ version, stock: { left: null } });
    });

    it("ignores what is older than the last, and takes a time to come for now", async () => {
      const room = await context.room({ stock: stock() }).open();
      const atMs = context.harness.nowMs();
      await tell(room, 8, atMs);
      expect(await tell(room, 9, atMs - 1)).toMatchObject({ remaining: 8 });
      expect(await tell(room, 7, atMs)).toMatchObject({ remaining: 7 });
      await tell(room, 6, atMs + 3_600_000);
      expect((await room.state()).stock).toMatchObject({ left: 6, asOfMs: atMs });
      // Without a time it is as of now, even where the clock was set back since.
      await context.harness.advance(-1_000);
      expect(await tell(room, 5)).toMatchObject({ remaining: 5 });
      expect((await room.state()).stock.mark).toBeGreaterThan(atMs);
    });

    it("gives the first answer again to the same request, and refuses its id for another", async () => {
      const room = await context.room({ stock: stock() }).open();
      const three = { step: "stock", remaining: 3, asOfMs: null } as const;
      expect(await room.step(three, "once")).toMatchObject({ remaining: 3 });
      await tell(room, 2);
      expect(await room.step(three, "once")).toMatchObject({ remaining: 3 });
      expect(await room.step({ ...three, remaining: 4 }, "once")).toEqual({ conflict: true });
      expect((await room.state()).stock.left).toBe(2);
    });

    it("ends the line at zero, once, however many processes say so; who is in stays in", async () => {
      const room = await context.room({ stock: stock({ returns: false }) }).open();
      const second = await other(room);
      const [first, called, waits] = await room.places(3);
      if (first === undefined || called === undefined || waits === undefined) throw new Error("no places");
      await room.serve(2);
      await room.admit(first, { login: "a" });
      const steps = await Promise.all([room, second, room, second].map((each) => tell(each, 0)));
      for (const step of steps) expect(step).toMatchObject({ phase: "ended", remaining: 0 });
      expect(await room.state()).toMatchObject({
        phase: "ended",
        phaseReason: "sold_out",
        basePhase: "open",
        holds: ["sold_out"],
      });
      expect((await told(room)).slice(1)).toMatchObject([
        { kind: "sold_out", isSoldOut: true, hasReturns: false },
        { kind: "phase", phase: "ended", reason: "sold_out", before: { phase: "open" } },
      ]);
      expect(await room.join(1)).toMatchObject({ refusal: "closed", last: 3 });
      expect(await room.claim(called)).toEqual({ result: "closed" });
      expect(await room.claim(waits)).toEqual({ result: "closed" });
      expect(await room.admit(first, { login: "b" })).toMatchObject({ ended: null, logins: ["a", "b"] });
    });

    it("goes on where it was when something is left again: places, and the time of a turn", async () => {
      const room = await context.room({ stock: stock({ returns: false }), claimWithinMs: 60_000 }).open();
      const [called] = await room.places(2);
      if (called === undefined) throw new Error("no place");
      await room.serve(1);
      await tell(room, 0);
      await room.pass(120_000, 5_000);
      expect(await tell(room, 2)).toMatchObject({ phase: "open" });
      expect(await room.claim(called)).toMatchObject({ result: "admitted" });
      expect((await told(room)).at(-2)).toMatchObject({ kind: "sold_out", isSoldOut: false });
    });

    it("holds the line at zero where something may be returned, and visitors may still join", async () => {
      const room = await context.room({ type: "periodic", limit: 60, stock: stock() }).open();
      await room.places(30);
      expect(await tell(room, 0)).toMatchObject({ phase: "paused" });
      const { serving, claimMs } = await room.state();
      await room.pass(10_000);
      expect(await room.state()).toMatchObject({ phaseReason: "sold_out", serving, claimMs });
      expect(await room.join(2)).toMatchObject({ refusal: null, last: 32 });
      // What an operator resumes is another hold.
      await room.step({ step: "resume" });
      expect((await room.state()).phase).toBe("paused");
      await tell(room, 4);
      await room.pass(5_000);
      expect((await room.state()).serving).toBeGreaterThan(serving);
    });

    it.each([
      ["idle", "idle"],
      ["prequeue", "ended"],
      ["open", "ended"],
      ["ended", "ended"],
      ["passthrough", "passthrough"],
    ] as const)("of nothing, in the phase %s, makes it %s", async (base, phase) => {
      const room = await context.room({ stock: stock({ returns: false }) }).open();
      await room.phase(base);
      await tell(room, 0);
      expect(await room.state()).toMatchObject({ basePhase: base, phase, holds: ["sold_out"] });
    });

    it("lets nobody pass to the site of a room that is sold out, as its end would", async () => {
      const room = await context.room({ whenEnded: "pass_through", stock: stock({ returns: false }) }).open();
      const [place] = await room.places(1);
      if (place === undefined) throw new Error("no place");
      await tell(room, 0);
      expect(await room.claim(place)).toEqual({ result: "closed" });
      await room.phase("ended");
      expect(await room.claim(place)).toMatchObject({ result: "admitted", admission: { via: "ended" } });
    });

    it("is of one sale: a reset forgets it", async () => {
      const room = await context.room({ stock: stock() }).open();
      await tell(room, 0);
      await room.step({ step: "reset" });
      expect(await room.state()).toMatchObject({ phase: "open", stock: { left: null }, holds: [] });
    });
  });

  describe("and the message", () => {
    it("say each by itself that it is sold out", async () => {
      const room = await context.room({ stock: stock() }).open();
      await room.change({ message: soldOut() });
      expect(await room.state()).toMatchObject({ phase: "paused", phaseReason: "sold_out" });
      await tell(room, 0);
      await room.change({});
      expect((await room.state()).phaseReason).toBe("sold_out");
      await tell(room, 1);
      expect((await room.state()).phase).toBe("open");
    });

    it.each([
      ["nothing", undefined, undefined, "paused"],
      ["the room", undefined, false, "ended"],
      ["the message", false, undefined, "ended"],
      ["the message, against the room", true, false, "paused"],
    ] as const)("hold or end the line as %s says", async (_, ofMessage, ofRoom, phase) => {
      const room = await context.room(ofRoom === undefined ? {} : { stock: stock({ returns: ofRoom }) }).open();
      await room.change({ message: soldOut(ofMessage === undefined ? {} : { returns: ofMessage }) });
      expect((await room.state()).phase).toBe(phase);
      await room.change({});
      expect((await room.state()).phase).toBe("open");
    });

    it("hold a room from its beginning where the file says so", async () => {
      const room = context.room();
      const file = { ...room.file, message: soldOut({ returns: false }) };
      const sold = await new RoomDriver(context.harness, room.room, file).open();
      expect(await sold.state()).toMatchObject({ phase: "ended", phaseReason: "sold_out" });
    });
  });

  describe("after a loss", () => {
    it("comes back with what it holds, from the process that was told last", async () => {
      const room = await context.room({ stock: stock({ returns: false }) }).open();
      await room.places(3);
      await tell(room, 5);
      const early = memoryOf(await room.state());
      await context.harness.advance(1_000);
      await tell(room, 0);
      const late = memoryOf(await room.state());
      await context.harness.wipe();
      await room.contribute({ memory: late });
      await room.contribute({ memory: early });
      await context.harness.advance(2_500);
      await room.contribute();
      expect(await room.state()).toMatchObject({ phase: "ended", stock: { left: 0 }, holds: ["sold_out"] });
      expect(await tell(room, 2)).toMatchObject({ phase: "open" });
    });

    it("is corrected by a process that comes when the recovery is over", async () => {
      const room = await context.room({ stock: stock() }).open();
      await tell(room, 5);
      const early = memoryOf(await room.state());
      await context.harness.advance(1_000);
      await tell(room, 0);
      const late = memoryOf(await room.state());
      await context.harness.wipe();
      await room.recover(early);
      expect(await room.state()).toMatchObject({ phase: "open", stock: { left: 5 } });
      await room.contribute({ memory: late });
      expect(await room.state()).toMatchObject({ phase: "paused", stock: { left: 0 }, holds: ["sold_out"] });
      await room.contribute({ memory: early });
      expect((await room.state()).stock.left).toBe(0);
    });

    it("does not bring back the stock of an edition that was reset", async () => {
      const room = await context.room({ stock: stock() }).open();
      await tell(room, 0);
      const before = memoryOf(await room.state());
      await context.harness.advance(1_000);
      await room.step({ step: "reset" });
      const after = memoryOf(await room.state());
      await context.harness.wipe();
      await room.contribute({ memory: before });
      await room.recover(after);
      expect(await room.state()).toMatchObject({ phase: "open", stock: { left: null }, holds: [] });
    });

    it("is unknown where nobody remembers the room, and holds it once it is told again", async () => {
      const room = await context.room({ stock: stock() }).open();
      await tell(room, 5);
      await context.harness.wipe();
      await room.recover(null);
      expect(await room.state()).toMatchObject({ version: 0, stock: { left: null }, holds: ["recovered"] });
      await tell(room, 0);
      expect(await room.state()).toMatchObject({
        version: 0,
        phaseReason: "recovered",
        holds: ["recovered", "sold_out"],
      });
    });
  });
};
