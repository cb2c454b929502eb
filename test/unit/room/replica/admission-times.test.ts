/**
 * Goal: a process goes by the store's flow clock when it says who is in, forgets, and offers what it remembers, whatever
 * the wall clock did since it was told. Method: the wall clock steps while a visitor is inside.
 */
import { describe, expect, test } from "vitest";
import type { Checkpoints } from "../../../../src/room/replica/checkpoints/checkpoints.ts";
import { isLiveAt, RoomReplica } from "../../../../src/room/replica/room-replica.ts";
import type { Admission } from "../../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, joinOne } from "../processes.ts";

const minute = 60_000;
const hour = 60 * minute;
const durationMs = 20 * minute;
/** Places expire soon, so that nothing but the admission itself keeps it in mind. */
const settings = { ...manualSettings, admission: { ...manualSettings.admission, durationMs, claimWithinMs: 2_000 } };

const noCheckpoints = { put: () => {}, flush: () => {} } as Partial<Checkpoints> as Checkpoints;

/** A visitor who has been inside for two minutes, at the first of two processes. */
async function inside(seed: string) {
  const world = createSharedWorld(seed);
  const one = world.process("one", { isNewInstallation: true, settings });
  const two = world.process("two", { settings });
  const both = [one, two];
  for (const each of both) await each.refresh();
  const ticket = await joinOne(one, world.clock.now());
  await one.room.operations.step({ step: "increment", by: 1 }, null, "test");
  const entered = await one.room.claim(ticket, null);
  if (entered.result !== "admitted") throw new Error(entered.result);
  await world.pass(2 * minute, both, 2_000);
  const isIn = () => [
    ...both.map(({ room }) => room.admissions.isCachedLive(ticket.sub)),
    ...both.map(({ room }) => room.describe(ticket)?.state === "admitted"),
  ];
  /** What the store says is left of the admission. */
  const leftMs = async () => {
    const admission = await two.room.admissions.find(ticket.sub);
    return admission?.ended === null ? admission.expiresMs - world.clock.now() : 0;
  };
  const stepClock = async (ms: number) => {
    world.clock.advance(ms);
    for (const each of both) await each.refresh();
  };
  return { world, both, ticket, admission: entered.admission, isIn, leftMs, stepClock };
}

const yes = [true, true, true, true];
const no = [false, false, false, false];

describe.each([hour, -hour])("a step of the wall clock by %i ms", (stepMs) => {
  // A step forward is believed for five seconds of it.
  const leftMs = 18 * minute - (stepMs > 0 ? 5_000 : 0);

  test("ends no admission in the eyes of a process, and lengthens none", async () => {
    const { world, both, isIn, stepClock } = await inside(`step ${stepMs}`);
    await stepClock(stepMs);
    await world.pass(leftMs - minute, both, 2_500);
    await world.pass(minute - 1_000, both);
    expect(isIn()).toEqual(yes);
    await world.pass(2_000, both);
    expect(isIn()).toEqual(no);
  });

  test("is no reason to forget one, nor to remember it for longer or shorter in a loss", async () => {
    const { world, both, ticket, isIn, leftMs: left, stepClock } = await inside(`loss ${stepMs}`);
    await stepClock(stepMs);
    await world.pass(minute, both);
    expect(await left()).toBe(leftMs - minute);
    for (let loss = 1; loss <= 2; loss++) {
      world.wipe();
      await world.pass(minute, both);
      expect(await left()).toBe(leftMs - minute - loss * minute);
      expect(isIn()).toEqual(yes);
    }
    // What a incarnation told counts by that incarnation's clock: its steps are no matter of the next one.
    await stepClock(-stepMs);
    const believedMs = stepMs < 0 ? 5_000 : 0;
    await world.pass(minute, both);
    world.wipe();
    await world.pass(minute, both);
    expect(await left()).toBe(leftMs - 5 * minute - believedMs);
    expect(await both[1]?.room.claim(ticket, "login")).toMatchObject({ result: "admitted", isNew: false });
  });
});

test("an outage of the store in which nobody's time runs ends no admission in the eyes of a process", async () => {
  const { world, both, isIn, leftMs } = await inside("outage");
  world.setAway(true);
  await world.pass(30 * minute, both, 2_500);
  expect(isIn()).toEqual(yes);
  world.setAway(false);
  await world.pass(minute, both);
  expect(isIn()).toEqual(yes);
  world.wipe();
  await world.pass(minute, both);
  expect(await leftMs()).toBe(16 * minute - 4_500);
  expect(isIn()).toEqual(yes);
});

test("an admission that nobody ended is forgotten when its time is over and nobody may claim its place any more", async () => {
  const { world, both, ticket, admission, stepClock } = await inside("forget");
  const replica = new RoomReplica(noCheckpoints, "tickets", "tickets");
  const learn = () => {
    const state = both[0]?.room.state;
    if (state == null) throw new Error("no state");
    replica.learnState(state);
  };
  learn();
  replica.learnAdmissions([admission]);
  await stepClock(hour);
  await world.pass(minute, both);
  learn();
  expect(replica.admission(ticket.sub)).toBe(admission);
  await world.pass(17 * minute, both, 2_500);
  learn();
  expect(replica.admission(ticket.sub)).toBeUndefined();
});

test("an admission that a new incarnation does not report lasts as long as it would have, by that incarnation's flow clock", async () => {
  const { both, ticket, admission } = await inside("two incarnations");
  const state = both[0]?.room.state;
  if (state == null) throw new Error("no state");
  const replica = new RoomReplica(noCheckpoints, "tickets", "tickets");
  replica.learnState(state);
  replica.learnAdmissions([admission]);
  // The wall clock is set forward, then the store begins anew.
  const nowMs = state.nowMs + hour;
  replica.learnState({ ...state, nowMs });
  const expiresMs = admission.expiresMs + hour;
  expect(replica.recall(null)[0]?.admissions).toMatchObject([{ expiresMs, ended: null }]);
  for (const [incarnation, flowMs] of [
    ["second", nowMs],
    ["third", nowMs - 5 * hour],
  ] as const) {
    const next = { ...state, incarnation, nowMs, flowMs };
    replica.learnState(next);
    expect(replica.recall(null)[0]?.admissions).toMatchObject([{ expiresMs, ended: null }]);
    const known = replica.admission(ticket.sub);
    if (known === undefined) throw new Error("forgotten");
    const leftMs = expiresMs - nowMs;
    expect(isLiveAt({ ...next, flowMs: flowMs + leftMs - 1 }, known)).toBe(true);
    expect(isLiveAt({ ...next, flowMs: flowMs + leftMs }, known)).toBe(false);
  }
});

test("an admission proves that its place was handed out, though the process has not synced that place", async () => {
  const { both, admission } = await inside("place");
  const replica = new RoomReplica(noCheckpoints, "tickets", "tickets");
  const state = both[0]?.room.state;
  if (state == null) throw new Error("no state");
  replica.learnState(state);
  const far: Admission = { ...admission, position: 7, usedPosition: 7 };
  replica.learnAdmissions([{ ...far, edition: far.edition - 1 }]);
  expect(replica.recall(null)[0]?.queued).toBe(1);
  replica.learnAdmissions([far]);
  expect(replica.recall(null)[0]?.queued).toBe(7);
});
