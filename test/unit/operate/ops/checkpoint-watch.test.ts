import { expect, test } from "vitest";
import { createLogger } from "../../../../src/lib/logger.ts";
import { createCheckpointWatch } from "../../../../src/operate/ops/checkpoint-watch.ts";

test("marks that cannot be written are told again each minute, with what mends it, until they are written", () => {
  const lines: { event: string; message: string }[] = [];
  const logger = createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  let nowMs = 1_000_000;
  const watch = createCheckpointWatch({ logger, clock: { now: () => nowMs } });
  watch.written();
  expect(watch.failure()).toBeNull();
  const full = Object.assign(new Error("no space"), {
    code: "ENOSPC",
    syscall: "write",
    path: "/data/checkpoints/a.json",
  });
  for (let second = 0; second <= 125; second++) {
    watch.failed(full);
    nowMs += 1_000;
  }
  expect(lines.map(({ event }) => event)).toEqual(["checkpoints.failed", "checkpoints.failed", "checkpoints.failed"]);
  expect(lines[0]?.message).toMatch(/cannot be written.*places may be given twice.*disk is full.*df -h/);
  expect(watch.failure()).toMatchObject({ wasWritten: true });
  watch.written();
  expect(watch.failure()).toBeNull();
  expect(lines.at(-1)?.event).toBe("checkpoints.written");
});
