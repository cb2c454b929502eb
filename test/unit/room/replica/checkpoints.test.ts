import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mergeLapses } from "../../../../src/core/recovery/merge.ts";
import { createCheckpoints } from "../../../../src/room/replica/checkpoints/checkpoints.ts";
import type { RoomMemory } from "../../../../src/store/contract/room-store.ts";
import { tempDirOfTest } from "../../../support/temp-dir-of-test.ts";
import { someMemory as memory } from "./memories.ts";

const freshDirectory = () => join(tempDirOfTest("checkpoints"), "checkpoints");

/** What all checkpoints of a directory remember of the room, in the order of the processes' names. */
const recallAll = (directory: string) => open(directory, "reader").checkpoints.recall("tickets", null);
/** The same, where one process alone has left any. */
const recallOne = (directory: string) => {
  const memories = recallAll(directory);
  expect(memories).toHaveLength(1);
  return memories[0];
};

function open(directory: string, processName: string, isNewInstallation = false) {
  const failures: unknown[] = [];
  const checkpoints = createCheckpoints({
    directory,
    processName,
    isNewInstallation,
    onFailure: (e) => failures.push(e),
  });
  return { checkpoints, failures };
}

test("a room that is called like what every object has is a room like others", () => {
  const directory = freshDirectory();
  open(directory, "other").checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  open(directory, "other").checkpoints.close();
  const { checkpoints } = open(directory, "a");
  expect([checkpoints.recall("constructor", null), checkpoints.lastSeen("constructor")]).toEqual([[], null]);
  checkpoints.reserve("constructor", 5, 101, 1_000);
  checkpoints.put("constructor", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.reserve("constructor", 5, 101, 1_000);
  expect(open(directory, "a").checkpoints.lastSeen("constructor")).toMatchObject({ edition: 5, queued: 101 });
});

test("checkpoints outlive the process in a file of the owner's only, and say how far positions may have gone", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a");
  expect(checkpoints.hasHistory).toBe(false);
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.reserve("tickets", 5, 101, 1_000);
  // On disk before `flush`: positions up to it may be handed out at once.
  const again = open(directory, "a").checkpoints;
  expect(again.hasHistory).toBe(true);
  expect(again.lastSeen("tickets")).toEqual({ incarnation: "incarnation-1", flowMs: 1, edition: 5, queued: 101 });
  // Nobody is known to stand beyond position 101, so nobody is counted there.
  const reserved = { queued: 1_101, serving: 40, gaps: [{ from: 102, to: 1_101 }] };
  expect(again.recall("tickets", null)).toMatchObject([reserved]);
  expect(again.recall("other", null)).toEqual([]);
  expect(statSync(join(directory, "a.json")).mode & 0o777).toBe(0o600);
});

test("positions are reserved anew only when the reserve is used up", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a");
  const onDisk = () => recallOne(directory)?.queued;
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.reserve("tickets", 5, 101, 1_000);
  checkpoints.reserve("tickets", 5, 500, 1_000);
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, { ...memory, queued: 500 });
  checkpoints.flush();
  expect(onDisk()).toBe(1_101);
  checkpoints.reserve("tickets", 5, 1_102, 1_000);
  expect(onDisk()).toBe(2_102);
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, { ...memory, edition: 6, queued: 2 });
  checkpoints.flush();
  expect(onDisk()).toBe(2);
});

test.each<[string, Partial<RoomMemory>]>([
  ["a gap that has become shorter", { gaps: [{ from: 21, to: 30 }] }],
  ["an admission that lasts longer", { liveLapses: [{ untilMs: 90_000, count: 2 }] }],
])("%s is written with the next second, though no counter has moved", (_, news) => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a");
  const before = { ...memory, gaps: [{ from: 20, to: 30 }], liveLapses: [{ untilMs: 60_000, count: 2 }] };
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, before);
  checkpoints.flush();
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, { ...before, ...news });
  checkpoints.flush();
  expect(recallOne(directory)).toMatchObject(news);
});

test("what was given out is on disk at once, exactly; the rest of the reserve is a gap", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a");
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  for (const last of [101, 160]) {
    checkpoints.reserve("tickets", 5, last, 1_000);
  }
  const onDisk = () => recallAll(directory);
  expect(onDisk()).toMatchObject([{ queued: 1_101, gaps: [{ from: 161, to: 1_101 }] }]);
  // Another process on the machine, and another room, have words of their own.
  const other = open(directory, "b").checkpoints;
  other.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  other.reserve("tickets", 5, 170, 0);
  other.reserve("another-room", 5, 7, 0);
  other.flush();
  const ofOther = { queued: 170, gaps: [] };
  expect(onDisk()).toMatchObject([{ queued: 1_101, gaps: [{ from: 161, to: 1_101 }] }, ofOther]);
  checkpoints.reserve("tickets", 6, 3, 1_000);
  expect(onDisk()).toMatchObject([{ edition: 6, queued: 3, serving: 0, gaps: [] }, ofOther]);
  expect(statSync(join(directory, "a.last")).size).toBe(8_192);
});

