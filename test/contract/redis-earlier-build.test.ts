/**
 * Goal: a room that an earlier build kept goes on under this one. Method: the fields that it did not write are taken out of
 * each record and each memory.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Admission } from "../../src/store/room-store.ts";
import { createRedisHarness, type RedisHarness } from "./redis-harness.ts";
import { minute, type Place, RoomDriver, settings } from "./room-driver.ts";

const admissionsKey = "usher:{shop}:admissions";
const newFields = ["usedPosition", "admittedFlowMs", "expiresFlowMs"];

let harness: RedisHarness;

beforeAll(async () => {
  harness = await createRedisHarness();
});
beforeEach(() => harness.wipe());
afterAll(() => harness.close());

async function takeBack(): Promise<void> {
  const subs = (await harness.command("HKEYS", admissionsKey)) as string[];
  for (const sub of subs) {
    const json = String(await harness.command("HGET", admissionsKey, sub));
    await harness.command("HSET", admissionsKey, sub, JSON.stringify(asBefore(JSON.parse(json))));
  }
}

function asBefore(admission: object): Admission {
  return Object.fromEntries(Object.entries(admission).filter(([name]) => !newFields.includes(name))) as never;
}

/** A room with three served places, of which the first two are admitted, as an earlier build left it. */
async function left() {
  const file = settings({ durationMs: 2 * minute, maxDurationMs: 20 * minute, claimWithinMs: 4 * minute });
  const room = await new RoomDriver(harness, "shop", file).open();
  const [one, two, three, four] = (await room.places(4)) as [Place, Place, Place, Place];
  await room.serve(3);
  const first = await room.admit(one, { login: "a" });
  const second = await room.admit(two);
  await takeBack();
  return { room, one, two, three, four, first, second };
}

describe("records of an earlier build", () => {
  it("are told as they would be now", async () => {
    const { room, first, second } = await left();
    expect(await room.rooms.admission(room.room, first.sub)).toEqual(first);
    expect((await room.memory()).admissions).toEqual([first, second]);
    const { admissions } = await room.rooms.listAdmissions(room.room, 0, 10);
    expect(admissions).toEqual([first, second]);
  });

  it("take logins, are extended, end and lapse", async () => {
    const { room, one, two, first, second } = await left();
    await harness.advance(1_000);
    expect(await room.claim(one, { login: "a" })).toMatchObject({ result: "answered" });
    expect(await room.claim(one, { login: "b" })).toMatchObject({
      result: "admitted",
      isNew: false,
      admission: { expiresMs: first.expiresMs + 1_000, logins: ["a", "b"] },
    });
    expect(await room.renew(second.sub)).toMatchObject({ expiresMs: second.expiresMs + 1_000, usedPosition: 2 });
    await takeBack();
    expect(await room.end(first.sub)).toMatchObject({ ended: "logout" });
    await takeBack();
    expect(await room.end(first.sub)).toMatchObject({ ended: "logout" });
    await room.pass(2 * minute + 1_000, 5_000);
    expect(await room.state()).toMatchObject({ liveAdmissions: 0, counts: { loggedOut: 1, expired: 1 } });
    expect(await room.claim(two)).toEqual({ result: "ended" });
  });

  it("hold a second place of the same visitor for what it is, and are forgotten in time", async () => {
    const { room, one, three, four, first } = await left();
    await room.end(first.sub);
    await takeBack();
    const again = await room.admit({ ...three, sub: one.sub });
    expect(again).toMatchObject({ position: 3, usedPosition: 3 });
    await takeBack();
    // Everything lapses, and its last window with it.
    await room.serve(1);
    for (let i = 0; i < 10; i++) {
      await room.pass(3 * minute, 5_000);
      await takeBack();
    }
    expect(await harness.command("HLEN", admissionsKey)).toBe(0);
    expect(await room.claim(four)).toEqual({ result: "expired" });
  });

  it("are offered and merged in a recovery, by whichever build they were remembered", async () => {
    const { room, one, three, first, second } = await left();
    await harness.save();
    const ended = await room.end(first.sub);
    const memory = await room.memory();
    await harness.restore();
    await room.recover({ ...memory, admissions: [asBefore(ended ?? first), asBefore(second)] });
    await takeBack();
    expect(await room.rooms.admission(room.room, first.sub)).toMatchObject({ ended: "logout", usedPosition: 1 });
    expect(await room.claim(one)).toEqual({ result: "ended" });
    await harness.wipe();
    await room.recover({ ...memory, admissions: [asBefore(second)] });
    await room.contribute({ memory: { ...memory, admissions: [asBefore(ended ?? first)] } });
    expect(await room.rooms.admission(room.room, second.sub)).toEqual({
      ...second,
      expiresFlowMs: expect.any(Number) as number,
    });
    // The places that were claimed stay so (rule 3).
    expect(await room.claim({ ...one, sub: "another" })).toEqual({ result: "ended" });
    expect(await room.claim(three)).toMatchObject({ result: "admitted", isNew: true });
  });
});

describe("a line of an earlier build", () => {
  it("goes on: those who were served then count as seen, and how many come is learned anew", async () => {
    const room = await new RoomDriver(harness, "shop", settings({ type: "periodic", limit: 60 })).open();
    await room.join(100);
    await room.pass(2_000);
    const state = "usher:{shop}:state";
    const batches = String(await harness.command("HGET", state, "batches"));
    expect(batches).toMatch(/^\d+(:\d+){5}/);
    await harness.command("HSET", state, "batches", batches.replaceAll(/:\d+(?=,|$)/g, ""));
    await harness.command("HDEL", state, "pull_called", "pull_came", "pull_standing");
    const { serving } = await room.state();
    await room.serve(10);
    await room.pass(10_000);
    expect((await room.state()).serving).toBeGreaterThan(serving + 10);
    expect((await room.state()).enteringShare).toBeLessThan(1);
  });
});
