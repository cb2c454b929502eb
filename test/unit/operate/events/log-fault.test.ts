import { expect, test } from "vitest";
import { StoreUnavailableError, UsherError } from "../../../../src/lib/errors.ts";
import { createLogger } from "../../../../src/lib/logger.ts";
import { logFault } from "../../../../src/operate/events/index.ts";
import { createWebhookProcess } from "../../../features/webhooks/unit/webhook-process.ts";

function createLog() {
  const lines: Record<string, unknown>[] = [];
  return { lines, logger: createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test.each([
  ["an own fault", new TypeError("a fault"), 1],
  ["another refusal", new UsherError("not_found", "nothing"), 1],
  ["a store that is away", new StoreUnavailableError(), 0],
  ["a store that settles", new UsherError("store_unavailable", "later"), 0],
  ["a conflict", new UsherError("conflict", "others change it"), 0],
])("%s is logged where nothing else tells it", (_, error, count) => {
  const { lines, logger } = createLog();
  logFault(logger)(error);
  expect(lines.filter(({ event }) => event === "events.failed")).toHaveLength(count);
});

test("what fails in the rounds of webhooks is logged, each fault by itself", async () => {
  const { lines, logger } = createLog();
  const failing = (words: string) => () => Promise.reject(new TypeError(words));
  const rounds = { recordFileWebhooks: failing("not noted"), reseal: failing("not sealed") };
  const { start, stop } = createWebhookProcess({ urls: {}, rounds, logger });
  start();
  await expect.poll(() => lines.map(({ err }) => (err as Error).message)).toEqual(["not noted", "not sealed"]);
  await stop();
});
