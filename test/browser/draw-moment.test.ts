/** How a visitor sees the draw of their place: how many take part, when it is held, that it is held, and what came of it. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { splitAtNumber } from "../../src/web/browser/draw-show.ts";
import { sampleDraws } from "../../src/web/pages/samples/draws.ts";
import { fillText } from "../../src/web/pages/shared/wording.ts";
import { expectNoAxeViolations } from "../support/chromium.ts";
import { english } from "../support/english.ts";
import { soon, visitGallery } from "../support/gallery-visit.ts";
import { describeLong, long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count, setVisibility } = await visitGallery();

const { drawn } = sampleDraws({ id: "tickets" });
const [record] = drawn.record.draws;
const entry = drawn.draw.own?.entry ?? 0;
const position = drawn.draw.own?.position ?? 0;
const shown = (value: number) => value.toLocaleString("en");
const entries = record?.entries ?? 0;
const result = fillText(english.later.draw.result, { n: shown(position), of: shown(entries) });
const [before, after] = splitAtNumber(fillText(english.later.draw.result, { of: shown(entries) }));
const people = "450 people ahead of you";
const serving = position - 451;

const entering = { phase: "prequeue", serving: 0, entry, position, drawStage: "committed" } as const;
const quick = { floor_ms: 100, ceiling_ms: 200, divisor: 10, spread_ms: 200 };

/**
 * All that is said aloud, every number that rolls with what stands under it, and how the place is revealed. Rolling takes a second or two:
 * whoever looks for it from outside may come too late.
 */
const watch = `
  window.said = [];
  window.rolled = [];
  window.under = new Set();
  window.revealed = [];
  addEventListener("DOMContentLoaded", () => {
    const milestone = document.getElementById("milestone");
    const figure = document.querySelector(".position");
    new MutationObserver(() => milestone.textContent && said.push(milestone.textContent)).observe(milestone, { childList: true });
    new MutationObserver(() => {
      rolled.push(figure.dataset.roll);
      under.add(figure.textContent);
    }).observe(figure, { attributeFilter: ["data-roll"] });
    const main = document.querySelector("main");
    new MutationObserver(() => revealed.push(main.dataset.reveal)).observe(main, { attributeFilter: ["data-reveal"] });
  });`;

async function arriveWithEntry(options: BrowserContextOptions = {}): Promise<Page> {
  Object.assign(gallery.room, entering, { opensInMs: 60_000, dueAtMs: Date.now() + 68_000, poll: quick });
  const page = await arrive({ reducedMotion: "no-preference", ...options }, (made) => made.addInitScript(watch));
  await page.locator(".lots").waitFor({ state: "attached" });
  return page;
}

/** The doors open, and the order is being drawn. */
async function beginDraw(page: Page): Promise<void> {
  Object.assign(gallery.room, { phase: "open", drawStage: "closing", opensInMs: null, dueAtMs: Date.now() + 55_000 });
  await page.locator('main[data-state="drawing"]').waitFor();
}

const isMoving = (page: Page) => page.evaluate("document.getAnimations().length > 0");
const isRevealed = (page: Page) => page.locator("main[data-reveal]").count();
const endDraw = () => Object.assign(gallery.room, { drawStage: "drawn", dueAtMs: null, serving });

test("how many take part, and the time until the draw, are shown before and while it is held, and then what came of it", async () => {
  const page = await arriveWithEntry();
  const lines = async () => (await text("#drawn")).split("\n");
  expect((await lines())[0]).toBe("Taking part so far: 48,213");
  await expect.poll(async () => (await lines())[1] ?? "", soon).toMatch(/^The draw: in (1 minute|\d+ seconds?)/);
  const [, due = ""] = await lines();
  await expect.poll(async () => (await lines())[1], soon).not.toBe(due);
  await expect.poll(() => page.locator(".lots").isVisible()).toBe(false);
  await expectNoAxeViolations(page);

  await beginDraw(page);
  await page.locator(".lots").waitFor();
  expect((await lines())[1]).toMatch(/^The draw: in \d+ seconds?$/);
  expect(await isMoving(page)).toBe(true);
  await expectNoAxeViolations(page);
  gallery.room.drawStage = "closed";
  gallery.room.dueAtMs = Date.now() - 1_000;
  await expect.poll(lines, soon).toEqual(["Taking part: 48,213", "The draw: any moment now"]);
  const assets = () => gallery.requests.filter((path) => path.startsWith("/assets/")).length;
  const loaded = assets();

  endDraw();
  await page.locator('main[data-reveal=""]').waitFor();
  expect(await page.evaluate("revealed")).toEqual(["rolling", ""]);
  // It stands there all along, under what is seen.
  expect(await page.evaluate("[...under]")).toEqual([shown(position)]);
  await expect
    .poll(() => page.locator(".number p:visible").allTextContents())
    .toEqual([before, shown(position), after]);
  const rolled = (await page.evaluate("rolled")) as (string | undefined)[];
  expect(rolled.length).toBeGreaterThan(5);
  expect(rolled.at(-1)).toBeUndefined();
  expect(await page.evaluate("said")).toEqual([`${result}. ${people}.`]);
  expect(await text("#drawn")).toBe("Drawn for entry number 31,415");
  const link = page.getByRole("link", { name: "Check the draw" });
  expect(new URL((await link.getAttribute("href")) ?? "", page.url()).pathname).toBe("/rooms/tickets/draw");
  await expect.poll(() => page.getByText(english.later.draw.next).isVisible()).toBe(true);
  // The figures of the line have come back.
  await expect
    .poll(() => page.evaluate("document.getAnimations().some((each) => each.animationName === 'come')"), soon)
    .toBe(false);
  await expectNoAxeViolations(page);
  // Nobody needs anything but the place at that moment.
  expect(assets()).toBe(loaded);
  expect(count("/rooms/tickets/tickets/me")).toBe(1);

  // Others join behind.
  gallery.room.entries += 500;
  gallery.room.serving = position - 441;
  await expect.poll(() => text("#ahead"), soon).toBe("440 people ahead of you");
  await expect.poll(() => page.locator(".number p:visible").last().textContent()).toBe("of 48,213");
  gallery.room.entries -= 500;

  // Once the visitor has looked away, the page is that of any place in line.
  await setVisibility("hidden");
  await setVisibility("visible");
  expect(await isRevealed(page)).toBe(0);
  expect(await text("#drawn")).toBe(`${result} · Drawn for entry number 31,415`);
  await expect
    .poll(() => page.locator(".number p:visible").allTextContents())
    .toEqual(["Your place in line", shown(position)]);

  // Loaded anew, it says the same, and shows nothing twice.
  await page.reload();
  await page.locator("main[data-live]").waitFor();
  expect(await text("#drawn")).toBe(`${result} · Drawn for entry number 31,415`);
  expect(await isRevealed(page)).toBe(0);

  // Nor does another tab of theirs that had not heard of it.
  Object.assign(gallery.room, { ...entering, phase: "open", drawStage: "closing" });
  await page.reload();
  await page.locator(".lots").waitFor();
  endDraw();
  await expect.poll(() => text("#drawn"), soon).toBe(`${result} · Drawn for entry number 31,415`);
  expect(await isRevealed(page)).toBe(0);
});

