import { describe, expect, test } from "vitest";
import { roomMessage } from "../../../../src/config/schema/words-by-language.ts";

const read = (written: unknown) => roomMessage.parse(written);
const one = (text: string) => ({ severity: "information", texts: [{ language: null, text }] });

function faults(written: unknown): Record<string, string> {
  const issues = roomMessage.safeParse(written).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}

describe("a message", () => {
  test("that is a text is information, whatever one reads", () => {
    expect(read("Doors at ten")).toEqual(one("Doors at ten"));
    expect(read({ text: "Doors at ten" })).toEqual(one("Doors at ten"));
  });

  test("says how grave it is, and in which languages, by their usual tags, in the order in which they stand", () => {
    const written = { text: { "PT-br": "Esgotado", en: "Sold out", "zh-hant": "售罄" }, severity: "sold_out" };
    expect(read(written)).toEqual({
      severity: "sold_out",
      texts: [
        { language: "pt-BR", text: "Esgotado" },
        { language: "en", text: "Sold out" },
        { language: "zh-Hant", text: "售罄" },
      ],
    });
  });

  test.each([
    "x".repeat(500),
    "first line\nsecond line",
    "\u200f\u202bשלום\u202c\u200f",
    "<img src=x onerror=alert(1)></script>",
    "🎫".repeat(250),
  ])("is taken as it is written (%#)", (text) => {
    expect(read(text).texts[0]?.text).toBe(text);
    expect(read({ text: { en: text } }).texts[0]?.text).toBe(text);
  });

  test("has the line breaks of pages", () => {
    expect(read("one\r\ntwo").texts[0]?.text).toBe("one\ntwo");
  });

  test.each(["", " \n ", "x".repeat(501), "a\u0000b", "a\u001bb", "a\rb", "a\tb", "a\u0085b", "a\ud800b"])(
    "is refused where no page could show it (%j)",
    (text) => {
      const expected = "expected a message, at most 500 characters";
      expect(faults(text)).toEqual({ "": expected });
      expect(faults({ text })).toEqual({ text: expected });
      expect(faults({ text: { en: "good", de: text } })).toEqual({ "text.de": expected });
    },
  );

  test.each([
    [5, { "": "expected text: a message, at most 500 characters (put it in quotes)" }],
    [["a"], { "": "expected a mapping" }],
    [{}, { text: "expected a message, at most 500 characters" }],
    [{ text: "a", severty: "warning" }, { severty: expect.stringContaining("did you mean severity?") }],
    [{ text: "a", returns: true }, { returns: "only with severity sold_out: leave it out" }],
    [{ text: "a", severity: "sold_out", returns: "no" }, { returns: "expected true or false" }],
    [{ text: "a", severity: "sold-out" }, { severity: expect.stringContaining("did you mean sold_out?") }],
    [{ text: {} }, { text: expect.stringContaining("texts by language") }],
    [{ text: { english: "a", "": "b" } }, { "text.": expect.stringContaining("a language tag") }],
    [{ text: { en_GB: "a" } }, { "text.en_GB": expect.stringContaining("a language tag") }],
    [{ text: { en: "a", EN: "b" } }, { "text.EN": "the same language as before: en" }],
    [{ text: { en: { en: "a" } } }, { "text.en": "expected a message, at most 500 characters" }],
  ])("that is none is refused by what is wrong with it (%#)", (written, expected) => {
    expect(faults(written)).toEqual(expected);
  });

  test("has at most thirty languages", () => {
    const tags = Array.from(
      { length: 31 },
      (_, index) => `q${String.fromCharCode(97 + (index % 26))}${index < 26 ? "a" : "b"}`,
    );
    const texts = (count: number) => Object.fromEntries(tags.slice(0, count).map((tag) => [tag, "x"]));
    expect(read({ text: texts(30) }).texts).toHaveLength(30);
    expect(faults({ text: texts(31) })).toEqual({ text: expect.stringContaining("at most 30") });
  });
});
