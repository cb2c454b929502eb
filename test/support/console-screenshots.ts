/**
 * Makes the pictures of the console in docs/images from the demonstration with its crowd: `npm run build`, then
 * `npx tsx test/support/console-screenshots.ts`.
 */
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { openConsole } from "../browser/console/operator.ts";
import { launchChromium } from "./chromium.ts";
import { ADMIN_KEY } from "./gateway.ts";
import { freePorts } from "./ports.ts";
import { startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** So long the crowd comes and goes before its pictures are taken. */
const crowdMs = 60_000;
const pictures: Record<string, BrowserContextOptions & { path: string }> = {
  "console-rooms-phone-dark.png": { path: "/console", viewport: { width: 360, height: 640 }, colorScheme: "dark" },
  "console-room.png": { path: "/console/rooms/demo", viewport: { width: 1_440, height: 1_100 }, colorScheme: "light" },
};

const [port = 0, sitePort = 0] = await freePorts(2);
const folder = await makeTempDir("console-screenshots");
const demo = startProcess({
  name: "demo",
  command: process.execPath,
  args: [inRoot("dist/main.js"), "demo", "--crowd", "300"],
  cwd: folder.path,
  env: {
    ...process.env,
    USHER_ADMIN_API_KEY: ADMIN_KEY,
    PORT: String(port),
    USHER_DEMO_PORT: String(sitePort),
  },
});
const browser = await launchChromium();
try {
  await demo.waitForOutput(/The demonstration is running/);
  await delay(crowdMs);
  for (const [name, screen] of Object.entries(pictures)) {
    const { page, faults } = await openConsole(browser, `http://localhost:${port}`, screen);
    await page
      .locator(screen.path === "/console" ? ".spark" : "canvas")
      .first()
      .waitFor();
    await page.locator(".badge-live").waitFor();
    await page.screenshot({ path: inRoot(`docs/images/${name}`) });
    if (faults.length > 0) throw new Error(faults.join("\n"));
    process.stdout.write(`docs/images/${name}\n`);
  }
} finally {
  await browser.close();
  await demo.kill();
  await folder.remove();
}
