/** Waiting pages with their style, script and images as files beside them: `pages.assets: linked`. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { toDataUri } from "../../../../../src/config/themes/theme-files.ts";
import type { Pages, RenderedPage, Theme } from "../../../../../src/web/pages/index.ts";
import { samples } from "../../../../../src/web/pages/samples/index.ts";
import { viewsDir } from "../../../../support/browser-scripts.ts";
import { gzip, htmlOf, makePages, makeView, makeVisitor, plain } from "../support.ts";
import { faultsOfLinked, thirdOf } from "../weights.ts";

const svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1'><text>100 % #1 ü</text></svg>";
const png = Buffer.from("89504e470d0a1a0a00ff", "hex");
const usual: Theme = { logo: null, colors: null, title: null, texts: [], links: [], footer: null, viewsDir: null };
const theme: Theme = {
  ...usual,
  logo: {
    image: { uri: toDataUri(Buffer.from(svg), "image/svg+xml"), ratio: 2 },
    darkImage: { uri: toDataUri(png, "image/png"), ratio: 2 },
    alt: [{ language: null, text: "Acme" }],
    height: 40,
    link: null,
  },
  texts: [{ language: "de", path: "waiting.live.autoHint", text: "Bleib hier.", where: "theme.texts.de" }],
};
const process = (themes: readonly Theme[] = [theme]) => makePages({ assets: "linked", themes });
const pages = process();
const waitingSamples = samples(Date.UTC(2030, 0, 2)).filter((sample) => sample.kind === "waiting");
const address = `/authorize?client_id=shop&state=${"x".repeat(400)}`;

/** Files of a page, in the order in which it names them. */
const filesOf = (page: RenderedPage) =>
  [...htmlOf(page).matchAll(/(?:src|href|srcset)="\/assets\/([^"]+)"/g)].map(([, file = ""]) => file);
const show = (of: Pages, changes: Parameters<typeof makeView>[0] = {}, accept: object = {}) =>
  of.waiting(makeView(changes), makeVisitor(), { ...plain, ...accept });

describe.each(pages.languages.map((language, index) => ({ language, some: thirdOf(waitingSamples, index) })))(
  "in $language",
  ({ language, some }) => {
    test("every page that waits weighs at most 4 kB compressed, whatever the address that it was asked for by", () => {
      expect(faultsOfLinked(pages, some, language)).toEqual([]);
    });

    test("its script's file says all that the whole page says to its script", () => {
      for (const { id, view, visitor } of some) {
        const accept = { gzip: false, language, here: address };
        const [linked, whole] = [
          pages.waiting(view, visitor, accept),
          pages.waiting(view, visitor, { ...accept, isWhole: true }),
        ];
        const [own, all] = [liveOf(linked), liveOf(whole)];
        expect([id, own]).not.toEqual([id, expect.objectContaining({ texts: expect.anything() })]);
        const file = filesOf(linked).find((name) => name.endsWith(".js")) ?? "";
        // What only a page without numbers says is in each file.
        expect([id, { ...own, ...toldBy(file) }]).toEqual([id, expect.objectContaining(withoutTexts(all))]);
        expect(toldBy(file).texts).toMatchObject(all.texts as object);
      }
    });
  },
);

test("style, script, icon and logos are files, which another process has without having made the page", () => {
  const page = show(pages, { theme });
  const files = filesOf(page);
  expect(files).toEqual([
    expect.stringMatching(/^image-[0-9a-f]{8}\.svg$/),
    expect.stringMatching(/^waiting-[0-9a-f]{8}\.css$/),
    expect.stringMatching(/^image-[0-9a-f]{8}\.png$/),
    expect.stringMatching(/^image-[0-9a-f]{8}\.svg$/),
    expect.stringMatching(/^waiting-en-[0-9a-f]{8}\.js$/),
  ]);
  const other = process();
  for (const file of files) {
    const [found, made] = [other.assetFile(file), pages.assetFile(file)];
    expect(found?.plain).toEqual(made?.plain);
    const hash = createHash("sha256")
      .update(found?.plain ?? "")
      .digest("hex");
    expect(file).toContain(`-${hash.slice(0, 8)}.`);
    if (found?.gzip !== undefined) expect(gunzipSync(found.gzip)).toEqual(found.plain);
  }
  const [icon = "", style = "", dark = "", logo = "", script = ""] = files;
  expect(other.assetFile(icon)).toMatchObject({ type: "image/svg+xml" });
  expect(other.assetFile(logo)?.plain.toString()).toBe(svg);
  expect(other.assetFile(dark)).toMatchObject({ type: "image/png", plain: png, gzip: undefined });
  expect(other.assetFile(style)?.type).toBe("text/css");
  // The sheet is that of all states, of which this one has the most.
  const onward = { links: [{ label: [{ language: null, text: "Other cities" }], url: "https://a.example/" }] };
  const whole = htmlOf(show(pages, { theme, state: "sold_out", onward }, { isWhole: true }));
  expect(whole).toContain(`<style>${other.assetFile(style)?.plain}</style>`);
  const inPage = /<script>(.*?)<\/script>/s.exec(whole)?.[1] ?? "";
  expect(other.assetFile(script)?.plain.toString().endsWith(inPage)).toBe(true);
});

