import { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPrimary } from "../../../../src/app/cluster/primary.ts";
import { createLogger } from "../../../../src/lib/logger.ts";

/** A worker that does what the test says. */
class Puppet extends EventEmitter {
  readonly pid = 1_000;
  readonly slot: number;
  readonly heard: unknown[] = [];
  constructor(slot: number) {
    super();
    this.slot = slot;
  }
  send(message: unknown): void {
    this.heard.push(message);
  }
  kill(signal: string): boolean {
    this.heard.push(signal);
    return true;
  }
  async say(kind: "started" | "ready"): Promise<void> {
    this.emit("message", { kind, fields: { port: 80 } });
    await turn();
  }
  async exit(code: number | null, signal: string | null = null): Promise<void> {
    this.emit("exit", code, signal);
    await turn();
  }
}

function stage({ check = async () => {} } = {}) {
  const puppets: Puppet[] = [];
  const lines: string[] = [];
  const codes: number[] = [];
  let nowMs = 10_000;
  const primary = createPrimary({
    count: 2,
    fork(slot) {
      const puppet = new Puppet(slot);
      puppets.push(puppet);
      return puppet as never;
    },
    logger: createLogger("info", { write: (line) => void lines.push(JSON.parse(line).event) }),
    endingMs: 1_000,
    check,
    onEnd: (code) => codes.push(code),
    stopwatch: () => nowMs,
  });
  const at = (index: number) => puppets[index] as Puppet;
  return {
    primary,
    puppets,
    lines,
    codes,
    at,
    pass: (ms: number) => {
      nowMs += ms;
    },
    async started() {
      const starting = primary.start();
      await at(0).say("started");
      await at(1).say("started");
      await starting;
    },
  };
}

test("the others start when the first listens, and it is said once when all do", async () => {
  const { primary, puppets, lines, at } = stage();
  void primary.start();
  await turn();
  expect(puppets.map(({ slot }) => slot)).toEqual([1]);
  await at(0).say("started");
  expect([puppets.map(({ slot }) => slot), lines]).toEqual([[1, 2], []]);
  await at(1).say("started");
  expect(lines).toEqual(["gateway.started"]);
});

test.each([
  [1, null, 1],
  [3, null, 3],
  [0, null, 1],
  [null, "SIGSEGV", 1],
])("a first worker that ends with %s %s before it listens ends the gateway with %i", async (code, signal, expected) => {
  const { primary, puppets, codes, at } = stage();
  void primary.start();
  await at(0).exit(code, signal);
  expect([codes, puppets.length]).toEqual([[expected], 1]);
});

test("a worker that crashes is started again in its slot", async () => {
  const { started, puppets, lines, at } = stage();
  await started();
  await at(1).exit(null, "SIGKILL");
  expect(lines.at(-1)).toBe("worker.ended");
  await expect.poll(() => puppets.map(({ slot }) => slot)).toEqual([1, 2, 2]);
});

test("a signal goes to all, once however often it is passed on, and the exit code is the worst", async () => {
  const { started, primary, codes, at, pass } = stage();
  await started();
  primary.signal("SIGTERM");
  pass(1_000);
  primary.signal("SIGTERM");
  expect([at(0).heard, at(1).heard]).toEqual([["SIGTERM"], ["SIGTERM"]]);
  pass(1);
  primary.signal("SIGINT");
  pass(2_000);
  primary.signal("SIGINT");
  expect(at(0).heard).toEqual(["SIGTERM", "SIGINT", "SIGKILL"]);
  await at(0).exit(0);
  expect(codes).toEqual([]);
  await at(1).exit(null, "SIGKILL");
  expect(codes).toEqual([1]);
});

test("workers that a signal reaches before they listen to it end in order", async () => {
  const { primary, codes, at } = stage();
  void primary.start();
  primary.signal("SIGTERM");
  await at(0).exit(null, "SIGTERM");
  expect(codes).toEqual([0]);
});

test("each is replaced by one that is ready, one after the other, in slots that are free", async () => {
  const { started, primary, puppets, lines, at } = stage();
  await started();
  const restarting = primary.restart();
  await turn();
  expect(puppets.map(({ slot }) => slot)).toEqual([1, 2, 3]);
  await at(2).say("started");
  expect(at(0).heard).toEqual([]);
  await at(2).say("ready");
  expect(at(0).heard).toEqual([{ kind: "retire" }]);
  await at(0).exit(0);
  expect(puppets.map(({ slot }) => slot)).toEqual([1, 2, 3, 1]);
  await at(3).say("ready");
  expect(at(1).heard).toEqual([{ kind: "retire" }]);
  await at(1).exit(0);
  await restarting;
  expect(lines.filter((event) => event.startsWith("workers."))).toEqual(["workers.restarting", "workers.restarted"]);
  expect(lines).not.toContain("worker.ended");
});

test("a new one that does not start replaces nobody, and neither does a faulty configuration", async () => {
  const { started, primary, puppets, lines, at } = stage();
  await started();
  const restarting = primary.restart();
  await turn();
  await at(2).exit(1);
  await restarting;
  expect(lines.at(-1)).toBe("workers.restart_failed");
  expect([at(0).heard, at(1).heard, puppets.length]).toEqual([[], [], 3]);

  const faulty = stage({ check: () => Promise.reject(new Error("rooms: required")) });
  await faulty.started();
  await faulty.primary.restart();
  expect([faulty.puppets.length, faulty.lines.at(-1)]).toEqual([2, "workers.restart_failed"]);
});
