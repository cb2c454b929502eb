import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createCheckpoints } from "../../../src/room/replica/checkpoints/checkpoints.ts";
import { createWaitingRooms } from "../../../src/room/rooms.ts";
import { createKeyRing, createTicketCodec, type Ticket } from "../../../src/room/tickets/ticket.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import type { RoomSettings } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createStoredRun } from "../../../src/store/memory/stored-run.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { tempDirOfTest } from "../../support/temp-dir-of-test.ts";

const limit = 6;
const settings: RoomSettings = {
  ...manualSettings,
  inlet: { ...manualSettings.inlet, outflowPerMinute: limit },
};

type Machine = ReturnType<typeof createMachine>;
type Gateway = Awaited<ReturnType<ReturnType<typeof createMachine>["start"]>>;

/** One machine, on which one gateway with the embedded store runs at a time. */
function createMachine(directory = tempDirOfTest("embedded")) {
  const random = createSeededRandom("embedded");
  const ring = createKeyRing([{ kid: "key", secret: Buffer.alloc(32, 7) }]);
  const wall = createMovedClock();
  const faults: unknown[] = [];
  let uptimeMs = 500_000;
  let realMs = 0;
  let isNew = true;
  const storedRun = () =>
    createStoredRun({
      directory,
      times: () => ({ wallMs: wall.now(), uptimeMs }),
      onFailure: (error) => faults.push(error),
    });

  return {
    directory,
    faults,
    wall,
    pass(ms: number) {
      wall.advance(ms);
      uptimeMs += ms;
      realMs += ms;
    },
    /** Nothing runs while it is down. */
    reboot(ms: number) {
      wall.advance(ms);
      realMs += ms;
      uptimeMs = 10_000;
    },
    realMs: () => realMs,
    storedRun,
    async start(changes: Partial<RoomSettings> = {}, processName = "gateway") {
      const store = createMemoryStore({ clock: wall, random, storedRun: storedRun() });
      store.resume(isNew);
      const rooms = createWaitingRooms({
        store: store.rooms,
        joinCounts: null,
        rooms: [{ id: "tickets", settings: { ...settings, ...changes } }],
        tickets: () => createTicketCodec(ring),
        checkpoints: createCheckpoints({
          directory,
          processName,
          isNewInstallation: isNew,
          onFailure: (error) => faults.push(error),
        }),
        clock: wall,
        random,
      });
      isNew = false;
      const [room] = rooms.all;
      if (room === undefined) throw new Error("no room");
      await rooms.refresh();
      return {
        room,
        store,
        refresh: () => rooms.refresh(),
        /** In good order; a gateway that is just dropped was killed. */
        async stop() {
          await rooms.stop();
          await store.close();
        },
      };
    },
    /** Time passes while a gateway runs. */
    async run(ms: number, gateway: { refresh(): Promise<void> }) {
      for (let passed = 0; passed < ms; passed += 1_000) {
        this.pass(1_000);
        await gateway.refresh();
      }
    },
    /** Lets a recovery pass, if there is one. */
    async settle(gateway: { readonly room: WaitingRoom; refresh(): Promise<void> }) {
      const beganMs = uptimeMs;
      while (gateway.room.availability !== "ready") {
        this.pass(500);
        await gateway.refresh();
        if (uptimeMs - beganMs > 10_000) throw new Error(`still ${gateway.room.availability}`);
      }
    },
  };
}

/** Everybody who joins is served at once, and enters as the limit allows. */
const openPlaces = ({ room }: Gateway, by: number) => room.operations.step({ step: "increment", by }, null, "test");

async function joinOne({ room }: Gateway, nowMs: number): Promise<Ticket> {
  const joined = await room.join(null, nowMs);
  if (joined.result !== "joined") throw new Error(`no place: ${joined.result}`);
  return joined.ticket;
}

/** A gateway of which so many have been admitted, one a time. */
async function afterAdmissions(count: number) {
  const machine = createMachine();
  const gateway = await machine.start();
  await openPlaces(gateway, 100);
  for (let entered = 0; entered < count; ) {
    const ticket = await joinOne(gateway, machine.wall.now());
    let result = await gateway.room.claim(ticket, "login");
    while (result.result === "held") {
      machine.pass(500);
      await gateway.refresh();
      result = await gateway.room.claim(ticket, "login");
    }
    expect(result.result).toBe("admitted");
    entered++;
  }
  await gateway.refresh();
  return { machine, gateway };
}

