/** Goal: what an operator reads of a sale is what happened. Method: two processes play one with a moved clock, and its steps are read. */
import { describe, expect, test } from "vitest";
import type { StatisticsStep } from "../../../../src/room/statistics/room-statistics.ts";
import type { Ticket } from "../../../../src/room/tickets/ticket.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, joinMany, joinOne, type Process } from "../processes.ts";

const minute = 60_000;

const sum = (steps: readonly StatisticsStep[], of: (step: StatisticsStep) => number | undefined) =>
  steps.reduce((total, step) => total + (of(step) ?? 0), 0);

async function openWorld(seed: string, part: Parameters<ReturnType<typeof createSharedWorld>["process"]>[1] = {}) {
  const world = createSharedWorld(seed);
  const one = world.process("one", { isNewInstallation: true, ...part });
  await one.refresh();
  const two = world.process("two", part);
  await two.refresh();
  const processes = [one, two] as const;
  const last = (process: Process, ms: number, stepMs = 10_000) => {
    const toMs = Math.ceil(world.clock.now() / stepMs) * stepMs;
    return process.room.statistics({ fromMs: toMs - Math.ceil(ms / stepMs) * stepMs, toMs, stepMs });
  };
  return { world, one, two, processes, last };
}

const periodic = {
  ...manualSettings,
  inlet: { ...manualSettings.inlet, type: "periodic" as const, outflowPerMinute: 120 },
  admission: { ...manualSettings.admission, durationMs: 2 * minute, claimWithinMs: minute },
  maxWaiting: 15,
};

test("all steps of a sale together say what the counters say, whichever their length, at every process", async () => {
  const { world, one, two, processes, last } = await openWorld("sale", { settings: periodic });
  let waiting: Ticket[] = [];
  const admitted: Ticket[] = [];
  let refused = 0;
  for (let second = 0; second < 200; second++) {
    const process = processes[second % 2] as Process;
    for (let visitor = 0; visitor < 3; visitor++) {
      const joined = await process.room.join(null, world.clock.now());
      if (joined.result === "joined") waiting.push(joined.ticket);
      else refused++;
    }
    const still: Ticket[] = [];
    for (const ticket of waiting) {
      const isServed = ticket.position <= (process.room.state?.serving ?? 0);
      // Some give up, and some never come.
      if (isServed && ticket.position % 9 === 0) await process.room.leave(ticket);
      else if (isServed && ticket.position % 5 !== 0) {
        const { result } = await process.room.claim(ticket, `login ${ticket.position}`);
        (result === "admitted" ? admitted : still).push(ticket);
      } else still.push(ticket);
    }
    waiting = still;
    const leaving = second % 3 === 0 ? admitted.shift() : undefined;
    if (leaving !== undefined) await process.room.admissions.end(leaving.sub, "completed");
    await world.pass(1_000, processes);
  }
  await world.pass(20_000, processes);
  const counts = one.room.state?.counts;
  expect(counts?.entered).toBeGreaterThan(200);
  expect(counts?.noShows).toBeGreaterThan(20);
  expect(refused).toBeGreaterThan(20);
  for (const process of [one, two]) {
    for (const stepMs of [10_000, 30_000, minute, 5 * minute]) {
      const steps = await last(process, 15 * minute, stepMs);
      for (const name of ["joined", "entered", "left", "noShows", "completed", "loggedOut", "expired"] as const) {
        expect(
          sum(steps, ({ counts: of }) => of?.[name]),
          `${name} by ${stepMs} ms`,
        ).toBe(counts?.[name]);
      }
      expect(sum(steps, (step) => step.refused?.full)).toBe(refused);
      expect(sum(steps, (step) => step.counts?.served)).toBe(one.room.state?.serving);
    }
  }
  // In the middle of it all limits were in force, and no step of ten seconds let in more than they allow.
  const steps = (await last(one, 3 * minute)).filter(({ isComplete }) => isComplete);
  expect(steps.length).toBeGreaterThan(15);
  for (const { gauges } of steps)
    expect(gauges).toMatchObject({ limit: 120, rate: 120, phase: "open", latencyMs: null });
});

