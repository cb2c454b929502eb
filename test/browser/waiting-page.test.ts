/**
 * The pages in a real browser, with a made-up room behind them: what a visitor sees, hears and can do while they
 * wait, on a small phone, with a bad connection, without JavaScript.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectNoAxeViolations, launchChromium } from "../support/chromium.ts";
import { type Gallery, type GalleryRoom, galleryNotices, startPageGallery } from "../support/page-gallery.ts";

const screenshots = fileURLToPath(new URL("../../artifacts/screenshots/", import.meta.url));
const address = "/authorize?client_id=shop&state=abc";
const soon = { timeout: 10_000, interval: 50 };

let browser: Browser;
let gallery: Gallery;
let page: Page;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  gallery = await startPageGallery();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await gallery?.close();
});
beforeEach(() => gallery.reset());
afterEach(async () => {
  await page?.context().close();
});

/** Opens the waiting page as a new visitor. */
async function arrive(options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale: "en-GB", ...options });
  page = await context.newPage();
  await prepare?.(page);
  await page.goto(gallery.url + address);
  return page;
}

const text = async (selector: string) => (await page.locator(selector).textContent()) ?? "";
const paths = () => gallery.requests.map((path) => path.split("?")[0]);
const statusCount = () => paths().filter((path) => path === "/rooms/tickets/status").length;
const pageCount = () => paths().filter((path) => path === "/authorize").length;

