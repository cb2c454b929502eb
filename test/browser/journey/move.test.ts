/** A place that goes on in another browser: laptop and phone, at a real gateway with a real site behind. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { type Journey, startJourney } from "../../support/journey.ts";
import { inspectPage } from "../../support/page-inspection.ts";
import { openQrReader } from "../../support/qr-picture.ts";
import { long, test } from "../../support/sizes.ts";
import { isInside, parkedAt, seesNotice, setVisibility } from "../../support/waiting-visitor.ts";

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([
    { id: "laptop" },
    { id: "bare", settings: { moves: "unlimited" } },
    { id: "has-place" },
  ]);
});
afterAll(() => journey?.stop());

const wide = { width: 1280, height: 900 };
const narrow = { width: 320, height: 640 };

async function askForLink(page: Page): Promise<string> {
  await page.getByText("Wait in another browser or on another device").click();
  await page.getByRole("button", { name: "Get the link" }).click();
  await seesNotice(page, "move");
  return page.getByLabel("The link", { exact: true }).inputValue();
}

async function onPhone(link: string, javaScriptEnabled = true): Promise<Page> {
  const context = await journey.browser.newContext({ viewport: narrow, javaScriptEnabled, colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

const bringHere = (page: Page) => page.getByRole("button", { name: "Bring my place here" }).click();

describe.concurrent("a place", () => {
  long(
    "goes from the laptop to a phone that scans its code; the phone gets in, and the laptop says where the place is",
    async ({ expect }) => {
      const laptop = await journey.arrive("laptop", { viewport: wide, colorScheme: "dark" });
      await laptop.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await journey.joinOthers("laptop", 2);
      expect(await parkedAt(laptop)).toBe(1);
      const link = await askForLink(laptop);
      await laptop.getByRole("button", { name: "Copy the link" }).click();
      await laptop.getByRole("status").filter({ hasText: "Copied" }).waitFor();
      expect(await laptop.evaluate("navigator.clipboard.readText()")).toBe(link);
      const reader = await openQrReader(journey.browser);
      const code = laptop.getByRole("img", { name: "The link as a code to scan" });
      for (const [viewport, colorScheme] of [
        [wide, "dark"],
        [narrow, "light"],
        [narrow, "dark"],
      ] as const) {
        await laptop.setViewportSize(viewport);
        await laptop.emulateMedia({ colorScheme });
        await inspectPage(laptop, `move-${viewport.width}-${colorScheme}`);
        expect(await reader.read(await code.screenshot())).toBe(link);
      }

      const phone = await onPhone(link);
      await seesNotice(phone, "move_here");
      await inspectPage(phone, "move-here-320-dark");
      await bringHere(phone);
      expect(await parkedAt(phone)).toBe(1);
      // It asks by itself, and sooner when somebody looks at it again.
      await setVisibility(laptop, "hidden");
      await setVisibility(laptop, "visible");
      await seesNotice(laptop, "moved");
      await inspectPage(laptop, "moved-320-dark");
      await journey.admin.increment("laptop", 1);
      expect(await isInside(phone)).toBe(1);
      await laptop.reload();
      await seesNotice(laptop, "moved");

      // The link was used: nobody gets anywhere by it, but whoever is in.
      const late = await onPhone(link);
      await seesNotice(late, "move_void");
      await inspectPage(late, "move-void-320-dark");
      await phone.goto(link);
      expect(await isInside(phone)).toBe(1);
      await laptop.getByRole("button", { name: "Join the line again" }).click();
      expect(await parkedAt(laptop)).toBe(4);
    },
  );

  test("goes without scripts, too, and back again", async ({ expect }) => {
    const laptop = await journey.arrive("bare", { javaScriptEnabled: false });
    expect(await parkedAt(laptop)).toBe(1);
    const link = await askForLink(laptop);
    await expect.poll(() => laptop.getByRole("button", { name: "Copy the link" }).count()).toBe(0);
    await laptop.getByRole("link", { name: "Back to my place" }).click();
    expect(await parkedAt(laptop)).toBe(1);

    const phone = await onPhone(link, false);
    await bringHere(phone);
    expect(await parkedAt(phone)).toBe(1);
    await laptop.getByRole("link", { name: "Check my place" }).click();
    await seesNotice(laptop, "moved");
    const back = await askForLink(phone);
    await laptop.goto(back);
    await bringHere(laptop);
    expect(await parkedAt(laptop)).toBe(1);
    await phone.getByRole("link", { name: "Back to my place" }).click();
    await seesNotice(phone, "moved");
    await journey.admin.increment("bare", 1);
    await laptop.getByRole("link", { name: "Check my place" }).click();
    expect(await isInside(laptop)).toBe(1);
  });

  long("takes the place of one that the browser had, once the visitor has agreed", async ({ expect }) => {
    const laptop = await journey.arrive("has-place");
    expect(await parkedAt(laptop)).toBe(1);
    const phone = await journey.arrive("has-place", { viewport: narrow });
    expect(await parkedAt(phone)).toBe(2);
    const tab = await phone.context().newPage();
    await tab.goto(await askForLink(laptop));
    await seesNotice(tab, "move_replaces");
    await inspectPage(tab, "move-replaces-320");
    await bringHere(tab);
    expect(await parkedAt(tab)).toBe(1);
    // The other tab finds the same place.
    await phone.reload();
    expect(await parkedAt(phone)).toBe(1);
  });
});
