import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { speechFor } from "../../../../src/browser/console/texts/texts.ts";

const folder = new URL("../../../../src/browser/console/texts/", import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, string>;
const placeholders = (text: string | undefined) => [...(text ?? "").matchAll(/\{\w+\}/g)].map(String).sort();
const english = read("en.json");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe("the console's texts", () => {
  it.each(files)("%s says all that English says, with the same values, in its order", (name) => {
    const texts = read(name);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim(), key).not.toBe("");
      expect(placeholders(text), key).toEqual(placeholders(english[key]));
    }
  });

  it("are in the first of the wanted languages that there is, else in English", () => {
    expect(speechFor(["fr-CA", "de-AT", "en"]).text("rooms")).toBe("Räume");
    expect(speechFor(["fr"]).text("rooms")).toBe("Rooms");
    expect(speechFor([]).tag).toBe("en");
    expect(speechFor(["constructor", "__proto__"]).tag).toBe("en");
  });

  it("put values in as they are, and numbers as the language writes them", () => {
    const hostile = "<img src=x onerror=alert(1)> {n} $&";
    expect(speechFor(["en"]).text("attention.warning", { text: hostile })).toBe(hostile);
    expect(speechFor(["de-DE"]).text("entering.of", { n: 1200.4, limit: 60000 })).toBe("1.200 von 60.000");
  });

  it("say ages in whole units, rounded down, and never one before now", () => {
    const { age } = speechFor(["en"]);
    expect([-5, 999, 1_000, 119_999, 120_000, 7_199_999, 7_200_000, 172_800_000].map(age)).toEqual([
      ...["0 s", "0 s", "1 s", "119 s", "2 min", "119 min", "2 h", "2 d"],
    ]);
  });
});
