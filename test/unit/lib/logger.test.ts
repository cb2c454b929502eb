import { expect, test } from "vitest";
import { createLogger } from "../../../src/lib/logger.ts";

test("a line that carries an error and no words has its event for words, not the error's", () => {
  const lines: { message: string; err: { message: string } }[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const err = new Error("Stream isn't writeable");
  logger.error({ event: "store.failed", err });
  logger.error({ event: "store.failed", err }, "the store failed");
  expect(lines.map(({ message }) => message)).toEqual(["store.failed", "the store failed"]);
  expect(lines[0]?.err.message).toBe(err.message);
});
