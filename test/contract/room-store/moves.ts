import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LinkClaim } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, okValue, type Place, RoomDriver, type SettingsSketch } from "../room-driver.ts";

const validMs = 10 * minute;

/** Places that are carried to another visitor by a link. */
export const moves: RoomTest = (context) => {
  let links = 0;

  /** Made now, or so long after it. */
  function link(inMs = 0): LinkClaim {
    const madeMs = context.harness.nowMs() + inMs;
    return { id: `move-${++links}`, madeMs, expiresMs: madeMs + validMs };
  }

  const heldBy = (place: Place, sub: string): Place => ({ ...place, sub });

  async function waiting(sketch: SettingsSketch = {}, count = 3) {
    const room = await context.room({ moves: "unlimited", ...sketch }).open();
    const [one, two, three] = await room.places(count);
    if (one === undefined || two === undefined || three === undefined) throw new Error("no places");
    return { room, one, two, three };
  }

  async function second(room: RoomDriver): Promise<RoomDriver> {
    const other = new RoomDriver(context.harness, room.room, room.file, await context.harness.second());
    await other.contribute();
    return other;
  }

  it("let the visitor enter to whom the place was moved, with the same place", async () => {
    const { room, one } = await waiting();
    expect(await room.move(one, "phone", link())).toBe("moved");
    await room.serve(1);
    expect(await room.claim(one)).toEqual({ result: "moved" });
    expect(await room.claim(heldBy(one, "phone"))).toMatchObject({
      result: "admitted",
      isNew: true,
      admission: { sub: "phone", position: 1, via: "queue" },
    });
    expect(await room.claim(one)).toEqual({ result: "moved" });
    await room.end("phone");
    expect(await room.claim(heldBy(one, "phone"))).toEqual({ result: "ended" });
    expect((await room.state()).counts).toMatchObject({ joined: 3, entered: 1, left: 0 });
  });

  it("may be asked for again by the visitor who got the place, by any link, and by no other", async () => {
    const { room, one } = await waiting();
    const by = link();
    for (let i = 0; i < 3; i++) expect(await room.move(one, "phone", by)).toBe("moved");
    expect(await room.move(one, "phone", link())).toBe("moved");
    expect(await room.move(one, "thief", by)).toBe("void");
    expect(await room.move(one, "thief", link())).toBe("void");
    const moved = { number: 1, sub: "phone", movedMs: context.harness.nowMs() };
    expect((await room.tick()).moves).toEqual([moved]);
    await context.harness.advance(1_000);
    const { sub: from, ...place } = one;
    const again = { ...place, from, to: "phone", link: link() };
    expect(okValue(await room.rooms.move(room.room, room.incarnation, again))).toEqual(moved);
    expect((await room.tick()).moves).toEqual([]);
  });

  it("go on from browser to browser and back, each by a link of its own that works once", async () => {
    const { room, one } = await waiting();
    const [first, unused] = [link(), link()];
    expect(await room.move(one, "phone", first)).toBe("moved");
    expect(await room.move(heldBy(one, "phone"), "tablet", link())).toBe("moved");
    expect(await room.move(heldBy(one, "phone"), "thief", link())).toBe("void");
    expect(await room.move(heldBy(one, "tablet"), one.sub, link())).toBe("moved");
    expect(await room.move(one, "thief", first)).toBe("void");
    // Nobody has used it, and it is the holder's.
    expect(await room.move(one, "phone", unused)).toBe("moved");
    await room.serve(1);
    for (const sub of [one.sub, "tablet"]) expect(await room.claim(heldBy(one, sub))).toEqual({ result: "moved" });
    expect(await room.claim(heldBy(one, "phone"))).toMatchObject({ result: "admitted" });
  });

  it("need a link that is not over, of this incarnation, and not of a time to come", async () => {
    const { room, one } = await waiting();
    for (const inMs of [-validMs - 1, 5_001]) expect(await room.move(one, "phone", link(inMs))).toBe("void");
    const old = link(-validMs);
    const memory = await room.memory();
    expect(memory.moves).toEqual([]);
    await context.harness.wipe();
    const before = link();
    await room.recover(memory);
    for (const by of [old, before]) expect(await room.move(one, "phone", by)).toBe("void");
    expect(await room.move(one, "phone", link(5_000))).toBe("moved");
  });

  describe("by the room's rule", () => {
    it("happen once, also after a loss; and nobody else has the place", async () => {
      const { room, one, two } = await waiting({ moves: "once" });
      expect(await room.move(one, "phone", link())).toBe("moved");
      expect(await room.move(heldBy(one, "phone"), "tablet", link())).toBe("void");
      expect(await room.move(heldBy(one, "phone"), one.sub, link())).toBe("void");
      // No answer came.
      expect(await room.move(one, "phone", link())).toBe("moved");
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover(memory);
      expect(await room.move(heldBy(one, "phone"), "tablet", link())).toBe("void");
      expect(await room.move(two, "tablet", link())).toBe("moved");
    });

    it("happen once to one of two who ask at the same time", async () => {
      const { room, one } = await waiting({ moves: "once" });
      const other = await second(room);
      const answers = await Promise.all([room.move(one, "phone", link()), other.move(one, "tablet", link())]);
      expect(answers.toSorted()).toEqual(["moved", "void"]);
    });

    it("never happen, from the moment on at which it is changed", async () => {
      const { room, one, two } = await waiting({ moves: "once" });
      const made = link();
      expect(await room.move(one, "phone", link())).toBe("moved");
      await room.change({ moves: "never" });
      expect(await room.move(two, "tablet", made)).toBe("void");
    });
  });

  describe("are void for a place", () => {
    it("that was left, and leaving one that is elsewhere leaves nothing", async () => {
      const { room, one, two } = await waiting();
      await room.leave(one);
      expect(await room.move(one, "phone", link())).toBe("void");
      await room.move(two, "phone", link());
      await room.leave(two);
      await room.serve(2);
      expect(await room.claim(heldBy(two, "phone"))).toMatchObject({ result: "admitted" });
      expect((await room.state()).counts.left).toBe(1);
    });

    it("that its new holder left, for its former holder, too", async () => {
      const { room, one } = await waiting();
      await room.move(one, "phone", link());
      await room.leave(heldBy(one, "phone"));
      for (const sub of [one.sub, "phone"]) {
        expect(await room.move(heldBy(one, sub), "phone", link())).toBe("void");
      }
      await room.serve(1);
      expect(await room.claim(heldBy(one, "phone"))).toEqual({ result: "left" });
      expect(await room.claim(one)).toEqual({ result: "moved" });
    });

    it("that was claimed, however long ago", async () => {
      const { room, one } = await waiting({ durationMs: minute });
      await room.serve(1);
      await room.admit(one);
      expect(await room.move(one, "phone", link())).toBe("void");
      await room.pass(40 * minute, 5_000);
      expect(await room.move(one, "phone", link())).toBe("void");
      expect(await room.claim(heldBy(one, "phone"))).toEqual({ result: "ended" });
    });

    it("that is lower than the one its visitor was admitted with", async () => {
      const { room, one, two } = await waiting();
      await room.serve(2);
      await room.admit(heldBy(two, one.sub));
      expect(await room.move(one, "phone", link())).toBe("void");
    });

    it("that has expired, but not for one that stands ready to enter", async () => {
      const { room, one, two } = await waiting({ claimWithinMs: minute, limit: 5 });
      await room.serve(3);
      await room.admit(two);
      await room.pass(minute - 1_000);
      expect(await room.claim(heldBy(two, "nobody"))).toEqual({ result: "ended" });
      expect(await room.move(one, "phone", link())).toBe("moved");
      await room.pass(2_000);
      expect(await room.move(heldBy(one, "phone"), "tablet", link())).toBe("void");
      expect(await room.claim(heldBy(one, "phone"))).toEqual({ result: "expired" });
    });

    it("of another edition, and of one that was never handed out", async () => {
      const { room, one } = await waiting();
      expect(await room.move({ ...one, edition: one.edition + 1 }, "phone", link())).toBe("void");
      expect(await room.move({ ...one, edition: one.edition - 1 }, "phone", link())).toBe("void");
      await room.serve(10);
      expect(await room.move({ ...one, position: 4 }, "phone", link())).toBe("void");
    });
  });

  it("keep a place ready to enter where it is", async () => {
    const { room, one, two } = await waiting({ limit: 5 });
    await room.serve(3);
    await room.admit(two);
    expect(await room.claim(one)).toMatchObject({ result: "held", rank: 0 });
    await room.move(one, "phone", link());
    expect(await room.claim(heldBy(one, "phone"))).toMatchObject({ result: "held", rank: 0 });
    expect((await room.state()).readyToEnter).toBeGreaterThan(0);
  });

  it("are carried out in every phase, held or not, and the old copy gets in nowhere with the place", async () => {
    for (const phase of ["idle", "prequeue", "open", "ended", "passthrough"] as const) {
      for (const step of ["resume", "pause"] as const) {
        const { room, one } = await waiting();
        await room.phase(phase);
        await room.step({ step });
        expect(await room.move(one, "phone", link()), phase).toBe("moved");
        const { result } = await room.claim(one);
        expect(result, `${phase} ${step}`).toBe(phase === "passthrough" ? "admitted" : "moved");
      }
    }
  });

  it("leave the old copy what a visitor without a place has: phases that pass through, and bypass links", async () => {
    const { room, one, two } = await waiting({ whenEnded: "pass_through" });
    for (const place of [one, two]) await room.move(place, `phone-${place.position}`, link());
    const { madeMs, ...others } = link();
    expect(await room.claim(one, { bypass: { ...others, madeMs } })).toMatchObject({
      result: "admitted",
      admission: { position: 0, via: "bypass" },
    });
    // Whoever is in stays in, with whatever ticket.
    expect(await room.claim(one)).toMatchObject({ result: "admitted", isNew: false });
    await room.phase("ended");
    expect(await room.claim(two)).toMatchObject({ admission: { position: 0, via: "ended" } });
    expect(await room.claim(heldBy(two, "phone-2"))).toMatchObject({ admission: { position: 2, via: "ended" } });
  });

  it("give a place to a visitor who had a later one before; both stay claimed (rule 3)", async () => {
    const { room, one, two, three } = await waiting({ durationMs: minute, claimWithinMs: 60 * minute });
    await room.serve(3);
    await room.admit(three);
    await room.end(three.sub);
    expect(await room.claim(heldBy(two, three.sub))).toEqual({ result: "ended" });
    expect(await room.move(two, three.sub, link())).toBe("moved");
    expect(await room.claim(heldBy(two, three.sub))).toMatchObject({
      result: "admitted",
      isNew: true,
      admission: { position: 2, usedPosition: 3 },
    });
    const memory = await room.memory();
    await context.harness.wipe();
    await room.recover(memory);
    await room.end(three.sub);
    for (const place of [heldBy(two, three.sub), three]) expect(await room.claim(place)).toEqual({ result: "ended" });
    expect(await room.claim(heldBy(two, "copy"))).toEqual({ result: "moved" });
    expect(await room.claim(one)).toMatchObject({ result: "admitted" });
  });

  it("are void after a reset, with all that was known of them", async () => {
    const { room, one } = await waiting();
    await room.move(one, "phone", link());
    await room.step({ step: "reset" });
    expect(await room.move(one, "tablet", link())).toBe("void");
    for (const sub of [one.sub, "phone"]) expect(await room.claim(heldBy(one, sub))).toEqual({ result: "old_edition" });
    const [place] = await room.places(1);
    if (place === undefined) throw new Error("no place");
    expect(place.position).toBe(1);
    await room.serve(1);
    expect(await room.claim(place)).toMatchObject({ result: "admitted" });
    expect((await room.tick()).moves).toEqual([]);
    expect((await room.memory()).moves).toEqual([]);
  });

  describe("are reported to all processes", () => {
    it("once each, by the same cursor as admissions, the last of a place", async () => {
      const { room, one, two } = await waiting();
      const other = await second(room);
      await other.tick();
      const movedMs = context.harness.nowMs();
      await room.move(one, "phone", link());
      await room.serve(1);
      await room.admit(heldBy(one, "phone"));
      await room.move(two, "tablet", link());
      await room.move(heldBy(two, "tablet"), "laptop", link());
      const changes = await other.tick();
      expect(changes.moves).toEqual([
        { number: 1, sub: "phone", movedMs },
        // Time stands still here, and one move was after the other.
        { number: 2, sub: "laptop", movedMs: movedMs + 1 },
      ]);
      expect(changes.admissions).toMatchObject([{ sub: "phone" }]);
      expect(await other.tick()).toMatchObject({ moves: [], admissions: [], more: false });
      other.cursor = Number.MAX_SAFE_INTEGER - 1;
      expect((await other.tick()).moves).toEqual(changes.moves);
    });

    it("five hundred at a time, none of them left out", async () => {
      const room = await context.room({ claimWithinMs: 60 * minute }).open();
      const places = await room.places(1_300);
      for (const place of places) {
        if (place.position % 2 === 0) await room.move(place, `phone-${place.position}`, link());
        else if (place.position === 1_201) await room.serve(1_300);
      }
      for (const place of places) if (place.position % 2 === 1) await room.admit(place);
      const [moved, admitted] = [new Set<number>(), new Set<number>()];
      room.cursor = 0;
      for (let page = 0; page < 20; page++) {
        const changes = await room.tick();
        expect(Math.max(changes.moves.length, changes.admissions.length)).toBeLessThanOrEqual(500);
        for (const { number } of changes.moves) moved.add(number);
        for (const { position } of changes.admissions) admitted.add(position);
        if (!changes.more) break;
      }
      expect([moved.size, admitted.size]).toEqual([650, 650]);
      const listed = await room.rooms.listAdmissions(room.room, 0, 500);
      expect(listed.admissions).toHaveLength(500);
    }, 30_000);
  });

  describe("in a loss", () => {
    it("are known again by a process that had synced them", async () => {
      const { room, one, two } = await waiting();
      await room.move(one, "phone", link());
      const memory = await room.memory();
      await room.move(heldBy(one, "phone"), "tablet", link());
      const later = await room.memory();
      await context.harness.wipe();
      await room.contribute({ memory: later });
      // In whatever order they come, and though another knew less.
      await room.contribute({ memory });
      await room.recover({ ...memory, moves: [] });
      expect(await room.move(heldBy(one, "phone"), "thief", link())).toBe("void");
      await room.serve(2);
      for (const sub of [one.sub, "phone"]) expect(await room.claim(heldBy(one, sub))).toEqual({ result: "moved" });
      expect(await room.claim(heldBy(one, "tablet"))).toMatchObject({ result: "admitted" });
      expect(await room.claim(two)).toMatchObject({ result: "admitted" });
    });

    it("are taken from a memory that comes late, and not for places that nobody is known to have", async () => {
      const { room, one, two } = await waiting();
      await room.move(one, "phone", link());
      const memory = await room.memory();
      await context.harness.wipe();
      await room.recover({ ...memory, moves: [{ number: 4, sub: "nobody", movedMs: context.harness.nowMs() }] });
      expect((await room.memory()).moves).toEqual([]);
      await room.contribute({ memory });
      await room.serve(2);
      expect(await room.claim(one)).toEqual({ result: "moved" });
      expect(await room.claim(two)).toMatchObject({ result: "admitted" });
    });

    it("of another edition are no news", async () => {
      const { room, one } = await waiting();
      await room.move(one, "phone", link());
      const memory = await room.memory();
      await room.step({ step: "reset" });
      const [place] = await room.places(1);
      if (place === undefined) throw new Error("no place");
      await room.contribute({ memory });
      await room.serve(1);
      expect(await room.claim(place)).toMatchObject({ result: "admitted" });
    });

    it("that no process remembers, give the place to the visitor who claims it first, and to one alone (rule 3)", async () => {
      for (const order of [
        ["laptop", "phone"],
        ["phone", "laptop"],
      ] as const) {
        const { room, one } = await waiting();
        const laptop = heldBy(one, "laptop");
        await room.move(laptop, "phone", link());
        const memory = await room.memory({ moves: [] });
        await context.harness.wipe();
        await room.recover(memory);
        await room.serve(1);
        const results = [];
        for (const sub of order) results.push((await room.claim(heldBy(one, sub))).result);
        expect(results).toEqual(["admitted", "ended"]);
        expect(await room.move(laptop, "tablet", link())).toBe("void");
      }
    });

    it("are as the restored snapshot says, where nobody knows better", async () => {
      const { room, one, two } = await waiting();
      await room.move(one, "phone", link());
      await context.harness.save();
      await room.move(two, "tablet", link());
      const memory = await room.memory();
      await context.harness.restore();
      await room.recover({ ...memory, moves: memory.moves.filter(({ sub }) => sub === "tablet") });
      await room.serve(2);
      for (const place of [one, two]) expect(await room.claim(place)).toEqual({ result: "moved" });
    });
  });

  it("are remembered of the last 100,000 places", async () => {
    const max = 100_000;
    const room = await context.room().open();
    const { queued: _, ...memory } = await room.memory();
    const nowMs = context.harness.nowMs();
    for (let from = 1; from <= max + 1; from += 500) {
      const count = Math.min(500, max + 2 - from);
      const part = Array.from({ length: count }, (_, i) => {
        return { number: from + i, sub: `phone-${from + i}`, movedMs: nowMs };
      });
      // The queue counter is no loss: it tells nothing that the ticket of such a place would not.
      await room.contribute({ memory: { ...memory, queued: max + 2, moves: part } });
      if (from === 1) {
        await context.harness.advance(2_500);
        await room.contribute();
      }
    }
    const { edition } = memory;
    const ask = (position: number) => room.claim({ sub: "old copy", edition, position, joinedMs: nowMs });
    expect(await ask(1)).toEqual({ result: "waiting" });
    for (const position of [2, max, max + 1]) expect(await ask(position)).toEqual({ result: "moved" });
  }, 60_000);

  it("never give one place to two, whatever happens (rule 3)", async () => {
    const names = ["laptop", "phone", "tablet"] as const;
    const name = fc.constantFrom(...names);
    const place = fc.integer({ min: 1, max: 3 });
    const turn = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant("move" as const), place, from: name, to: name }) },
      { weight: 6, arbitrary: fc.record({ do: fc.constant("claim" as const), place, by: name }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const), place, by: name }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("end" as const), by: name }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("serve" as const, "lose" as const, "pass" as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 10, maxLength: 60 }), async (turns) => {
        const room = await context.room().open();
        const places = (await room.places(3)).map((each) => heldBy(each, names[0]));
        const holders = new Map(places.map(({ position }) => [position, names[0] as string]));
        const at = (position: number, sub: string) => heldBy(places[position - 1] as Place, sub);
        /** Who has a ticket for the place, whether it is theirs or an old copy. */
        const copies = new Set(places.map(({ position }) => `${position} ${names[0]}`));
        const admitted = new Set<number>();
        const left = new Set<number>();
        for (const step of turns) {
          if ("place" in step && !copies.has(`${step.place} ${"from" in step ? step.from : step.by}`)) continue;
          switch (step.do) {
            case "move": {
              const answer = await room.move(at(step.place, step.from), step.to, link());
              const holder = holders.get(step.place);
              const mayMove = !admitted.has(step.place) && !left.has(step.place);
              if (answer === "moved") {
                expect(mayMove && (holder === step.from || holder === step.to)).toBe(true);
                holders.set(step.place, step.to);
                copies.add(`${step.place} ${step.to}`);
              }
              break;
            }
            case "claim": {
              const answer = await room.claim(at(step.place, step.by));
              if (answer.result !== "admitted" || !answer.isNew) break;
              const { position } = answer.admission;
              expect(admitted.has(position)).toBe(false);
              expect(holders.get(position)).toBe(step.by);
              admitted.add(position);
              break;
            }
            case "leave":
              await room.leave(at(step.place, step.by));
              if (holders.get(step.place) === step.by) left.add(step.place);
              break;
            case "end":
              await room.end(step.by);
              break;
            case "serve":
              await room.serve(1);
              break;
            case "pass":
              await room.pass(2_000);
              break;
            case "lose": {
              const memory = await room.memory();
              await context.harness.wipe();
              await room.recover(memory);
              // Which places were left is lost with the store.
              left.clear();
            }
          }
        }
        okValue(await room.rooms.tick(room.room, room.incarnation, 0));
      }),
      { numRuns: context.runs(150, 15) },
    );
  });
};
