import { describe, expect, test } from "vitest";
import { StoreUnavailableError } from "../../../src/lib/errors.ts";
import { type CommandEnd, createBreaker } from "../../../src/store/redis/availability.ts";
import { createManualTimers } from "../../support/manual-timers.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";

/** A breaker whose probes end as the test says. */
function start(fraction = 0) {
  const timers = createManualTimers();
  const probes: ((end: CommandEnd) => void)[] = [];
  const reported: string[] = [];
  const breaker = createBreaker({
    probe: () => new Promise((resolve) => probes.push(resolve)),
    random: { ...createSeededRandom("breaker"), fraction: () => fraction },
    after: timers.after,
    report: (what) => void reported.push(what),
  });
  return {
    breaker,
    timers,
    reported,
    probes,
    /** The last probe ends. */
    async probeEnds(end: CommandEnd) {
      probes.at(-1)?.(end);
      await Promise.resolve();
    },
    /** Commands that are sent at once, and end one after the other. */
    commands(...ends: CommandEnd[]) {
      for (const [index, noteEnd] of ends.map(() => breaker.enter()).entries()) noteEnd(ends[index] as CommandEnd);
    },
  };
}

function open(fraction?: number) {
  const line = start(fraction);
  line.commands("silent", "silent");
  return line;
}

describe("the breaker before Redis opens", () => {
  test("when two commands had no answer, and nothing else had one since they were sent", () => {
    const { breaker, commands, reported } = start();
    commands("silent");
    expect(breaker.state).toBe("closed");
    commands("silent");
    expect(breaker.state).toBe("half_open");
    expect(() => breaker.enter()).toThrow(StoreUnavailableError);
    expect([breaker.openedTotal, reported]).toEqual([1, ["opened"]]);
  });

  test.each<[string, CommandEnd[]]>([
    ["one that is slow among others", ["answered", "silent", "silent", "silent", "silent"]],
    ["answers in between", ["silent", "answered", "silent", "answered", "silent"]],
    ["a connection that is gone: nobody waits without one", ["cut", "cut", "cut", "silent", "cut"]],
  ])("not for %s", (_, ends) => {
    const { breaker, commands, probes } = start();
    commands(...ends);
    expect([breaker.state, breaker.openedTotal, probes]).toEqual(["closed", 0, []]);
  });

  test("not for what was silent on an earlier connection", () => {
    const { breaker, commands } = start();
    commands("silent");
    breaker.reconnected();
    commands("silent");
    expect(breaker.state).toBe("closed");
  });

  test("once, however many commands end at the same time", () => {
    const { breaker, commands, probes, reported } = start();
    commands("silent", "silent", "silent", "silent", "silent", "silent");
    expect([breaker.openedTotal, probes.length, reported]).toEqual([1, 1, ["opened"]]);
  });
});

describe("an open breaker", () => {
  test("probes at once, then alone, between half a second and a second after the last one has failed", async () => {
    for (const [fraction, delayMs] of [
      [0, 500],
      [0.5, 750],
      [0.999, 999.5],
    ] as const) {
      const { breaker, timers, probes, probeEnds } = open(fraction);
      expect([breaker.state, probes.length, timers.delaysMs]).toEqual(["half_open", 1, []]);
      for (const [index, end] of (["silent", "cut", "silent"] as const).entries()) {
        await probeEnds(end);
        expect([breaker.state, probes.length, timers.delaysMs]).toEqual(["open", index + 1, [delayMs]]);
        expect(() => breaker.enter()).toThrow(StoreUnavailableError);
        void timers.runAll();
        expect([breaker.state, probes.length, timers.delaysMs]).toEqual(["half_open", index + 2, []]);
        expect(() => breaker.enter()).toThrow(StoreUnavailableError);
      }
    }
  });

  test("closes when a probe is answered, and needs two silences again", async () => {
    const { breaker, timers, commands, probeEnds, reported } = open();
    await probeEnds("answered");
    expect([breaker.state, timers.delaysMs, reported]).toEqual(["closed", [], ["opened", "closed"]]);
    commands("silent");
    expect(breaker.state).toBe("closed");
    commands("silent");
    expect([breaker.state, breaker.openedTotal]).toEqual(["half_open", 2]);
  });

  test("closes when what was sent before is answered after all, and forgets the probe that was under way", async () => {
    const { breaker, timers, commands, probes, probeEnds } = start();
    const noteEnd = breaker.enter();
    commands("silent", "silent");
    noteEnd("answered");
    expect(breaker.state).toBe("closed");
    await probeEnds("silent");
    expect([breaker.state, timers.delaysMs, probes.length]).toEqual(["closed", [], 1]);
  });

  test("closes between two probes too, and probes no more", async () => {
    const { breaker, timers, commands, probeEnds, probes } = start();
    const noteEnd = breaker.enter();
    commands("silent", "silent");
    await probeEnds("silent");
    expect(breaker.state).toBe("open");
    noteEnd("answered");
    expect([breaker.state, timers.delaysMs, probes.length]).toEqual(["closed", [], 1]);
  });

  test("a probe of an earlier opening says nothing against a later one", async () => {
    const { breaker, timers, commands, probes, probeEnds } = start();
    const noteEnd = breaker.enter();
    commands("silent", "silent");
    noteEnd("answered");
    commands("silent", "silent");
    expect([breaker.state, probes.length]).toEqual(["half_open", 2]);
    probes[0]?.("silent");
    await Promise.resolve();
    expect([breaker.state, timers.delaysMs]).toEqual(["half_open", []]);
    await probeEnds("answered");
    expect(breaker.state).toBe("closed");
  });

  test("does not count what ends late, before the probe is answered or after", async () => {
    const { breaker, commands, probeEnds } = start();
    const late = [breaker.enter(), breaker.enter(), breaker.enter(), breaker.enter()];
    commands("silent", "silent");
    for (const noteEnd of late.slice(2)) noteEnd("silent");
    await probeEnds("answered");
    for (const noteEnd of late.slice(0, 2)) noteEnd("silent");
    expect([breaker.state, breaker.openedTotal]).toEqual(["closed", 1]);
  });

  test("probes at once on a new connection, but no second time", async () => {
    const { breaker, timers, probes, probeEnds } = open();
    breaker.reconnected();
    expect(probes.length).toBe(1);
    await probeEnds("cut");
    breaker.reconnected();
    expect([breaker.state, probes.length, timers.delaysMs]).toEqual(["half_open", 2, []]);
  });

  test("a server that comes and goes opens it each time anew, with one probe under way at most", async () => {
    const { breaker, commands, probes, probeEnds, reported } = start();
    for (let round = 1; round <= 20; round++) {
      commands("answered", "silent", "silent");
      expect(breaker.state).toBe("closed");
      commands("silent", "silent");
      expect([breaker.openedTotal, probes.length]).toEqual([round, round]);
      await probeEnds("answered");
    }
    expect(reported).toEqual(Array.from({ length: 20 }, () => ["opened", "closed"]).flat());
  });

  test("of a store that is closed probes no more", async () => {
    const { breaker, timers, probeEnds } = open();
    breaker.stop();
    await probeEnds("cut");
    expect(timers.delaysMs).toEqual([]);
  });
});
