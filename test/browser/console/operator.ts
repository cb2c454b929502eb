/** An operator at the console, in a real browser: signed in with a key, under a watch for faults. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { expectNoAxeViolations } from "../../support/chromium.ts";
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

type Options = BrowserContextOptions & { key?: string; path?: string };
const signInPath = "/admin/sign-in";
/** Of those who have signed in, by address and key: to sign in costs as much as the screen that it leads to. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext["cookies"]>>>();

/** The console in a window that is closed after the test: it would go on drawing each second. See `enterConsole`. */
export async function openConsole(browser: Browser, origin: string, options: Options = {}): Promise<Operator> {
  const operator = await enterConsole(browser, origin, options);
  onTestFinished(() => operator.page.context().close());
  return operator;
}

/** @param origin where operators are answered, as the browser names it */
export async function enterConsole(
  browser: Browser,
  origin: string,
  { key = ADMIN_KEY, path = "/console", ...options }: Options = {},
): Promise<Operator> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const who = `${origin} ${key}`;
  await context.addCookies(sessions.get(who) ?? []);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on(
    "console",
    (message) => /Content Security Policy|Trusted/.test(message.text()) && faults.push(message.text()),
  );
  await page.goto(`${origin}${path}`);
  if (new URL(page.url()).pathname === signInPath) {
    await page.getByLabel("Admin key").fill(key);
    await page.getByRole("button", { name: "Sign in with a key" }).click();
    await page.waitForURL(`${origin}${path}`);
    sessions.set(who, await context.cookies(origin));
  }
  expect(page.url()).toBe(`${origin}${path}`);
  return {
    page,
    faults,
    card: (title) => page.getByRole("article", { name: title, exact: true }),
    badge: async () => (await page.locator(".badge").textContent()) ?? "",
  };
}

/** The sheet of a tool of the room, opened where it is not yet. */
export async function openTool(page: Page, title: string): Promise<Locator> {
  const sheet = page.getByRole("dialog", { name: title, exact: true });
  if (!(await sheet.isVisible())) await tileOf(page, title).click();
  await sheet.waitFor();
  return sheet;
}

/** What opens a tool. */
export const tileOf = (page: Page, title: string): Locator =>
  page.locator(".tools .tile").filter({ has: page.locator(`strong:text-is(${JSON.stringify(title)})`) });

/** Whether all of the page fits into the width of the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [wide, screen] = (await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")) as number[];
  expect(wide).toBeLessThanOrEqual(screen ?? 0);
}

interface Look {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
  /** What is the document's, whatever its colours, is looked at as well. */
  readonly isWhole: boolean;
}
/** Each width begins with the scheme that the one before has ended with. */
const allLooks: readonly Look[] = [
  { width: 360, colorScheme: "light", isWhole: true },
  { width: 360, colorScheme: "dark", isWhole: false },
  { width: 1_440, colorScheme: "dark", isWhole: true },
  { width: 1_440, colorScheme: "light", isWhole: false },
];
/** On a phone, by day and by night. */
export const twoLooks = allLooks.slice(0, 2);
/** For a person to look at, where a folder is named. */
const shots = process.env.CONSOLE_SCREENSHOTS;
const untilNothingMoves = "Promise.allSettled(document.getAnimations().map(({ finished }) => finished))";

/**
 * The screen as it stands, on a phone and on a desk, light and dark: axe finds nothing, and nothing is to be scrolled sideways.
 *
 * @param shot what its pictures are called
 */
export async function expectReadable(page: Page, shot: string, looks = allLooks): Promise<void> {
  for (const { width, colorScheme, isWhole } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(untilNothingMoves);
    const name = `${shot}-${width}-${colorScheme}`;
    await expectNoAxeViolations(page, !isWhole).catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`);
    });
    await expectNoSidewaysScroll(page);
    if (shots) await writeFile(`${shots}/${name}.png`, await page.screenshot({ fullPage: true }));
  }
}
