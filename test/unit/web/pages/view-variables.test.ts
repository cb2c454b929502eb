/** The variables of templates are what operators write templates against: what the docs say of them is compared with what there is. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { readPageLocales, type Theme } from "../../../../src/web/pages/index.ts";
import { createNoticePage } from "../../../../src/web/pages/render/notice-page.ts";
import { strictPage } from "../../../../src/web/pages/render/own-views.ts";
import { createTemplates, readTemplates } from "../../../../src/web/pages/render/templates.ts";
import { createChooser } from "../../../../src/web/pages/render/variables.ts";
import { createWaitingPage } from "../../../../src/web/pages/render/waiting-page.ts";
import { createWaitingSources, createWords, readLaterParts } from "../../../../src/web/pages/render/waiting-script.ts";
import { createContents } from "../../../../src/web/pages/render/while-waiting-page.ts";
import { samples } from "../../../../src/web/pages/samples/index.ts";
import { createLook } from "../../../../src/web/pages/themes/looks.ts";
import { compileBrowserScripts, viewsDir } from "../../../support/browser-scripts.ts";

const docs = readFileSync(fileURLToPath(new URL("../../../../docs/themes.md", import.meta.url)), "utf8");

/** Where the docs say what they hold, or another file does. */
const isToldAsOne = (path: string) =>
  /\.(texts|words|labels)$/.test(path) || /^page\.theme\.(logo|links|footer)$/.test(path);

const image = { uri: "data:image/svg+xml,x", ratio: 2 };
const text = [{ language: null, text: "x" }];
const theme: Theme = {
  logo: { image, darkImage: null, alt: text, height: 40, link: null },
  colors: null,
  title: null,
  texts: [],
  links: [{ href: "https://a.example/", label: text }],
  footer: text,
  viewsDir: null,
};

/** Variables by template, of every page there is. */
const variables = new Map<string, Set<string>>();
/** The keys of each variable, page by page. */
const shapes = new Map<string, Set<string>>();

beforeAll(() => {
  const builtIn = readTemplates(viewsDir);
  const templates = createTemplates((name) => (page) => {
    note(name, page, "page");
    return builtIn[name](strictPage(page));
  });
  const locales = readPageLocales(viewsDir);
  const look = createLook(theme, viewsDir, { templates, sheet: "" });
  const browserDir = compileBrowserScripts();
  const chooserFor = createChooser(locales.all);
  const laterParts = readLaterParts(browserDir);
  const parts = {
    looks: () => look,
    browserDir,
    chooserFor,
    laterParts,
    sources: createWaitingSources(
      browserDir,
      laterParts,
      createWords(() => []),
    ),
    contents: createContents(),
  };
  const [waitingPage, noticePage] = [createWaitingPage(parts, null), createNoticePage(parts)];
  const locale = locales.choose({ language: "en" });
  const accept = { gzip: false, language: "en", here: "/" };
  for (const sample of samples(Date.UTC(2030, 1))) {
    if (sample.kind === "waiting") waitingPage(sample.view, sample.visitor, locale, accept);
    else noticePage(sample.notice, locale, accept);
  }
});

function note(template: string, value: unknown, path: string): void {
  const isGroup = typeof value === "object" && value !== null && !Array.isArray(value) && !isToldAsOne(path);
  if (!isGroup) {
    variables.set(template, (variables.get(template) ?? new Set()).add(path));
    return;
  }
  const shape = Object.keys(value).sort().join(" ");
  const key = `${template} ${path}`;
  shapes.set(key, (shapes.get(key) ?? new Set()).add(shape));
  for (const [name, inner] of Object.entries(value)) note(template, inner, `${path}.${name}`);
}

test("the docs name each, with its template, and none that is not there", () => {
  const documented = new Set(
    [...docs.matchAll(/^\| (`page\..*?) \| ([\w, ]+) \|/gm)].flatMap(([, names = "", where = ""]) =>
      (where === "all" ? "layout, waiting, notice" : where)
        .split(", ")
        .flatMap((template) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${template} ${name}`)),
    ),
  );
  const groups = [...shapes.keys()].map((key) => key);
  const there = [...variables].flatMap(([template, names]) => [...names].map((name) => `${template} ${name}`));
  // A group that is null on some pages is told by what it holds.
  const leaves = there.filter((name) => !groups.includes(name));
  expect(leaves.length).toBeGreaterThan(80);
  expect([...documented].sort()).toEqual(leaves.sort());
});

test("the docs say what logo, links and footer hold", () => {
  const row = (name: string) =>
    [...(docs.match(new RegExp(`^\\| \`page\\.theme\\.${name}\` .*$`, "m"))?.[0] ?? "").matchAll(/`(\w+)`/g)].map(
      ([, each]) => each,
    );
  const look = createLook(theme, viewsDir, { templates: readTemplates(viewsDir), sheet: "" });
  const { logo, links, footer } = look.variables(readPageLocales(viewsDir).choose({ language: "en" }));
  expect(row("logo").sort()).toEqual(Object.keys(logo ?? {}).sort());
  expect(row("links").sort()).toEqual(Object.keys(links[0] ?? {}).sort());
  expect(row("footer").sort()).toEqual(Object.keys(footer ?? {}).sort());
});

test("each is there on every page of its template, so that asking for one is never an error", () => {
  for (const [key, all] of shapes) expect([...all], key).toHaveLength(1);
});
