/** The banner of a room for rehearsals: on each of its pages, and no byte of it on others. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readPageLocales } from "../../../../src/web/pages/index.ts";
import { type Sample, samples } from "../../../../src/web/pages/samples/index.ts";
import { viewsDir } from "../../../support/browser-scripts.ts";
import { htmlOf, makePages } from "./support.ts";

const pages = makePages();
const locales = readPageLocales(viewsDir).all;
const all = samples(Date.UTC(2030, 8, 1, 10, 0));

function render(sample: Sample, chosen: string, isRehearsal: boolean, gzip = false) {
  const accept = { gzip, language: undefined, chosen, here: "/" };
  return sample.kind === "waiting"
    ? pages.waiting({ ...sample.view, isRehearsal }, sample.visitor, accept)
    : pages.notice({ ...sample.notice, isRehearsal }, accept);
}

/** The page without its banner, and the banner's words. */
function takeBanner(html: string) {
  const words: string[] = [];
  const rest = html
    .replace(/<aside class="rehearsal">([^<]*)<\/aside>\n/g, (_, text: string) => {
      words.push(text);
      return "";
    })
    .replace(/\.rehearsal\{[^}]*\}/, "");
  return { words, rest };
}
/** Blanks between two sheets are no matter of the banner. */
const withoutBlanks = (html: string) => html.replace(/\s+/g, "");

test("every page has it, and is the same but for it", () => {
  for (const sample of all) {
    const { words, rest } = takeBanner(htmlOf(render(sample, "en", true)));
    const usual = htmlOf(render(sample, "en", false));
    expect(words, sample.id).toEqual(["This is a rehearsal. Nothing is sold here."]);
    expect(withoutBlanks(rest), sample.id).toBe(withoutBlanks(usual));
    expect(usual.includes("rehearsal"), sample.id).toBe(false);
  }
});

test.each(locales)("in $tag it has words of that language, few bytes, and a style that is allowed", (locale) => {
  expect(locales.filter(({ texts }) => texts.rehearsal === locale.texts.rehearsal)).toEqual([locale]);
  for (const kind of ["waiting", "notice"]) {
    for (const sample of all.filter((each) => each.kind === kind).slice(0, 3)) {
      const page = render(sample, locale.tag, true);
      const html = htmlOf(page);
      const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
      const hash = createHash("sha256").update(style).digest("base64");
      expect(takeBanner(html).words).toEqual([locale.texts.rehearsal]);
      expect(page.contentSecurityPolicy).toContain(`style-src 'sha256-${hash}';`);
      const compressed = render(sample, locale.tag, true, true);
      const added = compressed.body.length - render(sample, locale.tag, false, true).body.length;
      expect(added).toBeLessThanOrEqual(200);
      expect(htmlOf(compressed)).toBe(html);
    }
  }
});
