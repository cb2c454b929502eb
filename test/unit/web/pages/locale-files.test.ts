/** What every built-in language must have: views/locales/README.md says it to translators. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalTag, directionOf } from "../../../../src/web/pages/locales/languages.ts";
import { findTextFaults, textAt, textPaths } from "../../../../src/web/pages/locales/texts.ts";
import { viewsDir } from "../../../support/browser-scripts.ts";

type Texts = Record<string, unknown>;

const folder = join(viewsDir, "locales");
const tags = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => basename(name, ".json"));
const byTag = new Map(tags.map((tag) => [tag, JSON.parse(readFileSync(join(folder, `${tag}.json`), "utf8")) as Texts]));
const read = (tag: string) => byTag.get(tag) as Texts;
const english = read("en");

/** Longest texts, in characters, by the beginning of their place: more would break a button, a tab's title, a line. */
const lengthsMax: readonly [RegExp, number][] = [
  [/^chooser\./, 20],
  [/^(actions|message)\./, 40],
  [/^messages\./, 150],
  [/^waiting\.(eyebrow|check$|leave\.(summary|confirm)|live\.(enter|labels))/, 40],
  [/^waiting\.live\.titles\./, 45],
  [/^waiting\.live\.(ahead|aheadAtMost|serving|estimate\.(minute|hour))/, 60],
  [/^statusPage\.(?!interrupted)/, 60],
  [/^notices\.\w+\.title$|^notice\.open\./, 90],
  [/^notices\.\w+\.title$/, 60],
  [/./, 400],
];

/** Texts of a place one by one: plural forms, paragraphs. */
function each(texts: unknown, path: string): string[] {
  const value = textAt(texts, path);
  return typeof value === "string" ? [value] : Object.values(value as Record<string, string>);
}

function allowedAsInEnglish(tag: string): string[] {
  const file = join(import.meta.dirname, "same-as-english", `${tag}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : [];
}

test.each(tags)("%s has every text that English has, with its placeholders and plural forms", (tag) => {
  const texts = read(tag);
  expect(findTextFaults(english, texts, tag)).toEqual([]);
  expect(textPaths(english).filter((path) => textAt(texts, path) === undefined)).toEqual([]);
});

test.each(tags)("%s says what it is", (tag) => {
  expect(canonicalTag(tag)).toBe(tag);
  expect(read(tag).language).toEqual({ tag, name: expect.stringMatching(/\S/), dir: directionOf(tag) });
});

test.each(tags)("%s has no text that is too long for its place", (tag) => {
  const tooLong = textPaths(english).flatMap((path) =>
    each(read(tag), path).filter((text) =>
      lengthsMax.some(([place, lengthMax]) => place.test(path) && [...text].length > lengthMax),
    ),
  );
  expect(tooLong).toEqual([]);
});

describe.each(tags.filter((tag) => tag !== "en"))("%s", (tag) => {
  test("has no text that was left in English", () => {
    const texts = read(tag);
    const isWords = (text: string) => /\p{L}/u.test(text.replace(/\{\w+\}/g, ""));
    const same = textPaths(english).filter((path) => {
      const words = each(english, path);
      return each(texts, path).some((text) => isWords(text) && words.includes(text));
    });
    expect(same).toEqual(allowedAsInEnglish(tag));
  });

  test("leaves the looks of notices to English", () => {
    expect(JSON.stringify(read(tag).notices)).not.toContain('"tone"');
  });
});

test("there are twenty at least, and the docs count and name them", () => {
  const docs = readFileSync(join(viewsDir, "../docs/languages.md"), "utf8");
  const told = docs.split("\n\n").find((paragraph) => paragraph.includes("Built in are ")) ?? "";
  const names = new Intl.DisplayNames("en", { type: "language" });
  expect(tags.length).toBeGreaterThanOrEqual(20);
  expect(told).toContain(`Built in are ${tags.length} `);
  const readme = readFileSync(join(viewsDir, "../README.md"), "utf8");
  expect(readme.replace(/\s+/g, " ")).toContain(`in ${tags.length} [languages]`);
  for (const tag of tags) expect(told).toContain(names.of(tag.split("-")[0] ?? "")?.split(" ")[0]);
});

test("every language has a name of its own", () => {
  const names = tags.map((tag) => (read(tag).language as { name: string }).name);
  expect(new Set(names).size).toBe(names.length);
});

describe("the check finds", () => {
  const spoilt = (path: string, value: unknown) => {
    const texts = structuredClone(read("ar"));
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    (keys.reduce((group, key) => group[key] as Texts, texts) as Texts)[last] = value;
    return findTextFaults(english, texts, "ar").map((fault) => `${fault.path}: ${fault.message}`);
  };

  test.each([
    ["waiting.updated", "آخر تحديث", "waiting.updated: lacks {time}"],
    [
      "waiting.updated",
      "{time} {time}",
      "waiting.updated: has {time}, which the English text has not, or not so often",
    ],
    [
      "waiting.updated",
      "{time} {zeit}",
      "waiting.updated: has {zeit}, which the English text has not, or not so often",
    ],
    ["waiting.updated", "{time} {", "waiting.updated: has a brace that belongs to no placeholder"],
    ["waiting.updated", " {time}", "waiting.updated: begins or ends with a blank"],
    ["waiting.updated", "{time}\n", "waiting.updated: begins or ends with a blank"],
    ["waiting.updated", "a\n{time}", "waiting.updated: expected text on one line, without control characters"],
    ["waiting.eyebrow", "", "waiting.eyebrow: expected text; leave the key out to have it from another language"],
    ["waiting.eyebrow", 1, "waiting.eyebrow: expected text"],
    ["waiting.live", [], "waiting.live: expected an object"],
    ["waiting.eyebow", "x", /^waiting\.eyebow: unknown key, did you mean eyebrow\?/],
    ["notices.left.paragraphs", ["x"], /^notices\.left\.paragraphs: expected a list of 2/],
    ["notices.left.tone", "info", "notices.left.tone: is the same in all languages; leave it out"],
    [
      "waiting.live.ahead",
      { other: "{n}", one: "1", two: "2", few: "{n}", zero: "0" },
      'waiting.live.ahead: expected the plural forms of "ar": zero, one, two, few, many, other; missing: many',
    ],
    ["waiting.live.ahead.few", "أشخاص", "waiting.live.ahead.few: lacks {n}"],
    ["waiting.live.ahead.some", "{n}", /^waiting\.live\.ahead\.some: expected the plural forms/],
  ])("%s: %j", (path, value, message) => {
    expect(spoilt(path, value)).toEqual([typeof message === "string" ? message : expect.stringMatching(message)]);
  });

  test("a figure that a form cannot do without: in Russian, one stands for 21 as well", () => {
    const ahead = { one: "один человек", few: "{n} человека", many: "{n} человек", other: "{n} человека" };
    const faultsIn = (tag: string, forms: object) =>
      findTextFaults(english, { waiting: { live: { ahead: forms } } }, tag);
    expect(faultsIn("ru", ahead)).toEqual([{ path: "waiting.live.ahead.one", message: "lacks {n}" }]);
    expect(faultsIn("de", { one: "eine Person", other: "{n} Personen" })).toEqual([]);
  });
});
