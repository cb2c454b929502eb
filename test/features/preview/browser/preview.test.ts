/** The window of `usher preview`, as somebody uses it who looks through the pages. */

import { fileURLToPath } from "node:url";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type Preview, startPreview } from "../../../../src/features/preview/preview.ts";
import { systemClock } from "../../../../src/lib/clock-and-random.ts";
import { type BorrowedChromium, borrowChromium } from "../../../support/chromium.ts";
import { parts } from "../../../support/load-config.ts";
import { long, test } from "../../../support/sizes.ts";

const packageDir = fileURLToPath(new URL("../../../../", import.meta.url));

let preview: Preview;
let chromium: BorrowedChromium;
let page: Page;
beforeAll(async () => {
  preview = await startPreview({ file: undefined, port: 0, env: {}, parts, clock: systemClock, packageDir });
  chromium = await borrowChromium();
  // As the system has it: otherwise the frame has what the browser is told.
  page = await (await chromium.browser.newContext({ colorScheme: null })).newPage();
});
afterAll(async () => {
  await chromium?.refund();
  await preview?.close();
});

/** The page in the frame, when it is there. */
async function shown(state: string): Promise<Frame> {
  await page.waitForURL((url) => url.searchParams.get("state") === state);
  const frame = page.frame({ url: (url) => url.searchParams.get("state") === state && url.pathname === "/page" });
  if (frame === null) throw new Error(`the frame does not show ${state}`);
  await frame.locator("main").waitFor();
  return frame;
}

test("the choices change the page in the frame, and the arrow keys turn the pages", async () => {
  await page.goto(`${preview.url}?state=place_expired`);
  await page.getByLabel("Language").selectOption("ar");
  await page.waitForURL(/language=ar/);
  await page.getByLabel("Width").selectOption("320");
  await page.waitForURL(/width=320/);
  await page.getByLabel("Colours").selectOption("dark");
  await page.waitForURL(/scheme=dark/);
  const frame = await shown("place_expired");
  expect(
    await frame.evaluate("[document.dir, innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]"),
  ).toEqual(["rtl", 320, true]);
  await page.keyboard.press("ArrowRight");
  const left = await shown("place_left");
  await expect.poll(() => left.locator("main").getAttribute("data-notice")).toBe("place_left");
  await page.keyboard.press("ArrowLeft");
  await shown("place_expired");
});

long("a turn stays a turn, and its button leads to a word and back", async () => {
  await page.goto(`${preview.url}?state=turn`);
  const isRefused = page.waitForResponse((response) => response.url().includes("/page?") && response.status() === 204);
  const frame = await shown("turn");
  await frame.locator('main[data-state="turn"]').waitFor();
  await isRefused;
  await frame.locator('main[data-state="turn"]').waitFor();

  await page.goto(`${preview.url}?state=leave_confirm`);
  await (await shown("leave_confirm")).getByRole("button", { name: "Leave" }).click();
  const inFrame = page.frameLocator("iframe");
  await inFrame.getByText("POST /rooms/tickets/leave").waitFor();
  await inFrame.getByRole("link", { name: "Back to the page" }).click();
  await inFrame.getByRole("button", { name: "Leave" }).waitFor();
});
