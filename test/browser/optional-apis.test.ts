/**
 * Browsers that lack what a page likes to use, or throw where it is used: the countdown, the wait, the draw, the turn and the way in
 * come all the same. A page for each such browser; the room goes its way once, and all follow it.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type BorrowedChromium, borrowChromium } from "../support/chromium.ts";
import { galleryAddress, inTenMinutes, soon } from "../support/gallery-visit.ts";
import { type Gallery, startPageGallery } from "../support/page-gallery.ts";
import { long, test } from "../support/sizes.ts";

const missing = (owner: string, ...names: string[]) =>
  names
    .map((name) => `Object.defineProperty(${owner}, "${name}", { configurable: true, value: undefined });`)
    .join("\n");
const throwing = (owner: string, ...names: string[]) =>
  names
    .map(
      (name) =>
        `Object.defineProperty(${owner}, "${name}", { configurable: true, get() { throw new DOMException("no", "SecurityError"); } });`,
    )
    .join("\n");
const broken = (owner: string, ...names: string[]) =>
  names.map((name) => `${owner}.${name} = function () { throw new RangeError("${name}"); };`).join("\n");
/** Throws for one of its options alone, as older browsers do. */
const refusing = (format: string, option: string) => `{
  const Plain = Intl.${format};
  Intl.${format} = class extends Plain {
    constructor(locale, options) {
      if (options?.${option} !== undefined) throw new RangeError("${option}");
      super(locale, options);
    }
  };
}`;

/** What is not there. */
const absent = {
  "Intl.RelativeTimeFormat": missing("Intl", "RelativeTimeFormat"),
  "ranges of times": missing("Intl.DateTimeFormat.prototype", "formatRange"),
  "Intl at all": missing("window", "Intl"),
  storage: missing("window", "localStorage", "sessionStorage", "indexedDB", "caches"),
  BroadcastChannel: missing("window", "BroadcastChannel"),
  "structuredClone, requestIdleCallback": missing(
    "window",
    ...["structuredClone", "requestIdleCallback", "cancelIdleCallback"],
  ),
  "a wake lock": missing("Navigator.prototype", "wakeLock"),
  "Notification, AudioContext": missing("window", "Notification", "AudioContext"),
  "PushManager, serviceWorker": missing("window", "PushManager") + missing("Navigator.prototype", "serviceWorker"),
  "languages, locks, clipboard": missing("Navigator.prototype", "languages", "locks", "clipboard"),
  "crypto.subtle": missing("Crypto.prototype", "subtle"),
  "events of matchMedia": missing("MediaQueryList.prototype", "addEventListener"),
  "AbortSignal.timeout and others of its time":
    missing("AbortSignal", "timeout", "any") +
    missing("Array.prototype", "at", "findLast", "toSorted") +
    missing("String.prototype", "at", "replaceAll") +
    missing("Object", "hasOwn"),
  animations: missing("Element.prototype", "animate", "getAnimations") + missing("window", "requestAnimationFrame"),
  "style sheets of scripts": missing("Document.prototype", "adoptedStyleSheets"),
};
/** What is there, and throws. */
const failing = {
  "any Intl.NumberFormat": broken("Intl", "NumberFormat"),
  "any Intl.DateTimeFormat": broken("Intl", "DateTimeFormat"),
  "any Intl.PluralRules": broken("Intl", "PluralRules"),
  "Intl.RelativeTimeFormat, and ranges, that work":
    broken("Intl", "RelativeTimeFormat") + broken("Intl.DateTimeFormat.prototype", "formatRange"),
  "storage that may be used": throwing("window", "localStorage", "sessionStorage", "indexedDB", "caches"),
  "a wake lock, locks, a clipboard and a serviceWorker that may be had": throwing(
    "Navigator.prototype",
    ...["wakeLock", "locks", "clipboard", "serviceWorker"],
  ),
  "Notification, AudioContext, matchMedia that work": broken("window", "Notification", "AudioContext", "matchMedia"),
  "style sheets of scripts that work": broken("window", "CSSStyleSheet"),
};
const all = (scripts: Readonly<Record<string, string>>) => Object.values(scripts).join("\n");
const allAtOnce = { "all of these": all(absent), "all that work": all(failing) };
const browsers: Readonly<Record<string, string>> = {
  ...absent,
  ...failing,
  ...allAtOnce,
  "Intl.NumberFormat with style (Safari 13.4 to 14.0)": refusing("NumberFormat", "style"),
  "Intl.DateTimeFormat with timeZoneName": refusing("DateTimeFormat", "timeZoneName"),
};
/** The visitor wants to be called in each way. */
const offersTaken = `try {
  for (const offer of ["sound", "notify", "awake"]) localStorage.setItem("usher.call-" + offer, "1");
} catch {}`;
/** What is read of a page in which something throws may be plainer; it is never nonsense. */
const nonsense = /NaN|undefined|\bnull\b|\{\w+\}|Invalid|\[object/;

/** For one look at one page. */
const patienceMs = 20_000;

let gallery: Gallery;
let chromium: BorrowedChromium;
beforeAll(async () => {
  gallery = await startPageGallery();
  chromium = await borrowChromium();
});
afterAll(async () => {
  await chromium.refund();
  await gallery.close();
});

async function come(browser: Browser, script: string, path: string, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 780 },
    locale: "en-GB",
    // So many pages with something that moves would take the computer for themselves.
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.addInitScript(offersTaken + script);
  await prepare?.(page);
  await page.goto(gallery.url + path);
  return page;
}

