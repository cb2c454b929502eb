import type { Context } from "koa";
import { expect, test } from "vitest";
import { UsherError } from "../../../../src/lib/errors.ts";
import type { Refusal } from "../../../../src/oidc/index.ts";
import type { WaitingRoom } from "../../../../src/room/index.ts";
import { createJoining, createRehearsalStep } from "../../../../src/web/visitor/joining.ts";

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
  const join = createJoining({ joinAddressOf: () => "address", steps: [createRehearsalStep(passes)] });
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
  const refusal: Refusal = { page: () => ({ redirect: "/" }), error: () => new UsherError("forbidden", "not yet") };
  const join = createJoining({
    joinAddressOf: () => "address",
    steps: [
      () => {
        asked.push("key");
        return null;
      },
      async () => {
        asked.push("check");
        return refusal;
      },
      () => {
        asked.push("a third step");
        return null;
      },
    ],
  });
  expect(await join({ get: () => "" } as unknown as Context, room, null, 0)).toEqual({ result: "step", refusal });
  expect(asked).toEqual(["key", "check"]);
});

test("steps say what the join goes by and what the ticket says besides, and hear what came of it", async () => {
  const settled: boolean[] = [];
  const joined: unknown[] = [];
  const room = {
    id: "tickets",
    nowMs: 0,
    settings: {},
    entrance: "line",
    join: async (known: unknown, _arrivedMs: number, addressOf: () => string | null, names: unknown) => {
      joined.push(known, addressOf(), names);
      return { result: "joined", ticket: { sub: "tickets.a" } };
    },
  } as unknown as WaitingRoom;
  const join = createJoining({
    joinAddressOf: () => "address",
    steps: [
      (attempt) => {
        attempt.names = ["name"];
        attempt.additions = { device: "thumbprint" };
        attempt.onSettled.push((hasJoined) => settled.push(hasJoined));
        return "enough";
      },
      () => expect.fail("no further step is run"),
    ],
  });
  expect(await join({} as Context, room, null, 0)).toEqual({
    result: "joined",
    ticket: { sub: "tickets.a", device: "thumbprint" },
  });
  expect(joined).toEqual([null, "address", ["name"]]);
  expect(settled).toEqual([true]);
});
