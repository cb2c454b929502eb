import { describe, expect, it } from "vitest";
import { environmentValue, strayAround } from "../../../src/lib/value-shape.ts";

describe("a value of the environment", () => {
  it.each([
    ["secret", "secret"],
    ["secret\n", "secret"],
    ["secret\r\n", "secret"],
    ["secret\n\n", "secret\n"],
    ["\n", ""],
    [undefined, ""],
  ])("%j counts as %j", (SHOP, value) => {
    expect(environmentValue({ SHOP }, "SHOP")).toBe(value);
  });

  it.each([
    ['"5ecret"', /^is in quotes/],
    ["'5ecret'", /^is in quotes/],
    ["\ufeff5ecret", /^begins with a byte order mark/],
    [" 5ecret", /^has white space/],
    ["5ecret ", /^has white space/],
    ["5ecret\n", /^has white space or a line end/],
    ["5ecret\u00a0", /^has white space/],
    ["5ecret", null],
    ['5e"cret', null],
    ['"', null],
    ["", null],
    ["\n-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n\n", null],
  ])("%j: what is around it is named, and the value not shown", (value, expected) => {
    const found = strayAround(value);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatch(expected);
    expect(found ?? "").not.toContain("5ecret");
  });
});
