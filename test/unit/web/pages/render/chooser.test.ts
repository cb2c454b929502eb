import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Pages } from "../../../../../src/web/pages/index.ts";
import { readLocales } from "../../../../../src/web/pages/locales/read-locales.ts";
import { createChooser } from "../../../../../src/web/pages/render/variables.ts";
import { viewsDir } from "../../../../support/browser-scripts.ts";
import { gzip, htmlOf, makePages, makeView, makeVisitor, plain } from "../support.ts";

let pages: Pages;
beforeAll(() => {
  pages = makePages();
});

const here = `/authorize?a=1&b="><script>alert(1)</script>`;

describe.each(["a notice", "the waiting page"])("on %s", (kind) => {
  const render = (accept: { gzip: boolean; language: string | undefined; here?: string }) =>
    kind === "a notice"
      ? pages.notice({ code: "front_door" }, accept)
      : pages.waiting(makeView(), makeVisitor(), accept);
  const form = (html: string) => /<footer class="languages">.*?<\/footer>/s.exec(html)?.[0] ?? "";

  test("each language stands by its own name, and that of the page is marked", () => {
    const found = form(htmlOf(render({ ...plain, language: "ar", here })));
    expect(found.match(/<option /g)).toHaveLength(pages.languages.length);
    expect(found).toContain('<option value="ar" lang="ar" selected>العربية</option>');
    expect(found).toContain('<option value="de" lang="de" dir="ltr">Deutsch</option>');
    expect(found.match(/ selected/g)).toHaveLength(1);
    expect(found).toContain('<label for="language">');
  });

  test("it leads back to the page, whose address stays text", () => {
    const html = htmlOf(render({ ...plain, here }));
    const fields = html.match(/<input type="hidden"[^>]* name="return" value="\/authorize\?[^>]*>/g);
    expect(fields).toHaveLength(1);
    expect(fields?.[0]).toContain('value="/authorize?a=1&amp;b=&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    // Within the form, or by its name.
    expect(form(html).includes(fields?.[0] ?? "") || fields?.[0]?.includes('form="languages"')).toBe(true);
    expect(form(html)).toContain('<form method="post" action="/language" id="languages">');
    expect(htmlOf(render({ ...gzip, here }))).toBe(html);
  });

  test("the policy lets its form lead on, to wherever the page leads by then", () => {
    expect(render({ ...plain, here }).contentSecurityPolicy).not.toContain("form-action");
  });
});

test("a notice without an address has none, and forbids forms", () => {
  const page = pages.notice({ code: "front_door" }, plain);
  expect(htmlOf(page)).not.toContain("<form");
  expect(page.contentSecurityPolicy).toContain("form-action 'none'");
});

test("where there is only one language, there is nothing to choose", () => {
  const { all, choose } = readLocales(join(viewsDir, "locales"));
  const english = choose({ language: "en" });
  expect(createChooser([english])(english, "/")).toBeUndefined();
  expect(createChooser(all)(english, "/")).toMatchObject({ label: "Language", here: "/" });
});

describe("words from outside inside a sentence", () => {
  const view = (title: string) => makeView({ room: { id: "tickets", title } });
  const titleIn = (language: string, title: string) =>
    /<title>(.*?)<\/title>/.exec(htmlOf(pages.waiting(view(title), makeVisitor(), { ...plain, language })))?.[1];

  test("are kept apart where directions may mix, and nowhere else", () => {
    expect(titleIn("en", "Tour")).toBe("411 ahead – Tour");
    expect(titleIn("en", "כרטיסים 2030")).toBe("411 ahead – \u2068כרטיסים 2030\u2069");
    expect(titleIn("ar", "Tour")).toBe("أمامك 411 – \u2068Tour\u2069");
    const notice = pages.notice({ code: "ended", values: { room: "Tour" } }, { ...plain, language: "ar" });
    expect(htmlOf(notice)).toContain("«\u2068Tour\u2069»");
  });
});

test("a page is in its language and direction", () => {
  const html = htmlOf(pages.waiting(makeView(), makeVisitor(), { ...plain, language: "ar" }));
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain(">411 شخصًا أمامك<");
  expect(html).toContain('<bdi id="room">Autumn tour</bdi>');
  const two = htmlOf(pages.waiting(makeView(), makeVisitor({ ahead: 2 }), { ...plain, language: "ar" }));
  expect(two).toContain(">شخصان أمامك<");
});
