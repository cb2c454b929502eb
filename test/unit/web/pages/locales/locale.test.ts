import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readLocales } from "../../../../../src/web/pages/locales/read-locales.ts";
import { viewsDir } from "../../../../support/browser-scripts.ts";

const textsOf = (tag: string) => JSON.parse(readFileSync(join(viewsDir, `locales/${tag}.json`), "utf8")) as object;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usher-locales-"));
  put("en", textsOf("en"));
  put("pt", { ...textsOf("pt-BR"), language: { tag: "pt", name: "Português", dir: "ltr" } });
  put("ar", textsOf("ar"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, texts: object): void {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(texts));
}

describe("the language is the best that we have of those the visitor wants", () => {
  test.each([
    [undefined, "en"],
    ["", "en"],
    ["de", "en"],
    ["pt-BR,en;q=0.8", "pt"],
    ["de, ar;q=0.5, pt;q=0.7", "pt"],
    ["pt;q=0, ar", "ar"],
    ["*", "en"],
    [`${",".repeat(10_000)}pt`, "en"],
    [";;;q=x,,=", "en"],
  ])("Accept-Language %s: %s", (header, tag) => {
    expect(readLocales(folder).choose({ language: header }).tag).toBe(tag);
  });
});

test("a faulty file is named with everything that is wrong in it", () => {
  put("pt", { ...textsOf("pt-BR"), language: { tag: "pt", name: "Português", dir: "up" }, notice: {} });
  expect(() => readLocales(folder)).toThrow(/pt\.json: language\.dir: .*; notice\.code: /);
});

test("durations and numbers are in the language's own way", () => {
  const locale = readLocales(folder).choose({ language: "en" });
  expect([20_000, 900_000, 5_400_000, 7_200_000, 259_200_000].map(locale.duration)).toEqual([
    "20 seconds",
    "15 minutes",
    "1.5 hours",
    "2 hours",
    "3 days",
  ]);
  expect(locale.number(12_345_678)).toBe("12,345,678");
  expect(readLocales(folder).choose({ language: "pt" }).number(12_345)).toBe("12.345");
});

test("times name their zone: UTC, or that which is asked for", () => {
  const locale = readLocales(folder).choose({ language: "en" });
  const atMs = Date.UTC(2030, 0, 2, 20, 0);
  expect(locale.timeOfDay(atMs)).toMatch(/^8:00:00\sPM UTC$/);
  expect(locale.timeOfDay(atMs, "Asia/Tokyo")).toMatch(/^5:00:00\sAM GMT\+9$/);
  expect(locale.timeOfDay(atMs, "Mars/Olympus")).toMatch(/UTC$/);
  expect(locale.moment(atMs)).toMatch(/^Wednesday, January 2 at 8:00\sPM UTC$/);
});
