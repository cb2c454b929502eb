import type { Context } from "koa";
import { expect, test } from "vitest";
import type { WaitingRoom } from "../../../../src/room/index.ts";
import { createJoining } from "../../../../src/web/visitor/joining.ts";

/** Of a room for rehearsals: each join takes one use of the pass, and goes as the test says. */
function rehearse(outcome: () => { readonly result: string }) {
  let used = 0;
  const use = () => {
    used++;
    return () => {
      used--;
    };
  };
  const room = {
    id: "practice",
    nowMs: 0,
    settings: { rehearsal: true },
    entrance: "line",
    join: async (_known: null, _arrivedMs: number, addressOf: () => string | null) => {
      expect(addressOf()).toBeNull();
      return outcome();
    },
  } as unknown as WaitingRoom;
  const ctx = { get: () => "pass" } as unknown as Context;
  const passes = { use, isGood: () => false };
  const join = createJoining({
    joinAddressOf: () => "address",
    passes,
    checkBefore: () => null,
    keyedEntries: { of: () => null },
    devices: { ofJoin: async () => null },
  });
  return { join: () => join(ctx, room, null, 0), used: () => used };
}

test.each([
  ["joined", 1],
  ["later", 0],
  ["full", 0],
])("a pass of a rehearsal is used by who joins: %s", async (result, uses) => {
  const { join, used } = rehearse(() => ({ result }));
  await join();
  expect(used()).toBe(uses);
});

test("a join that fails uses no pass", async () => {
  const { join, used } = rehearse(() => {
    throw new Error("the range failed");
  });
  await expect(join()).rejects.toThrow("the range failed");
  expect(used()).toBe(0);
});

test("where this process has not heard of a line, it looks before rules, checks and limits are passed over", async () => {
  let entrance = "closed";
  const asked: string[] = [];
  const room = {
    id: "tickets",
    nowMs: 0,
    settings: {},
    get entrance() {
      return entrance;
    },
    catchUp: async () => {
      entrance = "line";
    },
    join: async () => ({ result: "joined" }),
  } as unknown as WaitingRoom;
  const check = { result: "check" } as unknown as ReturnType<
    NonNullable<Parameters<typeof createJoining>[0]["checkBefore"]>
  >;
  const join = createJoining({
    joinAddressOf: () => "address",
    passes: { use: () => null, isGood: () => false },
    checkBefore: () => {
      asked.push("check");
      return check;
    },
    keyedEntries: {
      of: () => {
        asked.push("key");
        return null;
      },
    },
    devices: { ofJoin: async () => null },
  });
  expect(await join({ get: () => "" } as unknown as Context, room, null, 0)).toEqual({ result: "check" });
  expect(asked).toEqual(["key", "check"]);
});
