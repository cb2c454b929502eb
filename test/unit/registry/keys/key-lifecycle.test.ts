import { expect, test } from "vitest";
import {
  emptyContent,
  type KeyState,
  type RegisteredKey,
  type RegistryContent,
} from "../../../../src/registry/content.ts";
import { addKey, allowedAtMs, liveMax, takeStep } from "../../../../src/registry/keys/key-lifecycle.ts";
import { tidyKeys } from "../../../../src/registry/keys/key-upkeep.ts";
import { day, hour, minute } from "../key-world.ts";

const t0 = 1_800_000_000_000;
const at = (nowMs: number, longestTokenMs = 20 * minute) => ({ nowMs, longestTokenMs });

function key(kid: string, state: KeyState, more: Partial<RegisteredKey> = {}): RegisteredKey {
  return {
    kid,
    purpose: "tickets",
    alg: null,
    source: "admin_api",
    state,
    since: { [state]: t0 },
    wrapped: `wrapped ${kid}`,
    ...more,
  };
}

const contentOf = (...keys: RegisteredKey[]): RegistryContent => ({ ...emptyContent, keys });
const stateOf = ({ keys }: RegistryContent, kid: string) => keys.find((each) => each.kid === kid)?.state;
const rsa = { purpose: "signing", alg: "RS256" } as const;

test("a key goes from new over staged, active and retiring to retired, and what it was is forgotten then", () => {
  let content = addKey(contentOf(key("old", "active")), key("new", "new"));
  content = takeStep(content, "stage", "new", at(t0));
  content = takeStep(content, "promote", "new", at(t0 + minute));
  expect([stateOf(content, "old"), stateOf(content, "new")]).toEqual(["retiring", "active"]);
  content = takeStep(content, "retire", "old", at(t0 + minute + 400 * day));
  expect(content.keys[0]).toEqual({
    ...key("old", "active"),
    state: "retired",
    since: { active: t0, retiring: t0 + minute, retired: t0 + minute + 400 * day },
    wrapped: null,
  });
});

test.each<[KeyState, boolean, boolean, boolean]>([
  ["new", true, false, true],
  ["staged", false, true, true],
  ["active", false, false, false],
  ["retiring", false, true, true],
  ["retired", false, false, false],
])("a %s key: may be staged %s, promoted %s, retired %s", (state, mayStage, mayPromote, mayRetire) => {
  const content = contentOf(key("k", state));
  const later = at(t0 + 1_000 * day);
  const outcome = (step: () => unknown) => {
    try {
      step();
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: "conflict", status: 409 });
      return false;
    }
  };
  expect(outcome(() => takeStep(content, "stage", "k", later))).toBe(mayStage);
  expect(outcome(() => takeStep(content, "promote", "k", later))).toBe(mayPromote);
  expect(outcome(() => takeStep(content, "retire", "k", later))).toBe(mayRetire);
  // Force skips time, and no step.
  expect(outcome(() => takeStep(content, "promote", "k", later, true))).toBe(mayPromote);
  expect(outcome(() => takeStep(content, "retire", "k", later, true))).toBe(mayRetire);
});

test.each([
  ["signing", "RS256", day],
  ["tickets", null, minute],
  ["cookies", null, minute],
  ["draw", null, minute],
] as const)("%s: promoted no sooner than its time, to the millisecond, unless forced", (purpose, alg, ms) => {
  const content = contentOf(key("a", "active", { purpose, alg }), key("b", "staged", { purpose, alg }));
  expect(() => takeStep(content, "promote", "b", at(t0 + ms - 1))).toThrow(/may be promoted from 2027-.* force/);
  expect(stateOf(takeStep(content, "promote", "b", at(t0 + ms)), "b")).toBe("active");
  expect(stateOf(takeStep(content, "promote", "b", at(t0), true), "b")).toBe("active");
  expect(allowedAtMs("promote", key("b", "staged", { purpose, alg }), 0)).toBe(t0 + ms);
});

