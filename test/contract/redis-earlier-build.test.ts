/**
 * Goal: a room that an earlier build kept goes on under this one. Method: the fields that it did not write are taken out of
 * each record and each memory.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Admission } from "../../src/store/contract/room-store.ts";
import { createRedisHarness, type RedisHarness } from "./redis-harness.ts";
import { minute, type Place, RoomDriver, settings } from "./room-driver.ts";
import { drawn } from "./room-store/drawn-room.ts";

const admissionsKey = "usher:{shop}:admissions";
const stateKey = "usher:{shop}:state";
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
    const batches = String(await harness.command("HGET", stateKey, "batches"));
    expect(batches).toMatch(/^\d+(:\d+){5}/);
    await harness.command("HSET", stateKey, "batches", batches.replaceAll(/:\d+(?=,|$)/g, ""));
    await harness.command("HDEL", stateKey, "pull_called", "pull_came", "pull_standing");
    const { serving } = await room.state();
    await room.serve(10);
    await room.pass(10_000);
    expect((await room.state()).serving).toBeGreaterThan(serving + 10);
    expect((await room.state()).enteringShare).toBeLessThan(1);
  });
});

describe("an earlier build beside this one, which knows nothing of draws", () => {
  /** A room with three entries. */
  async function entered() {
    const draw = { order: "random", beacon: "none" } as const;
    const room = await new RoomDriver(harness, "shop", settings({ draw, type: "periodic", limit: 600 })).open();
    await room.phase("prequeue");
    await room.commit();
    const places = (await room.places(3)) as [Place, Place, Place];
    return { room, places };
  }
  const put = (...fields: string[]) => harness.command("HSET", stateKey, ...fields);

  it("leaves a state without them, in which draws begin with the next prequeue", async () => {
    const { room } = await entered();
    await harness.command("HDEL", stateKey, "draws", "draw_marks");
    expect((await room.state()).draws).toEqual([]);
    expect((await room.join(1)).first).toBe(4);
    await room.phase("idle");
    await room.phase("prequeue");
    expect((await room.state()).draws).toMatchObject([{ id: 1, stage: "committed", first: 5 }]);
  });

  it("resets the room and leaves them behind: nothing of them counts in the new edition", async () => {
    const { room, places } = await entered();
    await room.leave(places[0]);
    await room.phase("open");
    const edition = String(places[0].edition + 1);
    await put("edition", edition, "queued", "0", "serving", "0", "serving_high", "0", "base_phase", "open");
    expect((await room.state()).draws).toEqual([]);
    const [one] = (await room.places(1)) as [Place];
    await room.pass(2_000);
    expect(await room.claim(one)).toMatchObject({ result: "admitted", admission: { position: 1 } });
    await room.phase("prequeue");
    expect((await room.state()).draws).toMatchObject([{ id: 1, first: 2, commitment: "" }]);
    await room.commit();
    await room.join(1);
    const memory = await room.memory();
    expect(memory.draws).toMatchObject([{ id: 1, first: 2, commitment: "commitment-1" }]);
  });

  it("opens the room: the entries are closed and drawn all the same", async () => {
    const { room, places } = await entered();
    await put("base_phase", "open");
    expect(await room.draw()).toMatchObject({ stage: "closing" });
    await room.pass(7_500);
    expect(await room.fix()).toBe(true);
    await room.pass(2_000);
    expect(await room.claim(drawn(places[0], 1, 3))).toMatchObject({ result: "admitted", admission: { position: 3 } });
  });

  it("ends the room: the draw is cancelled", async () => {
    const { room } = await entered();
    await put("base_phase", "ended");
    expect(await room.draw()).toMatchObject({ stage: "cancelled" });
  });

  it("offers its memories, with moves under the name of then and without draws", async () => {
    const { room, places } = await entered();
    const madeMs = harness.nowMs();
    await room.move(places[0], "phone", { id: "link", madeMs, expiresMs: madeMs + minute });
    const { draws, moves, ...memory } = await room.memory();
    const then = moves.map(({ number, ...move }) => ({ ...move, position: number })) as never;
    await harness.wipe();
    await room.contribute({ memory: { ...memory, moves: then } });
    await room.recover({ ...memory, draws: draws ?? [], moves: [] });
    expect((await room.memory()).moves).toEqual(moves);
    expect((await room.memory()).draws).toEqual(draws);
  });
});
