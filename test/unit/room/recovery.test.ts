import { describe, expect, test, vi } from "vitest";
import { peopleWaiting } from "../../../src/room/line.ts";
import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import type { RoomState } from "../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSharedWorld, joinMany, joinOne, type Process } from "./processes.ts";

/** Two processes in the middle of a line: 300 joined, 100 served, 50 admitted. */
async function middleOfALine(seed: string) {
  const world = createSharedWorld(seed);
  const one = world.process("one", { isNewInstallation: true });
  const two = world.process("two");
  await one.refresh();
  await two.refresh();
  const tickets = [...(await joinMany(one, 150, world.clock.now())), ...(await joinMany(two, 150, world.clock.now()))];
  await one.room.operations.step({ step: "increment", by: 100 }, "step-1", "test");
  const admitted: Ticket[] = [];
  for (const ticket of tickets.slice(0, 50)) {
    const result = await one.room.claim(ticket, "login-01");
    if (result.result !== "admitted") throw new Error(result.result);
    const { admittedMs, expiresMs, via } = result.admission;
    admitted.push({ ...ticket, claim: { admittedMs, expiresMs, via } });
  }
  await world.pass(1_500, [one, two]);
  return { world, one, two, tickets, admitted };
}

/** What must hold after any loss (rules 1, 2, 3, 6). */
async function expectNothingLost(
  processes: readonly Process[],
  tickets: readonly Ticket[],
  admitted: readonly Ticket[],
  nowMs: number,
) {
  const [first = processes[0], second = first] = processes;
  if (first === undefined || second === undefined) throw new Error("no process");
  const state = first.room.state;
  expect(state).toMatchObject({ phase: "open", serving: 100 });

  // Whoever was admitted logs in again, at any process.
  for (const ticket of admitted) {
    const result = await second.room.claim(ticket, "login-02");
    expect(result).toMatchObject({ result: "admitted", isNew: false, admission: { position: ticket.position } });
  }
  // Whoever was served may still enter, once; whoever waits still waits, at the same place.
  for (const ticket of tickets.slice(50, 100)) {
    expect(await first.room.claim(ticket, "login-01")).toMatchObject({ result: "admitted", isNew: true });
  }
  for (const ticket of tickets.slice(100)) {
    expect(await first.room.claim(ticket, "login-01")).toEqual({ result: "waiting" });
  }
  // No position is handed out twice, and the gap is skipped free.
  const newcomers = [...(await joinMany(first, 50, nowMs)), ...(await joinMany(second, 50, nowMs))];
  const positions = new Set([...tickets, ...newcomers].map(({ position }) => position));
  expect(positions.size).toBe(tickets.length + newcomers.length);
  expect(Math.min(...newcomers.map(({ position }) => position))).toBeGreaterThan(300);
  await first.refresh();
  const ahead = first.room.describe(newcomers[0] as Ticket)?.ahead ?? -1;
  expect(ahead).toBeLessThanOrEqual(200);
  expect(ahead).toBeGreaterThanOrEqual(199);
}

