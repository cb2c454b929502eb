/** The real pages on a phone, with the keyboard only, in light and dark: what every visitor must be able to read and do. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { english } from "../../support/english.ts";
import { type Journey, startJourney } from "../../support/journey.ts";
import { inspectPage } from "../../support/page-inspection.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { isInside, parkedAt, seesNotice, setVisibility, tabStops, tabTo } from "../../support/waiting-visitor.ts";

const claimWithinMs = 1_000;
const widthPx = 360;

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([
    { id: "reads" },
    { id: "keys" },
    { id: "enters" },
    { id: "leaves" },
    { id: "blocked" },
    { id: "errors" },
    { id: "logs-out" },
    { id: "expires", admission: { claim_within: `${claimWithinMs}ms` } },
  ]);
});
afterAll(() => journey?.stop());

/** Both ways that a visitor's screen may be set. */
async function inspectInLightAndDark(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await inspectPage(page, `real-${name}-${widthPx}-${colorScheme}`);
  }
}

describe.concurrent("with the keyboard only", () => {
  long("a visitor reaches everything in order, sees where they are, and leaves", async ({ expect }) => {
    const page = await journey.arrive("leaves");
    await parkedAt(page);
    const stops = await tabTo(page, "Leave the line");
    const [check, call] = stops;
    expect([check?.name, call?.name]).toEqual(["Check my place", english.waiting.call.summary]);
    await page.keyboard.press("Enter");
    const [confirm] = await tabStops(page, 1);
    expect(confirm?.name).toBe("Give up my place");
    for (const stop of [...stops, confirm]) expect(stop?.outlinePx).toBeGreaterThanOrEqual(2);
    await page.keyboard.press("Enter");
    await seesNotice(page, "left");
    await inspectInLightAndDark(page, "left");
  });

  test("a visitor comes all the way: checks, is called, reads in another language, enters", async ({ expect }) => {
    const permissions = ["notifications", "screen-wake-lock"];
    const context = await journey.browser.newContext({ locale: "en-GB", colorScheme: "dark", permissions });
    const page = await context.newPage();
    await page.goto(`${journey.outsideUrl}/?to=${encodeURIComponent(journey.siteUrl("keys"))}`);
    const press = (key: string) => page.keyboard.press(key);
    await tabTo(page, "To the site");
    await press("Enter");
    expect(await parkedAt(page)).toBe(1);
    await journey.joinOthers("keys", 1);

    const stops = await tabTo(page, "Check my place");
    await press("Enter");
    stops.push(...(await tabTo(page, english.waiting.call.summary)));
    await press("Enter");
    await expect.poll(() => page.getByRole("checkbox", { name: "Play a sound" }).isEnabled()).toBe(true);
    for (const name of ["Play a sound", "Test the sound", "Show a notification", "Keep the screen on"]) {
      stops.push(...(await tabTo(page, name)));
      await press("Space");
    }
    for (const box of await page.getByRole("checkbox").all()) expect(await box.isChecked()).toBe(true);
    stops.push(...(await tabTo(page, "Language")));
    await page.keyboard.type("Deutsch");
    const [choose] = await tabStops(page, 1);
    stops.push(...(choose ? [choose] : []));
    expect((await tabTo(page)).length).toBe(0);
    expect(stops.map(({ name }) => name)).toEqual([
      "Check my place",
      english.waiting.call.summary,
      "Play a sound",
      "Test the sound",
      "Show a notification",
      "Keep the screen on",
      "Wait in another browser or on another device",
      "Leave the line",
      "Language",
      "Change",
    ]);
    for (const { name, outlinePx, outlineContrast } of stops) {
      expect(outlinePx, name).toBeGreaterThanOrEqual(2);
      expect(outlineContrast, name).toBeGreaterThanOrEqual(3);
    }
    // Out of the page and back into it, from behind.
    await press("Shift+Tab");
    await press("Enter");
    await page.locator('html[lang="de"]').waitFor();
    await setVisibility(page, "hidden");
    await journey.admin.increment("keys", 1);
    await page.locator('main[data-state="turn"]').waitFor();
    await tabTo(page, (await page.locator("#enter").textContent()) ?? "");
    await press("Enter");
    expect(await isInside(page)).toBe(1);
  });

  long("a visitor whose turn has come enters", async ({ expect }) => {
    const page = await journey.arrive("enters");
    await parkedAt(page);
    await setVisibility(page, "hidden");
    await journey.admin.increment("enters", 1);
    await page.getByRole("link", { name: english.waiting.live.enter }).waitFor();
    await inspectInLightAndDark(page, "turn");
    const [enter] = await tabStops(page, 1);
    expect(enter).toMatchObject({ name: english.waiting.live.enter });
    expect(enter?.outlinePx).toBeGreaterThanOrEqual(2);
    await page.keyboard.press("Enter");
    expect(await isInside(page)).toBe(1);
  });

  long("a visitor whose turn has passed joins again", async ({ expect }) => {
    const page = await journey.arrive("expires");
    await parkedAt(page);
    await setVisibility(page, "hidden");
    await journey.admin.increment("expires", 1);
    await page.waitForTimeout(claimWithinMs + 1_500);
    await setVisibility(page, "visible");
    await seesNotice(page, "place_expired");
    await expect.poll(() => page.locator(".card").textContent()).toContain("A turn is held for 1 second.");
    await inspectInLightAndDark(page, "place_expired");
    const [join] = await tabStops(page, 1);
    expect(join?.name).toBe("Join the line again");
    expect(join?.outlinePx).toBeGreaterThanOrEqual(2);
    await page.keyboard.press("Enter");
    expect(await parkedAt(page)).toBe(2);
  });
});

