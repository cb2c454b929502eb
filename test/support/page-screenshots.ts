/** Takes the pictures of `npm run screenshots`, and a sheet with all of them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { samples } from "../../src/web/pages/samples/index.ts";
import { launchChromium } from "./chromium.ts";
import { hideFromVisitor } from "./gallery-visit.ts";
import { startPageGallery } from "./page-gallery.ts";
import { openDetails } from "./page-measures.ts";

const folder = fileURLToPath(new URL("../../artifacts/screenshots/", import.meta.url));
const languages = ["en", "de", "ar"];
const schemes = ["light", "dark"] as const;
const widths = [320, 768, 1_280];
/** As many windows as cores; each loads a page once and is then set to one screen after another. */
const windows = 2;

interface Shot {
  /** Of the sample. */
  readonly id: string;
  readonly title: string;
  readonly becomes?: string | undefined;
  /** With all that folds out. */
  readonly isOpen: boolean;
  readonly language: string;
}

const pages = samples(0).flatMap(({ id, title, becomes }) => [
  { id, title, becomes, isOpen: false },
  ...(id === "waiting" ? [{ id, title: `${title}, folded out`, becomes, isOpen: true }] : []),
]);
const nameOf = ({ id, isOpen, language }: Shot) => `${id}${isOpen ? "_open" : ""}-${language}`;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const gallery = await startPageGallery();
const browser = await launchChromium();
const queue: Shot[] = pages.flatMap((page) => languages.map((language) => ({ ...page, language })));
const all = [...queue];
await Promise.all(Array.from({ length: windows }, () => work(browser)));
await browser.close();
await gallery.close();
writeFileSync(join(folder, "index.html"), sheet());
const count = all.length * schemes.length * widths.length;
process.stdout.write(`${count} screenshots of ${pages.length} pages; to look through: ${join(folder, "index.html")}\n`);

async function work(browser: Browser): Promise<void> {
  const open = new Map<string, Page>();
  for (let shot = queue.shift(); shot !== undefined; shot = queue.shift()) {
    const { language } = shot;
    const page = open.get(language) ?? (await newWindow(browser, language));
    open.set(language, page);
    await take(page, shot);
  }
}

async function newWindow(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({ locale, reducedMotion: "reduce" });
  const page = await context.newPage();
  await hideFromVisitor(page);
  return page;
}

async function take(page: Page, shot: Shot): Promise<void> {
  await page.goto(`${gallery.url}/sample/${shot.id}`);
  if (shot.becomes !== undefined) await page.locator(shot.becomes).waitFor({ state: "attached" });
  if (shot.isOpen) await openDetails(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 700 ? 640 : 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: join(folder, `${nameOf(shot)}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
}

/** All pictures, those of one language and colour scheme at a time. */
function sheet(): string {
  const option = (value: string) => `<option>${value}</option>`;
  const figures = all.map((shot) => {
    const pictures = schemes.flatMap((scheme) =>
      widths.map((width) => {
        const file = `${nameOf(shot)}-${scheme}-${width}.png`;
        return `<a class="${scheme}" href="${file}"><img loading="lazy" src="${file}" alt="${width} px" height="480"></a>`;
      }),
    );
    return `<section class="${shot.language}"><h2>${shot.title} <code>${nameOf(shot)}</code></h2>${pictures.join("")}</section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages</title>
<style>body{font:1rem system-ui;margin:1rem}img{border:1px solid #999;margin:.25rem;vertical-align:top}h2{font-size:1rem}
form{position:sticky;top:0;background:#fff;padding:.5rem}</style>
<form><select name="language">${languages.map(option).join("")}</select> <select name="scheme">${schemes.map(option).join("")}</select></form>
${figures.join("\n")}
<script>
const form = document.querySelector("form");
const show = () => {
  for (const one of document.querySelectorAll("section")) one.hidden = !one.classList.contains(form.language.value);
  for (const one of document.querySelectorAll("section a")) one.hidden = !one.classList.contains(form.scheme.value);
};
form.addEventListener("change", show);
show();
</script></html>
`;
}