/** Lets the page believe that nobody sees it, or that somebody does again. */
async function setVisibility(state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => ${JSON.stringify(state)} });
    document.dispatchEvent(new Event("visibilitychange"))`);
}

describe("waiting", () => {
  test("one request draws the page", async () => {
    gallery.room.poll = { floor_ms: 5_000, ceiling_ms: 5_000, divisor: 1 };
    await arrive();
    expect(gallery.requests).toEqual([address]);
  });

  test("the numbers fall as the line moves, in the page, its title and its bar", async () => {
    await arrive();
    expect(await page.title()).toBe("411 ahead – Autumn tour tickets");
    gallery.room.serving = 4_900;
    await expect.poll(() => text("#ahead"), soon).toBe("99 people ahead of you");
    expect(await page.title()).toBe("99 ahead – Autumn tour tickets");
    expect(await text("#serving")).toBe("Now serving 4,900");
    expect(await text(".position")).toBe("5,000");
    const bar = page.getByRole("progressbar");
    expect(await bar.getAttribute("aria-valuetext")).toBe("99 people ahead of you");
    expect(await page.evaluate("document.querySelector('progress').position.toFixed(2)")).toBe("0.76");
  });

  test("positions that nobody holds do not count as people ahead", async () => {
    await arrive();
    gallery.room.gaps = [[4_600, 4_799]];
    await expect.poll(() => text("#ahead"), soon).toBe("211 people ahead of you");
  });

  test("milestones are announced, numbers in between are not", async () => {
    await arrive();
    const status = page.getByRole("status");
    expect(await status.textContent()).toBe("");
    gallery.room.serving = 4_700;
    await expect.poll(() => text("#ahead"), soon).toBe("299 people ahead of you");
    expect(await status.textContent()).toBe("");
    gallery.room.serving = 4_960;
    await expect.poll(() => text("#ahead"), soon).toBe("39 people ahead of you");
    expect(await status.textContent()).toBe("39 people ahead of you");
    gallery.room.serving = 4_965;
    await expect.poll(() => text("#ahead"), soon).toBe("34 people ahead of you");
    expect(await status.textContent()).toBe("39 people ahead of you");
  });

  test("a pause and the operator's words show without a reload, as text", async () => {
    await arrive();
    gallery.room.phase = "paused";
    gallery.room.message = "<b>Back at nine</b>";
    await expect.poll(() => text("#status"), soon).toContain("The line is paused");
    expect(await text("#message-text")).toBe("<b>Back at nine</b>");
    expect(await page.title()).toBe("Paused – Autumn tour tickets");
    // Not even the visitor's turn ends a pause.
    gallery.room.serving = 6_000;
    await expect.poll(() => text("#serving"), soon).toBe("Now serving 6,000");
    expect(pageCount()).toBe(1);
    gallery.room.phase = "open";
    await page.waitForURL("**/site");
  });

  test("focus never moves by itself", async () => {
    await arrive();
    await page.locator("summary").focus();
    gallery.room.serving = 4_999;
    await expect.poll(() => text("#ahead"), soon).toBe("Nobody ahead of you");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SUMMARY");
  });
});

describe("entering", () => {
  test("a visitor who is looking is called, and let in in place: the history does not grow", async () => {
    await arrive();
    const before = await page.evaluate("history.length");
    gallery.room.serving = 5_000;
    await page.waitForURL("**/site");
    expect(await page.evaluate("history.length")).toBe(before);
    expect(pageCount()).toBe(2);
  });

  test("also when the address has a fragment", async () => {
    await arrive();
    await page.evaluate("history.replaceState(null, '', location.href + '#top')");
    gallery.room.serving = 5_000;
    await page.waitForURL("**/site*");
  });

  test("a turn that comes while nobody looks is held, and called by the title; looking enters", async () => {
    await arrive();
    await setVisibility("hidden");
    gallery.room.serving = 5_100;
    await expect.poll(() => page.title(), soon).toBe("Your turn – Autumn tour tickets");
    expect(await page.getByRole("alert").filter({ hasText: "It is your turn." }).count()).toBe(1);
    await page.waitForTimeout(1_000);
    expect(pageCount()).toBe(1);
    await setVisibility("visible");
    await page.waitForURL("**/site");
  });

  test("there is a button as well", async () => {
    await arrive();
    await setVisibility("hidden");
    gallery.room.serving = 5_000;
    const button = page.getByRole("link", { name: "Enter now" });
    await button.waitFor();
    await button.click();
    await page.waitForURL("**/site");
  });

  test("a held place asks again when it was told to, and says that it is next", async () => {
    gallery.room.state = "held";
    gallery.room.serving = 5_000;
    await arrive();
    expect(await page.title()).toBe("You are next – Autumn tour tickets");
    gallery.room.state = "waiting";
    await page.waitForURL("**/site");
  });

  test("a held place that nobody looks at asks for nothing", async () => {
    gallery.room.state = "held";
    gallery.room.serving = 5_000;
    gallery.room.retryMs = 300;
    await arrive({}, (page) =>
      page.addInitScript(
        `Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" })`,
      ),
    );
    await page.waitForTimeout(1_500);
    expect(pageCount()).toBe(1);
  });

  test("another edition is for the server to explain", async () => {
    await arrive();
    gallery.room.edition = 2;
    gallery.room.ticketEdition = 2;
    await expect.poll(pageCount, soon).toBe(2);
    await expect.poll(() => page.locator("main").getAttribute("data-edition"), soon).toBe("2");
  });

  test("a server that calls and does not let in is asked ever more slowly", async () => {
    gallery.room.admits = false;
    gallery.room.serving = 5_000;
    await arrive();
    await page.waitForTimeout(6_000);
    // At 0, 1, 3, (7) seconds, and the page's own poll before each.
    expect(pageCount()).toBeGreaterThanOrEqual(3);
    expect(pageCount()).toBeLessThanOrEqual(5);
  });
});

