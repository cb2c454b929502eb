/** The rules of what is not well: each with what it takes, and what it does not. */
import { describe, expect, test } from "vitest";
import type { Installation, SeenRoom } from "../../../../src/operate/health/attention/attention.ts";
import { attentionOf } from "../../../../src/operate/health/attention/index.ts";
import type { SeenProcess, SeenStore } from "../../../../src/operate/health/presence.ts";
import { type ProcessSelf, readProcessSelf } from "../../../../src/operate/health/process-self.ts";

const nowMs = 1_800_000_000_000;
const self = readProcessSelf(
  JSON.stringify({ name: "one", version: "1.0.0", build: "aaa", state: "ready", configuration: { rooms: "r1" } }),
);
const process = (changes: Partial<ProcessSelf> = {}, seen: Partial<SeenProcess> = {}): SeenProcess => ({
  id: changes.name ?? "one",
  seenMs: nowMs - 1_000,
  isMissing: false,
  ...seen,
  self: { ...self, ...changes },
});
const store: SeenStore = {
  awayReason: null,
  ageMs: 1_000,
  latencyMs: 0.4,
  quickestMs: 0.3,
  server: null,
  findings: [],
  restartSeenMs: null,
};
const sealing = { last: 7, sealed: 7, sealedThroughMs: nowMs, waitingSinceMs: null };
const joins = { joined: 900, refused: 40 };
const room: SeenRoom = { id: "sale", availability: "ready", isSynced: true, sealing, joins };

function found(given: Partial<Installation>) {
  const well = { nowMs, processes: [process(), process({ name: "two" })], store, rooms: [room] };
  return attentionOf({ ...well, ...given }).map(({ code, severity, about }) => [code, severity, about]);
}

test("of an installation that is well nothing is said", () => {
  expect(found({})).toEqual([]);
});

describe("of processes", () => {
  test.each([
    ["one that was killed", [process({}, { isMissing: true })], ["process_gone", "fault", "one"]],
    ["one that does not serve", [process({ faults: ["no keys"] })], ["process_not_ready", "fault", "one"]],
    [
      "what several say is said once",
      ["a", "b"].map((name) => process({ name, warnings: ["late"] })),
      ["process_warning", "warning", "a, b"],
    ],
    ["a busy event loop", [process({ loop_delay_ms: 201 })], ["process_late", "warning", "one"]],
    ["a full heap", [process({ heap_share: 0.86 })], ["process_heap_full", "fault", "one"]],
    ["an old file", [process({ drifting: ["sale"] })], ["settings_drift", "warning", "one"]],
    ["a secret that is not there", [process({ failing_secrets: ["no file"] })], ["secrets_failing", "warning", "one"]],
    ["another build", [process(), process({ name: "two", build: "bbb" })], ["builds_differ", "warning", null]],
    ["another version", [process(), process({ name: "two", version: "1.0.1" })], ["builds_differ", "warning", null]],
    [
      "another file",
      [process(), process({ name: "two", configuration: { rooms: "r2" } })],
      ["configurations_differ", "warning", null],
    ],
  ] as const)("%s", (_, processes, expected) => {
    expect(found({ processes })).toEqual([expected]);
  });

  test.each([
    [
      "one of another build that is gone or ends",
      [process(), process({ name: "two", build: "bbb", state: "stopping" })],
    ],
    ["one that does not say its configuration", [process(), process({ name: "two", configuration: {} })]],
    ["delays and heaps at the bounds", [process({ loop_delay_ms: 200, heap_share: 0.85 })]],
  ] as const)("nothing of %s", (_, processes) => {
    expect(found({ processes })).toEqual([]);
  });

  test("hosts and files are in no words for others", () => {
    const text = "Redis at db.example:6379 is too old";
    const processes = [process({ faults: [text], warnings: [`${text} 2`], failing_secrets: [`${text} 3`] })];
    const findings = [{ code: "store_save_fails", text: `${text} 4` } as const];
    for (const each of attentionOf({ nowMs, processes, store: { ...store, findings }, rooms: [] })) {
      expect(each.text).toContain(text);
      expect(each.publicText).not.toContain("db.example");
    }
  });
});

describe("of the store", () => {
  test.each([
    ["away", { awayReason: "the store does not answer" }, ["store_away", "fault", null]],
    ["slow", { quickestMs: 51 }, ["store_slow", "warning", null]],
    ["started anew", { restartSeenMs: nowMs - 599_000 }, ["store_restarted", "warning", null]],
    ["evicting", { findings: [{ code: "store_evicts", text: "x" }] }, ["store_evicts", "fault", null]],
  ] as const)("%s", (_, changes, expected) => {
    expect(found({ store: { ...store, ...changes } })).toEqual([expected]);
  });

  test("away, rooms are not named one by one; what a process says of it, too, is said once", () => {
    const rooms = [{ ...room, availability: "recovering" as const }];
    expect(found({ rooms, store: { ...store, awayReason: "x" } })).toHaveLength(1);
    const findings = [{ code: "store_evicts", text: "it evicts" } as const];
    const processes = [process({ warnings: ["it evicts"] })];
    expect(found({ processes, store: { ...store, findings } })).toHaveLength(1);
  });
});

describe("of rooms", () => {
  test.each([
    ["recovering", { availability: "recovering" }, ["room_recovering", "fault", "sale"]],
    ["unknown", { isSynced: false, sealing: null }, ["room_unknown", "warning", "sale"]],
    [
      "unsealed",
      { sealing: { ...sealing, sealed: 6, waitingSinceMs: nowMs - 30_001 } },
      ["log_unsealed", "warning", "sale"],
    ],
    ["refusing many", { joins: { joined: 900, refused: 50 } }, ["joins_refused", "warning", "sale"]],
    ["refusing all", { joins: { joined: 0, refused: 5_000 } }, ["joins_refused", "warning", "sale"]],
  ] as const)("%s", (_, changes, expected) => {
    expect(found({ rooms: [{ ...room, ...changes }] })).toEqual([expected]);
  });

  test("a few of very many are refused without a word", () => {
    for (const joins of [
      { joined: 0, refused: 49 },
      { joined: 9_000, refused: 400 },
    ])
      expect(found({ rooms: [{ ...room, joins }] })).toEqual([]);
  });

  test("rows wait for their seal for some seconds without a word", () => {
    expect(found({ rooms: [{ ...room, sealing: { ...sealing, sealed: 6, waitingSinceMs: nowMs - 30_000 } }] })).toEqual(
      [],
    );
  });
});

test("faults come first", () => {
  const processes = [process({ loop_delay_ms: 300 }), process({ name: "two" }, { isMissing: true })];
  expect(found({ processes }).map(([code]) => code)).toEqual(["process_gone", "process_late"]);
});