describe("a store that loses the room", () => {
  test("wiped: everything comes back from what the processes remember", async () => {
    const { world, one, two, tickets, admitted } = await middleOfALine("wiped");
    world.wipe();
    expect(await one.room.join(null, world.clock.now())).toMatchObject({ result: "later" });
    expect(one.room.availability).toBe("recovering");
    await world.pass(20_000, [one, two]);
    await expectNothingLost([one, two], tickets, admitted, world.clock.now());
  });

  test("put back from an older snapshot: what came after it is remembered", async () => {
    const { world, one, two, tickets, admitted } = await middleOfALine("rolled back");
    world.save();
    const later = await joinMany(two, 100, world.clock.now());
    await world.pass(1_500, [one, two]);
    world.restore();
    await world.pass(20_000, [one, two]);
    const highest = Math.max(...later.map(({ position }) => position));
    const newcomer = await joinOne(one, world.clock.now());
    expect(newcomer.position).toBeGreaterThan(highest);
    for (const ticket of later) expect(await one.room.claim(ticket, null)).toEqual({ result: "waiting" });
    for (const ticket of admitted) {
      expect(await two.room.claim(ticket, "login-02")).toMatchObject({ result: "admitted", isNew: false });
    }
    expect(tickets).toHaveLength(300);
  });

  test("wiped while one process was down, which comes back first: the other still offers what it knows", async () => {
    const { world, two, tickets, admitted } = await middleOfALine("restarted between");
    world.wipe();
    const reborn = world.process("one", { machine: "another" });
    await reborn.refresh();
    await world.pass(20_000, [reborn, two]);
    await expectNothingLost([reborn, two], tickets, admitted, world.clock.now());
  });

  test("wiped in the moment after an operator's step, and every process killed: what the operator was answered stands", async () => {
    const { world, one } = await middleOfALine("just told");
    await one.room.operations.step({ step: "increment", by: 7 }, "step-2", "test");
    await one.room.operations.step({ step: "pause" }, "step-3", "test");
    world.wipe();
    const processes = [world.process("one"), world.process("two")];
    await world.pass(20_000, processes);
    expect(processes[1]?.room.state).toMatchObject({ phase: "paused", serving: 107 });
  });

  test("wiped, and every process restarted: the checkpoints on disk and the visitors' own tickets suffice", async () => {
    const { world, tickets, admitted } = await middleOfALine("everything restarted");
    world.wipe();
    const processes = [world.process("one"), world.process("two")];
    await world.pass(20_000, processes);
    const [one] = processes;
    if (one === undefined) throw new Error("no process");
    expect(one.room.state).toMatchObject({ phase: "open", serving: 100 });
    for (const ticket of admitted) {
      expect(await one.room.claim(ticket, "login-02")).toMatchObject({ result: "admitted", isNew: false });
    }
    for (const ticket of tickets.slice(100)) {
      expect(await one.room.claim(ticket, null)).toEqual({ result: "waiting" });
    }
    const newcomer = await joinOne(one, world.clock.now());
    expect(newcomer.position).toBeGreaterThan(300);
  });

  test("wiped, and nobody remembers the room: it starts paused, and tickets that come raise its counters", async () => {
    const { world, tickets } = await middleOfALine("forgotten");
    world.wipe();
    const stranger = world.process("three", { machine: "a new machine" });
    await world.pass(5_000, [stranger]);
    expect(stranger.room.state).toMatchObject({ phase: "paused", phaseReason: "recovered" });
    expect(await stranger.room.join(null, world.clock.now())).toMatchObject({ result: "later" });

    const last = tickets.at(-1) as Ticket;
    expect(stranger.room.isAhead(last)).toBe(true);
    await stranger.room.verifyAhead(last);
    await world.pass(1_000, [stranger]);
    await stranger.room.operations.step({ step: "resume" }, "resume", "test");
    await world.pass(20_000, [stranger]);
    const newcomer = await joinOne(stranger, world.clock.now());
    expect(newcomer.edition).toBe(last.edition);
    expect(newcomer.position).toBeGreaterThan(last.position);
    expect(await stranger.room.claim(last, null)).toEqual({ result: "waiting" });
  });
});

describe("a process that dies and comes back after the store was emptied", () => {
  test.each([
    ["before", 1_500],
    ["in the moment", 0],
  ])("%s: its marks make no places that nobody has", async (_, passedMs) => {
    const world = createSharedWorld(`phantoms ${passedMs}`);
    const one = world.process("one", { isNewInstallation: true });
    const two = world.process("two");
    await world.pass(1_000, [one, two]);
    await joinMany(one, 12, world.clock.now());
    await world.pass(passedMs, [two]);
    const last = (await joinMany(two, 20, world.clock.now())).at(-1) as Ticket;
    world.wipe();
    await world.pass(6_000, [two]);
    expect(peopleWaiting(two.room.state as RoomState)).toBe(32);
    const reborn = world.process("one");
    await world.pass(2_000, [reborn, two]);
    expect(peopleWaiting(two.room.state as RoomState)).toBe(32);
    const newcomer = await joinOne(reborn, world.clock.now());
    expect(reborn.room.describe(newcomer)?.ahead).toBe(32);
    expect(newcomer.position).toBeGreaterThan(last.position);
  });
});

