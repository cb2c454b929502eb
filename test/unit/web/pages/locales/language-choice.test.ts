import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  canonicalTag,
  createLanguageChoice,
  createLanguageLookup,
  type LanguageWishes,
} from "../../../../../src/web/pages/locales/languages.ts";
import { createLocale, type Locale } from "../../../../../src/web/pages/locales/locale.ts";
import { readLocales } from "../../../../../src/web/pages/locales/read-locales.ts";
import { viewsDir } from "../../../../support/browser-scripts.ts";

const { texts } = readLocales(join(viewsDir, "locales")).choose({ language: "en" });

function localeOf(tag: string): Locale {
  return createLocale({ ...texts, language: { tag, name: tag, dir: "ltr" } });
}

function choiceOf(...tags: string[]) {
  const english = localeOf("en");
  const choose = createLanguageChoice([english, ...tags.map(localeOf)], english);
  return (wishes: Partial<LanguageWishes>) => choose({ language: undefined, ...wishes }).tag;
}

describe("the first that says something decides", () => {
  const choose = choiceOf("de", "fr", "pl", "cs");
  const all = { chosen: "de", uiLocales: "fr", language: "pl", usual: "cs" };

  test("the visitor, the site's request, the browser, the room, English", () => {
    expect(choose(all)).toBe("de");
    expect(choose({ ...all, chosen: undefined })).toBe("fr");
    expect(choose({ language: "pl", usual: "cs" })).toBe("pl");
    expect(choose({ usual: "cs" })).toBe("cs");
    expect(choose({})).toBe("en");
  });

  test("what there is not says nothing", () => {
    expect(choose({ ...all, chosen: "xx" })).toBe("fr");
    expect(choose({ ...all, chosen: "DE; Path=/" })).toBe("fr");
    expect(choose({ uiLocales: "xx yy-ZZ !", language: "hu, pl;q=0.1" })).toBe("pl");
    expect(choose({ uiLocales: "hu fr-CA de" })).toBe("fr");
    expect(choose({ language: "*", usual: "cs" })).toBe("cs");
    expect(choose({ language: "hu", usual: "cs" })).toBe("cs");
    expect(choose({ language: "hu, en;q=0.1", usual: "cs" })).toBe("en");
  });

  test("the same question has the same answer again, whatever the others were", () => {
    for (let turn = 0; turn < 2; turn++) {
      for (let index = 0; index < 1_500; index++) expect(choose({ language: `x${index}, pl` })).toBe("pl");
      expect(choose({ language: "pl", usual: "cs" })).toBe("pl");
      expect(choose({ uiLocales: "pl", usual: "cs" })).toBe("pl");
      expect(choose({ language: "de", usual: "pl" })).toBe("de");
    }
  });

  test("of what is too long only the beginning counts", () => {
    expect(choose({ uiLocales: `${"x ".repeat(1_000)}pl` })).toBe("en");
    expect(choose({ language: `${"x,".repeat(1_000)}pl` })).toBe("en");
    expect(choose({ language: `${"x".repeat(290)},pl` })).toBe("pl");
  });
});

describe("a language is looked up", () => {
  test.each([
    [["pt", "pt-BR"], "pt-BR", "pt-BR"],
    [["pt", "pt-BR"], "pt-PT", "pt"],
    [["pt-BR"], "pt", "pt-BR"],
    [["pt-BR"], "pt-PT", "pt-BR"],
    [["pt-BR"], "PT-br", "pt-BR"],
    [["pt-BR"], "pt_BR", "pt-BR"],
    [["zh-Hans", "zh-Hant"], "zh-TW", "zh-Hant"],
    [["zh-Hans", "zh-Hant"], "zh-HK", "zh-Hant"],
    [["zh-Hans", "zh-Hant"], "zh-CN", "zh-Hans"],
    [["zh-Hans", "zh-Hant"], "zh", "zh-Hans"],
    [["zh-Hans", "zh-Hant"], "zh-Hant-HK", "zh-Hant"],
    [["zh", "zh-TW"], "zh-Hant", "zh-TW"],
    [["zh"], "zh-TW", "zh"],
    [["zh"], "zh-TW, en", "en"],
    [["no"], "nb-NO", "no"],
    [["no"], "nn", "no"],
    [["nb"], "no", "nb"],
    [["nn", "nb"], "nn-NO", "nn"],
    [["he"], "iw", "he"],
    [["he"], "iw-IL", "he"],
    [["id"], "in", "id"],
    [["sr"], "sr-RS", "sr"],
    [["de"], "de-Latn-DE-1996", "de"],
    [["de"], "de-x-strange", "de"],
    [["de"], "den", "en"],
    [["de"], "d", "en"],
    [["de"], `de${"-abcdefgh".repeat(20)}`, "en"],
  ])("%j for %s: %s", (tags, language, found) => {
    expect(choiceOf(...tags)({ language })).toBe(found);
  });

  test("tags that are none harm nobody", () => {
    for (const tag of ["", "-", "a--b", "\r\n", "x".repeat(100_000), "de\u0000", "🙂"]) {
      expect(canonicalTag(tag)).toBeUndefined();
      expect(createLanguageLookup(["de"])([tag])).toBeUndefined();
    }
  });
});
