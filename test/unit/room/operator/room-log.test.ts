/**
 * The admission log as processes seal and export it: several on one store, with losses, and with more rows than are kept. What is exported is
 * checked as its readers check it.
 */
import { expect, test } from "vitest";
import { LogVerifier } from "../../../../src/room/admission-log/index.ts";
import type { EmitOfRoom } from "../../../../src/room/events.ts";
import { createRoomLog, type RoomLog } from "../../../../src/room/operator/room-log.ts";
import { createMemoryHarness } from "../../../contract/memory-harness.ts";
import { type Place, RoomDriver, type SettingsSketch, settings } from "../../../contract/room-driver.ts";

async function openRoom(sketch: SettingsSketch = {}) {
  const harness = await createMemoryHarness({ isShared: true });
  const room = await new RoomDriver(harness, "tickets", settings(sketch)).open();
  const reported: { seq: number; hash: string }[] = [];
  /** What one process does with the room's log. */
  const process = () => {
    let state: Awaited<ReturnType<RoomDriver["state"]>> | null = null;
    const emit = ((_, sealed) => reported.push(sealed as (typeof reported)[number])) as EmitOfRoom;
    const clock = { now: () => harness.nowMs() };
    const log = createRoomLog({
      id: "tickets",
      name: "tickets",
      store: room.rooms,
      clock,
      emit,
      get state() {
        return state;
      },
    });
    return {
      log,
      sync: async () => {
        state = await room.state();
      },
    };
  };
  const admit = async (count: number) => {
    const places: Place[] = await room.places(count);
    await room.serve(count);
    for (const place of places) await room.admit(place);
  };
  return { harness, room, reported, process, admit };
}

async function linesOf(log: RoomLog, from = 0): Promise<string[]> {
  let text = "";
  for await (const chunk of await log.lines(from)) text += chunk;
  return text.split("\n").slice(0, -1);
}

function verify(lines: readonly string[], heads: readonly { seq: number; hash: string }[] = []) {
  const verifier = new LogVerifier(heads);
  for (const line of lines) verifier.take(line);
  return verifier.result();
}