test("a process that goes on with its own file keeps its other rooms' last positions; a line that is not whole says nothing", () => {
  const directory = freshDirectory();
  const first = open(directory, "a").checkpoints;
  for (const room of ["demo", "tickets"]) {
    first.put(room, { incarnation: "incarnation-1", flowMs: 1 }, memory);
    first.reserve(room, 5, 150, 0);
  }
  first.flush();
  const second = open(directory, "a").checkpoints;
  second.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  second.reserve("tickets", 5, 180, 0);
  const queuedOf = (room: string) => open(directory, "b").checkpoints.recall(room, null)[0]?.queued;
  expect([queuedOf("demo"), queuedOf("tickets")]).toEqual([150, 180]);
  const path = join(directory, "a.last");
  writeFileSync(path, readFileSync(path, "latin1").replace("tickets 5 180", "tickets 5 x\0\0"), "latin1");
  // What was reserved on disk is a bound, and no evidence.
  expect(recallOne(directory)?.gaps).toEqual([{ from: 101, to: 180 }]);
});

test("the first position of a line, and of an incarnation, is given out with the whole checkpoint on disk, reserve and all", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a", true);
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, { ...memory, queued: 0, serving: 0 });
  checkpoints.reserve("tickets", 5, 3, 1_000);
  const next = open(directory, "b").checkpoints;
  expect([next.isNewInstallation, next.hasHistory, next.knows("tickets")]).toEqual([false, true, true]);
  expect(next.recall("tickets", null)).toMatchObject([{ edition: 5, queued: 1_003, gaps: [{ from: 4, to: 1_003 }] }]);

  checkpoints.put("tickets", { incarnation: "incarnation-2", flowMs: 1 }, { ...memory, queued: 9_000, serving: 0 });
  checkpoints.reserve("tickets", 5, 9_001, 1_000);
  expect(recallOne(directory)).toMatchObject({ queued: 10_001 });
});

test("a room of which a position was given out is no new one, though its checkpoint never came to the disk", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a", true);
  checkpoints.put("demo", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.flush();
  const before = readFileSync(join(directory, "a.json"));
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.reserve("tickets", 5, 101, 1_000);
  for (const content of [before, null]) {
    if (content === null) rmSync(join(directory, "a.json"));
    else writeFileSync(join(directory, "a.json"), content);
    const next = open(directory, "a").checkpoints;
    expect(next.isNewInstallation).toBe(false);
    expect(next.recall("tickets", null)).toEqual([]);
    expect(["tickets", "other"].map((room) => next.knows(room))).toEqual([true, false]);
  }
});

test("how far the store's clock had come is on disk with every second, though nothing else has moved", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a");
  for (const flowMs of [1_000, 2_000, 3_000]) {
    checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs }, memory);
    checkpoints.flush();
    expect(open(directory, "a").checkpoints.lastSeen("tickets")?.flowMs).toBe(flowMs);
  }
  // That of another incarnation may be behind it.
  checkpoints.put("tickets", { incarnation: "incarnation-2", flowMs: 500 }, memory);
  checkpoints.flush();
  expect(open(directory, "a").checkpoints.lastSeen("tickets")?.flowMs).toBe(500);
});

test("admissions since the last state are on disk at once, those of all processes together; a checkpoint that has them says so once", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a");
  const other = open(directory, "b").checkpoints;
  let lapses = [{ untilMs: 500, count: 2 }];
  const put = (each: typeof other, count: number) =>
    each.put(
      "tickets",
      { incarnation: "incarnation-1", flowMs: 1 },
      { ...memory, liveLapses: lapses },
      { count, untilMs: 900 },
    );
  /** As the store merges them. */
  const onDisk = () =>
    recallAll(directory)
      .map(({ liveLapses }) => liveLapses)
      .reduce(mergeLapses);
  for (const each of [checkpoints, other]) {
    put(each, 0);
    each.flush();
  }
  expect(onDisk()).toEqual(lapses);
  checkpoints.admit("tickets", { untilMs: 800, count: 1 });
  checkpoints.admit("tickets", { untilMs: 900, count: 2 });
  other.admit("tickets", { untilMs: 700, count: 1 });
  expect(onDisk()).toEqual([...lapses, { untilMs: 700, count: 1 }, { untilMs: 900, count: 2 }]);
  // A position that is given out meanwhile changes nothing of it.
  checkpoints.reserve("tickets", 5, 101, 0);
  expect(onDisk()).toHaveLength(3);
  // One of the two was given after the next state was read.
  lapses = [{ untilMs: 900, count: 3 }];
  put(checkpoints, 1);
  checkpoints.flush();
  expect(onDisk()).toEqual([
    { untilMs: 700, count: 1 },
    { untilMs: 900, count: 4 },
  ]);
  // What an earlier process of the name left is in the state that this one has heard.
  const again = open(directory, "b").checkpoints;
  put(again, 0);
  again.flush();
  expect(onDisk()).toEqual([{ untilMs: 900, count: 4 }]);
});

