import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { createLogger } from "../../../../src/lib/logger.ts";
import {
  createReadiness as create,
  type ReadinessOptions,
  watchReadiness,
} from "../../../../src/operate/ops/readiness.ts";

function sharedAgreement() {
  let agreed: Record<string, string> = {};
  return async (mine: Record<string, string>, replace: boolean) => {
    if (replace || Object.keys(agreed).length === 0) agreed = { ...mine };
    return agreed;
  };
}

const keysOf = (signsWith: string, accepts: string[]) => () => ({ tickets: { signsWith, accepts, superseded: [] } });
const keyFaults = () => [];
const checkpointFailure = () => null;
const unsyncedRooms = () => [];

function createReadiness(options: Omit<ReadinessOptions, "skewMs" | "unfit">) {
  const readiness = create({ ...options, skewMs: () => 0, unfit: async () => null });
  return async () => (await readiness()).faults;
}

test("processes with the same keys are ready, and one with others names both keys", async () => {
  const agreeOnKeys = sharedAgreement();
  expect(
    await createReadiness({ keys: keysOf("a", ["a"]), keyFaults, agreeOnKeys, checkpointFailure, unsyncedRooms })(),
  ).toEqual([]);
  expect(
    await createReadiness({ keys: keysOf("a", ["a"]), keyFaults, agreeOnKeys, checkpointFailure, unsyncedRooms })(),
  ).toEqual([]);
  const faults = await createReadiness({
    keys: keysOf("b", ["b"]),
    keyFaults,
    agreeOnKeys,
    checkpointFailure,
    unsyncedRooms,
  })();
  expect(faults.join()).toMatch(/tickets with a, this one with b/);
});

test("in a rotation the newer ring takes over, and only processes that cannot read it fall out", async () => {
  const agreeOnKeys = sharedAgreement();
  const old = createReadiness({ keys: keysOf("a", ["a"]), keyFaults, agreeOnKeys, checkpointFailure, unsyncedRooms });
  const prepared = createReadiness({
    keys: keysOf("a", ["a", "b"]),
    keyFaults,
    agreeOnKeys,
    checkpointFailure,
    unsyncedRooms,
  });
  expect(await old()).toEqual([]);
  expect(
    await createReadiness({
      keys: keysOf("b", ["b", "a"]),
      keyFaults,
      agreeOnKeys,
      checkpointFailure,
      unsyncedRooms,
    })(),
  ).toEqual([]);
  expect((await old()).join()).toMatch(/b/);
  expect(await prepared()).toEqual([]);
});

test.each([
  [undefined, "the store does not answer"],
  ["the store has no memory left", "the store has no memory left"],
])("a store that does not answer, or takes no writes (%s), makes the process not ready", async (reason, told) => {
  const readiness = createReadiness({
    keys: keysOf("a", ["a"]),
    keyFaults,
    agreeOnKeys: async () => {
      throw new StoreUnavailableError(new Error("cause"), reason);
    },
    unsyncedRooms,
    checkpointFailure,
  });
  expect(await readiness()).toEqual([told]);
});

test("a process that has heard nothing of a room yet is not ready", async () => {
  const readiness = createReadiness({
    keys: keysOf("a", ["a"]),
    keyFaults,
    agreeOnKeys: sharedAgreement(),
    checkpointFailure,
    unsyncedRooms: () => ["tickets"],
  });
  expect((await readiness()).join()).toContain("tickets");
});

test("two processes that sign with different keys of one ring do not take turns at it", async () => {
  const agreeOnKeys = sharedAgreement();
  const one = createReadiness({
    keys: keysOf("a", ["a", "b"]),
    keyFaults,
    agreeOnKeys,
    checkpointFailure,
    unsyncedRooms,
  });
  const two = createReadiness({
    keys: keysOf("b", ["b", "a"]),
    keyFaults,
    agreeOnKeys,
    checkpointFailure,
    unsyncedRooms,
  });
  for (const readiness of [one, two, one, two]) expect(await readiness()).toEqual([]);
  expect(await agreeOnKeys({}, false)).toEqual({ tickets: "b" });
});

test("a key that was retired meanwhile is no disagreement, and the one that signs now is laid down", async () => {
  const agreeOnKeys = sharedAgreement();
  const of = (signsWith: string, accepts: string[], superseded: string[]) =>
    createReadiness({
      keys: () => ({ tickets: { signsWith, accepts, superseded } }),
      keyFaults,
      agreeOnKeys,
      checkpointFailure,
      unsyncedRooms,
    });
  expect(await of("a", ["a"], [])()).toEqual([]);
  expect((await of("b", ["b"], [])()).join()).toContain("keys disagree");
  expect(await of("b", ["b"], ["a"])()).toEqual([]);
  expect(await agreeOnKeys({}, false)).toEqual({ tickets: "b" });
});

