import { expect, test } from "vitest";
import { createLogger, printableText } from "../../../src/lib/logger.ts";

test("a line that carries an error and no words has its event for words, not the error's", () => {
  const lines: { message: string; err: { message: string } }[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const err = new Error("Stream isn't writeable");
  logger.error({ event: "store.failed", err });
  logger.error({ event: "store.failed", err }, "the store failed");
  expect(lines.map(({ message }) => message)).toEqual(["store.failed", "the store failed"]);
  expect(lines[0]?.err.message).toBe(err.message);
});

test("what a log shows of a stranger's text is short, has nothing that moves a cursor, and nothing behind the ? or #", () => {
  expect(printableText(`/${"x".repeat(16_000)}`)).toBe(`/${"x".repeat(199)}`);
  expect(printableText("/a\u001b[31m\u009b2J\u202eb")).toBe("/a\ufffd[31m\ufffd2J\ufffdb");
  expect(printableText("/a?code=secret")).toBe("/a");
  expect(printableText("/a#token=secret")).toBe("/a");
  expect(printableText(`/admin/rooms/a/visitors/w1.${"aB_-".repeat(90)}.x~y`)).toBe("/admin/rooms/a/visitors/(ticket)");
});