describeLong("on a phone, in light and dark, with nothing for axe to find", { concurrent: true }, () => {
  long("the waiting page", async ({ expect }) => {
    await journey.joinOthers("reads", 411);
    const page = await journey.arrive("reads");
    expect(await parkedAt(page)).toBe(412);
    expect(await page.evaluate("innerWidth")).toBe(widthPx);
    await page.getByText("Leave the line").click();
    await inspectInLightAndDark(page, "waiting");
  });

  long("a page for whoever lost the cookie", async () => {
    const page = await journey.arrive("blocked");
    await parkedAt(page);
    await page.context().clearCookies();
    await page.evaluate("location.replace(location.href)");
    await seesNotice(page, "cookies_blocked");
    await inspectInLightAndDark(page, "cookies_blocked");
  });

  long("a page for a link of a client that nobody knows", async ({ expect }) => {
    const page = await journey.arrive("errors");
    await parkedAt(page);
    const address = new URL(page.url());
    address.searchParams.set("client_id", "nobody");
    const response = await page.goto(address.href);
    expect(response?.status()).toBe(400);
    await seesNotice(page, "request_refused");
    const requestId = response?.headers()["x-request-id"];
    expect(requestId).toMatch(/^[\w-]{8,}$/);
    await expect
      .poll(() => page.locator(".reference").textContent())
      .toBe(`Reference: request_refused\u00a0· ${requestId}`);
    await inspectInLightAndDark(page, "request_refused");
  });

  long(
    "the question before logging out, and the pages after it: the site's own, or else the gateway's",
    async ({ expect }) => {
      const page = await journey.arrive("logs-out");
      await parkedAt(page);
      await journey.admin.increment("logs-out", 1);
      await isInside(page);
      await page.getByRole("link", { name: "Log out" }).click();
      await page.getByRole("heading", { level: 1, name: "You have left" }).waitFor();
      await page.getByRole("link", { name: "Line up again" }).click();
      expect(await parkedAt(page)).toBe(2);

      // Without a site that says who it is, and to lead back to.
      await journey.admin.increment("logs-out", 1);
      await isInside(page);
      await page.goto(`${journey.gateway.issuer}/logout`);
      await seesNotice(page, "logout_confirm");
      await inspectInLightAndDark(page, "logout_confirm");
      const [logOut] = await tabStops(page, 1);
      expect(logOut?.name).toBe("Log out");
      await page.keyboard.press("Enter");
      await seesNotice(page, "logged_out");
      await inspectInLightAndDark(page, "logged_out");
    },
  );
});