describe("a store that is put back in place, under the same run id", () => {
  test("hands no position out twice, whichever process asks", async () => {
    const { world, one, two, tickets } = await middleOfALine("in place");
    world.save();
    const now = () => world.clock.now();
    const later = [...(await joinMany(one, 30, now())), ...(await joinMany(two, 30, now()))];
    world.restoreInPlace();
    for (const each of [one, two]) {
      expect(await each.room.join(null, now())).toMatchObject({ result: "later" });
    }
    await world.pass(20_000, [one, two]);
    const newcomers = [...(await joinMany(one, 5, now())), ...(await joinMany(two, 5, now()))];
    const all = [...tickets, ...later, ...newcomers];
    expect(new Set(all.map(({ position }) => position)).size).toBe(all.length);
    expect(one.room.describe(newcomers[0] as Ticket)?.ahead).toBe(260);
  });

  test("is found out while nobody joins, and by one that comes back with its checkpoints", async () => {
    const { world, one, two } = await middleOfALine("in place, quietly");
    world.save();
    await world.pass(2_000, [one, two]);
    await one.room.operations.step({ step: "increment", by: 20 }, null, "test");
    world.restoreInPlace();
    await one.refresh();
    expect(one.room.availability).toBe("recovering");
    await world.pass(4_000, [one, two]);
    expect(one.room.state).toMatchObject({ serving: 120 });
    world.save();
    await joinMany(one, 10, world.clock.now());
    world.restoreInPlace();
    const reborn = world.process("one");
    await reborn.refresh();
    expect(reborn.room.availability).toBe("recovering");
  });
});

describe("positions of the last moment before everything was lost", () => {
  test("are on disk before any visitor holds them: an operator calls as many as they say", async () => {
    const world = createSharedWorld("last moment");
    const one = world.process("one", { isNewInstallation: true });
    await one.refresh();
    await joinMany(one, 10, world.clock.now());
    await world.pass(1_000, [one]);
    const crowd = await joinMany(one, 150, world.clock.now());
    world.wipe();
    const reborn = world.process("one");
    await world.pass(6_000, [reborn]);
    expect(reborn.room.describe(crowd.at(-1) as Ticket)?.ahead).toBe(159);
    expect(reborn.room.isNews(crowd.at(-1) as Ticket)).toBe(false);
    const answer = await reborn.room.operations.step({ step: "increment", by: 11 }, null, "test");
    expect(answer).toMatchObject({ serving: 11, waiting: 149 });
  });

  test("are taken from the tickets where no disk has them, and nobody is called for nothing meanwhile", async () => {
    const world = createSharedWorld("lost disk");
    const one = world.process("one", { isNewInstallation: true });
    const two = world.process("two", { machine: "b" });
    await world.pass(1_000, [one, two]);
    const first = await joinMany(one, 10, world.clock.now());
    await world.pass(1_000, [one, two]);
    const crowd = await joinMany(one, 150, world.clock.now());
    world.wipe();
    await world.pass(6_000, [two]);
    await two.room.operations.step({ step: "increment", by: 11 }, null, "test");
    for (const ticket of [first[9], crowd[0]]) {
      expect(await two.room.claim(ticket as Ticket, null)).toMatchObject({ result: "admitted" });
    }
    const last = crowd.at(-1) as Ticket;
    expect(two.room.isNews(last)).toBe(true);
    await two.room.verifyAhead(last);
    expect(two.room.isNews(last)).toBe(false);
    expect(two.room.describe(last)?.ahead).toBe(148);
    await world.pass(60_000, [two]);
    expect(await two.room.claim(crowd[1] as Ticket, null)).toEqual({ result: "waiting" });
    await two.room.operations.step({ step: "increment", by: 149 }, null, "test");
    expect(await two.room.claim(last, null)).toMatchObject({ result: "admitted" });
    expect(peopleWaiting(two.room.state as RoomState)).toBe(0);
  });
});

describe("admissions of the last moment before everything was lost", () => {
  const inlet = { ...manualSettings.inlet, type: "max_active" as const, maxActive: 3 };

  test("are counted on disk before their visitors are answered: no more are live than may be", async () => {
    const world = createSharedWorld("live");
    const settings = { ...manualSettings, inlet };
    const [one, two] = [
      world.process("one", { settings, isNewInstallation: true }),
      world.process("two", { settings }),
    ];
    await one.refresh();
    await two.refresh();
    for (const process of [one, two, one]) {
      const ticket = await joinOne(process, world.clock.now());
      expect(await process.room.claim(ticket, null)).toMatchObject({ result: "admitted", isNew: true });
    }
    // Neither has written a checkpoint since.
    world.wipe();
    const again = [world.process("one", { settings }), world.process("two", { settings })] as const;
    await world.pass(5_000, again);
    const newcomer = await joinOne(again[0], world.clock.now());
    await world.pass(5_000, again);
    expect(again[0].room.state).toMatchObject({ liveAdmissions: 0, phase: "open" });
    expect((await again[0].room.claim(newcomer, null)).result).not.toBe("admitted");
    await world.pass(settings.admission.durationMs, again);
    expect(await again[0].room.claim(newcomer, null)).toMatchObject({ result: "admitted", isNew: true });
  });
});

