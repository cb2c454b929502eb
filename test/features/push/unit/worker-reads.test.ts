import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { countReads } from "../../../support/browser-reads.ts";

const worker = new URL("../../../../src/features/push/browser/push-worker.ts", import.meta.url);

test("the worker reads nothing from outside but what a push service delivers, of which it takes each member that is a text", () => {
  const script = readFileSync(worker, "utf8");
  expect(countReads(script)).toBe(1);
  expect(script).toContain("JSON.parse(");
});
