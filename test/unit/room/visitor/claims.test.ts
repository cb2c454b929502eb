/** Claims go to the store together. Method: one process, whose calls of the store are watched; the store's rules are those of test/contract. */
import { expect, test, vi } from "vitest";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { startServed } from "../processes.ts";

async function start(seed: string, visitors: number) {
  const { world, room, tickets } = await startServed(seed, visitors);
  const run = room.run.bind(room) as (...asked: unknown[]) => never;
  /** How many claims each call of the store had. */
  const calls: number[] = [];
  const watch = vi.spyOn(room, "run").mockImplementation((...asked: unknown[]) => {
    if (asked[0] === "claim") calls.push((asked[1] as readonly unknown[]).length);
    return run(...asked);
  });
  return { world, room, tickets, calls, watch };
}

test("claims of one turn go in one call, up to 32, and each visitor gets their own admission", async () => {
  const { room, tickets, calls } = await start("one-turn", 40);
  const answers = await Promise.all(tickets.map((ticket) => room.claim(ticket, "login")));
  expect(calls).toEqual([32, 8]);
  expect(answers.map((answer) => answer.result === "admitted" && answer.admission.position)).toEqual(
    tickets.map(({ position }) => position),
  );
  expect(answers.map((answer) => answer.result === "admitted" && answer.admission.sub)).toEqual(
    tickets.map(({ sub }) => sub),
  );
});

test("claims of one visitor in one call admit once, and answer each login once", async () => {
  const { room, tickets, calls } = await start("one-visitor", 1);
  const [ticket] = tickets;
  if (ticket === undefined) throw new Error("no ticket");
  const answers = await Promise.all(["a", "a", "b"].map((login) => room.claim(ticket, login)));
  expect(calls).toEqual([3]);
  expect(answers).toMatchObject([{ result: "admitted", isNew: true }, { result: "answered" }, { isNew: false }]);
});

test("a call whose reply is lost fails those of it; made again, each is admitted once", async () => {
  const { room, tickets, watch } = await start("lost-reply", 5);
  const run = watch.getMockImplementation() as (...asked: unknown[]) => Promise<unknown>;
  watch.mockImplementationOnce((async (...asked: unknown[]) => {
    await run(...asked);
    throw new StoreUnavailableError();
  }) as never);
  const lost = await Promise.all(tickets.map((ticket) => room.claim(ticket, "login")));
  expect(lost).toEqual(Array(5).fill({ result: "away" }));
  const again = await Promise.all(tickets.map((ticket) => room.claim(ticket, "login")));
  expect(again.map(({ result }) => result)).toEqual(Array(5).fill("answered"));
  await room.refresh();
  expect(room.state?.liveAdmissions).toBe(5);
});
