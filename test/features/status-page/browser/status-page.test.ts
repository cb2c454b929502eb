/** The status page in a real browser, from a real gateway: on small screens and large, by day and night, without scripts, in a language that is chosen. */
import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../../support/chromium.ts";
import { expectRoomForLargeLetters, inspectOnScreens, type Screen } from "../../../support/page-inspection.ts";
import { long, test } from "../../../support/sizes.ts";

const screens: Screen[] = [
  { name: "320-light", width: 320, height: 640, media: { colorScheme: "light" } },
  { name: "1280-dark", width: 1_280, height: 900, media: { colorScheme: "dark" } },
  { name: "320-forced", width: 320, height: 640, media: { forcedColors: "active" } },
];

describe("the status page", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "tickets" },
      { id: "paused" },
      { id: "soon", settings: { schedule: { prequeue_at: "2099-01-01T09:00:00Z", opens_at: "2099-01-01T10:00:00Z" } } },
    ],
    config: { status_page: { enabled: true } },
  }));
  let chromium: BorrowedChromium;
  let page: Page;
  beforeAll(async () => {
    chromium = await borrowChromium();
    const { admin } = world();
    await admin.step("paused", "pause");
    const open = async (body: object) =>
      ((await admin.request("POST", "/incidents", body)).json() as { id: string }).id;
    await open({
      title: "Payments are slow",
      text: `${"We are looking into it. ".repeat(8)}\nPlaces are safe.`,
      rooms: ["tickets"],
    });
    const over = await open({ title: "الرسائل متأخرة", text: "نعمل على حلّ المشكلة.", language: "ar" });
    await admin.request("POST", `/incidents/${over}/updates`, { text: "حُلّت المشكلة.", state: "resolved" });
    // What is known is looked at once a second.
    await pause(1_100);
  });
  afterAll(() => chromium.refund());
  let complaints: string[];
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  async function visit(path = "/status", options: BrowserContextOptions = {}): Promise<void> {
    const context = await chromium.browser.newContext({ viewport: { width: 360, height: 780 }, ...options });
    page = await context.newPage();
    complaints = [];
    page.on("console", (said) => complaints.push(said.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(world().issuer + path);
  }

  const isWhole = "%s: nothing is cut off, and nothing for axe, on any screen";
  test.each(["en"])(isWhole, lookAt);
  long.each(["de", "ar", "ja"])(isWhole, lookAt);

  async function lookAt(tag: string): Promise<void> {
    await visit(`/status?language=${tag}`);
    await inspectOnScreens(page, `status-page-${tag}`, screens);
    await page.setViewportSize({ width: 320, height: 256 });
    await expectRoomForLargeLetters(page, `status-page-${tag}`);
  }

  long("what a screen reader finds", async () => {
    await visit();
    const found = await page.locator("main").ariaSnapshot();
    expect(found.split("\n").filter((line) => /heading/.test(line))).toEqual([
      '  - heading "Status" [level=1]',
      '    - heading "Incidents" [level=2]',
      '      - heading "Payments are slow" [level=3]',
      '    - heading "Waiting rooms" [level=2]',
      '        - heading "The room tickets" [level=3]',
      '        - heading "The room paused" [level=3]',
      '        - heading "The room soon" [level=3]',
      '    - heading "Resolved in the last 14 days" [level=2]',
      '      - heading "الرسائل متأخرة" [level=3]',
    ]);
  });

  test("without scripts a language is chosen with the keyboard, and the address says which", async () => {
    await visit("/status", { javaScriptEnabled: false });
    await page.getByLabel("Language").focus();
    await page.keyboard.type("Deutsch");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Warteräume" }).waitFor();
    expect(page.url()).toBe(`${world().issuer}/status?language=de`);
    expect(await page.context().cookies()).toEqual([]);
    await expect.poll(() => page.getByRole("heading", { name: "Payments are slow" }).count()).toBe(1);
  });
});
