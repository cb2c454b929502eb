import { readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createQuickWording, fillQuickly } from "../../../../../src/web/pages/locales/locale.ts";
import { createWording, fillText } from "../../../../../src/web/pages/shared/wording.ts";

const localesDir = resolve(import.meta.dirname, "../../../../../views/locales");
const builtIn = readdirSync(localesDir)
  .filter((file) => file.endsWith(".json"))
  .map((file) => basename(file, ".json"));
/** Operators may bring any: digits of their own, groups of two, an apostrophe or no group below five digits. */
const others = ["ar-EG", "bn", "de-CH", "en-IN", "es", "fa", "hi", "mr", "my", "pl", "pt-PT"];

describe.each([...new Set([...builtIn, ...others])])("in %s", (tag) => {
  const quick = createQuickWording(tag);
  const usual = createWording(tag);

  test("numbers are written as Intl writes them", () => {
    for (let digits = 1; digits <= 12; digits++) {
      const least = 10 ** (digits - 1);
      for (const value of [least, least * 10 - 1, Math.floor(least * 4.7)]) {
        expect(quick.number(value)).toBe(usual.number(value));
      }
    }
    for (const value of [0, 0.5, 1.25, 1234.56, -1, -12_345, Number.MAX_SAFE_INTEGER]) {
      expect(quick.number(value)).toBe(usual.number(value));
    }
    fc.assert(
      fc.property(fc.nat(), (value) => {
        expect(quick.number(value)).toBe(usual.number(value));
      }),
    );
  });
});

test("a text is filled as the scripts of the pages fill it", () => {
  const text = fc.array(fc.oneof(fc.string(), fc.constantFrom("{n}", "{of}", "{", "}", "{{n}}", "{no one}", "{none}")));
  const value = fc.oneof(fc.string(), fc.nat(), fc.constant(undefined), fc.constantFrom("{of}", "$&", "$1"));
  fc.assert(
    fc.property(text, value, value, (parts, n, of) => {
      const whole = parts.join("");
      expect(fillQuickly(whole, { n, of })).toBe(fillText(whole, { n, of }));
      // Known by now.
      expect(fillQuickly(whole, { n, of })).toBe(fillText(whole, { n, of }));
    }),
  );
});

test("as many texts as operators can think of are filled rightly", () => {
  const indexes = Array.from({ length: 5_000 }, (_, index) => index);
  const filled = indexes.map((index) => fillQuickly(`${index}: {n}`, { n: "x" }));
  expect(filled).toEqual(indexes.map((index) => `${index}: x`));
});
