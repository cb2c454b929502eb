/** A visitor of the page gallery, in a browser of their own. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { type Gallery, startPageGallery } from "./page-gallery.ts";

export const galleryAddress = "/authorize?client_id=shop&state=abc";

export interface GalleryVisit {
  readonly gallery: Gallery;
  /** The page of the visitor who came last. */
  readonly page: Page;
  /** Opens the waiting page as a new visitor: on a phone, unless said otherwise. */
  arrive(options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>): Promise<Page>;
  text(selector: string): Promise<string>;
  /** Lets the page believe that nobody sees it, or that somebody does again. */
  setVisibility(state: "hidden" | "visible"): Promise<void>;
  /** How often a path was asked for. */
  count(path: string): number;
  /** The visitor goes, and the room is as it was at the start. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

export async function startGalleryVisit(): Promise<GalleryVisit> {
  const gallery = await startPageGallery();
  let browser: Browser | undefined;
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
    async arrive(options = {}, prepare) {
      browser ??= await launchChromium();
      const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale: "en-GB", ...options });
      current = await context.newPage();
      await prepare?.(current);
      await current.goto(gallery.url + galleryAddress);
      return current;
    },
    text: async (selector) => (await page().locator(selector).textContent()) ?? "",
    async setVisibility(state) {
      await page().evaluate(`
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => ${JSON.stringify(state)} });
        document.dispatchEvent(new Event("visibilitychange"))`);
    },
    count: (path) => gallery.requests.filter((requested) => requested.split("?")[0] === path).length,
    async leave() {
      await current?.context().close();
      current = undefined;
      gallery.reset();
    },
    async close() {
      await browser?.close();
      await gallery.close();
    },
  };
}
