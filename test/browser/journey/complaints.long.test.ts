// Long: browsers of many kinds; optional-apis.test.ts has closed storage, let-in.test.ts the way in.
/**
 * What people complain about who waited in lines like this one, at a real gateway. Complaints that another test of the
 * pages answers are named in its title.
 */
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { type Journey, startJourney } from "../../support/journey.ts";
import { long, test } from "../../support/sizes.ts";
import { isInside, parkedAt, seesPeopleAhead } from "../../support/waiting-visitor.ts";

const soon = { timeout: 60_000, interval: 50 };

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([{ id: "bots" }, { id: "private" }, { id: "sold", title: "Autumn tour tickets" }]);
});
afterAll(() => journey?.stop());

const visitors: Record<string, BrowserContextOptions> = {
  "a program's name, without scripts": { userAgent: "curl/8.5.0", javaScriptEnabled: false },
  "no name at all": { userAgent: "", extraHTTPHeaders: { "accept-language": "" } },
  // As the Tor Browser at its safest level: no scripts, everybody's window and language, an address that many share.
  "a shared address, and nothing of their own": {
    userAgent: "Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0",
    viewport: { width: 1400, height: 900 },
    locale: "en-US",
    timezoneId: "UTC",
    javaScriptEnabled: false,
    extraHTTPHeaders: { dnt: "1", "sec-gpc": "1", "x-forwarded-for": "185.220.101.1" },
  },
};

describe.concurrent("complaints", () => {
  long(`"I was taken for a bot": whoever comes gets a place, without a puzzle, and is let in`, async ({ expect }) => {
    const pages = [];
    for (const [place, [name, options]] of Object.entries(visitors).entries()) {
      const page = await journey.arrive("bots", options);
      expect(await parkedAt(page), name).toBe(place + 1);
      expect(
        await page.locator("main").locator("img, iframe, canvas, input:not([type=checkbox], [type=hidden])").count(),
      ).toBe(0);
      pages.push(page);
    }
    await journey.admin.increment("bots", pages.length);
    for (const [index, page] of pages.entries()) {
      // Without scripts, the page goes nowhere by itself.
      if (Object.values(visitors)[index]?.javaScriptEnabled === false) await page.locator("#enter").click();
      expect(await isInside(page)).toBe(index + 1);
    }
  });

  test(`"private mode lost my place": storage that is closed costs nothing while the private window is open`, async ({
    expect,
  }) => {
    const context = await journey.browser.newContext({ locale: "en-GB" });
    await context.addInitScript(`for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(window, name, { get() { throw new DOMException("closed", "SecurityError"); } });
    }`);
    const page = await journey.arriveIn(context, "private");
    expect(await parkedAt(page)).toBe(1);
    await page.reload();
    expect(await parkedAt(page)).toBe(1);
    const later = await journey.arriveIn(context, "private");
    await page.close();
    expect(await parkedAt(later)).toBe(1);
    expect(await journey.joinOthers("private")).toBe(2);
    await journey.admin.increment("private", 1);
    expect(await isInside(later)).toBe(1);
  });

  long(
    `"nobody told me what I queue for, or that it sold out": the page says both, the end of it aloud`,
    async ({ expect }) => {
      await journey.joinOthers("sold", 1);
      const page = await journey.arrive("sold");
      await seesPeopleAhead(page, "1 person ahead of you");
      await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Autumn tour tickets");
      expect(await page.title()).toBe("1 ahead – Autumn tour tickets");
      const words = { text: "That was the last ticket.", severity: "sold_out" };
      await journey.admin.change("sold", { message: words });
      await expect
        .poll(() => page.getByRole("alert").allTextContents(), soon)
        .toContainEqual(expect.stringMatching(/(Sold out|From the organiser)\s+That was the last ticket\./));
    },
  );
});
