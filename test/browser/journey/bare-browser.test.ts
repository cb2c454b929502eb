/** Browsers that do less, at a real gateway: without JavaScript, and without cookies. */
import { afterAll, beforeAll, describe } from "vitest";
import { launchWithoutCookies } from "../../support/chromium.ts";
import { type Journey, startJourney } from "../../support/journey.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { isInside, parkedAt, recordNavigations, seesNotice, seesPeopleAhead } from "../../support/waiting-visitor.ts";

const withoutScript = { javaScriptEnabled: false };
const claimWithinMs = 3_000;

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([
    { id: "checks" },
    { id: "leaves" },
    { id: "expires", admission: { claim_within: `${claimWithinMs}ms` } },
    { id: "cookieless" },
    { id: "bare" },
  ]);
});
afterAll(() => journey?.stop());

describe.concurrent("without JavaScript", () => {
  test("a link gives the newest numbers, and lets in when it is the visitor's turn", async ({ expect }) => {
    await journey.joinOthers("checks", 2);
    const page = await journey.arrive("checks", withoutScript);
    await seesPeopleAhead(page, "2 people ahead of you");
    const check = page.getByRole("link", { name: "Check my place" });
    await journey.admin.increment("checks", 1);
    await check.click();
    await seesPeopleAhead(page, "1 person ahead of you");
    expect(await parkedAt(page)).toBe(3);
    await journey.admin.increment("checks", 2);
    await check.click();
    expect(await isInside(page)).toBe(3);
    // However much of the way the browser remembers, none of it is an error of the site.
    await page.goBack({ waitUntil: "commit" });
    if (!page.url().startsWith(journey.outsideUrl)) expect(await isInside(page)).toBe(3);
  });

  long("the place can be given up, in two steps, and joining again means the end of the line", async ({ expect }) => {
    const page = await journey.arrive("leaves", withoutScript);
    expect(await parkedAt(page)).toBe(1);
    const leave = page.getByRole("button", { name: "Give up my place" });
    await expect.poll(() => leave.isVisible()).toBe(false);
    await page.getByText("Leave the line").click();
    await leave.click();
    await seesNotice(page, "left");
    await page.goto(journey.siteUrl("leaves"));
    expect(await parkedAt(page)).toBe(2);
  });

  long("whose turn has passed joins again with one button", async ({ expect }) => {
    const page = await journey.arrive("expires", withoutScript);
    await journey.admin.increment("expires", 1);
    await page.waitForTimeout(claimWithinMs + 1_500);
    await page.getByRole("link", { name: "Check my place" }).click();
    await seesNotice(page, "place_expired");
    await page.getByRole("button", { name: "Join the line again" }).click();
    expect(await parkedAt(page)).toBe(2);
    await journey.admin.change("expires", { admission: { claim_within: "10m" } });
    await journey.admin.increment("expires", 1);
    await page.getByRole("link", { name: "Check my place" }).click();
    expect(await isInside(page)).toBe(2);
  });
});

describeLong("without cookies", { concurrent: true }, () => {
  long("the page says so at once, not at the end of the wait; no loop, one position", async ({ expect }) => {
    const { context, close } = await launchWithoutCookies(journey.gateway.issuer);
    try {
      const page = await journey.arriveIn(context, "cookieless");
      await seesNotice(page, "cookies_blocked");
      const navigations = recordNavigations(page);
      await page.waitForTimeout(2_000);
      expect(navigations).toEqual([]);
      // Trying again takes one place more, not one after the other.
      await page.getByRole("link", { name: "Try again" }).click();
      await expect.poll(() => navigations.length, { timeout: 60_000 }).toBe(2);
      await page.waitForTimeout(1_000);
      await seesNotice(page, "cookies_blocked");
      expect(navigations.length).toBe(2);
      expect(await journey.joinOthers("cookieless")).toBe(3);
    } finally {
      await close();
    }
  });

  long("nor JavaScript, the page says so when asked for the place", async ({ expect }) => {
    const { context, close } = await launchWithoutCookies(journey.gateway.issuer, withoutScript);
    try {
      const page = await journey.arriveIn(context, "bare");
      expect(await parkedAt(page)).toBe(1);
      await page.getByRole("link", { name: "Check my place" }).click();
      await seesNotice(page, "cookies_blocked");
      expect(await journey.joinOthers("bare")).toBe(2);
    } finally {
      await close();
    }
  });
});
