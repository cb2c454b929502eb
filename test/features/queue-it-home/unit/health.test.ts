import { expect, it } from "vitest";
import { describeCounts, queueItHealth } from "../../../../src/features/queue-it-home/health.ts";
import { createHomeCounts } from "../../../../src/features/queue-it-home/metrics.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

const minuteMs = 60_000;

it("a site that refuses tokens for good is not well for a quarter of an hour; one token that was too old is", () => {
  const clock = createMovedClock(1_000_000);
  const counts = createHomeCounts((room) => room !== "gone", clock);
  for (const what of ["sent", "sent", "queue", "timestamp", "hash", "hash"] as const) counts.add(what, "tickets");
  counts.add("loop", "other");
  counts.add("hash", "gone");
  const selves = [queueItHealth.self.parse(describeCounts(counts)), queueItHealth.self.parse("of another build")];
  const found = (nowMs: number) => queueItHealth.attention(selves, nowMs).map(({ room, text }) => [room, text]);
  expect(found(clock.now() + minuteMs)).toEqual([
    ["other", expect.stringMatching(/60 s ago \(loop\)/)],
    ["tickets", expect.stringMatching(/60 s ago \(hash\): .*secret key/)],
  ]);
  expect(found(clock.now() + 15 * minuteMs)).toEqual([]);
  expect(queueItHealth.answer.parse(queueItHealth.answerOf(selves))).toEqual([
    { room: "other", sent: 0, handed_over: 0, refused: 1, refused_at: expect.any(String) },
    { room: "tickets", sent: 2, handed_over: 1, refused: 3, refused_at: expect.any(String) },
  ]);
});
