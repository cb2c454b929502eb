/** The pages on a bad connection: errors, silence, no network, a sleeping phone, a wrong clock. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { english, titleOf } from "../support/english.ts";
import { hasHeard, soon, visitGallery, watchQuestions } from "../support/gallery-visit.ts";
import { long, test } from "../support/sizes.ts";

const status = "/rooms/tickets/status";
const { gallery, arrive, text, count, setVisibility } = await visitGallery();

/** Nothing runs in the page any more, and what it asked before has been answered. */
async function standStill(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 30_000);
  await hasHeard(page);
}

test("errors keep the last numbers with their age, and the page says so; it recovers by itself", async () => {
  const page = await arrive({}, (page) => page.clock.install());
  await expect.poll(() => count(status), soon).toBeGreaterThan(0);
  gallery.room.statusCode = 500;
  const asked = count(status);
  await expect.poll(() => count(status), soon).toBeGreaterThan(asked);
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
  gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 10_000 };
  const page = await arrive();
  await page.context().setOffline(true);
  await expect.poll(() => text("#problem"), soon).toContain("offline");
  gallery.room.serving = 4_990;
  await page.context().setOffline(false);
  const sayOnline = async () => {
    // A busy Chromium says so before its network is back, and a page that fails then asks next in minutes.
    await page.evaluate("dispatchEvent(new Event('online'))");
    return text("#ahead");
  };
  await expect.poll(sayOnline, soon).toBe("9 people ahead of you");
  await expect.poll(() => text("#problem"), soon).toBe("");
});

long("a phone that wakes up on its turn, and has no connection yet, does not lose the page", async () => {
  const page = await arrive({}, (page) => page.clock.install());
  await setVisibility("hidden");
  gallery.room.serving = 5_000;
  await expect.poll(() => page.title(), soon).toBe(titleOf(english.waiting.live.titles.turn));
  await page.context().setOffline(true);
  await page.clock.fastForward(3_600_000);
  await setVisibility("visible");
  await page.waitForTimeout(1_500);
  expect(page.url()).toContain("/authorize");
  expect(await text("#problem")).toContain("offline");
  await page.context().setOffline(false);
  await page.waitForURL("**/site");
});

long(
  '"my phone slept and my turn passed": a page that stood still for hours, and was served meanwhile, enters',
  async () => {
    const page = await arrive({}, async (page) => {
      await page.clock.install();
      await watchQuestions(page);
    });
    await expect.poll(() => count(status), soon).toBeGreaterThan(0);
    // As a phone freezes a page: nothing runs, nothing is told to it.
    await standStill(page);
    gallery.room.serving = 5_100;
    const asked = count(status);
    await page.waitForTimeout(600);
    expect([count(status) - asked, count("/authorize")]).toEqual([0, 1]);
    await page.clock.fastForward(5 * 3_600_000);
    await page.clock.resume();
    await page.waitForURL("**/site");
  },
);

long("a server that fails is asked ever more slowly, also when it is the visitor's turn", async () => {
  gallery.room.poll = { floor_ms: 1_000, ceiling_ms: 1_000, divisor: 1, spread_ms: 10_000 };
  const page = await arrive({}, (page) => page.clock.install());
  await setVisibility("hidden");
  gallery.room.serving = 5_000;
  await expect.poll(() => page.title(), soon).toBe(titleOf(english.waiting.live.titles.turn));
  gallery.room.statusCode = 502;
  await page.clock.fastForward(20_000);
  await setVisibility("visible");
  const asked = count(status);
  await page.waitForTimeout(6_000);
  // At 0, 2, (6) seconds, ± 30 %, and once for the look.
  expect(count(status) - asked).toBeLessThanOrEqual(4);
  expect(count("/authorize")).toBe(1);
  gallery.room.statusCode = 200;
  await page.clock.fastForward(80_000);
  await page.waitForURL("**/site");
});

long("one request at a time, given up after ten seconds", async () => {
  gallery.room.statusCode = "hang";
  const page = await arrive({}, (page) => page.clock.install());
  await expect.poll(() => count(status), soon).toBeGreaterThan(0);
  const asked = count(status);
  await page.waitForTimeout(1_500);
  expect(count(status)).toBe(asked);
  gallery.room.statusCode = 200;
  await page.clock.fastForward(10_500);
  await page.clock.fastForward(5_000);
  await expect.poll(() => count(status), soon).toBeGreaterThan(asked);
});

long("numbers that are old already when they come are shown as such, and open no door", async () => {
  gallery.room.ageMs = 41_000;
  gallery.room.serving = 5_000;
  gallery.room.state = "store_away";
  const page = await arrive();
  expect(await text("#problem")).toContain("Your place is safe");
  await expect.poll(() => count(status), soon).toBeGreaterThan(2);
  expect(await text("#updated")).toMatch(/4\d seconds ago/);
  expect(count("/authorize")).toBe(1);
  gallery.room.ageMs = 0;
  gallery.room.state = "waiting";
  await page.waitForURL("**/site");
});

long("a page that came without numbers says what is certain, and has them when the server has", async () => {
  gallery.room.state = "store_away";
  gallery.room.isKnown = false;
  gallery.room.statusCode = 503;
  const page = await arrive();
  await expect.poll(() => count(status), soon).toBeGreaterThan(0);
  expect(await text("#ahead")).toBe("At most 4,999 people ahead of you");
  expect(await page.title()).toBe("At most 4,999 ahead – Autumn tour tickets");
  await expect.poll(() => page.locator("#facts").isVisible()).toBe(false);
  gallery.room.statusCode = 200;
  await expect.poll(() => text("#ahead"), soon).toBe("411 people ahead of you");
  await expect.poll(() => page.locator("#facts").isVisible()).toBe(true);
  expect(await text("#serving")).toBe("Now serving 4,588");
  expect(await text("#problem")).toBe("");
});

long("a device whose clock is an hour wrong shows the right age, and how long a turn is held", async () => {
  for (const hours of [-1, 1]) {
    const page = await arrive({}, (page) => page.clock.install({ time: Date.now() + hours * 3_600_000 }));
    await expect.poll(() => count(status), soon).toBeGreaterThan(1);
    await expect.poll(() => text("#updated"), soon).toMatch(/^(now|5 seconds ago)$/);
    await setVisibility("hidden");
    gallery.room.serving = 5_000;
    await expect.poll(() => text("#deadline"), soon).toContain("(14 minutes)");
    gallery.reset();
    await page.context().close();
  }
});

long("waking up asks at once, but not more than once a second", async () => {
  gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 10_000 };
  const page = await arrive({}, async (page) => {
    await page.clock.install();
    await watchQuestions(page);
  });
  await standStill(page);
  for (let i = 0; i < 10; i++) await setVisibility("visible");
  await page.clock.runFor(10);
  await expect.poll(() => count(status), soon).toBe(1);
  for (let i = 0; i < 10; i++) await setVisibility("visible");
  await page.clock.runFor(900);
  await page.waitForTimeout(300);
  expect(count(status)).toBe(1);
  await page.clock.runFor(100);
  await expect.poll(() => count(status), soon).toBe(2);
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
  await page.clock.runFor(1_000);
  await expect.poll(() => count(status), soon).toBe(3);
});
