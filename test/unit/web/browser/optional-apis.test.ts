/** Words where a browser lacks or refuses a format: plainer, and never an exception. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { createArrivalWords } from "../../../../src/web/browser/arrival.ts";
import { createLineWording } from "../../../../src/web/browser/line-figures.ts";
import { describeOpening, tickingWords } from "../../../../src/web/browser/opening.ts";
import { createTimeWords, regionalLocale } from "../../../../src/web/browser/times.ts";
import type { LiveTexts } from "../../../../src/web/pages/shared/live.ts";
import english from "../../../../views/locales/en.json" with { type: "json" };

const fail = function refuse(): never {
  throw new RangeError("refused");
};
const noon = new Date(2030, 0, 2, 12, 5).getTime();

afterEach(() => vi.unstubAllGlobals());

function say() {
  const times = createTimeWords(regionalLocale("en", undefined), "{large} {small}");
  const line = createLineWording(english.waiting.live as unknown as LiveTexts, "en");
  const opening = { unset: "later", in: "in {span}", now: "now" };
  return {
    moment: times.moment(noon),
    clock: times.clock(noon),
    opening: describeOpening(opening, tickingWords(times), noon + 630_000, noon).countdown,
    age: line.age(12),
    longAge: line.age(130),
    ahead: line.people(1_204, false),
    estimate: line.estimate([240, 420]),
    arrival: createArrivalWords("en-GB")(noon, [240, 420]),
  };
}

describe.each(["NumberFormat", "DateTimeFormat", "PluralRules", "RelativeTimeFormat"] as const)("Intl.%s", (name) => {
  test.each([
    ["is missing", undefined],
    ["throws", fail],
  ])("%s", (_, value) => {
    vi.stubGlobal("Intl", {
      ...Object.fromEntries(Object.getOwnPropertyNames(Intl).map((key) => [key, Reflect.get(Intl, key)])),
      [name]: value,
    });
    const said = say();
    expect(Object.values(said).join(" ")).not.toMatch(/NaN|undefined|null|\{\w+\}|Invalid|object/);
    expect(said.moment).toMatch(/2 January|January 2|Jan 02 2030 12:05/);
    expect(said.clock).toMatch(/12:05/);
    expect(said.opening).toMatch(/^in 10 min/);
    expect(said.ahead).toMatch(/^1,?204 people/);
    expect(said.estimate).toMatch(/4.*7 minutes/);
    expect(said.age).toMatch(/10 second/);
    expect(said.longAge).toMatch(/2 minute/);
  });
});

test("Intl is missing as a whole", () => {
  vi.stubGlobal("Intl", undefined);
  expect(say()).toMatchObject({ opening: "in 10 minute 30 second", ahead: "1204 people ahead of you", arrival: "" });
});

test("a browser that names no languages has the page's", () => {
  expect(regionalLocale("de", undefined)).toBe("de");
});