describe("a bad connection", () => {
  test("errors keep the last numbers with their age, and the page says so; it recovers by itself", async () => {
    await arrive({}, (page) => page.clock.install());
    await expect.poll(statusCount, soon).toBeGreaterThan(0);
    gallery.room.statusCode = 500;
    const asked = statusCount();
    await expect.poll(statusCount, soon).toBeGreaterThan(asked);
    expect(await text("#problem")).toBe("");
    await page.clock.fastForward(20_000);
    await expect.poll(() => text("#problem"), soon).toContain("cannot be reached");
    expect(await text("#updated")).toMatch(/\d+ seconds ago/);
    expect(await text("#ahead")).toBe("411 people ahead of you");
    gallery.room.statusCode = 200;
    gallery.room.serving = 4_900;
    await page.clock.fastForward(60_000);
    await expect.poll(() => text("#ahead"), soon).toBe("99 people ahead of you");
    expect(await text("#problem")).toBe("");
  });

  test("offline, the page says so; back online it asks at once", async () => {
    gallery.room.poll = { floor_ms: 300, ceiling_ms: 300, divisor: 1 };
    await arrive();
    await expect.poll(statusCount, soon).toBeGreaterThan(0);
    await page.context().setOffline(true);
    await expect.poll(() => text("#problem"), soon).toContain("offline");
    gallery.room.serving = 4_990;
    await page.context().setOffline(false);
    await expect.poll(() => text("#ahead"), { timeout: 2_500, interval: 50 }).toBe("9 people ahead of you");
    expect(await text("#problem")).toBe("");
  });

  test("one request at a time, given up after ten seconds", async () => {
    await arrive({}, (page) => page.clock.install());
    gallery.room.statusCode = "hang";
    await expect.poll(statusCount, soon).toBeGreaterThan(0);
    await page.waitForTimeout(500);
    const asked = statusCount();
    await page.waitForTimeout(1_000);
    expect(statusCount()).toBe(asked);
    gallery.room.statusCode = 200;
    await page.clock.fastForward(10_500);
    await page.clock.fastForward(5_000);
    await expect.poll(statusCount, soon).toBeGreaterThan(asked);
  });

  test("numbers that are old already when they come are shown as such, and open no door", async () => {
    gallery.room.ageMs = 45_000;
    gallery.room.serving = 5_000;
    gallery.room.state = "store_away";
    await arrive();
    expect(await text("#problem")).toContain("Your place is safe");
    await expect.poll(statusCount, soon).toBeGreaterThan(2);
    expect(await text("#updated")).toMatch(/4\d seconds ago/);
    expect(pageCount()).toBe(1);
    gallery.room.ageMs = 0;
    gallery.room.state = "waiting";
    await page.waitForURL("**/site");
  });

  test("a device whose clock is an hour wrong shows the right age", async () => {
    for (const hours of [-1, 1]) {
      await arrive({}, (page) => page.clock.install({ time: Date.now() + hours * 3_600_000 }));
      await expect.poll(statusCount, soon).toBeGreaterThan(1);
      expect(await text("#updated")).toMatch(/^(now|5 seconds ago)$/);
      await page.context().close();
    }
  });

  test("waking up asks at once, but not more than once a second", async () => {
    gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1 };
    await arrive();
    for (let i = 0; i < 10; i++) await setVisibility("visible");
    await expect.poll(statusCount, soon).toBe(1);
    for (let i = 0; i < 10; i++) await setVisibility("visible");
    await page.waitForTimeout(300);
    expect(statusCount()).toBe(1);
    await expect.poll(statusCount, soon).toBe(2);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await expect.poll(statusCount, soon).toBe(3);
  });
});

describe("without JavaScript", () => {
  const noScript = { javaScriptEnabled: false };

  test("the page says everything, and a button gives the newest", async () => {
    await arrive(noScript);
    expect(await text(".position")).toBe("5,000");
    expect(await text("#ahead")).toBe("411 people ahead of you");
    expect(await text("#updated")).toMatch(/UTC$/);
    gallery.room.serving = 4_998;
    await page.getByRole("link", { name: "Check my place" }).click();
    await expect.poll(() => text("#ahead"), soon).toBe("1 person ahead of you");
    gallery.room.serving = 5_000;
    await page.getByRole("link", { name: "Check my place" }).click();
    await page.waitForURL("**/site");
  });

  test("leaving takes two steps, so that nobody leaves by a slip", async () => {
    await arrive(noScript);
    const button = page.getByRole("button", { name: "Give up my place" });
    expect(await button.isVisible()).toBe(false);
    await page.getByText("Leave the line").click();
    await button.click();
    await expect.poll(() => text("h1"), soon).toBe("You have left the line");
    expect(paths().at(-1)).toBe("/rooms/tickets/leave");
  });
});

