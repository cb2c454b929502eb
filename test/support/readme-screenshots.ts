/**
 * Makes the pictures in docs/images from a real gateway with a real line: `npm run build`, then
 * `npx tsx test/support/readme-screenshots.ts`.
 */
import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { type Journey, startJourney } from "./journey.ts";
import { parkedAt } from "./waiting-visitor.ts";

const room = "tickets";
const bytesMax = 150_000;
const before = 4_712;
const servedAtFirst = 600;
const servedNow = 1_853;

const pictures: Record<string, BrowserContextOptions> = {
  "waiting-page.png": { viewport: { width: 1_000, height: 640 }, colorScheme: "light" },
  "waiting-page-phone-dark.png": { viewport: { width: 390, height: 640 }, colorScheme: "dark" },
};

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, screen] of Object.entries(pictures)) await takePicture(name, screen);

async function takePicture(name: string, screen: BrowserContextOptions): Promise<void> {
  const inlet = { type: "periodic", outflow_per_minute: 600 };
  const journey = await startJourney([{ id: room, title: "Autumn tour tickets", inlet }]);
  try {
    const page = await waitForAWhile(journey, screen);
    const path = `${folder}${name}`;
    await page.screenshot({ path, fullPage: true });
    const { size } = statSync(path);
    if (size > bytesMax) throw new Error(`${name} has ${size} bytes, more than ${bytesMax}`);
    process.stdout.write(`docs/images/${name}: ${size} bytes\n`);
  } finally {
    await journey.stop();
  }
}

/** A visitor stands in a long line that moves on while they look. */
async function waitForAWhile(journey: Journey, screen: BrowserContextOptions) {
  await journey.joinOthers(room, before);
  await journey.admin.increment(room, servedAtFirst);
  const page = await journey.arrive(room, { ...screen, deviceScaleFactor: 1 });
  await parkedAt(page);
  await journey.admin.increment(room, servedNow - servedAtFirst);
  await page.getByRole("link", { name: "Check my place" }).click();
  await page.getByText("minutes to go").waitFor();
  // The bar glides to where it belongs.
  await page.waitForTimeout(1_000);
  await page.evaluate("document.activeElement.blur()");
  return page;
}
