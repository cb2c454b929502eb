import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { speechFor } from "../../../../src/operate/console/frame/speech.ts";
import { texts as roomsTexts } from "../../../../src/operate/console/rooms/texts.ts";

interface Property {
  readonly key?: { readonly name?: string };
  readonly value?: { readonly value?: unknown };
}

/** Every text of a module: an object of strings, by language. */
function localizedTexts(file: string): Readonly<Record<string, string>>[] {
  const found: Readonly<Record<string, string>>[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, properties = [] } = node as { type?: string; properties?: readonly Property[] };
    if (type === "ObjectExpression") {
      const texts = Object.fromEntries(properties.map(({ key, value }) => [key?.name, value?.value]));
      if (typeof texts.en === "string") found.push(texts);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }, file));
  return found;
}

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
/** Of the console and of the features' parts of it. */
const modules = ["operate/console", "features"]
  .map((name) => fileURLToPath(new URL(`../../../../src/${name}/`, import.meta.url)))
  .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith("/texts/speech.ts"));

describe("the console's texts", () => {
  it("say in every language what English says, with the same values", () => {
    const texts = modules.flatMap(localizedTexts);
    expect(texts.length).toBeGreaterThan(500);
    for (const text of texts) {
      expect(Object.keys(text)).toEqual(["en", "de"]);
      for (const translation of Object.values(text)) {
        expect(translation.trim(), text.en).not.toBe("");
        expect(placeholders(translation), text.en).toEqual(placeholders(text.en ?? ""));
      }
    }
  });

  it("are in the first of the wanted languages that there is, else in English", () => {
    const rooms = { en: "{n} rooms", de: "{n} Räume" };
    expect(speechFor(["fr-CA", "de-AT", "en"]).text(rooms, { n: 2 })).toBe("2 Räume");
    expect(speechFor(["fr"]).text(rooms, { n: 2 })).toBe("2 rooms");
    expect(speechFor([]).tag).toBe("en");
    expect(speechFor(["constructor", "__proto__"]).tag).toBe("en");
  });

  it("put values in as they are, and numbers as the language writes them", () => {
    const hostile = "<img src=x onerror=alert(1)> {n} $&";
    expect(speechFor(["en"]).text(roomsTexts.attention.warning, { text: hostile })).toBe(hostile);
    expect(speechFor(["de-DE"]).text(roomsTexts.ofLimit, { n: 1200.4, limit: 60000 })).toBe("1.200 von 60.000");
  });

  it("say ages in whole units, rounded down, and never one before now", () => {
    const { age } = speechFor(["en"]);
    expect([-5, 999, 1_000, 119_999, 120_000, 7_199_999, 7_200_000, 172_800_000].map(age)).toEqual([
      ...["0 s", "0 s", "1 s", "119 s", "2 min", "119 min", "2 h", "2 d"],
    ]);
  });
});
