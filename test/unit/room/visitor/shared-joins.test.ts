/**
 * Goal: an address gets no more by going to many processes, visitors of other addresses notice nothing, and the store learns no address.
 * Method: real rooms of several processes on one memory store.
 */
import { describe, expect, test } from "vitest";
import { addressBlock } from "../../../../src/lib/address-block.ts";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import type { JoinLimit } from "../../../../src/store/contract/room-store.ts";
import { settingsAt, source } from "../draw-world.ts";
import { createSharedWorld, type Process } from "../processes.ts";

const usual: JoinLimit = { perMinute: 600, burst: 1_200 };
const names = ["one", "two", "three", "four"];
const address = "203.0.113.9";

async function join(process: Process, from = address) {
  return (await process.room.join(null, 0, () => addressBlock(from))).result;
}

async function joined(process: Process, count: number, from = address): Promise<number> {
  const results = await Promise.all(Array.from({ length: count }, () => join(process, from)));
  return results.filter((each) => each === "joined").length;
}

/** In an open room. */
async function open(seed: string, joinsPerAddress: JoinLimit, countsAlone = false) {
  const world = createSharedWorld(seed);
  const processes = names.map((name, index) =>
    world.process(name, { isNewInstallation: index === 0, joinsPerAddress, countsAlone }),
  );
  await world.pass(4_000, processes);
  return { world, processes, one: processes[0] as Process, two: processes[1] as Process };
}

async function inPrequeue(seed: string, joinsPerAddress = usual) {
  const world = createSharedWorld(seed);
  const opensAtMs = world.clock.now() + 700_000;
  const start = (name: string, isNewInstallation = false) =>
    world.process(name, { isNewInstallation, settings: settingsAt(opensAtMs), draws: source(), joinsPerAddress });
  const processes = names.map((name, index) => start(name, index === 0));
  await world.pass(2_000, processes);
  world.clock.advance(98_000);
  await world.pass(1_000, processes);
  return { world, processes, start, one: processes[0] as Process, two: processes[1] as Process };
}

describe("entries of a draw", () => {
  test("are as many as at one process, also when all processes are asked at the same moment", async () => {
    const { processes } = await inPrequeue("at once");
    const all = await Promise.all(processes.map((each) => joined(each, 50)));
    expect(all.reduce((sum, each) => sum + each)).toBe(10);
    const blocks = processes.map((each, at) => joined(each, 50, `2001:db8:7:${at}00::1`));
    expect((await Promise.all(blocks)).reduce((sum, each) => sum + each)).toBe(40);
    // Which processes are quicker differs.
    const few = await Promise.all(processes.map((each) => joined(each, 5, "203.0.113.10")));
    expect(few.toSorted((a, b) => b - a)).toEqual([5, 5, 0, 0]);
  });

  test("count at a process that was started again, and begin anew with an edition", async () => {
    const { world, processes, start, one } = await inPrequeue("restart");
    expect(await joined(one, 50)).toBe(10);
    const again = start("five");
    await world.pass(1_000, [...processes, again]);
    expect(await joined(again, 50)).toBe(0);
    await one.room.operations.step({ step: "reset" }, null, "operator");
    await world.pass(2_000, processes);
    await one.room.operations.step({ step: "phase", phase: "prequeue" }, null, "operator");
    await world.pass(2_000, [...processes, again]);
    expect([await joined(again, 50), await joined(one, 50)]).toEqual([10, 0]);
  });

  test("are not used up by joins that got no place, and each refusal is of the entries", async () => {
    const { world, one, two } = await inPrequeue("no place");
    world.afterNext("takeEntries", async () => world.setAway(true));
    expect(await join(one)).toBe("later");
    world.setAway(false);
    await world.pass(3_000, [one, two]);
    // The one whose join was cut off behind its entry is lost to the address.
    expect((await joined(one, 6)) + (await joined(two, 6))).toBe(9);
    expect(await one.room.join(null, 0, () => address)).toEqual({
      result: "too_many",
      why: "entries",
      retryMs: 60_000,
    });
  });

  test("are counted by each process for itself where the store cannot, and that is told", async () => {
    const { world, one } = await inPrequeue("broken");
    const failed: unknown[] = [];
    one.events.on("room.failed", ({ error }) => failed.push(error));
    world.afterNext("takeEntries", async () => {
      throw new TypeError("not as agreed");
    });
    expect(await joined(one, 50)).toBe(10);
    expect(failed).toEqual([expect.any(TypeError)]);
  });

  test("an emptied store forgets them, and what each process knows stays", async () => {
    const { world, processes, one, two } = await inPrequeue("emptied");
    expect(await joined(one, 50)).toBe(10);
    world.wipe();
    await world.pass(6_000, processes);
    expect(await joined(one, 50)).toBe(0);
    expect(await joined(two, 50)).toBe(10);
  });
});

describe("the rate", () => {
  const limit = { perMinute: 60, burst: 30 };

  /** What an address gets in a minute that asks all processes all the time. */
  async function flood(countsAlone: boolean) {
    const { world, processes } = await open("flood", limit, countsAlone);
    let places = 0;
    for (let ms = 0; ms < 60_000; ms += 500) {
      for (const each of processes) places += await joined(each, 3);
      await world.pass(500, processes);
    }
    return places;
  }

  test("is that of one process, but for what is given within a second: nothing of it is given twice", async () => {
    const [alone, together] = [await flood(true), await flood(false)];
    expect(alone).toBeGreaterThan(4 * 60);
    expect(together).toBeGreaterThanOrEqual(60);
    expect(together).toBeLessThan(90 + 8 * 4);
  });

  test("leaves single visitors out of the store, and a family's first", async () => {
    const { world, processes, one } = await open("honest", usual);
    const told: unknown[] = [];
    world.afterNext("recordJoins", async () => void told.push("told"));
    for (let visitor = 0; visitor < 100; visitor++) expect(await join(one, `198.18.0.${visitor}`)).toBe("joined");
    await world.pass(2_000, processes);
    expect(told).toEqual([]);
    expect(await joined(one, 2, "198.18.0.7")).toBe(2);
    await world.pass(2_000, processes);
    expect(told).toEqual(["told"]);
  });

  test("of a small limit is told of from the first on; whom a process lets join, it asks about within a second", async () => {
    const { world, processes, one, two } = await open("small", { perMinute: 6, burst: 3 });
    expect(await joined(one, 5)).toBe(3);
    await world.pass(1_500, processes);
    expect(await join(two)).toBe("joined");
    await world.pass(1_500, processes);
    expect(await join(two)).toBe("too_many");
    expect(await join(two, "203.0.113.10")).toBe("joined");
  });

  test("goes by what this process has counted while the store is away, and owes no more than a bucket", async () => {
    const { world, processes, one, two } = await open("away", limit);
    expect([await joined(one, 99), await joined(two, 99)]).toEqual([30, 30]);
    world.afterNext("recordJoins", async () => {
      throw new StoreUnavailableError();
    });
    await world.pass(1_000, [one]);
    await world.pass(1_000, processes);
    expect(await joined(two, 9)).toBe(0);
    await world.pass(60_000, processes);
    expect(await joined(processes[2] as Process, 9)).toBeGreaterThan(0);
  });
});
