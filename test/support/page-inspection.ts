/** What must hold for every page, however it was reached. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeViolations } from "./chromium.ts";

/** Ignored by git; for whoever wants to look. */
const screenshots = fileURLToPath(new URL("../../artifacts/screenshots/", import.meta.url));

/**
 * Nothing to scroll sideways, also with letters twice as large; targets large enough for a thumb; nothing for axe.
 * Leaves a screenshot.
 */
export async function inspectPage(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  await expectNoAxeViolations(page);
  const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await page.evaluate(overflow), name).toBe(0);
  const lowest = "Math.min(44, ...[...document.querySelectorAll('a, button, summary')].map((one) => one.offsetHeight))";
  expect(await page.evaluate(lowest), `${name}: the lowest thing to press`).toBe(44);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  expect(await page.evaluate(overflow), `${name} with large letters`).toBe(0);
  await page.evaluate("document.documentElement.style.fontSize = ''");
}
