import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RoomMemory, RoomSettings } from "../../../src/store/room-store.ts";
import { createHighWaterFile, mergeMemories } from "../../../src/waiting-room/high-water.ts";

const settings: RoomSettings = {
  title: "Tickets",
  message: null,
  inlet: { type: "manual", outflowPerMinute: null },
  admission: { durationMs: 1, claimWithinMs: 1, loginsPerAdmission: 1 },
};
const memory: RoomMemory = {
  edition: 5,
  queued: 100,
  serving: 40,
  expiredThrough: 10,
  gaps: [],
  version: 3,
  phase: "open",
  phaseReason: null,
  settings: { effective: settings, file: settings, live: {} },
  claimMs: 7,
  joinsPerSecondPeak: 2,
  admissions: [],
};
const freshDirectory = () => join(mkdtempSync(join(tmpdir(), "usher-marks-")), "high-water");

test("marks outlive the process, rounded up, in a file of the owner's only", () => {
  const directory = freshDirectory();
  const marks = createHighWaterFile(directory, "a");
  expect(marks.hasHistory).toBe(false);
  marks.put("tickets", { life: "one", memory });
  marks.reserve("tickets", 101, 1_000);
  // The mark is on disk before `flush`: positions up to it may be handed out at once.
  const again = createHighWaterFile(directory, "a");
  expect(again.hasHistory).toBe(true);
  expect(again.load("tickets")?.memory).toMatchObject({ edition: 5, queued: 1_101, serving: 40 });
  expect(again.load("other")).toBeNull();
  expect(statSync(join(directory, "a.json")).mode & 0o777).toBe(0o600);
});

test("a mark is moved only when it is reached, and never back within an edition", () => {
  const directory = freshDirectory();
  const marks = createHighWaterFile(directory, "a");
  const onDisk = () => createHighWaterFile(directory, "b").load("tickets")?.memory.queued;
  marks.put("tickets", { life: "one", memory });
  marks.reserve("tickets", 101, 1_000);
  marks.reserve("tickets", 500, 1_000);
  marks.put("tickets", { life: "one", memory: { ...memory, queued: 500 } });
  marks.flush();
  expect(onDisk()).toBe(1_101);
  marks.reserve("tickets", 1_102, 1_000);
  expect(onDisk()).toBe(2_102);
  marks.put("tickets", { life: "one", memory: { ...memory, edition: 6, queued: 2 } });
  marks.flush();
  expect(onDisk()).toBe(2);
});

test("the marks of several processes are merged by maximum, and a broken file is passed over", () => {
  const directory = freshDirectory();
  for (const [name, change] of [
    ["a", { queued: 900, serving: 10 }],
    ["b", { queued: 300, serving: 80, version: 9, phase: "paused" as const }],
  ] as const) {
    const marks = createHighWaterFile(directory, name);
    marks.put("tickets", { life: name, memory: { ...memory, ...change } });
    marks.flush();
  }
  writeFileSync(join(directory, "c.json"), "{ half a fi");
  expect(createHighWaterFile(directory, "d").load("tickets")).toMatchObject({
    // Together they speak of no one life.
    life: "",
    memory: { queued: 900, serving: 80, version: 9, phase: "paused" },
  });
  expect(readdirSync(directory).sort()).toEqual(["a.json", "b.json", "c.json"]);
});

test("a newer edition replaces the counters of an older one, whatever they were", () => {
  const newer = { ...memory, edition: 6, queued: 3, serving: 1, expiredThrough: 0 };
  for (const merged of [mergeMemories(memory, newer), mergeMemories(newer, memory)]) {
    expect(merged).toMatchObject({ edition: 6, queued: 3, serving: 1, expiredThrough: 0 });
  }
});
