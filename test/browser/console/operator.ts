/** An operator at the console, in a real browser: signed in with a key, under a watch for faults. */
import { createHash } from "node:crypto";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";

export const viewerKey = "key-of-a-viewer-0123456789abcdef0123";
export const operatorKey = "key-of-an-operator-0123456789abcdef01";
export const deskKey = "key-of-the-box-office-0123456789abcdef";
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
export const adminKeys = [
  { id: "viewer", key_sha256: sha256(viewerKey), role: "viewer" },
  { id: "desk", key_sha256: sha256(deskKey), role: "box_office" },
  { id: "second", key_sha256: sha256(operatorKey), role: "operator" },
];

/** A telephone, for an operator who has nothing else at hand. */
export const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export interface Operator {
  readonly page: Page;
  /** What the browser refused or a script threw. */
  readonly faults: readonly string[];
  /** A card, by the title of its room. */
  card(title: string): ReturnType<Page["getByRole"]>;
  badge(): Promise<string>;
}

/** @param origin where operators are answered, as the browser names it */
export async function openConsole(
  browser: Browser,
  origin: string,
  { key = ADMIN_KEY, path = "/console", ...options }: BrowserContextOptions & { key?: string; path?: string } = {},
): Promise<Operator> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on(
    "console",
    (message) => /Content Security Policy|Trusted/.test(message.text()) && faults.push(message.text()),
  );
  await page.goto(`${origin}${path}`);
  await page.getByLabel("Admin key").fill(key);
  await page.getByRole("button", { name: "Sign in with a key" }).click();
  await page.waitForURL(`${origin}${path}`);
  return {
    page,
    faults,
    card: (title) => page.getByRole("article", { name: title, exact: true }),
    badge: async () => (await page.locator(".badge").textContent()) ?? "",
  };
}

/** Whether all of the page fits into the width of the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [wide, screen] = (await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")) as number[];
  expect(wide).toBeLessThanOrEqual(screen ?? 0);
}
