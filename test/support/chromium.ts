/** A real Chromium for the browser tests, driven by playwright-core. Nothing is downloaded: it uses the system's own. */

import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { makeTempDir } from "./temp-dir.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What Playwright switches off: its switch is replaced by ours, since a browser heeds the last one alone. */
const offForPlaywright = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"],
  ...["HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"],
  "PreconnectToSearch",
];

/** Pages of the browser's own, behind its address bar: each window of a visitor would load two, which nobody sees. */
const offForSpeed = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No process is started ahead of a page that may come, which would be for nothing: a visitor has one page, or two.
  "--renderer-process-limit=1",
  `--disable-features=${[...offForPlaywright, ...offForSpeed].join()}`,
];

const closingMsMax = 10_000;
const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/**
 * With the back/forward cache, as people's browsers have it. `goBack` may then wait in vain for a page that was never
 * loaded anew, unless it waits for `commit` alone.
 */
const ignoreDefaultArgs = ["--disable-back-forward-cache"];

/**
 * Starts with a user data folder of its own, which goes when the browser closes. Each `newContext` is a visitor
 * of their own: cookies, storage, screen, with or without JavaScript.
 */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args, headless: true, ignoreDefaultArgs });
}

/** A browser that is there for one file after the other. */
export interface BorrowedChromium {
  readonly browser: Browser;
  /** All its visitors go. */
  refund(): Promise<void>;
}

let lent: Browser | undefined;

/**
 * The browser of this process, for the test files that it runs one after the other: to start one takes as long as several
 * visits. It ends with the process. See `launchChromium`.
 */
export async function borrowChromium(): Promise<BorrowedChromium> {
  if (!lent?.isConnected()) lent = await launchChromium();
  const browser = lent;
  return {
    browser,
    async refund() {
      const closed = Promise.all(browser.contexts().map((context) => context.close())).then(() => true);
      // A window that a page is just leaving may never say that it has closed.
      if (!(await Promise.race([closed, pause(closingMsMax, false, { ref: false })]))) await browser.close();
    },
  };
}

/** One visitor whose browser refuses the cookies of one origin, and with them its storage. */
export async function launchWithoutCookies(
  origin: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const folder = await makeTempDir("chromium");
  const cookies = { [`${origin},*`]: { setting: 2 } };
  await mkdir(join(folder.path, "Default"));
  const preferences = { profile: { content_settings: { exceptions: { cookies } } } };
  await writeFile(join(folder.path, "Default", "Preferences"), JSON.stringify(preferences));
  const launchOptions = { executablePath, args, headless: true, ...options };
  const context = await chromium.launchPersistentContext(folder.path, launchOptions);
  return {
    context,
    async close() {
      await context.close();
      await folder.remove();
    },
  };
}

interface AxeViolation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** All its rules, and the one of WCAG 2.2 (2.5.8), which it leaves out unless asked for. */
/** What the screen may change, and colours. All else is the document's, whatever it is looked at with. */
const rulesOfAppearance = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];
const allRules = { rules: { "target-size": { enabled: true } } };
const appearanceOnly = { runOnly: { type: "rule", values: rulesOfAppearance } };

const runAxe = (scope: object) => `
  axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], iframes: false, ...scope })})
    .then(({ violations }) =>
      violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`;

/**
 * @param known whether the same document was looked at before, on another screen
 * @throws Error that lists what axe finds against WCAG 2.2 AA and its best practices
 */
export async function expectNoAxeViolations(page: Page, known = false): Promise<void> {
  // Evaluated through the DevTools protocol, which the page's Content-Security-Policy does not concern.
  const isHere = await page.evaluate("typeof axe === 'object'");
  const run = runAxe(known ? appearanceOnly : allRules);
  const violations = (await page.evaluate(isHere ? run : `${axeSource};${run}`)) as AxeViolation[];
  if (violations.length === 0) return;
  const lines = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n    ${node.failureSummary}`).join("\n")}`,
  );
  throw new Error(`axe found on ${page.url()}:\n${lines.join("\n")}`);
}