test("a theme's own words are in a file of their own; a name that no page has is not there", () => {
  const [own, others] = [theme, undefined].map(
    (each) => filesOf(show(pages, { theme: each }, { language: "de" })).at(-1) ?? "",
  );
  expect(own).not.toBe(others);
  expect(toldBy(own ?? "").texts).toMatchObject({ autoHint: "Bleib hier." });
  expect(process([]).assetFile(own ?? "")).toBeUndefined();
  for (const name of [
    "waiting-de-00000000.js",
    "waiting-xx-00000000.js",
    "waiting-00000000.css",
    "image-00000000.svg",
  ]) {
    expect(pages.assetFile(name)).toBeUndefined();
  }
  for (const name of ["waiting.js", "linked.js", "../waiting.js", "", "waiting-de-.js", "__proto__"]) {
    expect(pages.assetFile(name)).toBeUndefined();
  }
});

test("with everything inline none of these files is there", () => {
  const inline = makePages({ themes: [theme] });
  expect(filesOf(show(inline, { theme }))).toEqual([]);
  for (const file of filesOf(show(pages, { theme }))) expect(inline.assetFile(file)).toBeUndefined();
});

describe("the policy", () => {
  const page = show(pages);
  const html = htmlOf(page);

  test("allows files of this origin and the one script that stands in the page, by its hash, and nothing inline", () => {
    const [, guard = ""] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(html.match(/<script>|<style/g)).toEqual(["<script>"]);
    const hash = createHash("sha256").update(guard).digest("base64");
    expect(page.contentSecurityPolicy.split("; ")).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      `script-src 'sha256-${hash}' 'self'`,
      "connect-src 'self'",
      "img-src data: 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  test("of a whole page is as where everything is inline", () => {
    const whole = show(pages, {}, { isWhole: true });
    const inline = show(makePages());
    expect(htmlOf(whole)).toBe(htmlOf(inline));
    expect(whole.contentSecurityPolicy).toBe(inline.contentSecurityPolicy);
  });
});

test("the stylesheet is asked for in the head, behind the script that watches over it, and the page's script at the end", () => {
  const html = htmlOf(show(pages, {}, gzip));
  const [head = "", body = ""] = html.split("</head>");
  expect(head).toMatch(/<script>[^<]*<\/script><link rel="stylesheet" href="\/assets\/waiting-[0-9a-f]{8}\.css">/);
  expect(body).toMatch(/<script src="\/assets\/waiting-en-[0-9a-f]{8}\.js"><\/script>\s*<\/body>/);
});

describe("templates of an operator's own", () => {
  function withLayout(change: (layout: string) => string): { page: RenderedPage; html: string; problems: string[] } {
    const folder = mkdtempSync(join(tmpdir(), "usher-linked-"));
    const problems: string[] = [];
    try {
      writeFileSync(join(folder, "layout.ejs"), change(readFileSync(join(viewsDir, "layout.ejs"), "utf8")));
      const own = { ...usual, viewsDir: folder };
      const report = ({ message }: { message: string }) => void problems.push(message);
      const page = show(makePages({ assets: "linked", themes: [own], report }), { theme: own });
      return { page, html: htmlOf(page), problems };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("get files without knowing of them", () => {
    const { html, problems } = withLayout((layout) => layout.replace("<body>", '<body class="acme">'));
    expect(problems).toEqual([]);
    expect(html).toContain('<body class="acme">');
    expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/waiting-/);
  });

  test("that put a style elsewhere than into an element alone keep it in the page, and the policy allows it", () => {
    const { html, page, problems } = withLayout((layout) => layout.replace("<style>", '<style media="all">'));
    expect(problems).toEqual([]);
    const [, style = ""] = /<style media="all">(.*?)<\/style>/s.exec(html) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(style).toContain("box-sizing");
    expect(page.contentSecurityPolicy).toContain(`style-src 'self' 'sha256-${hash}';`);
    expect(html).toMatch(/<script src="\/assets\/waiting-en-/);
  });
});

function liveOf(page: RenderedPage): Record<string, unknown> {
  return JSON.parse(/id="live">(.*?)<\/script>/s.exec(htmlOf(page))?.[1] ?? "") as Record<string, unknown>;
}

function withoutTexts({ texts: _, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

const toldByFile = new Map<string, Record<string, unknown>>();

/** What the beginning of a script's file adds to what the page says to its script. */
function toldBy(file: string): Record<string, unknown> {
  const told = toldByFile.get(file) ?? runBeginningOf(file);
  toldByFile.set(file, told);
  return told;
}

function runBeginningOf(file: string): Record<string, unknown> {
  const [script = ""] = (pages.assetFile(file)?.plain.toString() ?? "").split('"use strict"');
  const live = { textContent: "{}" };
  const field = { value: "" };
  const document = { getElementById: () => live, getElementsByName: () => [field] };
  runInNewContext(script, { document, location: { pathname: "/authorize", search: "?state=1" } });
  expect(field.value).toBe("/authorize?state=1");
  return JSON.parse(live.textContent) as Record<string, unknown>;
}