test("a process that is merely restarted disturbs nobody: no recovery, no gap", async () => {
  const { world, one, two, tickets } = await middleOfALine("restart");
  const reborn = world.process("one");
  await reborn.refresh();
  expect(reborn.room.availability).toBe("ready");
  expect(reborn.room.state).toMatchObject({ queued: 300, serving: 100, gaps: [] });
  await world.pass(1_000, [one, two, reborn]);
  expect(await two.room.claim(tickets[60] as Ticket, null)).toMatchObject({ result: "admitted" });
});

test("a room of a new installation opens at once", async () => {
  const world = createSharedWorld("new");
  const first = world.process("one", { isNewInstallation: true });
  await first.refresh();
  expect(first.room.state).toMatchObject({ phase: "open", queued: 0 });
});

test("a process that wakes up late with a ticket ahead of its own knowledge asks before it believes in a loss", async () => {
  const { world, one, two } = await middleOfALine("late");
  const ticket = await joinOne(one, world.clock.now());
  expect(two.room.isAhead(ticket)).toBe(true);
  await two.room.verifyAhead(ticket);
  expect(two.room.isAhead(ticket)).toBe(false);
  expect(two.room.availability).toBe("ready");
});

describe("a store that does not answer", () => {
  test("those in line keep seeing their place, nobody enters, and arrivals are let in oldest first", async () => {
    const { world, one, tickets } = await middleOfALine("away");
    world.setAway(true);
    await world.pass(4_000, [one]);
    expect(one.room.availability).toBe("away");
    expect(one.room.describe(tickets[250] as Ticket)).toMatchObject({ state: "waiting", position: 251, ahead: 150 });
    expect(await one.room.claim(tickets[60] as Ticket, null)).toEqual({ result: "away" });

    const arrivals: number[] = [];
    for (let index = 0; index < 5; index++) {
      arrivals.push(world.clock.now());
      expect(await one.room.join(null, world.clock.now())).toMatchObject({ result: "later" });
      await world.pass(2_000, [one]);
    }
    world.setAway(false);
    await one.refresh();

    // They come back in the reverse order, as often as they are asked to.
    const joined: { arrivedMs: number; position: number }[] = [];
    const waiting = [...arrivals].reverse();
    for (let turn = 0; turn < 100 && waiting.length > 0; turn++) {
      for (const arrivedMs of [...waiting]) {
        const result = await one.room.join(null, arrivedMs);
        if (result.result !== "joined") continue;
        joined.push({ arrivedMs, position: result.ticket.position });
        waiting.splice(waiting.indexOf(arrivedMs), 1);
      }
      await world.pass(500, [one]);
    }
    const byPosition = joined.sort((a, b) => a.position - b.position).map(({ arrivedMs }) => arrivedMs);
    expect(byPosition).toEqual(arrivals);
  });

  test("an interruption that turned nobody away makes nobody wait", async () => {
    const { world, one } = await middleOfALine("short");
    world.setAway(true);
    await world.pass(3_000, [one]);
    world.setAway(false);
    await one.refresh();
    expect(await one.room.join(null, world.clock.now())).toMatchObject({ result: "joined" });
  });
});

test("settings of another process's file are noticed as drift, and live ones win everywhere", async () => {
  const world = createSharedWorld("drift");
  const one = world.process("one", { isNewInstallation: true });
  await one.refresh();
  const other = { ...manualSettings, title: "Other title" };
  const two = world.process("two", { settings: other });
  await two.refresh();
  await one.refresh();
  expect(one.room.title).toBe("Other title");
  const live = { inlet: { outflowPerMinute: 60 } };
  const version = one.room.state?.version ?? 0;
  const effective = { ...other, inlet: { ...other.inlet, outflowPerMinute: 60 } };
  await one.room.operations.changeSettings(live, effective, version, "test");
  await expect(one.room.operations.changeSettings(live, effective, version, "test")).rejects.toThrow(
    /at the same time/,
  );
  await two.refresh();
  expect(two.room.state?.settings.effective.inlet.outflowPerMinute).toBe(60);
});

