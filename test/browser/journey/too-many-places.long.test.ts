// Long: twenty pages; test/e2e has the cookies that the page counts.
/** A browser with as many places as it can keep, and no scripts: the page offers to leave one, and then the next room gives a place. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";

let chromium: BorrowedChromium;
let gateway: Gateway;
beforeAll(async () => {
  const rooms = Array.from({ length: 24 }, (_, index) => ({
    id: `room-${index}`,
    title: `Room ${index}`,
    targets: ["https://shop.example.test/"],
  }));
  gateway = await startGateway({ config: { rooms, clients: [] } });
  chromium = await borrowChromium();
}, 60_000);
afterAll(async () => {
  await chromium?.refund();
  await gateway?.stop();
});

test("without scripts a visitor leaves one of the lines and gets a place in the next", async () => {
  const context = await chromium.browser.newContext({ javaScriptEnabled: false, locale: "en-GB" });
  const page = await context.newPage();
  const places: number[] = [];
  for (let room = 0; room < 24; room++) {
    await page.goto(`${gateway.issuer}/rooms/room-${room}/enter`);
    if ((await page.locator("main[data-position]").count()) === 0) break;
    places.push(room);
  }
  expect(places.length).toBeGreaterThanOrEqual(18);
  expect(places.length).toBeLessThanOrEqual(20);
  expect((await context.cookies()).length).toBeLessThanOrEqual(20);
  await page.locator('a[href="/rooms/room-3/leave"]').click();
  await page.locator('form[action$="/leave"] button').first().click();
  await page.goto(`${gateway.issuer}/rooms/room-${places.length}/enter`);
  await expect.poll(() => page.locator("main[data-position]").count()).toBe(1);
  await page.goto(`${gateway.issuer}/rooms/room-0/enter`);
  await expect.poll(() => page.locator("main").getAttribute("data-position")).toBe("1");
  await context.close();
}, 120_000);