test("tells what was not recorded from what was nothing, and the step that is not over from one that is", async () => {
  const { world, one, processes, last } = await openWorld("away");
  await world.pass(minute - (world.clock.now() % minute), processes);
  const beginMs = world.clock.now();
  await joinMany(one, 3, world.clock.now());
  await world.pass(10_000, processes);
  await world.pass(2 * minute, processes);
  // All processes are away, and come back.
  world.clock.advance(3 * minute);
  await world.pass(64_000, processes);
  await joinOne(one, world.clock.now());
  const toMs = Math.ceil(world.clock.now() / minute) * minute;
  const steps = await one.room.statistics({ fromMs: beginMs, toMs, stepMs: minute });
  expect(steps.map(({ recordedMs }) => recordedMs / 1_000)).toEqual([60, 60, 60, 0, 0, 60, 14]);
  const [first, second, gone, unknown] = steps;
  expect(first).toMatchObject({ isComplete: true, hasLoss: false, counts: { joined: 3 }, gauges: { waiting: 3 } });
  expect(second).toMatchObject({ isComplete: true, counts: { joined: 0, entered: 0 }, refused: { full: 0 } });
  expect(gone).toMatchObject({ isComplete: false, gauges: null });
  expect(unknown).toMatchObject({ isComplete: false, recordedMs: 0, counts: null, refused: null, gauges: null });
  const tens = await last(one, minute);
  expect(tens.at(-1)).toMatchObject({ isComplete: false, gauges: null, counts: { joined: 1 } });
});

test("marks the step that a loss took a part of, and knows nothing of those before it", async () => {
  const { world, one, processes, last } = await openWorld("loss");
  await joinMany(one, 5, world.clock.now());
  await world.pass(2 * minute, processes);
  world.wipe();
  await world.pass(10_000, processes);
  await joinMany(one, 2, world.clock.now());
  await world.pass(30_000, processes);
  const steps = await last(one, 3 * minute);
  expect(one.room.state?.counts.joined).toBe(7);
  expect(sum(steps, ({ counts }) => counts?.joined)).toBe(2);
  expect(steps.filter(({ hasLoss }) => hasLoss)).toHaveLength(1);
  expect(steps[0]).toMatchObject({ recordedMs: 0, counts: null });
});

describe("refusals that only a process knows", () => {
  test("while the store is away are told when it is back", async () => {
    const { world, one, two, processes, last } = await openWorld("refusals");
    await world.pass(10_000, processes);
    world.setAway(true);
    for (let visitor = 0; visitor < 7; visitor++) await one.room.join(null, world.clock.now());
    for (let visitor = 0; visitor < 4; visitor++) await two.room.join(null, world.clock.now());
    await expect(one.room.refresh()).rejects.toThrow();
    world.setAway(false);
    await world.pass(20_000, processes);
    expect(sum(await last(one, minute), ({ refused }) => refused?.unavailable)).toBe(11);
  });

  test("are counted once where the answer to their report was lost", async () => {
    const { world, one, processes, last } = await openWorld("lost answer");
    const [ticket] = await joinMany(one, 1, world.clock.now());
    if (ticket === undefined) throw new Error("no ticket");
    await one.room.leave(ticket);
    for (let again = 0; again < 3; again++) expect((await one.room.claim(ticket, null)).result).toBe("left");
    world.afterNext("recordStatistics", async () => {
      throw new Error("the answer is lost");
    });
    await one.room.refresh().catch(() => {});
    await world.pass(20_000, processes);
    expect(sum(await last(one, minute), ({ refused }) => refused?.left)).toBe(3);
  });

  test("per address are counted, and a claim that is to be made again is none", async () => {
    const { world, one, processes, last } = await openWorld("address", { joinsPerAddress: { perMinute: 1, burst: 2 } });
    const joins = Array.from({ length: 5 }, () => one.room.join(null, world.clock.now(), () => "192.0.2.7"));
    const [first] = await Promise.all(joins);
    if (first?.result !== "joined") throw new Error("no place");
    expect((await one.room.claim(first.ticket, null)).result).toBe("waiting");
    await world.pass(20_000, processes);
    const steps = await last(one, minute);
    expect(sum(steps, ({ refused }) => refused?.too_many_from_address)).toBe(3);
    expect(sum(steps, ({ refused }) => Object.values(refused ?? {}).reduce((a, b) => a + b, 0))).toBe(3);
  });
});

test("pages that have asked are counted together, whichever processes they asked", async () => {
  const { world, one, two, processes, last } = await openWorld("pages");
  const tickets = await joinMany(one, 200, world.clock.now());
  await world.pass(minute - (world.clock.now() % minute) + 1_000, processes);
  for (const [index, ticket] of tickets.entries()) {
    for (const { room } of index < 150 ? [one] : [one, two]) if (index < 160) room.recordPage(ticket, index / 1_000);
  }
  one.room.recordPage({ edition: 1, position: 999 }, 0);
  one.room.recordPage({ ...(tickets[0] as { edition: number; position: number }), position: 0 }, 0);
  await world.pass(minute, processes);
  const open = one.room.state?.presence.counted;
  expect(open?.pages).toBeGreaterThanOrEqual(158);
  expect(open?.pages).toBeLessThanOrEqual(162);
  const [step] = (await last(two, 2 * minute, minute)).filter(
    ({ openPages }) => openPages !== null && openPages.visitors > 0,
  );
  expect(step?.openPages).toEqual({ visitors: open?.pages, margin: 3 });
});
