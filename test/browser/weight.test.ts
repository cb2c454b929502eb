/** How heavy the waiting page is for a phone on a slow link, and that nothing in it moves once it is drawn. */
import { describe, expect, test } from "vitest";
import { galleryAddress, soon, visitGallery } from "../support/gallery-visit.ts";
import { words } from "../support/page-gallery.ts";

const { gallery, arrive, count } = await visitGallery();

/** 400 kbit/s, and 400 ms for each way there and back: one for the connection, one for the page. */
const bytesPerMs = 50;
const roundTripsMs = 2 * 400;

const watch = `
  window.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true });`;
const isDrawn = "performance.getEntriesByName('first-contentful-paint').length === 1";
const bytesOfPage = "performance.getEntriesByType('navigation')[0].transferSize";

const states = {
  "in line": {},
  "with the organiser's words": { message: words("Doors open at 20:00. ".repeat(20), "warning") },
  "before the doors open": { phase: "prequeue", serving: 0, opensInMs: 3 * 86_400_000 },
} as const;

describe.each(Object.entries(states))("%s", (_, state) => {
  test("one request draws the page, in less than two seconds, and nothing in it moves afterwards", async () => {
    Object.assign(gallery.room, { poll: { floor_ms: 100, ceiling_ms: 200, divisor: 1, spread_ms: 100 } }, state);
    let answerOthers = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answerOthers = resolve;
    });
    const page = await arrive({}, async (next) => {
      await next.addInitScript(watch);
      await next.route(/\/(assets|rooms)\//, (route) => mayAnswer.then(() => route.continue()));
    });
    await expect.poll(() => page.evaluate(isDrawn), soon).toBe(true);
    expect(gallery.requests).toEqual([galleryAddress]);
    answerOthers();
    // Answers, and what they change.
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(2);
    expect(await page.evaluate("shifts")).toEqual([]);
    const bytes = Number(await page.evaluate(bytesOfPage));
    expect(bytes).toBeGreaterThan(1_000);
    expect(roundTripsMs + bytes / bytesPerMs).toBeLessThan(2_000);
  });
});
