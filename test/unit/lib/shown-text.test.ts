import { expect, it } from "vitest";
import { shownText } from "../../../src/lib/shown-text.ts";

it("is short, has nothing that moves a cursor, and nothing behind the ? or #", () => {
  expect(shownText(`/${"x".repeat(16_000)}`)).toBe(`/${"x".repeat(199)}`);
  expect(shownText("/a\u001b[31m\u009b2J\u202eb")).toBe("/a\ufffd[31m\ufffd2J\ufffdb");
  expect(shownText("/a?code=secret")).toBe("/a");
  expect(shownText("/a#token=secret")).toBe("/a");
});
