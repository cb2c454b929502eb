import { expect, test } from "vitest";
import { badDocument } from "../../../src/registry/refusals.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: unknown key`);

test("twenty faults are told at once, and of more only how many they are", () => {
  expect(badDocument(lines(20)).message).toBe(lines(20).join("; "));
  expect(badDocument(lines(5_000)).message).toBe(`${lines(20).join("; ")}; and 4980 more`);
});
