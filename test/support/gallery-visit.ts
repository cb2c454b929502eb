/** A visitor of the page gallery, in a browser of their own. */
import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { samples } from "../../src/web/pages/samples/index.ts";
import { type BorrowedChromium, borrowChromium } from "./chromium.ts";
import { type Gallery, startPageGallery } from "./page-gallery.ts";
import { openDetails } from "./page-measures.ts";

export const galleryAddress = "/authorize?client_id=shop&state=abc";
const closingMsMax = 10_000;

/** For what the page does by itself, in a poll or two: seconds on a machine that has other things to do. */
export const soon = { timeout: 30_000, interval: 50 };

/** Half a minute more than the countdown says, which so says the same however late one looks. */
export const inTenMinutes = 630_000;

/** The moment that an element of time shows: in words, and for programs. Read at once, as it may change between. */
export async function readMoment(page: Page, selector: string): Promise<{ words: string; at: Date }> {
  const [words, at] = await page
    .locator(selector)
    .evaluate((element) => [element.textContent ?? "", element.getAttribute("datetime") ?? ""] as const);
  return { words, at: new Date(at) };
}

/** The page believes that nobody sees it, from its beginning: so its script leads nowhere from there. */
export function hideFromVisitor(page: Page): Promise<unknown> {
  return page.addInitScript("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })");
}

/**
 * The page's clock stands still from its beginning: its time passes when a test lets it, however long the computer takes.
 * To be called before the page is there.
 */
export async function stopClock(page: Page): Promise<void> {
  const nowMs = Date.now();
  // It goes until it is stopped.
  await page.clock.install({ time: nowMs - 60_000 });
  await page.clock.pauseAt(nowMs);
}

/** Questions that a page has asked, and whose answer it does not have yet. */
const countOpenQuestions = `
  window.openQuestions = 0;
  const ask = window.fetch;
  window.fetch = async (...question) => {
    openQuestions++;
    try {
      const answer = await ask(...question);
      await answer.clone().text();
      return answer;
    } finally {
      openQuestions--;
    }
  };`;

/** To be called before the page is there. */
export function watchQuestions(page: Page): Promise<unknown> {
  return page.addInitScript(`{${countOpenQuestions}}`);
}

/** Waits until the page has heard all that it asked. */
export async function hasHeard(page: Page): Promise<void> {
  // Twice, since what an answer leads to comes after it.
  for (let times = 0; times < 2; times++) await expect.poll(() => page.evaluate("openQuestions"), soon).toBe(0);
}

export interface GalleryVisit {
  readonly gallery: Gallery;
  /** The page of the visitor who came last. */
  readonly page: Page;
  /** Opens the waiting page, or another of the gallery, as a new visitor: on a phone, unless said otherwise. */
  arrive(options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>, path?: string): Promise<Page>;
  /** Opens another page of the gallery in the window of the visitor who came last. */
  open(path?: string): Promise<unknown>;
  text(selector: string): Promise<string>;
  /** Lets the page believe that nobody sees it, or that somebody does again. */
  setVisibility(state: "hidden" | "visible"): Promise<void>;
  /** How often a path was asked for. */
  count(path: string): number;
  /** The visitor goes, and the room is as it was at the start. */
  leave(): Promise<void>;
  /** The window stays open for the next visitor: nothing is stored in it, and the room is as it was at the start. */
  handOver(): Promise<void>;
  close(): Promise<void>;
}

/** A gallery for all tests of a file. Each test has visitors of its own, and finds the room as it was at the start. */
export async function visitGallery(): Promise<GalleryVisit> {
  const visit = await startGalleryVisit();
  afterEach(() => visit.leave());
  afterAll(() => visit.close());
  return visit;
}

export async function startGalleryVisit(): Promise<GalleryVisit> {
  const gallery = await startPageGallery();
  let chromium: BorrowedChromium | undefined;
  let current: Page | undefined;
  const page = () => {
    if (current === undefined) throw new Error("nobody has arrived");
    return current;
  };
  return {
    gallery,
    get page() {
      return page();
    },
    async arrive(options = {}, prepare, path = galleryAddress) {
      chromium ??= await borrowChromium();
      const context = await chromium.browser.newContext({
        viewport: { width: 360, height: 780 },
        locale: "en-GB",
        // What moves costs time of the computer, which few tests look at.
        reducedMotion: "reduce",
        ...options,
      });
      current = await context.newPage();
      // On a machine that is busy with the other pages, a page takes long.
      current.setDefaultTimeout(60_000);
      await prepare?.(current);
      await current.goto(gallery.url + path);
      return current;
    },
    open: (path = galleryAddress) => page().goto(gallery.url + path),
    text: async (selector) => (await page().locator(selector).textContent()) ?? "",
    async setVisibility(state) {
      await page().evaluate(`
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => ${JSON.stringify(state)} });
        document.dispatchEvent(new Event("visibilitychange"))`);
    },
    count: (path) => gallery.requests.filter((requested) => requested.split("?")[0] === path).length,
    async leave() {
      // A window that a page is just leaving, by an answer that a test made up, may never say that it has closed.
      if (current?.isClosed() === false) await current.unrouteAll({ behavior: "ignoreErrors" });
      await Promise.race([current?.context().close(), pause(closingMsMax, undefined, { ref: false })]);
      current = undefined;
      gallery.reset();
    },
    async handOver() {
      await page().evaluate("localStorage.clear(); sessionStorage.clear()");
      gallery.reset();
    },
    async close() {
      await chromium?.refund();
      await gallery.close();
    },
  };
}

/** Opens the page of a sample, as it is when its script has done its work. */
export async function showSample(visit: GalleryVisit, id: string): Promise<void> {
  await visit.open(`/sample/${id}`);
  const becomes = samples(0).find((sample) => sample.id === id)?.becomes;
  if (becomes !== undefined) await visit.page.locator(becomes).waitFor({ state: "attached" });
  await openDetails(visit.page);
}
