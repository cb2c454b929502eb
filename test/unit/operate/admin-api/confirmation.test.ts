/** A token of a confirmation: once, for one principal and one step, while the room stays as it was, for two minutes of the store's clock. */
import type { Context } from "koa";
import { beforeEach, expect, test } from "vitest";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { UsherError } from "../../../../src/lib/errors.ts";
import { createPrincipalBounds } from "../../../../src/operate/admin-api/access/principal-bounds.ts";
import {
  type Confirmable,
  type Confirmations,
  createConfirmations,
} from "../../../../src/operate/admin-api/audit/confirmation.ts";
import { createOneTimeLinks, oneTimeLinkModel } from "../../../../src/registry/index.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../../support/moved-clock.ts";

const usual = {
  principal: { kind: "person", id: "person:ada" },
  room: { id: "tickets" },
  state: { edition: 7, basePhase: "open", phaseSinceMs: 5 },
  step: "end",
  would: "11,240 people would be turned away",
  takesTwo: false,
} as const satisfies Omit<Confirmable, "ctx">;

let clock: MovedClock;
/** Two processes that share a store. */
let one: Confirmations;
let two: Confirmations;

beforeEach(() => {
  clock = createMovedClock();
  const records = createMemoryStore({ clock, random: systemRandom }).oidcAdapter(oneTimeLinkModel);
  const open = () =>
    createConfirmations(createOneTimeLinks(records, clock, systemRandom), createPrincipalBounds(clock));
  [one, two] = [open(), open()];
});

const contextOf = (headers: Record<string, string>) =>
  ({ get: (name: string) => headers[name.toLowerCase()] ?? "" }) as unknown as Context;

/** Answers null where the step is to be carried out; else the token that was given instead. */
async function ask(
  changes: Partial<Confirmable>,
  headers: Record<string, string> = {},
  at = one,
): Promise<string | null> {
  try {
    await at.require({ ...usual, ...changes, ctx: contextOf(headers) });
    return null;
  } catch (error) {
    if (!(error instanceof UsherError) || error.code !== "confirmation_required") throw error;
    expect(error.message).toContain(usual.would);
    return String((error.members as { confirm: string }).confirm);
  }
}
const given = (confirm: string | null, changes: Partial<Confirmable> = {}, at = one) =>
  ask(changes, { confirm: confirm ?? "" }, at);

test("a person is always asked, a key where it prefers that", async () => {
  const key = { principal: { kind: "key", id: "ops" } } as const;
  const token = await ask({});
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await ask(key)).toBeNull();
  for (const prefer of ["confirmation", "respond-async, Confirmation"])
    expect(await ask(key, { prefer })).not.toBeNull();
  expect(await ask(key, { prefer: "confirmation-please" })).toBeNull();
  // Whoever sends a token wants it to be looked at.
  expect(await given(token, key)).not.toBeNull();
});

test("a token carries the step out for two minutes", async () => {
  for (const ms of [0, 1, 119_999]) {
    const token = await ask({});
    clock.advance(ms);
    expect(await given(token, {}, two), `${ms}`).toBeNull();
  }
  const token = await ask({});
  clock.advance(120_000);
  expect(await given(token)).not.toBeNull();
});

test("a token works once: of any number of requests at once, at all processes, one passes", async () => {
  const token = await ask({});
  const answers = await Promise.all([one, two, one, two].map((at) => given(token, {}, at)));
  expect(answers.filter((each) => each === null)).toHaveLength(1);
  expect(await given(token)).not.toBeNull();
});

test.each<[string, Partial<Confirmable>]>([
  ["another person", { principal: { kind: "person", id: "person:bob" } }],
  ["a key of the same id", { principal: { kind: "key", id: "person:ada" } }],
  ["another step", { step: "passthrough" }],
  ["another room", { room: { id: "tickets-2" } }],
  ["another edition", { state: { ...usual.state, edition: 8 } }],
  ["another phase", { state: { ...usual.state, basePhase: "prequeue" } }],
  ["the same phase after another one", { state: { ...usual.state, phaseSinceMs: 6 } }],
])("is none for %s, and stays good for what it is for", async (_, changes) => {
  const token = await ask({});
  expect(await given(token, changes)).not.toBeNull();
  expect(await given(token)).toBeNull();
});

test.each(["", "x", "a.b.c.d", "A".repeat(43), "new".repeat(200)])("%s is no token", async (wrong) => {
  expect(await given(wrong)).not.toBeNull();
});

test("one principal gets no more of them than the store is to hold, and another still does", async () => {
  const asked = async () => {
    for (let i = 0; i < 1_000; i++) await ask({});
  };
  await expect(asked()).rejects.toMatchObject({ code: "too_many_requests", status: 429 });
  expect(await ask({ principal: { kind: "person", id: "person:bob" } })).not.toBeNull();
  clock.advance(60_000);
  expect(await ask({})).not.toBeNull();
});
