/**
 * The waiting page in a real browser, with a made-up room behind it: what a visitor sees, hears and can do while
 * they wait, with a bad connection, without JavaScript. How it looks is in page-looks.test.ts.
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type GalleryVisit, galleryAddress, startGalleryVisit } from "../support/gallery-visit.ts";
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

describe("waiting", () => {
  test("one request draws the page", async () => {
    gallery.room.poll = { floor_ms: 5_000, ceiling_ms: 5_000, divisor: 1 };
    await arrive();
    expect(gallery.requests).toEqual([galleryAddress]);
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
    const milestone = page.getByRole("status");
    expect(await milestone.textContent()).toBe("");
    gallery.room.serving = 4_700;
    await expect.poll(() => text("#ahead"), soon).toBe("299 people ahead of you");
    expect(await milestone.textContent()).toBe("");
    gallery.room.serving = 4_960;
    await expect.poll(() => text("#ahead"), soon).toBe("39 people ahead of you");
    expect(await milestone.textContent()).toBe("39 people ahead of you");
    gallery.room.serving = 4_965;
    await expect.poll(() => text("#ahead"), soon).toBe("34 people ahead of you");
    expect(await milestone.textContent()).toBe("39 people ahead of you");
  });

  test("a pause and the operator's words show without a reload, as text", async () => {
    await arrive();
    gallery.room.phase = "paused";
    gallery.room.pausedReason = "operator";
    gallery.room.message = "<b>Back at nine</b>";
    await expect.poll(() => text("#status"), soon).toContain("The line is paused");
    expect(await text("#reason")).toBe("The organiser has stopped it for a while.");
    expect(await text("#message-text")).toBe("<b>Back at nine</b>");
    expect(await page.title()).toBe("Paused – Autumn tour tickets");
    // Not even the visitor's turn ends a pause.
    gallery.room.serving = 6_000;
    await expect.poll(() => text("#serving"), soon).toBe("Now serving 6,000");
    expect(count("/authorize")).toBe(1);
    gallery.room.phase = "open";
    await page.waitForURL("**/site");
  });

  test("asking by hand gets the newest numbers without a reload", async () => {
    gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1 };
    await arrive();
    gallery.room.serving = 4_900;
    await page.getByRole("link", { name: "Check my place" }).click();
    await expect.poll(() => text("#ahead"), soon).toBe("99 people ahead of you");
    expect(count("/authorize")).toBe(1);
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
    expect(count("/rooms/tickets/leave")).toBe(1);
  });
});