test.each([
  ["signing", "RS256", 20 * minute, day + hour],
  ["signing", "ES256", 3 * day, 4 * day],
  ["tickets", null, 0, 400 * day],
  ["cookies", null, 0, day],
  ["draw", null, 0, 30 * day],
] as const)("%s %s: retired no sooner than what it has signed lapses (tokens of %i ms)", (purpose, alg, token, ms) => {
  const content = contentOf(key("a", "active", { purpose, alg }), key("b", "retiring", { purpose, alg }));
  expect(() => takeStep(content, "retire", "b", at(t0 + ms - 1, token))).toThrow(/may be retired from 20.* force/);
  expect(stateOf(takeStep(content, "retire", "b", at(t0 + ms, token)), "b")).toBe("retired");
  expect(stateOf(takeStep(content, "retire", "b", at(t0, token), true), "b")).toBe("retired");
  expect(allowedAtMs("retire", key("b", "retiring", { purpose, alg }), token)).toBe(t0 + ms);
});

test("each algorithm has an active key of its own", () => {
  const es = { purpose: "signing", alg: "ES256" } as const;
  const content = contentOf(key("r", "active", rsa), key("e", "active", es), key("r2", "staged", rsa));
  const promoted = takeStep(content, "promote", "r2", at(t0 + day));
  expect(promoted.keys.map(({ state }) => state)).toEqual(["retiring", "active", "active"]);
});

test("a superseded key may sign again at once, since all have verified with it all along", () => {
  const content = contentOf(key("a", "active"), key("b", "retiring"));
  expect(stateOf(takeStep(content, "promote", "b", at(t0 + 1)), "b")).toBe("active");
  expect(stateOf(takeStep(content, "promote", "b", at(t0 + 1)), "a")).toBe("retiring");
});

test("what an operator promotes or retires is the last word over what the configuration has first", () => {
  const keys = [key("a", "active"), key("b", "staged"), key("first", "staged")];
  const content = { ...contentOf(...keys), sources: { tickets: { kid: "first", is_to_sign: true } } };
  const settled = { tickets: { kid: "first", is_to_sign: false } };
  expect(takeStep(content, "promote", "b", at(t0 + minute)).sources).toEqual(settled);
  expect(takeStep(content, "retire", "first", at(t0)).sources).toEqual(settled);
  expect(takeStep(content, "retire", "b", at(t0)).sources).toBe(content.sources);
});

test("keys that are unknown, or too many, are refused with words", () => {
  expect(() => takeStep(emptyContent, "stage", "x", at(t0))).toThrow(/no key of this id/);
  const many = Array.from({ length: liveMax }, (_, index) => key(`k${index}`, "new"));
  expect(() => addKey(contentOf(...many), key("one more", "new"))).toThrow(/retire some first/);
  expect(addKey(contentOf(...many), key("other", "new", { purpose: "draw" })).keys).toHaveLength(liveMax + 1);
});

test("of retired keys the newest fifty of each purpose stay on record, and those that stand in the configuration", () => {
  const retired = Array.from({ length: 60 }, (_, index) =>
    key(`k${index}`, "retired", { wrapped: null, since: { retired: t0 + index } }),
  );
  const content = contentOf(...retired, key("d", "retired", { purpose: "draw" }), key("a", "active"));
  const kept = tidyKeys(content, at(t0), (kid) => kid === "k3").keys.map(({ kid }) => kid);
  expect(kept).toEqual(["k3", ...retired.slice(10).map(({ kid }) => kid), "d", "a"]);
  expect(tidyKeys(contentOf(key("a", "active")), at(t0), () => false).keys).toHaveLength(1);
});

test("a superseded key of the configuration is retired by itself once it is gone from there and its time is over", () => {
  const old = key("old", "retiring", { source: "configuration", wrapped: null });
  const content = contentOf(old, key("a", "active"), key("made", "retiring"));
  const states = (nowMs: number, isAtSource: boolean) =>
    tidyKeys(content, at(nowMs), () => isAtSource).keys.map(({ state }) => state);
  expect(states(t0 + 400 * day - 1, false)).toEqual(["retiring", "active", "retiring"]);
  expect(states(t0 + 400 * day, true)).toEqual(["retiring", "active", "retiring"]);
  expect(states(t0 + 400 * day, false)).toEqual(["retired", "active", "retiring"]);
});
