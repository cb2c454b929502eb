/** The visitor's turn on the waiting page, with a made-up room behind it: how they are called, and how they come in. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type GalleryVisit, startGalleryVisit } from "../support/gallery-visit.ts";
import type { Gallery } from "../support/page-gallery.ts";

const soon = { timeout: 10_000, interval: 50 };

let visit: GalleryVisit;
let gallery: Gallery;
let page: Page;

beforeAll(async () => {
  visit = await startGalleryVisit();
  gallery = visit.gallery;
});
afterAll(() => visit?.close());
afterEach(() => visit.leave());

const arrive: GalleryVisit["arrive"] = async (...how) => {
  page = await visit.arrive(...how);
  return page;
};
const text = (selector: string) => visit.text(selector);
const count = (path: string) => visit.count(path);
const setVisibility = (state: "hidden" | "visible") => visit.setVisibility(state);

describe("entering", () => {
  test("a visitor who is looking is called, and let in in place: the history does not grow", async () => {
    await arrive();
    const before = await page.evaluate("history.length");
    gallery.room.serving = 5_000;
    await page.waitForURL("**/site");
    expect(await page.evaluate("history.length")).toBe(before);
    expect(count("/authorize")).toBe(2);
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
    expect(count("/authorize")).toBe(1);
    await setVisibility("visible");
    await page.waitForURL("**/site");
  });

  test("it is told until when, and for how long yet, quietly", async () => {
    await arrive({ timezoneId: "Asia/Tokyo" }, (page) => page.clock.install());
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(0);
    await setVisibility("hidden");
    gallery.room.serving = 5_000;
    const until = Date.now() + 900_000;
    const inTokyo = { timeZone: "Asia/Tokyo", hour: "2-digit", minute: "2-digit" } as const;
    const times = [until - 3_000, until].map((ms) => new Date(ms).toLocaleTimeString("en-GB", inTokyo));
    await expect.poll(() => text("#deadline"), soon).toContain(", 14 minutes from now.");
    expect(times.map((time) => `It is held for you until ${time}, 14 minutes from now.`)).toContain(
      await text("#deadline"),
    );
    // Aloud it is said that it is the visitor's turn, and no more.
    expect(await page.getByRole("alert").filter({ hasText: "your turn" }).textContent()).toBe("It is your turn.");
    gallery.room.statusCode = 500;
    await page.clock.fastForward(600_000);
    await expect.poll(() => text("#deadline"), soon).toContain("4 minutes from now");
    await page.clock.fastForward(600_000);
    await expect.poll(() => text("#deadline"), soon).toContain("may be over");
  });

  test("a site that is full is no turn yet, and is told as such", async () => {
    Object.assign(gallery.room, { state: "held", heldBy: "capacity", serving: 5_000 });
    await arrive();
    expect(await text("#status")).toContain("The site is full just now");
    expect(await page.title()).toBe("You are next – Autumn tour tickets");
    gallery.room.state = "waiting";
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
    expect(count("/authorize")).toBe(1);
  });

  test("another edition is for the server to explain", async () => {
    await arrive();
    gallery.room.edition = 2;
    gallery.room.ticketEdition = 2;
    await expect.poll(() => count("/authorize"), soon).toBe(2);
    await expect.poll(() => page.locator("main").getAttribute("data-edition"), soon).toBe("2");
  });

  test("a server that calls and does not let in is asked ever more slowly", async () => {
    gallery.room.admits = false;
    gallery.room.serving = 5_000;
    await arrive();
    await page.waitForTimeout(6_000);
    // At 0, 1, 3, (7) seconds, and the page's own poll before each.
    expect(count("/authorize")).toBeGreaterThanOrEqual(3);
    expect(count("/authorize")).toBeLessThanOrEqual(5);
  });
});
