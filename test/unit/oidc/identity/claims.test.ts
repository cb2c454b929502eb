/** What goes on of a provider's claims: what is named, whole, and within bounds. */
import { expect, test } from "vitest";
import { claimDepthMax, claimsMax, hasAll, pickClaims } from "../../../../src/oidc/identity/claims.ts";

const nested = (depth: number): unknown => (depth === 0 ? "x" : [nested(depth - 1)]);

test("only named claims go on, as they are", () => {
  const given = { sub: "ann", email: "ann@example.com", groups: ["a", "b"], age: 0, none: null, secret: "x" };
  expect(pickClaims(given, ["groups", "age", "none", "missing", "toString"])).toEqual({
    claims: { groups: ["a", "b"], age: 0 },
    dropped: [],
  });
});

test("whether an address is verified goes on with the address alone", () => {
  const given = { email: "ann@example.com", email_verified: true };
  expect(pickClaims(given, ["email_verified"]).claims).toEqual({});
  expect(pickClaims(given, ["email_verified", "email"]).claims).toEqual(given);
});

test("claims that are too large together are left out whole, in the order of the list, and smaller ones behind them stay", () => {
  const half = "ä".repeat(600);
  const { claims, dropped } = pickClaims({ first: half, second: half, third: 1 }, ["first", "second", "third"]);
  expect(claims).toEqual({ first: half, third: 1 });
  expect(dropped).toEqual(["second"]);
  const exact = "x".repeat(claimsMax - JSON.stringify({ a: "" }).length);
  expect(pickClaims({ a: exact }, ["a"]).dropped).toEqual([]);
  expect(pickClaims({ a: `${exact}x` }, ["a"]).dropped).toEqual(["a"]);
});

test("claims that are nested deeper than they may be are left out", () => {
  expect(pickClaims({ a: nested(claimDepthMax) }, ["a"]).dropped).toEqual([]);
  expect(pickClaims({ a: nested(claimDepthMax + 1) }, ["a"]).dropped).toEqual(["a"]);
  expect(pickClaims({ a: { b: { c: nested(2_000) } } }, ["a"]).dropped).toEqual(["a"]);
});

test("userinfo is asked where the ID token lacks a named claim", () => {
  expect(hasAll({ email: "x", groups: null }, ["email", "groups"])).toBe(true);
  expect(hasAll({ email: "x" }, ["email", "groups"])).toBe(false);
  expect(hasAll({}, [])).toBe(true);
});
