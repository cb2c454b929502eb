/** The time of day at which a visitor is let in, as a range on their own clock. */
import { afterEach, expect, test, vi } from "vitest";
import { createArrivalWords } from "../../../../src/web/browser/arrival.ts";

const atMs = Date.UTC(2030, 8, 1, 11, 38, 30);
/** However a version of ICU writes the spaces. */
const plain = (text: string) => text.replace(/\s/g, " ");

afterEach(() => {
  vi.unstubAllEnvs();
});

test("the estimate from when it was told, rounded outwards, in the visitor's zone and their own way of writing times", () => {
  vi.stubEnv("TZ", "UTC");
  expect(plain(createArrivalWords("en-GB")(atMs, [180, 300]))).toBe("11:41–11:44");
  expect(plain(createArrivalWords("en-US")(atMs, [180, 300]))).toMatch(/^11:41 ?– ?11:44 AM$/);
  expect(plain(createArrivalWords("de")(atMs, [3_600, 7_200]))).toMatch(/^12:38 ?– ?13:39/);
  vi.stubEnv("TZ", "Europe/Berlin");
  expect(plain(createArrivalWords("en-GB")(atMs, [180, 300]))).toBe("13:41–13:44");
});

test("nothing where it is not known, a matter of seconds, or so far away that it may be another day", () => {
  const words = createArrivalWords("en-GB");
  for (const wait of [null, [5, 60], [40_000, 50_000]] as const) expect(words(atMs, wait)).toBe("");
});

test("nothing in a browser that writes no ranges", () => {
  const ranges = Intl.DateTimeFormat.prototype.formatRange;
  try {
    Object.assign(Intl.DateTimeFormat.prototype, { formatRange: undefined });
    expect(createArrivalWords("en-GB")(atMs, [180, 300])).toBe("");
  } finally {
    Object.assign(Intl.DateTimeFormat.prototype, { formatRange: ranges });
  }
});
