import { expect, test } from "vitest";
import { createReadiness } from "../../../src/http/ops/readiness.ts";

function sharedAgreement() {
  let agreed: Record<string, string> = {};
  return async (mine: Record<string, string>, replace: boolean) => {
    if (replace || Object.keys(agreed).length === 0) agreed = { ...mine };
    return agreed;
  };
}

const keysOf = (signsWith: string, accepts: string[]) => ({ tickets: { signsWith, accepts } });
const ping = async () => {};

test("processes with the same keys are ready, and one with others names both keys", async () => {
  const agreeOnKeys = sharedAgreement();
  expect(await createReadiness({ keys: keysOf("a", ["a"]), agreeOnKeys, ping })()).toEqual([]);
  expect(await createReadiness({ keys: keysOf("a", ["a"]), agreeOnKeys, ping })()).toEqual([]);
  const faults = await createReadiness({ keys: keysOf("b", ["b"]), agreeOnKeys, ping })();
  expect(faults.join()).toMatch(/tickets with a, this one with b/);
});

test("in a rotation the newer ring takes over, and only processes that cannot read it fall out", async () => {
  const agreeOnKeys = sharedAgreement();
  const old = createReadiness({ keys: keysOf("a", ["a"]), agreeOnKeys, ping });
  const prepared = createReadiness({ keys: keysOf("a", ["a", "b"]), agreeOnKeys, ping });
  expect(await old()).toEqual([]);
  expect(await createReadiness({ keys: keysOf("b", ["b", "a"]), agreeOnKeys, ping })()).toEqual([]);
  expect((await old()).join()).toMatch(/b/);
  expect(await prepared()).toEqual([]);
});

test("a store that does not answer makes the process not ready", async () => {
  const readiness = createReadiness({
    keys: keysOf("a", ["a"]),
    agreeOnKeys: sharedAgreement(),
    ping: async () => {
      throw new Error("away");
    },
  });
  expect(await readiness()).toEqual(["the store does not answer"]);
});
