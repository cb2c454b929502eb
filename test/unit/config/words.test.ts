import { describe, expect, it } from "vitest";
import { suggest, unknownWord } from "../../../src/config/words.ts";

const KEYS = ["id", "title", "inlet", "admission", "outflow_per_minute", "claim_within"];

describe("suggestions", () => {
  it.each([
    ["titel", "title"],
    ["tilte", "title"],
    ["outflowPerMinute", "outflow_per_minute"],
    ["outflow-per-minute", "outflow_per_minute"],
    ["ID", "id"],
    ["claim_withn", "claim_within"],
  ])("takes %s for %s", (word, meant) => {
    expect(suggest(word, KEYS)).toBe(meant);
  });

  it.each(["zebra", "", "x".repeat(10_000)])("has no idea what %.10s is", (word) => {
    expect(suggest(word, KEYS)).toBeNull();
  });

  it("lists what is allowed", () => {
    expect(unknownWord("key", "titel", KEYS)).toMatch(/^unknown key, did you mean title\?; allowed: id, title,/);
    expect(unknownWord("key", "zebra", KEYS)).toMatch(/^unknown key; allowed: /);
  });
});
