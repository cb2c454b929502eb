import { expect, test } from "vitest";
import { createReadiness } from "../../../src/http/ops/readiness.ts";

function sharedAgreement() {
  let agreed: Record<string, string> = {};
  return async (mine: Record<string, string>, replace: boolean) => {
    if (replace || Object.keys(agreed).length === 0) agreed = { ...mine };
    return agreed;
  };
}

const keysOf = (signsWith: string, accepts: string[]) => () => ({ tickets: { signsWith, accepts, superseded: [] } });
const keyFaults = () => [];
const ping = async () => {};
const unheardRooms = () => [];

test("processes with the same keys are ready, and one with others names both keys", async () => {
  const agreeOnKeys = sharedAgreement();
  expect(await createReadiness({ keys: keysOf("a", ["a"]), keyFaults, agreeOnKeys, ping, unheardRooms })()).toEqual([]);
  expect(await createReadiness({ keys: keysOf("a", ["a"]), keyFaults, agreeOnKeys, ping, unheardRooms })()).toEqual([]);
  const faults = await createReadiness({ keys: keysOf("b", ["b"]), keyFaults, agreeOnKeys, ping, unheardRooms })();
  expect(faults.join()).toMatch(/tickets with a, this one with b/);
});

test("in a rotation the newer ring takes over, and only processes that cannot read it fall out", async () => {
  const agreeOnKeys = sharedAgreement();
  const old = createReadiness({ keys: keysOf("a", ["a"]), keyFaults, agreeOnKeys, ping, unheardRooms });
  const prepared = createReadiness({ keys: keysOf("a", ["a", "b"]), keyFaults, agreeOnKeys, ping, unheardRooms });
  expect(await old()).toEqual([]);
  expect(
    await createReadiness({ keys: keysOf("b", ["b", "a"]), keyFaults, agreeOnKeys, ping, unheardRooms })(),
  ).toEqual([]);
  expect((await old()).join()).toMatch(/b/);
  expect(await prepared()).toEqual([]);
});

test("a store that does not answer makes the process not ready", async () => {
  const readiness = createReadiness({
    keys: keysOf("a", ["a"]),
    keyFaults,
    agreeOnKeys: sharedAgreement(),
    unheardRooms,
    ping: async () => {
      throw new Error("away");
    },
  });
  expect(await readiness()).toEqual(["the store does not answer"]);
});

test("a process that has heard nothing of a room yet is not ready", async () => {
  const readiness = createReadiness({
    keys: keysOf("a", ["a"]),
    keyFaults,
    agreeOnKeys: sharedAgreement(),
    ping,
    unheardRooms: () => ["tickets"],
  });
  expect((await readiness()).join()).toContain("tickets");
});

test("two processes that sign with different keys of one ring do not take turns at it", async () => {
  const agreeOnKeys = sharedAgreement();
  const one = createReadiness({ keys: keysOf("a", ["a", "b"]), keyFaults, agreeOnKeys, ping, unheardRooms });
  const two = createReadiness({ keys: keysOf("b", ["b", "a"]), keyFaults, agreeOnKeys, ping, unheardRooms });
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
      ping,
      unheardRooms,
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
    ping,
    unheardRooms,
  });
  expect(await readiness()).toEqual([missing]);
});
