import { describe, expect, test } from "vitest";
import { createTimeWords, createTurnDeadline } from "../../../../src/web/browser/times.ts";

const texts = { until: "until {time}, {span}", passed: "over" };
const times = createTimeWords("en-GB", "{large} {small}");
const noon = new Date(2030, 0, 2, 12, 0).getTime();
const minute = 60_000;

function deadline(claimWithinMs: number | null = 15 * minute) {
  const turn = createTurnDeadline(100, claimWithinMs);
  return { ...turn, at: (minutes: number) => turn.describe(texts, times, noon + minutes * minute) };
}

describe("a turn is held", () => {
  test("from the last numbers that did not reach the visitor", () => {
    const turn = deadline();
    turn.note(98, noon - minute, false);
    turn.note(99, noon, false);
    turn.note(100, noon + minute, false);
    turn.note(130, noon + 2 * minute, false);
    expect(turn.at(2)).toBe("until 12:15, 13 minutes");
    expect(turn.at(14.5)).toBe("until 12:15, 30 seconds");
    expect(turn.at(15)).toBe("over");
  });

  test("longer by the time in which the line was seen to stand still", () => {
    const turn = deadline();
    turn.note(99, noon, false);
    turn.note(100, noon + minute, false);
    turn.note(100, noon + 2 * minute, true);
    turn.note(100, noon + 12 * minute, true);
    turn.note(100, noon + 13 * minute, false);
    expect(turn.at(13)).toBe("until 12:25, 12 minutes");
  });

  test("anew when the line was moved back", () => {
    const turn = deadline();
    turn.note(100, noon, false);
    turn.note(50, noon + minute, false);
    turn.note(100, noon + 2 * minute, false);
    expect(turn.at(2)).toBe("until 12:16, 14 minutes");
  });
});

test("nothing is said where nothing is known", () => {
  const unseen = deadline();
  unseen.note(100, noon, false);
  expect(unseen.at(1)).toBe("");
  const unlimited = deadline(null);
  unlimited.note(99, noon, false);
  expect(unlimited.at(1)).toBe("");
  const forgotten = deadline();
  forgotten.note(99, noon, false);
  forgotten.forget();
  expect(forgotten.at(1)).toBe("");
});
