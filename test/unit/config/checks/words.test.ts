import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suggest, unknownWord } from "../../../../src/config/checks/faults.ts";

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

  it("are the nearest of all, the first of those that are as near", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 6 }), (given, allowed) => {
        const distances = allowed.map((each) => distanceByTheBook(given, each));
        const least = Math.min(...distances);
        const isNear = least <= Math.max(1, Math.floor(given.length / 3));
        expect(suggest(given, allowed)).toBe(isNear ? allowed[distances.indexOf(least)] : null);
      }),
      { numRuns: 200 },
    );
  });

  it("lists what is allowed", () => {
    expect(unknownWord("key", "titel", KEYS)).toMatch(/^unknown key, did you mean title\?; allowed: id, title,/);
    expect(unknownWord("key", "zebra", KEYS)).toMatch(/^unknown key; allowed: /);
  });
});

/** The recursion that defines it: optimal string alignment. */
function distanceByTheBook(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const ways = [
    distanceByTheBook(x, b) + 1,
    distanceByTheBook(a, y) + 1,
    distanceByTheBook(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1),
  ];
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(...ways, ...(isSwap ? [distanceByTheBook(x.slice(0, -1), y.slice(0, -1)) + 1] : []));
}
