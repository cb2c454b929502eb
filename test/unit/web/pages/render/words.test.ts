/** The words of later parts: every process finds those of every page, whichever process made the page. */
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Theme } from "../../../../../src/web/pages/index.ts";
import { htmlOf, makePages, makeView, makeVisitor } from "../support.ts";

const own = { language: "de", path: "later.call.sound", text: "Glocke läuten", where: "theme.texts.de" };
const theme: Theme = {
  logo: null,
  colors: null,
  title: null,
  texts: [own],
  links: [],
  footer: null,
  viewsDir: null,
};
const process = () => makePages({ themes: [theme] });
const one = process();

function fileOf(language: string, ofTheme?: Theme): string {
  const page = one.waiting(makeView({ theme: ofTheme }), makeVisitor(), { gzip: false, language });
  const [, json = ""] = /id="live">(.*?)<\/script>/s.exec(htmlOf(page)) ?? [];
  return (JSON.parse(json) as { later: { words: string } }).later.words;
}
const textOf = (file: string) => process().assetFile(`${file}.js`)?.plain.toString();

test("are a module of the language, which another process has without having made the page", () => {
  expect(fileOf("de")).toMatch(/^words-de-[0-9a-f]{8}$/);
  expect(textOf(fileOf("de"))).toMatch(/^export default \{.*"sound":"Einen Ton abspielen"/);
  expect(textOf(fileOf("fr"))).not.toBe(textOf(fileOf("de")));
});

test("have the theme's texts in them, under a name of their own", () => {
  expect(fileOf("de", theme)).not.toBe(fileOf("de"));
  expect(textOf(fileOf("de", theme))).toContain('"sound":"Glocke läuten"');
  expect(fileOf("en", theme)).toBe(fileOf("en"));
});

test("come compressed, too", () => {
  const file = process().assetFile(`${fileOf("ar")}.js`);
  expect(gunzipSync(file?.gzip ?? Buffer.alloc(0))).toEqual(file?.plain);
});

test("of another version or of no language are not there", () => {
  for (const name of ["words-de-00000000", "words-xx-00000000", "words-de", "words--00000000"]) {
    expect(textOf(name), name).toBeUndefined();
  }
});
