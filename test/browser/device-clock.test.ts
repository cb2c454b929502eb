/** A visitor whose device is set to another time while a page is open: by themselves, by the network, or by a flight. */
import { expect } from "vitest";
import { deviceClock } from "../support/device-clock.ts";
import { hasHeard, soon, visitGallery, watchQuestions } from "../support/gallery-visit.ts";
import { describeLong, long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count } = await visitGallery();

const hourMs = 3_600_000;
const statusPath = "/rooms/tickets/status";
/** Within which each page asks again, whatever happened. */
const promptly = { timeout: 30_000, interval: 50 };

const openWith = (aheadMs: number, path?: string) =>
  arrive({}, (page) => page.addInitScript(deviceClock(aheadMs)), path);

/** What a visitor does, or the device, that makes a page ask. */
const wakings = {
  "the connection is back": `dispatchEvent(new Event("online"))`,
  "the visitor looks again": `document.dispatchEvent(new Event("visibilitychange"))`,
  "a press of the button": `document.getElementById("enter").click()`,
} as const;

const clocks = [-hourMs, 365 * 24 * hourMs];
const isLetIn =
  "a clock that is set by %i ms while the page is open: the visitor's turn comes, and a held place claims";
test.each(clocks.slice(0, 1))(isLetIn, expectToBeLetIn);
long.each(clocks)(isLetIn, expectToBeLetIn);

async function expectToBeLetIn(byMs: number): Promise<void> {
  const page = await openWith(0);
  await page.evaluate(`setClockAhead(${byMs})`);
  gallery.room.serving = 5_000;
  await page.waitForURL("**/site");
  Object.assign(gallery.room, { state: "held", serving: 5_000 });
  const held = await openWith(0);
  await held.evaluate(`setClockAhead(${byMs})`);
  Object.assign(gallery.room, { state: "waiting" });
  await held.waitForURL("**/site");
}

describeLong.each(clocks)("a clock that is set by %i ms while the page is open", (byMs) => {
  long.each(Object.entries(wakings))("%s: the page asks at once", async (_, waking) => {
    gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 10_000 };
    const page = await arrive({}, async (next) => {
      await next.addInitScript(deviceClock(0));
      await watchQuestions(next);
    });
    await page.evaluate(`setClockAhead(${byMs}); ${waking}`);
    await expect.poll(() => count(statusPath), promptly).toBe(1);
    await hasHeard(page);
    await page.evaluate(waking);
    await expect.poll(() => count(statusPath), promptly).toBe(2);
    expect(await text("#updated")).toBe("now");
  });

  long("numbers grow as old as they are, and are missed when they do not come", async () => {
    const page = await openWith(0);
    await expect.poll(() => count(statusPath), soon).toBeGreaterThan(0);
    gallery.room.statusCode = "hang";
    const beganMs = Number(await page.evaluate(`setClockAhead(${byMs}); performance.now()`));
    await expect.poll(() => text("#updated"), promptly).toBe("5 seconds ago");
    const agedMs = Number(await page.evaluate("performance.now()")) - beganMs;
    expect(agedMs).toBeGreaterThan(3_500);
  });

  long("a page before the opening counts down, and gives way when it is open", async () => {
    const page = await openWith(0, "/notice/not_open");
    const countdown = await text("#countdown");
    await page.evaluate(`setClockAhead(${byMs})`);
    await expect.poll(() => count(statusPath), soon).toBe(0);
    await page.waitForTimeout(1_500);
    expect((await text("#countdown")).replace(/\d+ (seconds?|minutes?)$/, "")).toBe(
      countdown.replace(/\d+ (seconds?|minutes?)$/, ""),
    );
  });

  long("a page with a link that carries the place asks what became of it", async () => {
    const page = await openWith(0, "/sample/move");
    await page.evaluate(`setClockAhead(${byMs})`);
    await expect.poll(() => count("/rooms/tickets/move/state"), promptly).toBeGreaterThan(1);
    expect(new URL(page.url()).pathname).toBe("/sample/move");
  });
});
