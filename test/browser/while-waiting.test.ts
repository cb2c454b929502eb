/** What visitors may read while they wait, in a real browser and from a real gateway: it is there, and in nobody's way. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../support/chromium.ts";
import { soon } from "../support/gallery-visit.ts";
import { inspectOnScreens } from "../support/page-inspection.ts";
import { boxesOf } from "../support/page-measures.ts";
import { long, test } from "../support/sizes.ts";

const images = "https://images.example.test";
const image = (name: string) => `![The hall, seen from the stage](${images}/${name} "640x360")`;
const text = {
  en: [
    "# On stage tonight",
    "- **The Gulls**, at eight\n- [All about the tour](https://www.example.test/tour)",
    "### Before that",
    image("hall.svg"),
    'Doors at *seven*. <b id="enter">It is your turn</b>',
  ].join("\n\n"),
  ar: "# الليلة على المسرح\n\n- في الثامنة\n\nالأبواب في السابعة.",
};
/** An image that is scrolled to lies further below than browsers look ahead. */
const longText = `${"And this is what happened then. ".repeat(85)}\n\n${image("far.svg")}`;
/** Another size than it is said to have. */
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="400"><rect width="100" height="400" fill="teal"/></svg>';

describe("what visitors may read while they wait", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "read", settings: { while_waiting: text } },
      { id: "long", settings: { while_waiting: longText } },
      { id: "live" },
      {
        id: "doors",
        settings: {
          while_waiting: text,
          schedule: { prequeue_at: "2020-01-01T00:00:00Z", opens_at: "2099-01-01T00:00:00Z" },
        },
      },
    ],
  }));
  let chromium: BorrowedChromium;
  beforeAll(async () => {
    chromium = await borrowChromium();
  });
  afterAll(() => chromium.refund());
  let page: Page;
  /** Of images, with the referrers that they came with. */
  let imageRequests: [url: string, referrer: string | undefined][];
  let complaints: string[];
  afterEach(() => page.context().close());

  const loginUrl = (room: string) => world().relyingParty(room).startLogin().url.href;

  async function arrive(room: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) {
    const context = await chromium.browser.newContext({
      viewport: { width: 360, height: 780 },
      locale: "en-GB",
      ...options,
    });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    imageRequests = [];
    complaints = [];
    page.on("console", (said) => {
      // A missing text is answered by 404, which browsers note.
      if (said.type() === "error" && !said.text().includes("404")) complaints.push(said.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await context.route(`${images}/**`, async (route) => {
      imageRequests.push([route.request().url(), (await route.request().headerValue("referer")) ?? undefined]);
      await route.fulfill({ contentType: "image/svg+xml", body: svg });
    });
    await prepare?.(page);
    await page.goto(loginUrl(room));
  }

  const slot = () => page.locator("aside .slot");

  test("it stands below all else of the page, moves nothing above it, takes no focus, and is announced to nobody", async () => {
    await arrive("read", { viewport: { width: 1_280, height: 1_600 } }, (page) =>
      page.addInitScript(`
        window.moved = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) for (const { node } of entry.sources) moved.push(node?.closest?.("main") ? node.outerHTML : "");
        }).observe({ type: "layout-shift", buffered: true });`),
    );
    const before = await boxesOf(page, ".card");
    await slot().waitFor();
    expect(await boxesOf(page, ".card")).toEqual(before);
    const [own, offers] = await boxesOf(page, "aside .slot", "main > footer");
    expect(own.y).toBeGreaterThanOrEqual(offers.y + offers.height);
    expect(own.x).toBe(offers.x);
    await expect
      .poll(() => page.locator("aside img").evaluate((image) => (image as HTMLImageElement).complete), soon)
      .toBe(true);
    expect(await page.evaluate("moved.filter((html) => html !== '')")).toEqual([]);
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    const aside = page.getByRole("complementary", { name: "While you wait" });
    await expect.poll(() => aside.getAttribute("aria-live")).toBeNull();
    await expect.poll(() => aside.locator("xpath=ancestor-or-self::*[@role or @aria-live]").count()).toBe(0);
    // What is written in it as HTML is text, and its headings come below the page's.
    await expect.poll(() => aside.textContent()).toContain('<b id="enter">It is your turn</b>');
    await expect.poll(() => aside.locator("h2, h3").allTextContents()).toEqual(["On stage tonight", "Before that"]);
    await expect.poll(() => page.locator("#enter").count()).toBe(1);
    const link = aside.getByRole("link", { name: "All about the tour" });
    expect([await link.getAttribute("target"), await link.getAttribute("rel")]).toEqual([
      "_blank",
      "noopener noreferrer",
    ]);
    expect(imageRequests).toEqual([[`${images}/hall.svg`, undefined]]);
    expect(complaints).toEqual([]);
  });

  long("on a phone it is whole, by day and by night, before the doors as well, and from right to left", async () => {
    const screens = (["light", "dark"] as const).map((colorScheme) => ({
      name: `phone-${colorScheme}`,
      width: 360,
      height: 780,
      media: { colorScheme },
    }));
    for (const [room, locale] of [
      ["read", "en-GB"],
      ["doors", "en-GB"],
      ["read", "ar"],
    ] as const) {
      await arrive(room, { locale });
      await slot().waitFor();
      if (locale === "ar") {
        expect(await slot().evaluate((slot) => getComputedStyle(slot).direction)).toBe("rtl");
        await expect.poll(() => page.getByRole("complementary", { name: "أثناء انتظارك" }).count()).toBe(1);
      }
      await inspectOnScreens(page, `while-waiting-${room}-${locale}`, screens);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  long("an image is loaded when it is scrolled to, and what is around it stays where it is", async () => {
    await arrive("long");
    const picture = page.locator("aside img");
    await picture.waitFor({ state: "attached" });
    const before = (await picture.boundingBox()) ?? expect.fail("no image");
    expect(imageRequests).toEqual([]);
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalHeight), soon).toBe(400);
    const after = (await picture.boundingBox()) ?? expect.fail("no image");
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    expect(after.width / after.height).toBeCloseTo(640 / 360, 1);
  });

  long(
    "pages that are open have a change after their next question, and images of new origins by their text",
    async () => {
      await arrive("live");
      await page.locator(".walk").waitFor({ state: "attached" });
      await expect.poll(() => page.locator("aside").count()).toBe(0);
      const change = async (said: unknown) => {
        await world().admin.change("live", { while_waiting: said });
        await page.locator("#enter").click();
      };
      await change(`One\n\n${image("new.svg")}`);
      await slot().getByText("One").waitFor();
      await expect.poll(() => slot().textContent()).toContain("The hall, seen from the stage");
      await expect.poll(() => slot().locator("img").count()).toBe(0);
      await change("Two");
      await slot().getByText("Two").waitFor();
      await expect.poll(() => page.locator("aside").count()).toBe(1);
      await change("off");
      await slot().waitFor({ state: "detached" });
      await expect.poll(() => page.locator("aside").count()).toBe(0);
      expect([imageRequests, complaints]).toEqual([[], []]);
    },
  );

  long("where it can't be had, nothing is shown and nothing is said", async () => {
    let asked = 0;
    await arrive("read", {}, (page) =>
      page.route("**/while-waiting/part?*", (route) => {
        asked++;
        return route.fulfill({ status: 503, body: "<main><div class=slot>No</div></main>", contentType: "text/html" });
      }),
    );
    await expect.poll(() => asked, soon).toBe(1);
    await page.locator(".walk").waitFor({ state: "attached" });
    await expect.poll(() => page.locator("aside").count()).toBe(0);
    await expect.poll(() => page.locator("#problem").textContent()).toBe("");
  });

  long("without scripts a link opens it beside the page", async () => {
    await arrive("read", { javaScriptEnabled: false });
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "While you wait" }).click(),
    ]);
    await expect.poll(() => opened.getByRole("heading", { level: 1 }).textContent()).toBe("The room read");
    await expect.poll(() => opened.getByRole("heading", { level: 2 }).textContent()).toBe("On stage tonight");
    await expect.poll(() => imageRequests, soon).toEqual([[`${images}/hall.svg`, undefined]]);
    expect(complaints).toEqual([]);
  });

  long("the page of its own, too, has nothing that axe finds", async () => {
    await arrive("read");
    await page.goto(`${world().issuer}/rooms/read/while-waiting?language=en`);
    await expectNoAxeViolations(page);
    expect(complaints).toEqual([]);
  });
});
