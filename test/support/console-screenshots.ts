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
/** What an operator does meanwhile, for the curve and the list of what happened. */
async function operate(method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };
  const url = `http://localhost:${port}/admin/rooms/demo${path}`;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}
const browser = await launchChromium();
try {
  await demo.waitForOutput(/The demonstration is running/);
  await delay(crowdMs / 2);
  await operate("PUT", "/stock", { remaining: 1_204 });
  await operate("PATCH", "", { inlet: { outflow_per_minute: 90 } });
  await delay(crowdMs / 2);
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
      // As high as the page: what is fixed to the window's foot is at the page's.
      await page.setViewportSize({ width, height: Math.max(height, Math.min(tall, 2_400)) });
      await page.screenshot({ path: inRoot(file) });
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