describe("notices", () => {
  test("one that goes away by itself tries again, in place, while somebody looks", async () => {
    await arrive();
    await page.goto(`${gallery.url}/notice/hold_on`);
    const before = await page.evaluate("history.length");
    expect(await page.getByText("This page tries again by itself.").isVisible()).toBe(true);
    const count = () => paths().filter((path) => path === "/notice/hold_on").length;
    await expect.poll(count, soon).toBeGreaterThanOrEqual(2);
    expect(await page.evaluate("history.length")).toBe(before);
    await setVisibility("hidden");
    const asked = count();
    await page.waitForTimeout(3_000);
    expect(count()).toBe(asked);
  });
});

describe("on every screen", () => {
  const states: Record<string, Partial<GalleryRoom>> = {
    waiting: {},
    message: { message: "Doors open at 20:00.\nThere are still tickets in all categories." },
    paused: { phase: "paused", pausedReason: "operator" },
    held: { state: "held", serving: 5_000, retryMs: 60_000 },
    store_away: { state: "store_away", ageMs: 45_000 },
    recovering: { state: "recovering" },
    next: { serving: 4_999 },
    long: { position: 12_345_678, title: "Weltmeisterschaftsqualifikationsspiel – Karten für Mitglieder" },
  };
  const screens: [string, BrowserContextOptions][] = [
    ["320-light", { viewport: { width: 320, height: 640 }, colorScheme: "light" }],
    ["360-dark", { viewport: { width: 360, height: 780 }, colorScheme: "dark", reducedMotion: "reduce" }],
    ["1280-light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" }],
    ["360-forced-colors", { viewport: { width: 360, height: 780 }, forcedColors: "active" }],
  ];

  /** Nothing to scroll sideways, also with letters twice as large; targets large enough for a thumb; nothing for axe. */
  async function inspect(name: string): Promise<void> {
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
    await expectNoAxeViolations(page);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(overflow), name).toBe(0);
    const lowest =
      "Math.min(44, ...[...document.querySelectorAll('a, button, summary')].map((one) => one.offsetHeight))";
    expect(await page.evaluate(lowest), `${name}: the lowest thing to press`).toBe(44);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect(await page.evaluate(overflow), `${name} with large letters`).toBe(0);
  }

  describe.each(screens)("%s", (screen, options) => {
    test.each(Object.keys(states))("state %s", async (state) => {
      Object.assign(gallery.room, { poll: { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1 } }, states[state]);
      await arrive(options);
      await page.locator("summary").click();
      await inspect(`${state}-${screen}`);
    });

    test("your turn", async () => {
      await arrive(options);
      await setVisibility("hidden");
      gallery.room.serving = 5_000;
      await page.getByRole("link", { name: "Enter now" }).waitFor();
      await inspect(`turn-${screen}`);
    });

    test.each(Object.keys(galleryNotices))("notice %s", async (notice) => {
      await arrive(options);
      await page.goto(`${gallery.url}/notice/${notice}`);
      await inspect(`notice-${notice}-${screen}`);
    });
  });

  test("what a screen reader finds", async () => {
    gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1 };
    await arrive();
    expect(await page.locator("main").ariaSnapshot()).toMatchInlineSnapshot(`
      "- main:
        - paragraph: Waiting room
        - heading "Autumn tour tickets" [level=1]
        - alert
        - paragraph: Your place in line
        - paragraph: 5,000
        - paragraph: 411 people ahead of you
        - paragraph: About 3 to 5 minutes to go
        - progressbar "How far the line has come"
        - paragraph: Now serving 4,588
        - paragraph:
          - text: Last updated
          - time: now
        - alert
        - paragraph: You are in line.
        - paragraph: This page updates by itself and lets you in when it is your turn. Leave it open if you can.
        - link "Check my place":
          - /url: ""
        - paragraph: You may close this tab; you keep your place. Come back with this browser, by the way you came.
        - paragraph: When your turn comes, it is held for you for 15 minutes.
        - group: Leave the line
        - status"
    `);
  });
});
