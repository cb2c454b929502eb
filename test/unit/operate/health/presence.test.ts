/** What processes hear of each other: who is gone, who was replaced, and what a store that was away changes. */
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { createPresence } from "../../../../src/operate/health/presence.ts";
import { type ProcessSelf, readProcessSelf } from "../../../../src/operate/health/process-self.ts";
import { createSealingWatch } from "../../../../src/operate/health/sealing.ts";
import { createMemoryData } from "../../../../src/store/memory/data.ts";
import { createMemoryProcesses } from "../../../../src/store/memory/shared.ts";

function installation() {
  const data = createMemoryData("run");
  const time = { ms: 1_000_000 };
  let isAway = false;
  const setAway = (is: boolean) => {
    isAway = is;
  };
  const kept = createMemoryProcesses(
    data,
    () => time.ms,
    () => undefined,
  );
  const store = {
    ...kept,
    async report(id: string, text: string) {
      if (isAway) throw new StoreUnavailableError(new Error("away"));
      return kept.report(id, text);
    },
  };
  const process = (id: string, self: Partial<ProcessSelf> = {}) => {
    const text = JSON.stringify({ name: id, started_ms: time.ms, state: "ready", ...self });
    return createPresence({ store, id, describe: () => readProcessSelf(text), stopwatch: () => time.ms });
  };
  return { time, data, process, setAway };
}

const states = (presence: ReturnType<typeof createPresence>) =>
  presence.processes().map(({ id, isMissing }) => `${id}${isMissing ? " gone" : ""}`);

test("one that says nothing for ten seconds is gone, until another takes its place", async () => {
  const { time, process } = installation();
  const [one, two] = [process("one"), process("two")];
  await two.report();
  await one.report();
  time.ms += 10_000;
  await one.report();
  expect(states(one)).toEqual(["one", "two"]);
  time.ms += 1;
  await one.report();
  expect(states(one)).toEqual(["one", "two gone"]);
  const again = process("two again", { name: "two" });
  await again.report();
  await one.report();
  expect(states(one)).toEqual(["one", "two again"]);
  await again.stop();
  await one.report();
  expect(states(one)).toEqual(["one"]);
});

test("while the store is away nobody is called gone, nor for ten seconds after it is back", async () => {
  const { time, process, setAway } = installation();
  const [one, two] = [process("one"), process("two")];
  await two.report();
  await one.report();
  setAway(true);
  time.ms += 60_000;
  await one.report();
  expect(states(one)).toEqual(["one", "two"]);
  expect(one.store()).toMatchObject({ awayReason: expect.any(String), ageMs: 60_000 });
  setAway(false);
  time.ms += 3_000;
  await one.report();
  expect(states(one)).toEqual(["one", "two"]);
  expect(one.store().awayReason).toBeNull();
  time.ms += 10_001;
  await one.report();
  expect(states(one)).toEqual(["one", "two gone"]);
});

test("what another build says, or nobody, is shown as far as it can be read", async () => {
  const { time, data, process } = installation();
  const reportedMs = time.ms;
  data.processes.set("strange", { id: "strange", reportedMs, text: "[not JSON" });
  data.processes.set("newer", { id: "newer", reportedMs, text: '{"name":"newer","state":"dancing","faults":7}' });
  const one = process("one");
  await one.report();
  expect(one.processes().map(({ self: { name, state, faults } }) => [name, state, faults])).toEqual([
    ["?", "starting", []],
    ["newer", "starting", []],
    ["one", "ready", []],
  ]);
});

test("a log is sealed through the time of the last look that found all of it sealed", () => {
  const watch = createSealingWatch();
  const look = (nowMs: number, last: number, sealed: number) =>
    watch.look("sale", { nowMs, incarnation: "a", log: { last, sealed: { seq: sealed, hash: "" } } });
  expect(look(1_000, 5, 3)).toMatchObject({ sealedThroughMs: null, waitingSinceMs: 1_000 });
  expect(look(2_000, 6, 4)).toMatchObject({ sealedThroughMs: null, waitingSinceMs: 1_000 });
  expect(look(3_000, 7, 5)).toMatchObject({ sealedThroughMs: 1_000, waitingSinceMs: 3_000 });
  expect(look(4_000, 7, 7)).toMatchObject({ sealedThroughMs: 4_000, waitingSinceMs: null });
  expect(look(9_000, 8, 7)).toMatchObject({ sealedThroughMs: 4_000, waitingSinceMs: 9_000 });
});

test("another run of the server is a restart, unless a planned move led there", async () => {
  const { time } = installation();
  const reports = [
    ["a", undefined, null],
    ["b", false, 2_000],
    ["c", true, 2_000],
    ["c", false, 2_000],
    ["d", undefined, 5_000],
  ] as const;
  const answer: { runId: string; isMoved: boolean | undefined } = { runId: "", isMoved: undefined };
  const store = {
    report: async () => ({
      nowMs: time.ms,
      processes: [],
      server: { runId: answer.runId } as never,
      findings: [],
      ...(answer.isMoved !== undefined && { isMoved: answer.isMoved }),
    }),
    remove: async () => {},
  };
  const presence = createPresence({
    store,
    id: "one",
    describe: () => readProcessSelf("{}"),
    stopwatch: () => time.ms,
  });
  time.ms = 0;
  for (const [runId, isMoved, seenMs] of reports) {
    time.ms += 1_000;
    Object.assign(answer, { runId, isMoved });
    await presence.report();
    expect(presence.store().restartSeenMs, runId).toBe(seenMs);
  }
});
