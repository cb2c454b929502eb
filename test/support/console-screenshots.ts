/**
 * `npm run screenshots -- console`: makes the pictures of the console in docs/images from the demonstration with its crowd, each screen
 * on a phone and on a desk, light and dark. Needs a build.
 */
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { enterConsole } from "../browser/console/operator.ts";
import { launchChromium } from "./chromium.ts";
import { ADMIN_KEY } from "./gateway.ts";
import { freePorts } from "./ports.ts";
import { startProcess } from "./processes.ts";
import { makeTempDir } from "./temp-dir.ts";

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** So long the crowd comes and goes before its pictures are taken. */
const crowdMs = 90_000;
/** Of each screen its address, and what is drawn last. */
const screens = {
  rooms: { path: "/console", last: ".spark" },
  room: { path: "/console/rooms/demo", last: "canvas" },
};
const devices = { phone: { width: 360, height: 780 }, desk: { width: 1_440, height: 1_100 } };
const schemes = { "": "light", "-dark": "dark" } as const;

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
  for (const [screen, { path, last }] of Object.entries(screens)) {
    for (const [device, viewport] of Object.entries(devices)) {
      for (const [suffix, colorScheme] of Object.entries(schemes)) {
        const file = `docs/images/console-${screen}-${device}${suffix}.png`;
        const { page, faults } = await enterConsole(browser, `http://localhost:${port}`, {
          path,
          viewport,
          colorScheme,
        });
        await page.locator(last).first().waitFor();
        await page.locator(".badge-live").waitFor();
        await page.screenshot({ path: inRoot(file) });
        if (faults.length > 0) throw new Error(faults.join("\n"));
        process.stdout.write(`${file}\n`);
      }
    }
  }
} finally {
  await browser.close();
  await demo.kill();
  await folder.remove();
}