long("who wants less motion sees that it is held, and then the number at once", async () => {
  const page = await arriveWithEntry({ reducedMotion: "reduce" });
  await beginDraw(page);
  await page.locator(".lots").waitFor();
  expect(await isMoving(page)).toBe(false);
  endDraw();
  await page.locator('main[data-reveal=""]').waitFor();
  await expect.poll(() => page.locator(".number p:visible").nth(1).textContent()).toBe(shown(position));
  expect(await page.evaluate("rolled")).toEqual([]);
  expect(await isMoving(page)).toBe(false);
  expect(await page.evaluate("said")).toEqual([`${result}. ${people}.`]);
});

long("who looks elsewhere meanwhile finds it when they look again, without a show", async () => {
  const page = await arriveWithEntry();
  await beginDraw(page);
  await setVisibility("hidden");
  endDraw();
  await expect.poll(() => text("#drawn"), soon).toBe(`${result} · Drawn for entry number 31,415`);
  expect(await isRevealed(page)).toBe(0);
  await setVisibility("visible");
  await page.locator('main[data-reveal=""]').waitFor();
  expect(await page.evaluate("rolled")).toEqual([]);
  expect(await page.evaluate("said.at(-1)")).toBe(`${result}. ${people}.`);
});

long("a browser that slept through it shows it without a show", async () => {
  const page = await arriveWithEntry();
  await beginDraw(page);
  await page.context().setOffline(true);
  // Its own clock may have stood still: the server says how late it is.
  gallery.room.ageMs = -3_600_000;
  endDraw();
  await page.context().setOffline(false);
  await page.locator('main[data-reveal=""]').waitFor();
  expect(await page.evaluate("rolled")).toEqual([]);
  expect(await page.evaluate("said")).toEqual([`${result}. ${people}.`]);
});

long("whose turn it is at once is called, and nothing stands in the way", async () => {
  const page = await arriveWithEntry();
  await beginDraw(page);
  gallery.room.admits = false;
  Object.assign(gallery.room, { drawStage: "drawn", serving: position });
  await page.locator('main[data-state="turn"]').waitFor();
  expect(await isRevealed(page)).toBe(0);
});

describeLong("where there is no draw to show", () => {
  long("because it was called off, the page says that the number is the place", async () => {
    const page = await arriveWithEntry();
    await beginDraw(page);
    Object.assign(gallery.room, { drawStage: "cancelled", serving: 31_000 });
    await expect.poll(() => text("#drawn"), soon).toBe("There was no draw: your entry number is your place.");
    expect(await text(".position")).toBe("31,415");
    expect(await isRevealed(page)).toBe(0);
    await expect.poll(() => page.locator(".lots").count()).toBe(0);
  });

  long("because what shows it cannot be had, the place is shown as it comes", async () => {
    Object.assign(gallery.room, entering, { poll: quick });
    const page = await arrive({}, (made) => made.route("**/assets/**", (route) => route.fulfill({ status: 404 })));
    await page.waitForResponse((response) => response.url().includes("/assets/draw-"));
    Object.assign(gallery.room, { phase: "open", drawStage: "closing" });
    await expect.poll(() => text("#status"), soon).toBe("The order is being drawn. One moment…");
    endDraw();
    await expect.poll(() => text("#drawn"), soon).toBe("Drawn for entry number 31,415");
    expect(await text("#milestone")).toBe(`The doors are open. ${people}.`);
  });

  long("because scripts do not run, each loading says how many take part, and then what came of it", async () => {
    Object.assign(gallery.room, entering);
    const page = await arrive({ javaScriptEnabled: false });
    expect(await text("#drawn")).toBe("Taking part so far: 48,213");
    Object.assign(gallery.room, { phase: "open", drawStage: "closed" });
    await page.reload();
    expect(await text("#drawn")).toBe("Taking part: 48,213");
    endDraw();
    await page.reload();
    expect(await text("#drawn")).toBe(`${result} · Drawn for entry number 31,415`);
  });
});
