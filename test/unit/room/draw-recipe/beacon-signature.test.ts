import { expect, it } from "vitest";
import { quicknet, randomnessOf } from "../../../../src/room/draw-recipe/beacon-chain.ts";
import { verifyRound } from "../../../../src/room/draw-recipe/beacon-signature.ts";
import { recordedRounds } from "./recorded-rounds.ts";

it.each(recordedRounds)("takes quicknet's round $round as quicknet's", ({ round, signature }) => {
  expect(verifyRound(quicknet, round, signature)).toBe(true);
});

it("makes the random number of a round as drand does", () => {
  const [{ signature, randomness }] = recordedRounds;
  expect(randomnessOf(signature)).toBe(randomness);
});

const [first, second] = recordedRounds;
const infinity = { publicKey: `c0${"00".repeat(95)}` };

it.each([
  ["of another round", quicknet, first.round, second.signature],
  ["with a digit changed", quicknet, first.round, first.signature.replace("e39", "e38")],
  ["with its sign changed", quicknet, first.round, `9${first.signature.slice(1)}`],
  ["that is cut short", quicknet, first.round, first.signature.slice(2)],
  ["that is no text of digits", quicknet, first.round, "x".repeat(96)],
  ["that is empty", quicknet, first.round, ""],
  ["that is the point at infinity", quicknet, first.round, `c0${"00".repeat(47)}`],
  ["and a key that are points at infinity", infinity, first.round, `c0${"00".repeat(47)}`],
  ["with a key that is no point", { publicKey: "ff".repeat(96) }, first.round, first.signature],
] as const)("refuses a signature %s", (_, chain, round, signature) => {
  expect(verifyRound(chain, round, signature)).toBe(false);
});
