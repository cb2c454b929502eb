import { expect, test } from "vitest";
import { badDocument } from "../../../src/registry/refusals.ts";

const faults = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `k${index}`, message: "unknown key" }));
const lines = (count: number) => faults(count).map(({ path, message }) => `${path}: ${message}`);

test("twenty faults are told at once, and of more only how many they are", () => {
  expect(badDocument(faults(20)).message).toBe(lines(20).join("; "));
  expect(badDocument(faults(5_000)).message).toBe(`${lines(20).join("; ")}; and 4980 more`);
});

test("faults are told to programs by their paths, without the values that were sent", () => {
  const fault = { path: "redirect_uris[0]", message: "no fragment; none", value: "https://a/#secret" };
  const { message, members } = badDocument([fault, { path: "", message: "expected an object" }]);
  expect(message).toBe("redirect_uris[0]: no fragment; none; body: expected an object");
  expect(members).toEqual({
    faults: [
      { path: "redirect_uris[0]", message: "no fragment; none" },
      { path: "", message: "expected an object" },
    ],
  });
  expect(badDocument(faults(5_000)).members).toEqual({ faults: faults(20) });
});
