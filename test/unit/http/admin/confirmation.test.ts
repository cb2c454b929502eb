/** A token of a confirmation: for one principal and one step, while the room is as it was, for two minutes of the store's clock. */
import type { Context } from "koa";
import { expect, test } from "vitest";
import { type Confirmable, requireConfirmation } from "../../../../src/http/admin/audit/confirmation.ts";
import { UsherError } from "../../../../src/lib/errors.ts";
import { createKeyRing } from "../../../../src/room/index.ts";

const keyOf = (kid: string, byte: number) => ({ kid, secret: Buffer.alloc(32, byte) });
const beginMs = Date.UTC(2031, 4, 10, 9);
const usual = {
  principal: { kind: "person", id: "person:ada" },
  room: { id: "tickets", storeNowMs: beginMs },
  state: { edition: 7, basePhase: "open" },
  step: "end",
  would: "11,240 people would be turned away",
  ring: createKeyRing([keyOf("new", 1), keyOf("old", 2)]),
} as const satisfies Omit<Confirmable, "ctx">;

const contextOf = (headers: Record<string, string>) =>
  ({ get: (name: string) => headers[name.toLowerCase()] ?? "" }) as unknown as Context;

/** Answers null where the step is to be carried out; else the token that was given instead. */
function ask(changes: Partial<Confirmable>, headers: Record<string, string> = {}): string | null {
  try {
    requireConfirmation({ ...usual, ...changes, ctx: contextOf(headers) });
    return null;
  } catch (error) {
    if (!(error instanceof UsherError) || error.code !== "confirmation_required") throw error;
    expect(error.message).toContain(usual.would);
    return String((error.members as { confirm: string }).confirm);
  }
}
const given = (confirm: string | null, changes: Partial<Confirmable> = {}) => ask(changes, { confirm: confirm ?? "" });
const at = (ms: number) => ({ room: { id: "tickets", storeNowMs: beginMs + ms } });
const token = ask({});

test("a person is always asked, a key where it prefers that", () => {
  const key = { principal: { kind: "key", id: "ops" } } as const;
  expect(token).toMatch(/^new\.[a-z0-9]+\.[\w-]{32}$/);
  expect(ask(key)).toBeNull();
  for (const prefer of ["confirmation", "respond-async, Confirmation"]) expect(ask(key, { prefer })).not.toBeNull();
  expect(ask(key, { prefer: "confirmation-please" })).toBeNull();
  // Whoever sends a token wants it to be looked at.
  expect(given(token, key)).not.toBeNull();
});

test("a token carries the step out for two minutes", () => {
  for (const ms of [0, 1, 119_999]) expect(given(token, at(ms))).toBeNull();
  for (const ms of [120_000, 3_600_000]) expect(given(token, at(ms))).not.toBeNull();
  // Another process takes it for somewhat earlier.
  expect(given(token, at(-50))).toBeNull();
  // The store's clock was set back: longer than two minutes no token is good for.
  expect(given(token, at(-60_000))).not.toBeNull();
});

test.each<[string, Partial<Confirmable>]>([
  ["another person", { principal: { kind: "person", id: "person:bob" } }],
  ["a key of the same id", { principal: { kind: "key", id: "person:ada" } }],
  ["another step", { step: "passthrough" }],
  ["another room", { room: { id: "tickets-2", storeNowMs: beginMs } }],
  ["another edition", { state: { edition: 8, basePhase: "open" } }],
  ["another phase", { state: { edition: 7, basePhase: "prequeue" } }],
  ["another installation", { ring: createKeyRing([keyOf("new", 3)]) }],
])("is none for %s", (_, changes) => {
  expect(given(token, changes)).not.toBeNull();
});

test("is good at a process whose keys were rotated meanwhile, as long as the key is known", () => {
  expect(given(token, { ring: createKeyRing([keyOf("newest", 4), keyOf("new", 1)]) })).toBeNull();
  expect(given(token, { ring: createKeyRing([keyOf("newest", 4)]) })).not.toBeNull();
});

test.each(["", "x", "a.b", "a.b.c.d", `${token}x`, token?.replace(/^new\.\w/, "new.z") ?? "", "new".repeat(200)])(
  "%s is no token",
  (wrong) => {
    expect(given(wrong)).not.toBeNull();
  },
);

test("where the store's time is not known nothing is done, and nothing is asked", () => {
  const unknown = { room: { id: "tickets", storeNowMs: null } };
  for (const headers of [{}, { confirm: token ?? "" }]) {
    expect(() => ask(unknown, headers)).toThrow(expect.objectContaining({ code: "store_unavailable" }));
  }
});
