import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "../../../../../src/config/index.ts";
import { type LocaleOptions, readLocales } from "../../../../../src/web/pages/locales/read-locales.ts";
import { viewsDir } from "../../../../support/browser-scripts.ts";

const builtIn = join(viewsDir, "locales");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usher-own-texts-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
const read = (options: LocaleOptions = {}) => readLocales(builtIn, { customFolder: folder, ...options });
const localeOf = (tag: string) => read().all.find((locale) => locale.tag === tag);

function faultsOf(options: LocaleOptions = {}): string[] {
  try {
    read(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message.split("\n")).toHaveLength(error.faults.length + 1);
    return error.faults.map(({ path, value, message }) => `${path.replace(`${folder}/`, "")} | ${value} | ${message}`);
  }
  return [];
}

describe("a file of a built-in language", () => {
  test("is laid over it, text by text", () => {
    put("de.json", {
      waiting: { eyebrow: "Foyer", live: { ahead: { one: "Einer", other: "{n} Leute" } } },
      notices: { left: { title: "Tschüs" } },
    });
    const { texts } = localeOf("de") ?? {};
    expect(texts?.waiting.eyebrow).toBe("Foyer");
    expect(texts?.waiting.live.ahead).toEqual({ one: "Einer", other: "{n} Leute" });
    expect(texts?.notices.left).toMatchObject({ title: "Tschüs", tone: "done" });
    expect(texts?.notices.left?.paragraphs[0]).toMatch(/^Falls Sie/);
    expect(texts?.waiting.check).toBe("Meinen Platz ansehen");
    expect(texts?.language).toEqual({ tag: "de", name: "Deutsch", dir: "ltr" });
    expect(read().warnings).toEqual([]);
    expect(readLocales(builtIn).all.find(({ tag }) => tag === "de")?.texts.waiting.eyebrow).toBe("Warteraum");
  });

  test("may be a copy of the English one, which says how notices look as well", () => {
    put("en.json", readLocales(builtIn).choose({ language: "en" }).texts);
    expect(faultsOf()).toEqual([]);
  });
});

describe("a file of another language", () => {
  test("is a new one; what it lacks is in English, as the operator has it, and is told in one line", () => {
    put("gd.json", { waiting: { eyebrow: "Seòmar feitheimh" } });
    put("en.json", { waiting: { check: "See my place" } });
    const { all, warnings, choose } = read();
    expect(choose({ language: "gd-GB" }).tag).toBe("gd");
    const gaelic = all.find(({ tag }) => tag === "gd");
    expect(gaelic?.texts.language).toEqual({ tag: "gd", name: "Gàidhlig", dir: "ltr" });
    expect(gaelic?.texts.waiting).toMatchObject({ eyebrow: "Seòmar feitheimh", check: "See my place" });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^locales: gd\.json lacks \d+ of \d+ texts, which are told in English: chooser\.label, chooser\.choose, rehearsal, …$/,
      ),
    ]);
  });

  test("has from its base language what it lacks, and nothing is missing then", () => {
    put("de-AT.json", { language: { name: "Österreichisch" }, waiting: { eyebrow: "Wartesaal" } });
    const { texts } = localeOf("de-AT") ?? {};
    expect(texts?.waiting).toMatchObject({ eyebrow: "Wartesaal", check: "Meinen Platz ansehen" });
    expect(texts?.language).toEqual({ tag: "de-AT", name: "Österreichisch", dir: "ltr" });
    expect(read().warnings).toEqual([]);
  });

  test("is written in its own direction, and not told in a base of another script", () => {
    put("fa.json", {});
    put("de-Hebr.json", {});
    expect(localeOf("fa")?.dir).toBe("rtl");
    expect(localeOf("de-Hebr")).toMatchObject({ dir: "rtl", texts: { waiting: { eyebrow: "Waiting room" } } });
    expect(read().warnings).toHaveLength(2);
  });
});

describe("what is wrong", () => {
  test("is told all at once, with file and place", () => {
    put("de.json", {
      language: { tag: "at", name: "", dir: "up", script: "Latn" },
      waiting: { eyebrow: 5, chek: "x", updated: "Stand", live: { ahead: { other: "{n}" } } },
      notices: { left: { paragraphs: "x" } },
    });
    put("ar.json", "{");
    put("fr.json", []);
    put("pt_BR.json", {});
    put("iw.json", {});
    put("notes.txt", "no texts");
    expect(faultsOf({ named: new Map([["language of the room a", "sw"]]) })).toEqual([
      expect.stringMatching(/^ar\.json \| null \| can't be read as JSON: /),
      "fr.json | null | expected a JSON object",
      "iw.json | null | expected a file named by a language tag, so he.json",
      "pt_BR.json | null | expected a file named by a language tag, so pt-BR.json",
      'de.json: language.tag | "at" | expected de, as the file is named',
      'de.json: language.name | "" | expected text',
      'de.json: language.dir | "up" | expected ltr or rtl',
      'de.json: language.script | "Latn" | unknown key; allowed: tag, name, dir',
      "de.json: waiting.eyebrow | null | expected text",
      expect.stringMatching(/^de\.json: waiting\.chek \| "x" \| unknown key, did you mean check\?; allowed: /),
      'de.json: waiting.updated | "Stand" | lacks {time}',
      'de.json: waiting.live.ahead | null | expected the plural forms of "de": one, other; missing: one',
      'de.json: notices.left.paragraphs | "x" | expected a list of 2, paragraph by paragraph as in English',
      expect.stringMatching(/^language of the room a \| "sw" \| no such language; there are .*de, en/),
    ]);
  });

  test("a folder that is not there", () => {
    expect(faultsOf({ customFolder: join(folder, "none") })).toEqual([
      expect.stringMatching(/^locales \| ".*none" \| expected a folder of files such as de\.json \(ENOENT\)$/),
    ]);
  });
});

test("a language that the configuration names may be the operator's own", () => {
  put("sw.json", {});
  expect(faultsOf({ named: new Map([["language of the room a", "sw"]]) })).toEqual([]);
});
