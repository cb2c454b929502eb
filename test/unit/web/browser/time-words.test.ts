import { describe, expect, test, vi } from "vitest";
import { createTimeWords, regionalLocale } from "../../../../src/web/browser/times.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe("a span is rounded down, to what one can plan with", () => {
  const { span } = createTimeWords("en", "{large} {small}");
  test.each([
    [-5, "0 seconds"],
    [1_999, "1 second"],
    [119 * second, "119 seconds"],
    [2 * minute, "2 minutes"],
    [59 * minute + 59 * second, "59 minutes"],
    [hour, "1 hour"],
    [3 * hour + 5 * minute, "3 hours 5 minutes"],
    [47 * hour + 59 * minute, "47 hours 59 minutes"],
    [48 * hour, "2 days"],
    [73 * hour + 30 * minute, "3 days 1 hour"],
  ])("%i ms: %s", (ms, text) => {
    expect(span(ms)).toBe(text);
  });
});

test("times are written as the visitor's own kind of the page's language has it", () => {
  expect(regionalLocale("en", ["de-AT", "en-GB", "en"])).toBe("en-GB");
  expect(regionalLocale("en", ["de-AT", "eng"])).toBe("en");
  const afternoon = new Date(2030, 0, 2, 20, 5).getTime();
  expect(createTimeWords("en-GB", "").clock(afternoon)).toBe("20:05");
  expect(createTimeWords("en-GB", "").moment(afternoon)).toMatch(/^Wednesday,? 2 January at 20:05 \S+/);
  // What is far ahead has its year.
  expect(createTimeWords("en-GB", "").moment(afternoon, "numeric")).toMatch(/^Wednesday,? 2 January 2030 at 20:05 \S+/);
  expect(createTimeWords("en-GB", "").clock(new Date(2030, 0, 2, 8, 5).getTime())).toBe("08:05");
  expect(createTimeWords("en-US", "").clock(afternoon)).toMatch(/^8:05\sPM$/);
});

test("a browser that writes no units has plainer words, and the page goes on", () => {
  const Plain = Intl.NumberFormat;
  class Refusing extends Plain {
    constructor(locale?: string, options?: Intl.NumberFormatOptions) {
      if (options?.style === "unit") throw new RangeError("unit");
      super(locale, options);
    }
  }
  vi.spyOn(Intl, "NumberFormat").mockImplementation(Refusing as never);
  const { span } = createTimeWords("en", "{large} {small}");
  expect([45_000, 10 * minute, 3 * hour + 5 * minute].map(span)).toEqual(["45 second", "10 minute", "3 hour 5 minute"]);
  vi.restoreAllMocks();
});