it("a gateway that stopped in good order goes on where it was: no recovery, no hold, no gap, and the limiter's log counts", async () => {
  const { machine, gateway } = await afterAdmissions(limit);
  const waiting = await joinOne(gateway, machine.wall.now());
  await gateway.refresh();
  const before = gateway.room.state;
  await gateway.stop();
  machine.pass(3_000);
  const next = await machine.start();
  expect(next.room.availability).toBe("ready");
  expect(next.room.isOnHold).toBe(false);
  expect(next.room.state).toMatchObject({
    edition: before?.edition,
    incarnation: before?.incarnation,
    queued: before?.queued,
    liveAdmissions: limit,
    gaps: [],
    holdRemainingMs: 0,
  });
  expect(await next.room.claim(waiting, "login")).toMatchObject({ result: "held", by: "limit" });
  await machine.run(60_000, next);
  expect((await next.room.claim(waiting, "login")).result).toBe("admitted");
  expect(machine.faults).toEqual([]);
});

it("one that was killed holds nobody, since the admissions of the last minute are on disk", async () => {
  const { machine, gateway } = await afterAdmissions(limit);
  const waiting = await joinOne(gateway, machine.wall.now());
  machine.pass(3_000);
  const next = await machine.start();
  await machine.settle(next);
  expect(next.room.state).toMatchObject({ holdRemainingMs: 0, phase: "open" });
  expect(next.room.isOnHold).toBe(false);
  // A ticket that nobody remembers begins another recovery; what is shown meanwhile knows that no hold follows.
  await next.room.verifyAhead({ ...waiting, position: 100_000 });
  expect(next.room.availability).toBe("recovering");
  expect(next.room.reportedState?.holdRemainingMs).toBe(2_500);
  await machine.settle(next);
  expect(next.room.state?.holdRemainingMs).toBe(0);
  expect(await next.room.claim(waiting, "login")).toMatchObject({ result: "held", by: "limit" });
  await machine.run(60_000, next);
  expect((await next.room.claim(waiting, "login")).result).toBe("admitted");
});

it("the store of a run is used once: what a later run that was killed has left counts more", async () => {
  const { machine, gateway } = await afterAdmissions(1);
  await gateway.stop();
  const second = await machine.start();
  const ticket = await joinOne(second, machine.wall.now());
  const third = await machine.start();
  await machine.settle(third);
  expect((await joinOne(third, machine.wall.now())).position).toBeGreaterThan(ticket.position);
});

it("a gateway of another name goes on where it was, and the one before it does not go back to where that one stopped", async () => {
  const { machine, gateway } = await afterAdmissions(1);
  await gateway.stop();
  const renamed = await machine.start({}, "renamed");
  expect(renamed.room.availability).toBe("ready");
  const tickets: Ticket[] = [];
  for (let count = 0; count < 20; count++) tickets.push(await joinOne(renamed, machine.wall.now()));
  expect(tickets[0]?.position).toBe(2);
  await renamed.stop();
  const last = await machine.start();
  expect((await joinOne(last, machine.wall.now())).position).toBe((tickets.at(-1)?.position ?? 0) + 1);
});

it("where another store has served the rooms since, nobody goes on where the embedded one stopped", async () => {
  const { machine, gateway } = await afterAdmissions(limit);
  await gateway.stop();
  machine.storedRun().discard();
  expect(machine.faults).toEqual([]);
  const next = await machine.start();
  await machine.settle(next);
  expect(next.room.state?.incarnation).not.toBe(gateway.room.state?.incarnation);
  expect(next.room.isOnHold).toBe(true);
});

it("where the log cannot be written, nobody relies on what is in it", async () => {
  const { machine } = await afterAdmissions(limit);
  const file = join(machine.directory, "embedded.admissions");
  renameSync(file, `${file}-before`);
  // What is there is read, and nothing can be written.
  symlinkSync(join(machine.directory, "none", "none"), file);
  const next = await machine.start();
  await machine.settle(next);
  expect(next.room.isOnHold).toBe(true);
});