describe("checkpoints on disk", () => {
  test("a file of a process that is gone for good makes no restart look like a loss", async () => {
    const { world, one, two } = await middleOfALine("stale file");
    // The second process never comes back, the store loses everything once, and the first one goes through it.
    await two.stop();
    world.wipe();
    await world.pass(10_000, [one]);
    const { gaps } = one.room.state ?? {};
    expect(gaps).toHaveLength(1);
    for (let restart = 0; restart < 3; restart++) {
      const reborn = world.process("one");
      await reborn.refresh();
      expect(reborn.room.availability).toBe("ready");
      expect(reborn.room.state?.gaps).toEqual(gaps);
      await reborn.stop();
    }
  });

  test("after everything was stopped in good order, newcomers see the true number of people ahead", async () => {
    const world = createSharedWorld("everything stopped");
    const one = world.process("one", { isNewInstallation: true });
    await one.refresh();
    await joinMany(one, 3, world.clock.now());
    await world.pass(1_000, [one]);
    await one.stop();
    world.wipe();
    const reborn = world.process("one");
    await world.pass(10_000, [reborn]);
    const newcomer = await joinOne(reborn, world.clock.now());
    await reborn.refresh();
    expect(reborn.room.describe(newcomer)?.ahead).toBe(3);
  });
});

test("a step that was carried out is not reported as failed because the store went away afterwards", async () => {
  const { world, one } = await middleOfALine("step");
  const { events } = one;
  events.once("room.admin_step", () => world.setAway(true));
  const answer = await one.room.operations.step({ step: "increment", by: 5 }, "step-2", "test");
  expect(answer).toMatchObject({ serving: 105 });
});

test("a clock that is set back after an interruption makes nobody wait, and old stamps are no privilege", async () => {
  const { world, one } = await middleOfALine("clock back");
  world.setAway(true);
  await world.pass(3_000, [one]);
  const longAgo = world.clock.now() - 86_400_000;
  expect(await one.room.join(null, world.clock.now())).toMatchObject({ result: "later" });
  world.setAway(false);
  await one.refresh();
  world.clock.advance(5_100);
  expect(await one.room.join(null, longAgo)).toMatchObject({ result: "later" });
  world.clock.advance(-3_600_000);
  expect(await one.room.join(null, world.clock.now())).toMatchObject({ result: "joined" });
});

test("leaving with a cookie from before the claim ends the admission all the same", async () => {
  const { one, tickets } = await middleOfALine("leave");
  await one.room.leave(tickets[3] as Ticket);
  expect(await one.room.admissions.find(tickets[3]?.sub ?? "")).toMatchObject({ ended: "logout" });
});

test("the hold of a limited room after a loss is known for as long as it lasts", async () => {
  const world = createSharedWorld("hold");
  const settings = { ...manualSettings, inlet: { ...manualSettings.inlet, outflowPerMinute: 600 } };
  const one = world.process("one", { isNewInstallation: true, settings });
  await one.refresh();
  const ticket = await joinOne(one, world.clock.now());
  await one.room.operations.step({ step: "increment", by: 10 }, "step", "test");
  expect(one.room.isOnHold).toBe(false);
  world.wipe();
  await world.pass(4_000, [one]);
  expect(one.room.isOnHold).toBe(true);
  expect(await one.room.claim(ticket, null)).toMatchObject({ result: "held" });
  await world.pass(62_000, [one]);
  expect(one.room.isOnHold).toBe(false);
  expect(await one.room.claim(ticket, null)).toMatchObject({ result: "admitted", isNew: true });
});

test("while a room with a limit recovers, the hold that follows is shown; and it is ready when its new figures are known", async () => {
  const world = createSharedWorld("told meanwhile");
  const inlet = { ...manualSettings.inlet, type: "periodic" as const, outflowPerMinute: 600 };
  const one = world.process("one", { isNewInstallation: true, settings: { ...manualSettings, inlet } });
  await one.refresh();
  const [first, second] = (await joinMany(one, 50, world.clock.now())).slice(-2) as [Ticket, Ticket];
  await one.refresh();
  expect(one.room.describe(second)?.estimate?.high).toBeLessThan(60);
  world.wipe();
  expect(await one.room.join(null, world.clock.now())).toMatchObject({ result: "later" });
  expect(one.room.availability).toBe("recovering");
  expect(one.room.isOnHold).toBe(true);
  expect(one.room.reportedState?.holdRemainingMs).toBe(62_500);
  expect(one.room.reportedState).toBe(one.room.reportedState);
  expect(one.room.describe(second)?.estimate?.high).toBeGreaterThan(60);
  world.clock.advance(2_600);
  // The store answers, and the figures are those from before the loss.
  await one.room.leavePlace(first);
  expect(one.room.state?.queued).toBe(50);
  expect(one.room.availability).toBe("recovering");
  await one.refresh();
  expect(one.room.availability).toBe("ready");
  expect(one.room.state?.queued).toBe(1_050);
});

