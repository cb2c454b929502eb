import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { loadSpeech } from "../../../../src/operate/console/texts/texts.ts";

const folder = new URL("../../../../src/operate/console/texts/", import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Record<string, string>;
const placeholders = (text: string | undefined) => [...(text ?? "").matchAll(/\{\w+\}/g)].map(String).sort();
const filesOf = (language: string) =>
  readdirSync(new URL(`${language}/`, folder)).filter((name) => name.endsWith(".json"));
const languages = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

type Texts = Readonly<Record<string, string>>;

/** Every text that a module has in more than one language: an object of strings, by language. */
function localizedTexts(file: string): Texts[] {
  const found: Texts[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, properties = [] } = node as { type?: string; properties?: readonly Property[] };
    if (type === "ObjectExpression") {
      const texts = Object.fromEntries(properties.map(({ key, value }) => [key?.name, value?.value]));
      if ("en" in texts && "de" in texts) found.push(texts as Texts);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }, file));
  return found;
}

interface Property {
  readonly key?: { readonly name?: string };
  readonly value?: { readonly value?: unknown };
}

/** Of the console and of the features' parts of it. */
const modules = ["operate/console", "features"]
  .map((name) => fileURLToPath(new URL(`../../../../src/${name}/`, import.meta.url)))
  .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith("/texts/texts.ts"));

describe("the texts that a screen brings along", () => {
  const texts = modules.flatMap((file) => localizedTexts(file).map((text) => [text.en ?? "", text] as const));

  it("are found", () => {
    expect(texts.length).toBeGreaterThan(20);
  });

  it.each(texts)("say in every language what English says, with the same values: %s", (english, text) => {
    for (const translation of Object.values(text)) {
      expect(translation.trim()).not.toBe("");
      expect(placeholders(translation)).toEqual(placeholders(english));
    }
  });
});

describe("the console's texts", () => {
  it.each(languages)("in %s say all that English says, with the same values, in its order", (language) => {
    expect(filesOf(language)).toEqual(filesOf("en"));
    for (const file of filesOf("en")) {
      const english = read(`en/${file}`);
      const texts = read(`${language}/${file}`);
      expect(Object.keys(texts)).toEqual(Object.keys(english));
      for (const [key, text] of Object.entries(texts)) {
        expect(text.trim(), key).not.toBe("");
        expect(placeholders(text), key).toEqual(placeholders(english[key]));
      }
    }
  });

  it.each(languages)("in %s have each key once", (language) => {
    const keys = filesOf(language).flatMap((file) => Object.keys(read(`${language}/${file}`)));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it("are in the first of the wanted languages that there is, else in English", async () => {
    expect((await loadSpeech(["fr-CA", "de-AT", "en"])).text("rooms")).toBe("Räume");
    expect((await loadSpeech(["fr"])).text("rooms")).toBe("Rooms");
    expect((await loadSpeech([])).tag).toBe("en");
    expect((await loadSpeech(["de"])).text({ en: "{n} rooms", de: "{n} Räume" }, { n: 2 })).toBe("2 Räume");
    expect((await loadSpeech(["constructor", "__proto__"])).tag).toBe("en");
  });

  it("put values in as they are, and numbers as the language writes them", async () => {
    const hostile = "<img src=x onerror=alert(1)> {n} $&";
    expect((await loadSpeech(["en"])).text("attention.warning", { text: hostile })).toBe(hostile);
    expect((await loadSpeech(["de-DE"])).text("entering.of", { n: 1200.4, limit: 60000 })).toBe("1.200 von 60.000");
  });

  it("say ages in whole units, rounded down, and never one before now", async () => {
    const { age } = await loadSpeech(["en"]);
    expect([-5, 999, 1_000, 119_999, 120_000, 7_199_999, 7_200_000, 172_800_000].map(age)).toEqual([
      ...["0 s", "0 s", "1 s", "119 s", "2 min", "119 min", "2 h", "2 d"],
    ]);
  });
});