it.each([
  ["a file that is cut off", (directory: string) => writeFileSync(join(directory, "embedded.store"), "half")],
  ["a store of nobody", (directory: string) => rmSync(join(directory, "embedded.store"))],
])("with %s it recovers as after a crash, by the log", async (_, harm) => {
  const { machine, gateway } = await afterAdmissions(limit);
  const waiting = await joinOne(gateway, machine.wall.now());
  await gateway.stop();
  harm(machine.directory);
  const next = await machine.start();
  await machine.settle(next);
  expect(next.room.state).toMatchObject({ holdRemainingMs: 0, phase: "open" });
  expect(await next.room.claim(waiting, "login")).toMatchObject({ result: "held", by: "limit" });
});

it.each([
  ["the log is gone", ({ directory }: Machine) => rmSync(join(directory, "embedded.admissions"))],
  [
    "the log is not readable",
    ({ directory }: Machine) => writeFileSync(join(directory, "embedded.admissions"), "run x\n?\n"),
  ],
  ["the machine went down, and may not have written all", (machine: Machine) => machine.reboot(20_000)],
])("where %s, a room with a limit holds for a minute, and says so", async (_, lose) => {
  const { machine } = await afterAdmissions(limit);
  lose(machine);
  const next = await machine.start();
  await machine.settle(next);
  expect(next.room.isOnHold).toBe(true);
  expect(next.room.state?.holdRemainingMs).toBeGreaterThan(55_000);
});

/** What may happen, and how long it takes. */
const happenings = fc.array(
  fc.oneof(
    { weight: 24, arbitrary: fc.tuple(fc.constant("claim"), fc.integer({ min: 100, max: 1_500 })) },
    // So many pass at once, whom no limit holds, and who count for those behind them.
    { weight: 2, arbitrary: fc.tuple(fc.constant("pass"), fc.integer({ min: 5, max: 20 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("kill"), fc.integer({ min: 0, max: 2_000 })) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom("stop", "kill"), fc.integer({ min: 0, max: 70_000 })) },
    // While nothing runs: under a running gateway a clock that jumps moves the line by five seconds at most.
    { weight: 1, arbitrary: fc.tuple(fc.constant("set"), fc.integer({ min: -90_000, max: 3_600_000 })) },
  ),
  { minLength: 90, maxLength: 110 },
);

it("rule 4 holds across stops, kills, clocks that are set and machines that go down", {
  timeout: 120_000,
}, async () => {
  const perMinute = 20;
  let entered = 0;
  const changes = { inlet: { ...settings.inlet, outflowPerMinute: perMinute } };
  await fc.assert(
    fc.asyncProperty(happenings, fc.integer({ min: 0, max: 100 }), async (all, down) => {
      const machine = createMachine();
      let gateway = await machine.start(changes);
      await openPlaces(gateway, 10_000);
      const admittedMs: number[] = [];
      let waiting: Ticket | null = null;
      for (const [index, [what, ms]] of all.entries()) {
        if (what === "pass") {
          const crowd: Ticket[] = [];
          for (let visitor = 0; visitor < ms; visitor++) crowd.push(await joinOne(gateway, machine.wall.now()));
          await gateway.room.operations.step({ step: "phase", phase: "passthrough" }, null, "test");
          for (const passing of crowd) {
            if ((await gateway.room.claim(passing, "login")).result === "admitted") admittedMs.push(machine.realMs());
          }
          await gateway.room.operations.step({ step: "phase", phase: "open" }, null, "test");
          continue;
        }
        if (what === "claim") {
          machine.pass(ms);
          await gateway.refresh();
          waiting ??= await joinOne(gateway, machine.wall.now());
          if ((await gateway.room.claim(waiting, "login")).result !== "admitted") continue;
          admittedMs.push(machine.realMs());
          const [first] = admittedMs.slice(-perMinute - 1);
          if (admittedMs.length > perMinute) expect(machine.realMs() - (first ?? 0)).toBeGreaterThanOrEqual(60_000);
          entered++;
          waiting = null;
          continue;
        }
        if (what !== "kill") await gateway.stop();
        if (index > down && index < down + 10) machine.reboot(10_000);
        else if (what === "set") machine.wall.advance(ms);
        else machine.pass(ms);
        gateway = await machine.start(changes);
        await machine.settle(gateway);
      }
    }),
    { numRuns: 2, endOnFailure: true },
  );
  expect(entered).toBeGreaterThan(0);
});
