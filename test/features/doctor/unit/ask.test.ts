import { expect, test } from "vitest";
import { ask } from "../../../../src/features/doctor/ask.ts";
import { LONG_ANSWER_READ_MAX, startLongAnswer } from "../../../support/long-answer.ts";

test("of an answer of 400 MiB the doctor reads the beginning", async () => {
  const source = await startLongAnswer();
  try {
    const answer = await ask(source.url);
    expect(typeof answer === "string" ? answer : answer.text.length).toBe(1_000_000);
    expect(source.sent).toBeLessThan(LONG_ANSWER_READ_MAX * source.requests);
  } finally {
    await source.close();
  }
});
