/**
 * The screen of the day as a cockpit, measured in a real browser: what is watched and done is in sight at a desk and on a phone, and stays there; each
 * tool opens a sheet; each role has its own order.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { adminKeys, deskKey, expectNoSidewaysScroll, openConsole, tileOf } from "./operator.ts";

const desk = { width: 1_280, height: 800 };
const phone = { width: 390, height: 844 };
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    {
      id: "shop",
      inlet: { type: "periodic", outflow_per_minute: 600 },
      settings: { title: "Autumn tour tickets", message: "Seats are left." },
    },
  ],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
  expect((await world().admin.request("PUT", "/rooms/shop/stock", { remaining: 1_204 })).status).toBe(200);
});
afterAll(() => chromium.refund());

const path = "/console/rooms/shop";
const tools = ["Pace", "Left to sell", "Message", "Let one person past", "Find a visitor", "More"];

interface Place {
  readonly name: string;
  readonly top: number;
  readonly bottom: number;
}

/** Where all that a selector finds is in the window, and what it says. */
const placesOf = (page: Page, selector: string): Promise<Place[]> =>
  page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { name: (element.textContent ?? "").slice(0, 40), top, bottom };
    }),
  );

/** @returns where the lowest of them ends */
async function expectBetween(page: Page, selector: string, from: number, to: number): Promise<number> {
  const places = await placesOf(page, selector);
  expect(places.length, selector).toBeGreaterThan(0);
  for (const place of places) {
    expect(place.top, place.name).toBeGreaterThanOrEqual(from);
    expect(place.bottom, place.name).toBeLessThanOrEqual(to);
  }
  return Math.max(...places.map(({ bottom }) => bottom));
}

test("all that is watched and done is in sight at a desk and on a phone, in one line of navigation, and each tool opens its sheet", async () => {
  const { page, faults } = await openConsole(chromium.browser, world().issuer, { path, viewport: desk });
  const watched = ".today h1, .figure, .charts canvas, .tools > *, .timeline li:first-child button";
  await page.getByRole("button", { name: "Pause the line" }).click();
  await page.getByRole("button", { name: "Let the line go on" }).waitFor();
  await page.locator(".timeline li button").first().waitFor();
  await page.locator(".charts canvas").first().waitFor({ timeout: 30_000 });
  const header = await expectBetween(page, ".top", 0, 64);
  await expectBetween(page, "nav", 0, 64);
  await expectBetween(page, watched, header, desk.height);
  // Figures and tools stay where somebody reads further down.
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  const figures = await expectBetween(page, ".figure", header, 200);
  await expectBetween(page, ".tools > *", figures, desk.height);

  await page.evaluate("scrollTo(0, 0)");
  await page.setViewportSize(phone);
  await tileOf(page, "Pace").waitFor();
  const [menu] = await placesOf(page, "nav");
  expect([(await placesOf(page, "nav")).length, menu?.bottom]).toEqual([1, phone.height]);
  await expectBetween(page, ".top", 0, 60);
  await expectBetween(page, ".today h1, .figure, .tools .tile, #control-pause", 0, menu?.top ?? 0);
  await expectNoSidewaysScroll(page);
  for (const title of tools) {
    await tileOf(page, title).click();
    const sheet = page.getByRole("dialog", { name: title, exact: true });
    await sheet.waitFor();
    await expectNoAxeViolations(page);
    await sheet.getByRole("button", { name: "Close" }).click();
    await sheet.waitFor({ state: "hidden" });
  }
  expect(faults).toEqual([]);
});

test("the box office finds visitors first; what is written stays in a sheet that is closed, and no choice has one answer alone", async () => {
  const { page } = await openConsole(chromium.browser, world().issuer, { path, viewport: phone, key: deskKey });
  const names = page.locator(".tools .tile strong");
  await names.first().waitFor();
  await expect
    .poll(() => names.allTextContents())
    .toEqual(["Find a visitor", "Message", "Let one person past", "Left to sell"]);
  await page.keyboard.press("m");
  const sheet = page.getByRole("dialog", { name: "Message", exact: true });
  const words = sheet.getByLabel("Message on the pages of the room");
  await words.fill("Doors at noon.");
  await expect.poll(() => sheet.getByRole("radio").count()).toBe(0);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  await page.keyboard.press("m");
  await expect.poll(() => words.inputValue()).toBe("Doors at noon.");
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("control-message");
});

test("a press says at once that it is under way, after five seconds that nobody has answered, and in the end what came of it", async () => {
  const { page } = await openConsole(chromium.browser, world().issuer, { path, viewport: phone });
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/admin/rooms/shop/resume", async (route) => {
    await isAnswered;
    await route.continue();
  });
  const goOn = page.getByRole("button", { name: "Let the line go on" });
  await goOn.click();
  const toast = page.locator(".recent");
  await toast.getByText("Under way …").waitFor();
  await expect.poll(() => goOn.isDisabled()).toBe(true);
  await page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 5_000; }");
  await toast.getByText(/^No answer for \d+ s\. It may still be carried out\.$/).waitFor();
  answer();
  await toast.getByText("The line goes on.").waitFor();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await expectBetween(page, ".recent button", 0, phone.height);
});
