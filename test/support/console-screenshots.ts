/**
 * `npm run screenshots -- console`: makes the pictures in docs/images/console from the demonstration with its crowd: each screen of the
 * console on a desk, light, and on a phone, dark. Needs a build.
 */
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { enterConsole } from "../browser/console/operator.ts";
import { launchChromium } from "./chromium.ts";
import { consoleScreens } from "./console-screens.ts";
import { ADMIN_KEY } from "./gateway.ts";
import { freePorts } from "./ports.ts";
import { startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** So long the crowd comes and goes before its pictures are taken. */
const crowdMs = 90_000;
const screens = (await consoleScreens("demo")).map(({ scope, name, path }) => ({
  shot: scope === "room" ? ["room", name].filter(Boolean).join("-") : name || "rooms",
  path,
}));
const looks = [
  { width: 1_440, height: 900, colorScheme: "light" },
  { width: 360, height: 780, colorScheme: "dark" },
] as const;

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
  for (const { shot, path } of screens) {
    for (const { width, height, colorScheme } of looks) {
      const { page, faults } = await enterConsole(browser, `http://localhost:${port}`, {
        path,
        viewport: { width, height },
        colorScheme,
      });
      await page.locator(".badge-live").waitFor();
      await page.getByText("Asking Usher …").first().waitFor({ state: "detached" });
      await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
      const file = `docs/images/console/${shot}-${width}.png`;
      const tall = Number(await page.evaluate("document.documentElement.scrollHeight"));
      const clip = { x: 0, y: 0, width, height: Math.min(tall, 2_400) };
      await page.screenshot({ path: inRoot(file), fullPage: true, clip });
      await page.context().close();
      if (faults.length > 0) throw new Error(faults.join("\n"));
      process.stdout.write(`${file}\n`);
    }
  }
} finally {
  await browser.close();
  await demo.kill();
  await folder.remove();
}
