/** A real Chromium for the browser tests, driven by playwright-core. Nothing is downloaded: it uses the system's own. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts with a user data folder of its own, which goes when the browser closes. Each `newContext` is a visitor
 * of their own: cookies, storage, screen, with or without JavaScript.
 */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium", args, headless: true });
}

interface AxeViolation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** @throws Error that lists what axe finds against WCAG 2.2 AA and its best practices. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  // Evaluated through the DevTools protocol, which the page's Content-Security-Policy does not concern.
  const source = `${axeSource};
    axe.run(document, { resultTypes: ["violations"], iframes: false }).then(({ violations }) =>
      violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`;
  const violations = (await page.evaluate(source)) as AxeViolation[];
  if (violations.length === 0) return;
  const lines = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n    ${node.failureSummary}`).join("\n")}`,
  );
  throw new Error(`axe found on ${page.url()}:\n${lines.join("\n")}`);
}