test("a process that ends in good order leaves the exact counters", () => {
  const directory = freshDirectory();
  const { checkpoints } = open(directory, "a");
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.reserve("tickets", 5, 101, 1_000);
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, { ...memory, queued: 101 });
  checkpoints.close();
  expect(recallOne(directory)).toMatchObject({ queued: 101, gaps: [] });
});

test("checkpoints of the incarnation that goes on have nothing to offer; those of other incarnations are offered each", () => {
  const directory = freshDirectory();
  for (const [name, incarnation, change] of [
    ["a", "incarnation-1", { queued: 900, serving: 10 }],
    ["b", "incarnation-2", { queued: 300, serving: 80, version: 9, holds: ["operator"] as const }],
    ["c", "incarnation-3", { queued: 5_000 }],
  ] as const) {
    const { checkpoints } = open(directory, name);
    checkpoints.put("tickets", { incarnation, flowMs: 1 }, { ...memory, ...change });
    checkpoints.flush();
  }
  expect(open(directory, "d").checkpoints.recall("tickets", "incarnation-3")).toMatchObject([
    { queued: 900, serving: 10 },
    { queued: 300, serving: 80, version: 9, holds: ["operator"] },
  ]);
  expect(open(directory, "d").checkpoints.lastSeen("tickets")).toBeNull();
});

test("a file that cannot be read or has another shape is named, and forbids to take rooms for new", () => {
  for (const content of ["{ half a fi", '{"tickets":{"incarnation":"x","flowMs":1,"reserved":1,"memory":{}}}']) {
    const directory = freshDirectory();
    const { checkpoints } = open(directory, "a");
    checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
    checkpoints.flush();
    writeFileSync(join(directory, "broken.json"), content);
    const next = open(directory, "a").checkpoints;
    expect(next.faults.join()).toContain("broken.json");
    expect(next.hasHistory).toBe(false);
    expect(next.recall("tickets", null)).toMatchObject([{ queued: 100 }]);
  }
});

test("an installation stays new until a room was synced, even if its first start fails", () => {
  const directory = freshDirectory();
  expect(open(directory, "a", true).checkpoints.isNewInstallation).toBe(true);
  const second = open(directory, "a").checkpoints;
  expect(second.isNewInstallation).toBe(true);
  second.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  second.flush();
  expect(open(directory, "a").checkpoints.isNewInstallation).toBe(false);
  expect(existsSync(join(directory, "new-installation"))).toBe(false);
});

test("checkpoints that cannot be written are reported each time, stop nobody, and are written when they can be", () => {
  const directory = freshDirectory();
  mkdirSync(directory, { recursive: true });
  // A directory in the place of the file: not even root can replace it.
  mkdirSync(join(directory, "a.json"));
  const { checkpoints, failures } = open(directory, "a");
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.reserve("tickets", 5, 101, 1_000);
  checkpoints.flush();
  checkpoints.reserve("tickets", 5, 102, 1_000);
  checkpoints.close();
  expect(failures).toHaveLength(3);
  expect(readdirSync(directory)).toEqual(["a.json", "a.last"]);
});

test("where the checkpoints can be written, and not what is written ahead of them, they do not count as written", () => {
  const directory = freshDirectory();
  mkdirSync(join(directory, "a.last"), { recursive: true });
  const calls: string[] = [];
  const checkpoints = createCheckpoints({
    directory,
    processName: "a",
    isNewInstallation: false,
    onFailure: () => calls.push("failed"),
    onWritten: () => calls.push("written"),
  });
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.flush();
  checkpoints.flush();
  rmSync(join(directory, "a.last"), { recursive: true });
  checkpoints.flush();
  expect(calls).toEqual(["failed", "failed", "written"]);
});

test("rooms that are not configured this time keep their checkpoints", () => {
  const directory = freshDirectory();
  const first = open(directory, "a").checkpoints;
  first.put("demo", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  first.reserve("demo", 5, 101, 1_000);
  first.flush();
  const other = open(directory, "a").checkpoints;
  other.put("tickets", { incarnation: "incarnation-2", flowMs: 1 }, memory);
  other.close();
  const again = open(directory, "a").checkpoints;
  expect(again.recall("demo", null)).toMatchObject([{ edition: 5, queued: 1_101 }]);
  expect(again.recall("tickets", null)).toMatchObject([{ queued: 100 }]);
});

test("the last head of the admission log is kept with the checkpoints", () => {
  const directory = freshDirectory();
  const head = (seq: number) => ({ seq, hash: String(seq % 10).repeat(64) });
  const log = { last: 14, sealed: head(12) };
  const onDisk = () => recallOne(directory);
  const { checkpoints } = open(directory, "a");
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, memory);
  checkpoints.flush();
  expect(onDisk()).not.toHaveProperty("log");
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, { ...memory, log });
  checkpoints.flush();
  expect(onDisk()).toMatchObject({ log });
  checkpoints.put(
    "tickets",
    { incarnation: "incarnation-1", flowMs: 1 },
    { ...memory, log: { ...log, sealed: head(13) } },
  );
  checkpoints.flush();
  expect(onDisk()).toMatchObject({ log: { sealed: head(13) } });
});
