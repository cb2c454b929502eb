/**
 * The whole way of a visitor whose page has its style and script as files beside it, at a real gateway: with them, where they
 * do not come, and without scripts.
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { type Journey, startJourney } from "../../support/journey.ts";
import { long, test } from "../../support/sizes.ts";
import { isInside, parkedAt, recordNavigations, seesPeopleAhead } from "../../support/waiting-visitor.ts";

const english = { locale: "en-GB", viewport: { width: 360, height: 780 } };

let journey: Journey;
beforeAll(async () => {
  const rooms = ["usual", "bare", "script", "style", "revisit", "language"].map((id) => ({ id }));
  journey = await startJourney(rooms, { pages: { assets: "linked" } });
});
afterAll(() => journey?.stop());

const fileOf = (url: string) => /\/assets\/(waiting|image)-[^/]+$/.exec(new URL(url).pathname)?.[0];
const isStyled = (page: Page) =>
  page.locator(".card").evaluate((card) => getComputedStyle(card as never).borderTopLeftRadius !== "0px");

/** Nothing that the policy refuses, and no error of a script. */
function hearComplaints(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  return complaints;
}

/** Where files of this kind do not come, as with a process of another version. @returns how often they were asked for */
async function withhold(context: BrowserContext, extension: "css" | "js"): Promise<() => number> {
  let asked = 0;
  await context.route(new RegExp(`/assets/waiting-[^/]+\\.${extension}$`), async (route) => {
    asked++;
    await route.fulfill({ status: 404, headers: { "cache-control": "no-store" }, body: "" });
  });
  return () => asked;
}

describe.concurrent("a page with files beside it", () => {
  test("is styled when it is first seen, follows the line, and lets the visitor in by itself", async ({ expect }) => {
    await journey.joinOthers("usual", 2);
    const context = await journey.browser.newContext(english);
    const complaints = hearComplaints(context);
    const asked: string[] = [];
    context.on("request", (request) => void asked.push(fileOf(request.url()) ?? ""));
    const page = await journey.arriveIn(context, "usual");
    expect(await parkedAt(page)).toBe(3);
    expect(await isStyled(page)).toBe(true);
    await seesPeopleAhead(page, "2 people ahead of you");
    await journey.admin.increment("usual", 1);
    await seesPeopleAhead(page, "1 person ahead of you");
    await journey.admin.increment("usual", 2);
    expect(await isInside(page)).toBe(3);
    const kinds = asked.filter((file) => file !== "").map((file) => file.replace(/^.*\./, ""));
    expect(kinds).toEqual(expect.arrayContaining(["css", "js"]));
    expect(complaints).toEqual([]);
  });

  long("without scripts a link gives the newest numbers, and lets in", async ({ expect }) => {
    await journey.joinOthers("bare", 1);
    const page = await journey.arrive("bare", { javaScriptEnabled: false });
    await seesPeopleAhead(page, "1 person ahead of you");
    expect(await isStyled(page)).toBe(true);
    await journey.admin.increment("bare", 2);
    await page.getByRole("link", { name: "Check my place" }).click();
    expect(await isInside(page)).toBe(2);
  });

  long.for(["js", "css"] as const)(
    "whose %s does not come asks once for itself with all inside, keeps the place, and goes on",
    async (kind, { expect }) => {
      const room = kind === "js" ? "script" : "style";
      await journey.joinOthers(room, 1);
      const context = await journey.browser.newContext(english);
      const asked = await withhold(context, kind);
      const page = await journey.arriveIn(context, room);
      const navigations = recordNavigations(page);
      expect(await parkedAt(page)).toBe(2);
      await page.locator("head style").waitFor({ state: "attached" });
      expect(await isStyled(page)).toBe(true);
      expect(await parkedAt(page)).toBe(2);
      await journey.admin.increment(room, 2);
      expect(await isInside(page)).toBe(2);
      expect(asked()).toBe(1);
      expect(navigations.filter(({ pathname }) => pathname === "/authorize").length).toBeLessThanOrEqual(2);
    },
  );

  long("takes its files from the browser when it is loaded again", async ({ expect }) => {
    const page = await journey.arrive("revisit");
    expect(await parkedAt(page)).toBe(1);
    await page.waitForLoadState("load");
    const files = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter(({ name }) => /\/assets\/waiting-/.test(name))
          .map((entry) => (entry as unknown as { transferSize: number }).transferSize),
      );
    expect(await files()).toHaveLength(2);
    await page.getByRole("link", { name: "Check my place" }).evaluate(() => location.assign(location.href));
    await expect.poll(files).toEqual([0, 0]);
    expect(await parkedAt(page)).toBe(1);
  });

  long("comes back to itself in the language that the visitor chooses", async ({ expect }) => {
    const page = await journey.arrive("language");
    expect(await parkedAt(page)).toBe(1);
    await page.locator("#language").selectOption("de");
    await page.locator("#languages button").click();
    await page.locator('html[lang="de"] main[data-live]').waitFor();
    expect(await parkedAt(page)).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/authorize");
  });
});