/** What of this kind each page shows, by its browser, as soon as all show the same; or else what they show. */
async function allShow(pages: ReadonlyMap<string, Page>, selector: string, pattern: RegExp): Promise<void> {
  const read = async () => {
    const shown = [...pages].map(async ([name, page]) => {
      const reading = selector === "title" ? page.title() : page.locator(selector).textContent();
      // A page that does not answer is named as well.
      const text = await Promise.race([reading, pause(patienceMs, "no answer")]).catch((error) => String(error));
      return pattern.test(text ?? "") ? [] : [`${name}: ${text}`];
    });
    return (await Promise.all(shown)).flat();
  };
  await expect.poll(read, { timeout: 60_000, interval: 500 }).toEqual([]);
}

const comesAll = "the opening is counted down, the draw is held, the line moves, and the turn leads in";
test(`without all of them ${comesAll}`, () => expectAllToCome(allAtOnce));
long(`without any of them ${comesAll}`, () => expectAllToCome(browsers));

async function expectAllToCome(browsers: Readonly<Record<string, string>>): Promise<void> {
  gallery.reset();
  Object.assign(gallery.room, {
    phase: "prequeue",
    serving: 0,
    position: 7,
    entry: 42,
    entries: 50,
    opensInMs: inTenMinutes,
    dueAtMs: Date.now() + inTenMinutes,
    // So slowly that no number falls by itself.
    pace: { ...gallery.room.pace, placesPerMinute: 1 },
    poll: { floor_ms: 1_000, ceiling_ms: 2_000, divisor: 10, spread_ms: 500 },
  });
  const pages = new Map<string, Page>();
  for (const [name, script] of Object.entries(browsers)) {
    pages.set(name, await come(chromium.browser, script, galleryAddress));
  }
  const noParts = (page: Page) => page.route("**/assets/**", (route) => route.abort());
  pages.set("parts that come later", await come(chromium.browser, "", galleryAddress, noParts));

  await allShow(pages, "#countdown", /\b10\b|\b9\b/);
  await allShow(pages, "title", /\b10\b|\b9\b/);
  gallery.room.drawStage = "closed";
  gallery.room.phase = "open";
  await Promise.all([...pages.values()].map((page) => page.locator('main[data-state="drawing"]').waitFor()));
  gallery.room.drawStage = "drawn";
  await Promise.all([...pages.values()].map((page) => page.locator('main[data-state="waiting"]').waitFor()));
  await allShow(pages, ".position", /^7$/);
  await allShow(pages, "#ahead", /^6 people ahead/);
  await allShow(pages, "#estimate", /minute/);
  gallery.room.serving = 3;
  await allShow(pages, "#ahead", /^3 people ahead/);
  await allShow(pages, "title", /^3 ahead/);
  for (const [name, page] of pages) {
    const words = `${await page.title()} ${await page.locator("main").textContent()}`.replace(/\s+/g, " ");
    expect(words, name).not.toMatch(nonsense);
  }
  gallery.room.serving = 7;
  const outside = async () => {
    const left = [...pages].map(([name, page]) => (new URL(page.url()).pathname === "/site" ? [] : [name]));
    return left.flat();
  };
  await expect.poll(outside, { timeout: 60_000, interval: 500 }).toEqual([]);
  await Promise.all([...pages.values()].map((page) => page.context().close()));
}

long.each(Object.entries(allAtOnce))(
  "without %s a page before the opening counts down and gives way, a held place claims, and a page with a link asks",
  async (_, script) => {
    gallery.reset();
    const count = (path: string) => gallery.requests.filter((requested) => requested.split("?")[0] === path).length;
    const pages = [await come(chromium.browser, script, "/notice/not_open_soon")];
    await expect.poll(() => pages[0]?.locator("#countdown").textContent()).toMatch(/\d|now/);
    await expect.poll(() => count("/notice/not_open_soon"), soon).toBeGreaterThan(1);
    Object.assign(gallery.room, { state: "held", serving: 5_000 });
    const held = await come(chromium.browser, script, galleryAddress);
    Object.assign(gallery.room, { state: "waiting" });
    await held.waitForURL("**/site");
    pages.push(held, await come(chromium.browser, script, "/sample/move"));
    await expect.poll(() => count("/rooms/tickets/move/state"), soon).toBeGreaterThan(0);
    await Promise.all(pages.map((page) => page.context().close()));
  },
);
