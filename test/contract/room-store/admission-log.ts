import { describe, expect, it } from "vitest";
import type { LogPage, LogRow } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver } from "../room-driver.ts";

const skipped = 100_000;
const head = (seq: number, text = "a") => ({ seq, hash: text.repeat(64) });
const start = { seq: 0, hash: "" };

/** What of its admissions a room keeps an account of. */
export const admissionLog: RoomTest = (context) => {
  const log = (room: RoomDriver, after = 0, limit = 1_000): Promise<LogPage> =>
    room.rooms.readLog(room.room, after, limit);
  const kinds = (rows: readonly LogRow[]) => rows.map(({ kind }) => kind);
  const admissions = async (room: RoomDriver) => {
    const { rows } = await log(room);
    return rows.filter((row) => row.kind === "admission");
  };

  it("begins with the first thing that there is to say", async () => {
    const room = await context.room({ limit: 600 }).open();
    expect(await log(room)).toEqual({ last: 0, sealed: start, base: start, count: 0, rows: [] });
    const { edition } = await room.state();
    const { rows, ...page } = await log(room);
    const counts = { joined: 0, entered: 0, passed: 0, bypassed: 0, noShows: 0, left: 0 };
    const atMs = context.harness.nowMs();
    expect(page).toEqual({ last: 2, sealed: start, base: start, count: 2 });
    expect(rows).toEqual([
      { seq: 1, atMs, kind: "begin", incarnation: room.incarnation },
      {
        seq: 2,
        atMs,
        kind: "state",
        edition,
        phase: "open",
        reason: null,
        inlet: "manual",
        limit: 600,
        sharedLimit: null,
        maxActive: null,
        counts,
      },
    ]);
    expect((await room.state()).log).toEqual({ last: 2, sealed: start });
    expect(await room.rooms.readLog("no-such-room", 0, 10)).toMatchObject({ last: 0, rows: [] });
  });

  it("has a row for each new admission, with place and wait, and none for what is no news", async () => {
    const room = await context.room().open();
    await room.state();
    const places = await room.places(3);
    await context.harness.advance(4_000);
    await room.serve(3);
    const [one, two, three] = places as [Place, Place, Place];
    await room.admit(two, { login: "a" });
    const atMs = context.harness.nowMs();
    await room.admit(two, { login: "b" });
    await context.harness.advance(1_500);
    await room.admit(one);
    await room.leave(three);
    await room.claim(three);
    const { edition, flowMs } = await room.state();
    const common = { kind: "admission", edition, via: "queue" } as const;
    expect((await admissions(room)).map(({ seq: _, ...row }) => row)).toEqual([
      { ...common, atMs, position: 2, number: 2, waitMs: 4_000, flowMs: flowMs - 1_500 },
      { ...common, atMs: atMs + 1_500, position: 1, number: 1, waitMs: 5_500, flowMs },
    ]);
  });

  it("says how a visitor without a place came, and no wait", async () => {
    const room = await context.room({ whenIdle: "pass_through" }).open();
    const nowMs = context.harness.nowMs();
    const nobody = { edition: 0, position: 0, joinedMs: 0 };
    await room.admit({ sub: "staff", ...nobody }, { bypass: { id: "x", madeMs: nowMs, expiresMs: nowMs + minute } });
    await room.phase("passthrough");
    await room.admit({ sub: "a", ...nobody });
    await room.phase("idle");
    await room.admit({ sub: "b", ...nobody });
    expect(await admissions(room)).toMatchObject([
      { via: "bypass", position: 0, number: 0, waitMs: null },
      { via: "passthrough", position: 0, waitMs: null },
      { via: "idle", position: 0, waitMs: null },
    ]);
  });

  it("counts no wait while the room is paused, and notes the pause", async () => {
    const room = await context.room().open();
    const [place] = await room.places(1);
    await room.serve(1);
    await room.pass(3_000);
    await room.step({ step: "pause" });
    await room.pass(20_000);
    await room.step({ step: "resume" });
    await room.pass(1_000);
    await room.admit(place as Place);
    expect(await admissions(room)).toMatchObject([{ waitMs: 4_000 }]);
    const { rows } = await log(room);
    const states = rows.filter((row) => row.kind === "state");
    expect(states.map(({ phase, reason }) => [phase, reason])).toEqual([
      ["open", null],
      ["paused", "operator"],
      ["open", null],
    ]);
  });

  it("notes what is in force before the admission that it is in force for, also without a tick between", async () => {
    const room = await context.room({ limit: 60 }).open();
    const [one, two] = (await room.places(2)) as [Place, Place];
    await room.serve(2);
    await room.admit(one);
    await room.change({ inlet: { outflowPerMinute: 600 } });
    await context.harness.advance(1_100);
    await room.admit(two);
    const { rows } = await log(room);
    expect(kinds(rows).slice(-2)).toEqual(["state", "admission"]);
    expect(rows.at(-2)).toMatchObject({ limit: 600 });
    const { length } = rows;
    await room.pass(5_000);
    expect((await log(room)).rows).toHaveLength(length);
  });

  it("notes another edition with the counts so far, and goes on counting its rows", async () => {
    const room = await context.room().open();
    const [one] = (await room.places(2)) as [Place];
    await room.serve(1);
    await room.admit(one);
    await room.step({ step: "reset" });
    const { edition } = await room.state();
    const { rows } = await log(room);
    expect(rows.at(-1)).toMatchObject({ kind: "state", edition, counts: { joined: 2, entered: 1 } });
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  });

  it("notes an operator's increments, once however often they are asked for", async () => {
    const room = await context.room().open();
    await room.places(5);
    await room.step({ step: "increment", by: 3 }, "one");
    await room.step({ step: "increment", by: 3 }, "one");
    await room.step({ step: "increment", by: -1 }, "two");
    const { rows } = await log(room);
    expect(rows.filter(({ kind }) => kind === "increment")).toMatchObject([
      { by: 3, serving: 3 },
      { by: -1, serving: 2 },
    ]);
  });

  it("notes counts once a minute, where they have changed", async () => {
    const room = await context.room({ claimWithinMs: 10_000 }).open();
    const places = (await room.places(4)) as [Place, Place];
    await room.serve(3);
    await room.leave(places[0]);
    await room.pass(150_000, 5_000);
    const counted = (await log(room)).rows.filter((row) => row.kind === "counts");
    expect(counted).toMatchObject([{ counts: { joined: 4, left: 1, noShows: 2 } }]);
  });

  it("has no row where there is to be none, says from when on, and goes on when there is to be one again", async () => {
    const off = context.room({ logRows: 0 });
    await off.open();
    const [place] = await off.places(1);
    await off.serve(1);
    await off.admit(place as Place);
    await off.pass(2_000);
    expect(await log(off)).toMatchObject({ last: 0, rows: [] });

    const room = await context.room().open();
    await room.state();
    const asked = { ...room.file, logRowsMax: 0 };
    await room.contribute({ fileSettings: asked });
    await room.pass(3_000);
    expect(kinds((await log(room)).rows)).toEqual(["begin", "state", "off"]);
    await room.serve(1);
    await room.contribute();
    await room.pass(1_000);
    expect(kinds((await log(room)).rows)).toEqual(["begin", "state", "off", "state"]);
  });

  it("is read in pages", async () => {
    const room = await context.room().open();
    for (const place of await room.places(5)) {
      await room.serve(1);
      await room.admit(place);
    }
    const { last, rows } = await log(room);
    expect(last).toBe(12);
    const found: LogRow[] = [];
    for (let after = 0; after < last; after = found.at(-1)?.seq ?? last) {
      const page = await log(room, after, 5);
      expect(page.rows.length).toBeLessThanOrEqual(5);
      found.push(...page.rows);
    }
    expect(found).toEqual(rows);
    expect((await log(room, last)).rows).toEqual([]);
  });

  describe("its checkpoints", () => {
    const opened = async () => {
      const room = await context.room().open();
      for (const place of await room.places(5)) {
        await room.serve(1);
        await room.admit(place);
      }
      const move = (mark: "sealed" | "base", from: { seq: number; hash: string }, to: { seq: number; hash: string }) =>
        room.rooms.moveLogMark(room.room, mark, from, to);
      return { room, move };
    };

    it("move from where they stand, and only forwards: of processes that seal at once, one does", async () => {
      const { room, move } = await opened();
      const moved = await Promise.all(["a", "b", "c"].map((text) => move("sealed", start, head(5, text))));
      expect(moved.filter(Boolean)).toHaveLength(1);
      const { sealed } = (await room.state()).log;
      expect(sealed.seq).toBe(5);
      expect(await move("sealed", head(5, "z"), head(6))).toBe(false);
      expect(await move("sealed", sealed, head(5))).toBe(false);
      expect(await move("sealed", sealed, head(4))).toBe(false);
      expect(await move("sealed", sealed, head(13))).toBe(false);
      expect(await move("sealed", sealed, head(12))).toBe(true);
      expect((await room.memory()).log).toEqual({ last: 12, sealed: head(12) });
      expect(await room.rooms.moveLogMark("no-such-room", "sealed", start, head(1))).toBe(false);
    });

    it("let rows be forgotten that are sealed, and no others", async () => {
      const { room, move } = await opened();
      expect(await move("base", start, head(1))).toBe(false);
      await move("sealed", start, head(8));
      expect(await move("base", start, head(9))).toBe(false);
      expect(await move("base", start, head(6, "b"))).toBe(true);
      const page = await log(room);
      expect(page).toMatchObject({ base: head(6, "b"), count: 6, sealed: head(8), last: 12 });
      expect(page.rows.map(({ seq }) => seq)).toEqual([7, 8, 9, 10, 11, 12]);
      expect(await move("base", head(6, "b"), head(8))).toBe(true);
      expect((await log(room)).count).toBe(4);
    });
  });

  describe("a loss", () => {
    /** A room with six rows, of which five are sealed. */
    const known = async () => {
      const room = await context.room().open();
      const places = (await room.places(8)) as [Place, Place, Place];
      await room.serve(3);
      await room.admit(places[0]);
      await room.admit(places[1]);
      await room.state();
      await room.rooms.moveLogMark(room.room, "sealed", start, head(4));
      return { room, places, memory: await room.memory() };
    };

    it("goes on behind the last number and with the head that a process remembers", async () => {
      const { room, places, memory } = await known();
      expect(memory.log).toEqual({ last: 5, sealed: head(4) });
      await context.harness.wipe();
      await room.contribute({ memory: { ...memory, log: { last: 9, sealed: head(3, "b") } } });
      await room.recover(memory);
      await room.admit(places[2]);
      const { rows, ...page } = await log(room);
      expect(page).toMatchObject({ last: skipped + 12, sealed: head(4), base: head(4), count: 3 });
      expect(rows).toMatchObject([
        { seq: skipped + 10, kind: "recovery", heard: 9, after: head(4), counts: { joined: 8, entered: 2 } },
        { seq: skipped + 11, kind: "state", phase: "open" },
        { seq: skipped + 12, kind: "admission", position: 3 },
      ]);
    });

    it("begins anew where nobody remembers a log", async () => {
      const { room, memory } = await known();
      await context.harness.wipe();
      const { log: _, ...earlier } = memory;
      await room.recover(earlier);
      await room.state();
      expect(await log(room)).toMatchObject({ last: 2, sealed: start, base: start, rows: [{ kind: "begin" }, {}] });
    });

    it("keeps the rows that an old state has, and says what is missing behind them", async () => {
      const { room, places, memory } = await known();
      await context.harness.save();
      await room.admit(places[2]);
      await room.rooms.moveLogMark(room.room, "sealed", memory.log?.sealed ?? start, head(6, "c"));
      const later = await room.memory();
      await context.harness.restore();
      await room.recover(later);
      await room.state();
      const { rows, ...page } = await log(room);
      expect(page).toMatchObject({ sealed: head(6, "c"), base: start, count: 7 });
      expect(kinds(rows)).toEqual(["begin", "state", "increment", "admission", "admission", "recovery", "state"]);
      expect(rows.at(-2)).toMatchObject({ seq: skipped + 7, heard: 6, after: head(6, "c") });
    });

    it("says so too where the old state knows as much as every process", async () => {
      const { room, memory } = await known();
      await context.harness.save();
      await context.harness.restore();
      await room.recover(memory);
      await room.state();
      const { rows, sealed } = await log(room);
      expect(sealed).toEqual(head(4));
      expect(rows.at(-2)).toMatchObject({ kind: "recovery", seq: skipped + 6, heard: 5, after: null });
    });

    it("counts a memory that comes late and begins the recovery again", async () => {
      const { room, memory } = await known();
      await context.harness.wipe();
      await room.recover(null);
      await room.state();
      expect((await log(room)).rows).toMatchObject([{ kind: "begin" }, { kind: "state", reason: "recovered" }]);
      await room.recover(memory);
      const { rows } = await log(room);
      expect(rows.at(-1)).toMatchObject({ kind: "recovery", seq: skipped + 6, after: head(4) });
    });
  });
};
