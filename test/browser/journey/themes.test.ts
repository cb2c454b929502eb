/** A theme of an operator's own, in a browser at a real gateway: as easy to read and to use as the built-in pages. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type Journey, startJourney } from "../../support/journey.ts";
import { inspectOnScreens } from "../../support/page-inspection.ts";
import { long, test } from "../../support/sizes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { parkedAt, seesPeopleAhead } from "../../support/waiting-visitor.ts";

/** Wider than a small phone. */
const logo = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 10"><path fill="${color}" d="M0 0h90v10H0z"/></svg>`;
const footer =
  "Acme Tickets Ltd, 1 High Street, London\nhttps://www.example.com/a/very/long/address/that/has/no/blank/in/it/at/all";

const screens = (["light", "dark"] as const).map((colorScheme) => ({
  name: colorScheme,
  width: 320,
  height: 640,
  media: { colorScheme },
}));
const forced = { name: "forced", width: 320, height: 640, media: { forcedColors: "active" } } as const;

let files: TempDir;
let journey: Journey;
beforeAll(async () => {
  files = await makeTempDir("themes");
  const file = async (name: string, color: string) => {
    await writeFile(join(files.path, name), logo(color));
    return join(files.path, name);
  };
  const theme = {
    logo: {
      file: await file("logo.svg", "#8a1538"),
      dark_file: await file("dark.svg", "#f2a3b8"),
      alt: "Acme Tickets",
      link: "https://www.example.com/",
    },
    colors: { accent: "#8a1538" },
    title: { en: "Autumn tour 2030", de: "Herbsttour 2030" },
    links: [
      { href: "https://www.example.com/help", label: "Help" },
      { href: "mailto:help@example.com", label: "A label that is as long as labels of links may be, the end" },
    ],
    footer,
  };
  journey = await startJourney([{ id: "tickets", title: "As the status calls it", settings: { theme } }]);
});
afterAll(async () => {
  await journey?.stop();
  await files?.remove();
});

const boxOf = (page: Page) => page.locator(".brand img").boundingBox();

long("its pages pass everything that the built-in ones do, by day and by night, on a small phone", async () => {
  const page = await journey.arrive("tickets", { viewport: { width: 320, height: 640 } });
  await parkedAt(page);
  await inspectOnScreens(page, "theme-waiting", [...screens, forced]);
  for (const state of ["held", "turn", "paused"]) {
    await page.evaluate(`document.querySelector("main").dataset.state = "${state}"`);
    await inspectOnScreens(page, `theme-${state}`, screens);
  }
  await page.goto(`${journey.gateway.origin}/rooms/tickets/leave`);
  await inspectOnScreens(page, "theme-notice", [...screens, forced]);
  await page.context().close();
});

test("the logo is seen where its place was kept, whole, and another by night", async () => {
  const page = await journey.arrive("tickets", { viewport: { width: 900, height: 640 }, colorScheme: "light" });
  const image = "document.querySelector('.brand img')";
  await expect.poll(() => page.evaluate(`${image}.complete && ${image}.naturalWidth > 0`)).toBe(true);
  expect(await boxOf(page)).toMatchObject({ width: 360, height: 40 });
  const source = () => page.evaluate(`decodeURIComponent(${image}.currentSrc)`);
  expect(await source()).toContain("#8a1538");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(source).toContain("#f2a3b8");
  await page.setViewportSize({ width: 320, height: 640 });
  const small = await boxOf(page);
  expect(small?.width).toBeLessThan(300);
  expect((small?.width ?? 0) / (small?.height ?? 1)).toBeCloseTo(9, 1);
  await page.context().close();
});

long("the page's script leaves the title as the theme has it, and links open beside the page", async () => {
  await journey.joinOthers("tickets", 3);
  const page = await journey.arrive("tickets");
  const ahead = (await parkedAt(page)) - 3;
  await journey.admin.increment("tickets", 2);
  // The status has been heard, which speaks of another title.
  await seesPeopleAhead(page, `${ahead} people ahead of you`);
  expect(await page.title()).toBe(`${ahead} ahead – Autumn tour 2030`);
  await expect.poll(() => page.locator("#room").textContent()).toBe("Autumn tour 2030");
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Help" }).click();
  await (await opened).close();
  await expect.poll(() => page.locator("main[data-position]").count()).toBe(1);
  await page.context().close();
});
