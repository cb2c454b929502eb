/** Joins are gathered into ranges. Method: one process, whose ranges are counted by the event that each causes. */
import { expect, onTestFinished, test, vi } from "vitest";
import { joinPaceMs } from "../../../../src/lib/join-pace.ts";
import type { Ticket } from "../../../../src/room/tickets/ticket.ts";
import { mayClaim } from "../../../../src/room/visitor/claims.ts";
import { manualSettings, withPatch } from "../../../support/room-settings.ts";
import { createSharedWorld, joinMany, joinOne } from "../processes.ts";

/** Everybody enters who comes. */
const roomy = withPatch(manualSettings, { inlet: { type: "max_active", maxActive: 10 } });

async function start(seed: string, settings = manualSettings) {
  const world = createSharedWorld(seed);
  const process = world.process("one", { isNewInstallation: true, settings });
  await world.pass(5_000, [process]);
  const ranges: number[] = [];
  process.events.on("tickets.joined", ({ count }) => ranges.push(count));
  const joinSome = (count: number) => joinMany(process, count, world.clock.now());
  return { world, process, ranges, joinSome };
}

test("joins of one turn take one range, and those that come meanwhile the next one", async () => {
  const { world, process, ranges, joinSome } = await start("ranges");
  let meanwhile: ReturnType<typeof joinSome> | undefined;
  world.afterNext("join", async () => {
    meanwhile = joinSome(50);
  });
  const first = await joinSome(100);
  const second = await meanwhile;
  expect(ranges).toEqual([100, 50]);
  expect([...first, ...(second ?? [])].map(({ position }) => position)).toEqual(
    Array.from({ length: 150 }, (_, index) => index + 1),
  );
  expect((await joinOne(process, world.clock.now())).position).toBe(151);
});

test("where several come at once, the next range begins no sooner than the pace says, and has all who came meanwhile", async () => {
  const { process, ranges, joinSome } = await start("pace");
  const { room } = process;
  const run = room.run.bind(room) as (...asked: unknown[]) => never;
  const begunMs: number[] = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(room, "run").mockImplementation((...asked: unknown[]) => {
    if (asked[0] === "join") begunMs.push(performance.now());
    return run(...asked);
  });
  const joining: ReturnType<typeof joinSome>[] = [];
  for (let turn = 0; turn < 50; turn++) {
    joining.push(joinSome(2));
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(2 * joinPaceMs);
  const positions = (await Promise.all(joining)).flat().map(({ position }) => position);
  expect(positions).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(ranges.reduce((sum, count) => sum + count)).toBe(100);
  expect(begunMs).toHaveLength(ranges.length);
  expect(ranges.length).toBeLessThan(50);
  const gapsMs = begunMs.slice(1).map((ms, index) => ms - (begunMs[index] ?? 0));
  expect(new Set(gapsMs)).toEqual(new Set([joinPaceMs]));
});

test("a range that fails fails for its own joins only", async () => {
  const { world, process, ranges } = await start("fails");
  const join = async () => (await process.room.join(null, world.clock.now())).result;
  world.setAway(true);
  expect(await Promise.all([join(), join()])).toEqual(["later", "later"]);
  world.setAway(false);
  await world.pass(60_000, [process]);
  expect(await join()).toBe("joined");
  expect(ranges).toEqual([1]);
});

test("while the store is cut off, nobody waits for what was sent before, and no place is given twice", async () => {
  const world = createSharedWorld("cut off");
  const process = world.process("one", { isNewInstallation: true, hasBreaker: true });
  await world.pass(5_000, [process]);
  const join = () => process.room.join(null, world.clock.now());
  const hold = (operation: "join" | "tick") => {
    let resolve = () => {};
    const promise = new Promise<void>((resolver) => {
      resolve = resolver;
    });
    world.afterNext(operation, () => promise);
    return resolve;
  };
  // Behind a range, and then, as somebody was turned away, behind a sync.
  for (const operation of ["join", "tick"] as const) {
    const answerComes = hold(operation);
    const underWay = operation === "join" ? join() : process.room.catchUp();
    await new Promise(setImmediate);
    world.setAway(true);
    expect(await Promise.all([join(), join()])).toMatchObject([{ result: "later" }, { result: "later" }]);
    expect(process.room.availability).toBe("away");
    world.setAway(false);
    answerComes();
    const answer = await underWay;
    if (operation === "join") expect(answer).toMatchObject({ result: "joined", ticket: { position: 1 } });
  }
  await world.pass(60_000, [process]);
  expect(await Promise.all([join(), join()])).toMatchObject([{ ticket: { position: 2 } }, { ticket: { position: 3 } }]);
});

test("no range is larger than the store allows", async () => {
  const { ranges, joinSome } = await start("large");
  await joinSome(10_500);
  expect(ranges).toEqual([10_000, 500]);
});

test("where fewer positions are handed out than asked for, the visitors who came first have them", async () => {
  const { world, process } = await start("full", withPatch(manualSettings, { maxWaiting: 2 }));
  const joined = await Promise.all([0, 1, 2].map(() => process.room.join(null, world.clock.now())));
  expect(joined).toMatchObject([{ ticket: { position: 1 } }, { ticket: { position: 2 } }, { result: "full" }]);
});

test("a state that was read before a join, and arrives after its answer, keeps nobody waiting whom the join let in", async () => {
  const { world, process } = await start("overtaken", roomy);
  const { room } = process;
  await joinOne(process, world.clock.now());
  let joined: Ticket | undefined;
  world.afterNext("tick", async () => {
    joined = await joinOne(process, world.clock.now());
  });
  await process.refresh();
  if (joined === undefined) throw new Error("nobody has joined");
  expect(room.state).toMatchObject({ queued: 1, serving: 1 });
  expect(joined.position).toBe(2);
  expect(mayClaim(room, joined)).toBe(true);
  expect(room.isAhead(joined)).toBe(false);
  expect(room.describe(joined)?.state).toBe("served");
  expect(room.replica.recall(null)).toMatchObject([{ queued: 2, serving: 2 }]);
});

test.each(["before", "after"])(
  "a state that was read after a join counts, though the join served more and is answered %s it",
  async (when) => {
    const { world, process } = await start(`moved back ${when}`);
    const { room } = process;
    const moveBack = async () => {
      await room.operations.step({ step: "increment", by: -1 }, null, "operator");
      await process.refresh();
    };
    await room.operations.step({ step: "increment", by: 1 }, null, "operator");
    if (when === "after") world.afterNext("join", moveBack);
    const ticket = await joinOne(process, world.clock.now());
    if (when === "before") await moveBack();
    expect(mayClaim(room, ticket)).toBe(false);
    expect(room.replica.recall(null)).toMatchObject([{ queued: 1, serving: 0 }]);
  },
);
