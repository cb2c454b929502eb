// Long: thousands of pages are made and compressed, of which short tests try a third.
import { describe, expect, test } from "vitest";
import { samples } from "../../../../src/web/pages/samples/index.ts";
import { locales, makePages } from "./support.ts";
import { faultsOfLinked, tooHeavy } from "./weights.ts";
import { expectWholePage } from "./whole-page.ts";

const all = samples(Date.UTC(2030, 0, 2));
const [inline, linked] = [makePages(), makePages({ assets: "linked" })];

describe.each(inline.languages)("in %s", (language) => {
  test("no page is too heavy: 14 kB compressed, 10 kB for those that are not the waiting page", () => {
    expect(tooHeavy(inline, all, language)).toEqual([]);
  });

  test("no waiting page with files beside it is too heavy: 4 kB compressed", () => {
    expect(faultsOfLinked(linked, all, language)).toEqual([]);
  });
});

test.each(locales.all)("every page in $tag is whole", (locale) => {
  for (const sample of all) expectWholePage(inline, sample, locale);
});