test("a visitor who was turned away in a recovery has a place within seven seconds of the loss, and later visitors soon after", async () => {
  const world = createSharedWorld("soon after");
  const one = world.process("one", { isNewInstallation: true });
  await one.refresh();
  await joinMany(one, 5, world.clock.now());
  world.wipe();
  const lostMs = world.clock.now();
  const [early, late] = [lostMs, lostMs + 2_000];
  const joinedAfterMs = new Map<number, number>();
  while (joinedAfterMs.size < 2 && world.clock.now() < lostMs + 20_000) {
    for (const arrivedMs of [late, early]) {
      if (arrivedMs > world.clock.now() || joinedAfterMs.has(arrivedMs)) continue;
      const { result } = await one.room.join(null, arrivedMs);
      if (result === "joined") joinedAfterMs.set(arrivedMs, world.clock.now() - lostMs);
    }
    await world.pass(500, [one]);
  }
  expect([...joinedAfterMs.keys()]).toEqual([early, late]);
  expect(Math.max(...joinedAfterMs.values())).toBeLessThanOrEqual(7_000);
});

test("a visitor who comes when a recovery has just ended goes behind those whom it turned away, whichever process learns of its end first", async () => {
  const world = createSharedWorld("just after");
  const one = world.process("one", { isNewInstallation: true });
  await one.refresh();
  await joinMany(one, 5, world.clock.now());
  world.wipe();
  const arrivedMs = world.clock.now();
  expect(await one.room.join(null, arrivedMs)).toEqual({ result: "later", retryMs: 2_750 });
  world.clock.advance(1_000);
  expect(await one.room.join(null, world.clock.now())).toEqual({ result: "later", retryMs: 1_750 });
  world.clock.advance(1_600);
  const lateMs = world.clock.now();
  expect(await one.room.join(null, lateMs)).toMatchObject({ result: "later" });
  await world.pass(2_000, [one]);
  const first = await joinOne(one, arrivedMs);
  expect(await one.room.join(null, lateMs)).toMatchObject({ result: "later" });
  await world.pass(3_000, [one]);
  expect((await joinOne(one, lateMs)).position).toBe(first.position + 1);
});

test("a process learns of the end of a recovery when it comes, and not a round later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const world = createSharedWorld("in time");
    const one = world.process("one", { isNewInstallation: true });
    const until = async (availability: string) => {
      let passedMs = 0;
      for (; one.room.availability !== availability; passedMs += 10) {
        world.clock.advance(10);
        await vi.advanceTimersByTimeAsync(10);
      }
      return passedMs;
    };
    await one.refresh();
    await joinMany(one, 5, world.clock.now());
    one.start();
    for (let losses = 0; losses < 5; losses++) {
      await until("ready");
      world.wipe();
      await until("recovering");
      expect(await until("ready")).toBeLessThan(2_600);
    }
    await one.stop();
  } finally {
    vi.useRealTimers();
  }
});

test("a refresh that fails is over: the next one asks anew", async () => {
  const world = createSharedWorld("catch-up");
  const one = world.process("one", { isNewInstallation: true });
  await one.refresh();
  const flowMs = one.room.state?.flowMs ?? 0;
  const failing = () => {
    throw new TypeError("a listener's fault");
  };
  one.events.on("room.phase_changed", failing);
  await one.room.operations.step({ step: "pause" }, null, "test").catch(() => {});
  const both = await Promise.allSettled([one.room.catchUp(), one.room.catchUp()]);
  expect(both).toHaveLength(2);
  one.events.off("room.phase_changed", failing);
  world.clock.advance(1_000);
  await one.room.catchUp();
  expect(one.room.state?.flowMs).toBe(flowMs + 1_000);
});
