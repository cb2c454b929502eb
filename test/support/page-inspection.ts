/** What must hold for every page, however it was reached. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeViolations } from "./chromium.ts";
import { findFaults } from "./page-measures.ts";

/** Ignored by git; for whoever wants to look at what failed. */
const failures = fileURLToPath(new URL("../../artifacts/failed-pages/", import.meta.url));

/** How a visitor's screen is set. */
export interface Screen {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly media: NonNullable<Parameters<Page["emulateMedia"]>[0]>;
}

/** The page as it stands, looked at on one screen after another. */
export async function inspectOnScreens(page: Page, name: string, screens: readonly Screen[]): Promise<void> {
  for (const [index, { name: screen, width, height, media }] of screens.entries()) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference", forcedColors: "none", ...media });
    await inspectPage(page, `${name}-${screen}`, index > 0);
  }
}

/**
 * Nothing to scroll sideways, nothing cut off and no words on others, also with letters twice as large; targets large enough
 * for a thumb and set off; nothing as large as the place in line, and one main button; nothing that moves for who does not want
 * that; nothing for axe. Leaves a screenshot of a page that fails.
 *
 * @param known whether the same document was looked at before, on another screen
 */
export async function inspectPage(page: Page, name: string, known = false): Promise<void> {
  try {
    await expectNoAxeViolations(page, known);
    expect(await findFaults(page), name).toEqual([]);
    await expectRoomForLargeLetters(page, name);
  } catch (error) {
    mkdirSync(failures, { recursive: true });
    await page.screenshot({ path: join(failures, `${name}.png`), fullPage: true });
    throw error;
  }
}

/** WCAG 2.2, 1.4.4: text can be twice as large without anything being lost. */
export async function expectRoomForLargeLetters(page: Page, name: string): Promise<void> {
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  expect(await findFaults(page), `${name} with large letters`).toEqual([]);
  await page.evaluate("document.documentElement.style.fontSize = ''");
}