test("a key that this process should have and does not is told as it is", async () => {
  const missing = "the active key x for tickets cannot be unwrapped here";
  const agreeOnKeys = sharedAgreement();
  const readiness = createReadiness({
    keys: keysOf("a", ["a"]),
    keyFaults: () => [missing],
    agreeOnKeys,
    checkpointFailure,
    unsyncedRooms,
  });
  expect(await readiness()).toEqual([missing]);
});

test("marks that cannot be written are a warning, and a fault where they never could be", async () => {
  const common = {
    keys: keysOf("a", ["a"]),
    keyFaults,
    agreeOnKeys: sharedAgreement(),
    unfit: async () => null,
    skewMs: () => null,
    unsyncedRooms,
  };
  const of = (wasWritten: boolean) =>
    create({ ...common, checkpointFailure: () => ({ reason: "full", wasWritten }) })();
  expect(await of(true)).toEqual({ faults: [], warnings: ["full"], keysDisagree: false });
  expect(await of(false)).toEqual({ faults: ["full"], warnings: [], keysDisagree: false });
});

test("the log says what comes and goes, once, though nobody asks", async () => {
  const lines: { level: number; event: string; message: string }[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  let report = { faults: ["keys disagree"], warnings: ["late"], keysDisagree: true };
  const { look, last } = watchReadiness(async () => report, logger);
  expect(last()).toBeNull();
  await look();
  await look();
  expect(last()).toEqual(report);
  report = { faults: [], warnings: ["late"], keysDisagree: false };
  await look();
  await look();
  report = { faults: [], warnings: [], keysDisagree: false };
  await look();
  await look();
  expect(lines.map(({ level, event, message }) => [level, event, message])).toEqual([
    [50, "gateway.not_ready", "keys disagree"],
    [40, "gateway.warning", "late"],
    [30, "gateway.mended", "no longer: keys disagree"],
    [30, "gateway.ready", "nothing is wrong any more"],
  ]);
});

test.each([
  [3_600_000, /clock is 3600 s ahead of the store's/],
  [-2_600, /clock is 3 s behind the store's/],
  [1_900, undefined],
])("a clock that is %i ms ahead of the store's", async (skewMs, warning) => {
  const agreeOnKeys = sharedAgreement();
  const unfit = async () => null;
  const common = { keys: keysOf("a", ["a"]), keyFaults, agreeOnKeys, unfit, checkpointFailure, unsyncedRooms };
  const { faults, warnings } = await create({ ...common, skewMs: () => skewMs })();
  expect([faults, warnings]).toEqual([[], warning === undefined ? [] : [expect.stringMatching(warning)]]);
});

test("stores that are away are warnings as long as one answers in which rooms are, and faults when none does", async () => {
  const away = new Set<string | null>();
  const asked = (name: string | null) => {
    if (away.has(name)) throw new StoreUnavailableError(new Error("away"), `${name ?? "it"} is away`);
  };
  const agreeOnKeys = sharedAgreement();
  const readiness = create({
    keys: keysOf("a", ["a"]),
    keyFaults,
    checkpointFailure,
    skewMs: () => 0,
    async agreeOnKeys(mine, replace) {
      asked(null);
      return agreeOnKeys(mine, replace);
    },
    async unfit() {
      asked(null);
      return null;
    },
    unsyncedRooms: (stores) => (stores.has("b") ? [] : ["in-b"]),
    namedStores: ["a", "b"].map((name) => ({
      name,
      async unfit() {
        asked(name);
        return name === "a" ? "it evicts" : null;
      },
      skewMs: () => 0,
    })),
    storesInUse: () => new Set([null, "b"]),
  });
  const found = async (...names: (string | null)[]) => {
    away.clear();
    for (const name of names) away.add(name);
    const { faults, warnings } = await readiness();
    return { faults, warnings };
  };
  expect(await found()).toEqual({
    faults: ["nothing is known of the rooms yet: in-b"],
    warnings: ["stores.a: it evicts"],
  });
  expect(await found("b")).toEqual({ faults: [], warnings: ["stores.a: it evicts", "stores.b: b is away"] });
  expect((await found(null)).warnings).toContain("it is away");
  // No room is in the one that answers.
  expect(await found(null, "b")).toEqual({
    faults: expect.arrayContaining(["it is away", "stores.b: b is away"]),
    warnings: ["stores.a: it evicts"],
  });
});
