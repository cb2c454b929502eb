import { expect, test } from "vitest";
import { createSharedCalls } from "../../../src/lib/shared-calls.ts";

/** Calls that the test answers, in their order. */
function createCalls({ most = 3, isCutOff = (): boolean => false } = {}) {
  const calls: { readonly requests: readonly number[]; answer(): void; fail(error: Error): void }[] = [];
  const ask = createSharedCalls<number, string>({
    call: (requests) =>
      new Promise((resolve, reject) => {
        calls.push({ requests, answer: () => resolve(requests.map((request) => `answer ${request}`)), fail: reject });
      }),
    most,
    isCutOff,
  });
  const made = () => calls.map(({ requests }) => requests);
  return { ask, calls, made };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("requests of one turn go in one call, and each gets its own answer", async () => {
  const { ask, calls, made } = createCalls();
  const answers = Promise.all([ask(1), ask(2)]);
  await turn();
  expect(made()).toEqual([[1, 2]]);
  calls[0]?.answer();
  expect(await answers).toEqual(["answer 1", "answer 2"]);
});

test("requests that come while a call is under way go in the next ones, as many in each as may, all at once", async () => {
  const { ask, calls, made } = createCalls();
  const first = ask(1);
  await turn();
  const others = Promise.all([ask(2), ask(3), ask(4), ask(5)]);
  await turn();
  expect(made()).toEqual([[1]]);
  calls[0]?.answer();
  expect(await first).toBe("answer 1");
  await turn();
  expect(made()).toEqual([[1], [2, 3, 4], [5]]);
  calls[1]?.answer();
  calls[2]?.answer();
  expect(await others).toEqual([2, 3, 4, 5].map((request) => `answer ${request}`));
});

test("a call that fails fails those of it, and the next ones are made", async () => {
  const { ask, calls, made } = createCalls();
  const first = Promise.allSettled([ask(1), ask(2)]);
  await turn();
  const next = ask(3);
  calls[0]?.fail(new Error("away"));
  expect((await first).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await turn();
  expect(made()).toEqual([[1, 2], [3]]);
  calls[1]?.answer();
  expect(await next).toBe("answer 3");
});

test("where calls fail at once, none is queued behind one that waits for its deadline", async () => {
  let isCutOff = false;
  const { ask, calls, made } = createCalls({ isCutOff: () => isCutOff });
  const first = ask(1);
  await turn();
  isCutOff = true;
  const second = ask(2);
  expect(made()).toEqual([[1], [2]]);
  calls[1]?.fail(new Error("away"));
  await expect(second).rejects.toThrow("away");
  calls[0]?.answer();
  expect(await first).toBe("answer 1");
});

test("who comes late stands behind what is under way, and not behind the line that waits for it", async () => {
  const { ask, calls, made } = createCalls({ most: 1 });
  const first = Promise.allSettled([ask(1)]);
  await turn();
  const others = Promise.allSettled(Array.from({ length: 49 }, (_, index) => ask(2 + index)));
  calls[0]?.fail(new Error("silent"));
  await turn();
  expect(made()).toHaveLength(50);
  for (const { answer } of calls.slice(1)) answer();
  expect((await first).map(({ status }) => status)).toEqual(["rejected"]);
  expect((await others).filter(({ status }) => status === "fulfilled")).toHaveLength(49);
});