test("what is exported holds, ends with the last row, and has the head that was sealed and reported", async () => {
  const { room, admit, process, reported } = await openRoom();
  const { log, sync } = process();
  await admit(2_500);
  await sync();
  await log.keep();
  const { sealed, last } = (await room.state()).log;
  expect(sealed).toMatchObject({ seq: last, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(reported).toEqual([sealed]);
  const lines = await linesOf(log);
  expect(lines).toHaveLength(last + 1);
  expect(verify(lines, reported)).toMatchObject({
    room: "tickets",
    rows: last,
    fault: null,
    last: sealed,
    heads: [{ result: "matches" }],
  });
  expect(await log.extent()).toEqual({ first: 1, last, rows: last, sealed });
});

test("a part of it is exported from any row on, and holds by itself", async () => {
  const { admit, process, room } = await openRoom();
  const { log } = process();
  await admit(1_200);
  const { last } = (await room.state()).log;
  for (const from of [1, 2, 1_000, 1_001, last]) {
    const lines = await linesOf(log, from);
    expect(verify(lines)).toMatchObject({ fault: null, first: from, rows: last - from + 1, base: { seq: from - 1 } });
  }
  expect(verify(await linesOf(log, last + 5))).toMatchObject({ fault: null, rows: 0, base: { seq: last } });
});

test("of two processes that seal at once both go on from what one has sealed", async () => {
  const { admit, process, room, reported } = await openRoom();
  const [one, two] = [process(), process()];
  for (let turn = 0; turn < 5; turn++) {
    await admit(30);
    await Promise.all([one.sync(), two.sync()]);
    await Promise.all([one.log.keep(), two.log.keep()]);
  }
  // One that has heard nothing for a while finds its head overtaken.
  await admit(5);
  await one.sync();
  await one.log.keep();
  await two.log.keep();
  const { sealed, last } = (await room.state()).log;
  expect(sealed.seq).toBe(last);
  expect(await linesOf(one.log)).toEqual(await linesOf(two.log));
  expect(verify(await linesOf(two.log), reported).heads.every(({ result }) => result === "matches")).toBe(true);
});

test("heads are reported once a minute, and when the phase has changed", async () => {
  const { admit, process, room, reported, harness } = await openRoom();
  const { log, sync } = process();
  const keep = async () => {
    await sync();
    await log.keep();
    return reported.length;
  };
  await admit(1);
  expect(await keep()).toBe(1);
  await admit(1);
  expect(await keep()).toBe(1);
  await harness.advance(60_000);
  expect(await keep()).toBe(2);
  expect(await keep()).toBe(2);
  await room.phase("ended");
  expect(await keep()).toBe(3);
  expect(reported.at(-1)).toEqual((await room.state()).log.sealed);
});

test("the oldest rows are forgotten, and what is left holds with the heads that were reported", async () => {
  const { admit, process, room, reported, harness } = await openRoom({ logRows: 1_500 });
  const { log, sync } = process();
  for (let turn = 0; turn < 5; turn++) {
    await admit(700);
    await harness.advance(60_000);
    await sync();
    await log.keep();
  }
  const { first, last, rows } = await log.extent();
  expect(rows).toBe(1_500);
  expect(first).toBe(last - 1_499);
  const result = verify(await linesOf(log), reported);
  expect(result).toMatchObject({ fault: null, rows: 1_500, base: { seq: last - 1_500 } });
  expect(result.heads.map(({ result }) => result)).toEqual([
    "not_in_file",
    "not_in_file",
    "matches",
    "matches",
    "matches",
  ]);
  expect((await room.state()).log.last).toBe(last);
});

test("a client that is too slow for a log that forgets does not get a log with a hole", async () => {
  const { admit, process } = await openRoom({ logRows: 1_000 });
  const { log, sync } = process();
  await admit(1_500);
  const chunks = (await log.lines(0))[Symbol.asyncIterator]();
  expect((await chunks.next()).done).toBe(false);
  await admit(2_000);
  await sync();
  await log.keep();
  await expect(chunks.next()).rejects.toThrow("forgotten");
});

test("a log that was emptied with the store goes on with the head that was remembered", async () => {
  const { admit, process, room, reported, harness } = await openRoom();
  const { log, sync } = process();
  await admit(10);
  await sync();
  await log.keep();
  const before = await linesOf(log);
  const memory = await room.memory();
  await harness.wipe();
  await room.recover(memory);
  await room.pass(55_000, 5_000);
  await admit(3);
  await harness.advance(60_000);
  await sync();
  await log.keep();
  const result = verify(await linesOf(log), reported);
  expect(reported).toHaveLength(2);
  expect(result).toMatchObject({
    fault: null,
    base: reported[0],
    heads: [{ result: "matches" }, { result: "matches" }],
  });
  expect(result.missing).toMatchObject([{ recovery: { heard: reported[0]?.seq } }]);
  // Both parts make one log.
  expect(verify([...before, ...(await linesOf(log)).slice(1)], reported)).toMatchObject({ fault: null });
});

test("an old state of the store that is put back goes on, and the hole is reported", async () => {
  const { admit, process, room, reported, harness } = await openRoom();
  const { log, sync } = process();
  await admit(10);
  await sync();
  await log.keep();
  await harness.save();
  await admit(10);
  await harness.advance(60_000);
  await sync();
  await log.keep();
  const memory = await room.memory();
  await harness.restore();
  await room.recover(memory);
  await room.pass(55_000, 5_000);
  await admit(2);
  await sync();
  await log.keep();
  const result = verify(await linesOf(log), reported);
  expect(result).toMatchObject({ fault: null, first: 1, base: { seq: 0 } });
  expect(result.missing).toHaveLength(1);
  expect(result.heads.map(({ result }) => result)).toEqual(["matches", "matches"]);
  const { sealed, last } = (await room.state()).log;
  expect(sealed.seq).toBe(last);
});
