import { describe, expect, test } from "vitest";
import { manualSettings, withPatch } from "../../../support/room-settings.ts";
import { createSharedWorld, type Process } from "../processes.ts";

const from = (address: string | null) => () => address;

async function start(seed: string, options: Parameters<ReturnType<typeof createSharedWorld>["process"]>[1] = {}) {
  const world = createSharedWorld(seed);
  const process = world.process("one", {
    isNewInstallation: true,
    joinsPerAddress: { perMinute: 60, burst: 2 },
    ...options,
  });
  const reported: unknown[] = [];
  let over = 0;
  process.events.on("joins.limited", (fields) => reported.push(fields));
  process.events.on("join.over_address_limit", () => over++);
  await world.pass(5_000, [process]);
  const join = async (address: string | null) =>
    (await process.room.join(null, world.clock.now(), from(address))).result;
  return { world, process, reported, over: () => over, join };
}

function queued({ room }: Process) {
  return room.state?.queued;
}

describe("joins per address", () => {
  test("beyond the limit nobody takes a position, and each learns when there is a token", async () => {
    const { world, process, join } = await start("limit");
    expect([await join("a"), await join("a"), await join("a"), await join("b")]).toEqual([
      "joined",
      "joined",
      "too_many",
      "joined",
    ]);
    expect(await process.room.join(null, world.clock.now(), from("a"))).toEqual({
      result: "too_many",
      why: "rate",
      retryMs: 1_000,
    });
    await world.pass(1_000, [process]);
    expect(queued(process)).toBe(3);
    expect(await join("a")).toBe("joined");
  });

  test("visitors who come in one turn of the event loop are counted, too", async () => {
    const { join } = await start("at-once");
    const results = await Promise.all(["a", "a", "a", "b", "a"].map(join));
    expect(results).toEqual(["joined", "joined", "too_many", "joined", "too_many"]);
  });

  test("where there is no address, or the room has no limit, nobody is counted", async () => {
    const limited = await start("no-address");
    for (let visit = 0; visit < 5; visit++) expect(await limited.join(null)).toBe("joined");
    const off = await start("off", { joinsPerAddress: undefined as never });
    for (let visit = 0; visit < 5; visit++) expect(await off.join("a")).toBe("joined");
  });

  test("a line that is full, a store that is away and a closed room use up nobody's token", async () => {
    const { world, process, join } = await start("refund", { settings: withPatch(manualSettings, { maxWaiting: 1 }) });
    expect(await join("a")).toBe("joined");
    for (let visit = 0; visit < 5; visit++) expect(await join("a")).toBe("full");
    await process.room.operations.step({ step: "increment", by: 10 }, null, "operator");
    world.setAway(true);
    for (let visit = 0; visit < 5; visit++) expect(await join("a")).toBe("later");
    world.setAway(false);
    await world.pass(60_000, [process]);
    await process.room.operations.step({ step: "phase", phase: "ended" }, null, "operator");
    for (let visit = 0; visit < 5; visit++) expect(await join("a")).toBe("closed");
    await process.room.operations.step({ step: "phase", phase: "open" }, null, "operator");
    expect([await join("a"), await join("a"), await join("a")]).toEqual(["joined", "joined", "too_many"]);
  });

  test("a process that has not heard of a line gives no place, which nobody would have counted (draws, limits)", async () => {
    const { world, process, join } = await start("pass");
    const other = world.process("two", { joinsPerAddress: { perMinute: 60, burst: 2 } });
    await join("a");
    await join("a");
    await process.room.operations.step({ step: "phase", phase: "passthrough" }, null, "operator");
    expect([await join("a"), await join("a")]).toEqual(["closed", "closed"]);
    await other.refresh();
    await other.room.operations.step({ step: "phase", phase: "open" }, null, "operator");
    expect(process.room.entrance).toBe("pass");
    expect(await join("b")).toBe("closed");
    await process.refresh();
    expect([await join("b"), await join("b"), await join("b")]).toEqual(["joined", "joined", "too_many"]);
  });

  test("an event for each, and one for the log at once and then once a minute, with their number", async () => {
    const { world, process, reported, over, join } = await start("told");
    const flood = async () => {
      for (let visit = 0; visit < 3; visit++) await join("a");
    };
    await flood();
    expect([over(), reported]).toEqual([1, []]);
    await world.pass(1_000, [process]);
    expect(reported).toEqual([{ room: "tickets", count: 1, rate: 1, entries: 0 }]);
    await flood();
    await world.pass(58_000, [process]);
    expect(reported).toHaveLength(1);
    await world.pass(3_000, [process]);
    expect([over(), reported.slice(1)]).toEqual([3, [{ room: "tickets", count: 2, rate: 2, entries: 0 }]]);
    await world.pass(120_000, [process]);
    expect(reported).toHaveLength(2);
  });
});
