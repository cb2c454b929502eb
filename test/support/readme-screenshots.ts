/**
 * Makes the pictures in docs/images from a real gateway with a real line: `npm run build`, then
 * `npx tsx test/support/readme-screenshots.ts`.
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { type Journey, startJourney } from "./journey.ts";
import { parkedAt } from "./waiting-visitor.ts";

const room = "tickets";
const themed = "themed-page.png";
const bytesMax = 150_000;
const before = 4_712;
const servedAtFirst = 600;
const servedNow = 1_853;

/** As docs/themes.md has it. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 190 40"><rect width="40" height="40" rx="20" fill="#8a1538"/>
<path d="M12 27 20 11l8 16M15.500 22h9" fill="none" stroke="#fff" stroke-width="3"/>
<text x="52" y="27" font-family="sans-serif" font-size="20" font-weight="700" fill="#8a1538">Acme Tickets</text></svg>`;

const pictures: Record<string, BrowserContextOptions> = {
  "waiting-page.png": { viewport: { width: 1_000, height: 640 }, colorScheme: "light" },
  "waiting-page-phone-dark.png": { viewport: { width: 390, height: 640 }, colorScheme: "dark" },
  "waiting-page-arabic.png": { viewport: { width: 390, height: 640 }, colorScheme: "light", locale: "ar" },
  [themed]: { viewport: { width: 720, height: 640 }, colorScheme: "light" },
};

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, screen] of Object.entries(pictures)) await takePicture(name, screen);
await takeStatusPage("status-page.png");

async function takePicture(name: string, screen: BrowserContextOptions): Promise<void> {
  const inlet = { type: "periodic", outflow_per_minute: 600 };
  const settings = name === themed ? { theme: makeTheme() } : {};
  const journey = await startJourney([{ id: room, title: "Autumn tour tickets", inlet, settings }]);
  try {
    const page = await waitForAWhile(journey, screen);
    await keepPicture(name, page);
  } finally {
    await journey.stop();
  }
}

async function keepPicture(name: string, page: Page): Promise<void> {
  const path = `${folder}${name}`;
  await page.screenshot({ path, fullPage: true });
  const { size } = statSync(path);
  if (size > bytesMax) throw new Error(`${name} has ${size} bytes, more than ${bytesMax}`);
  process.stdout.write(`docs/images/${name}: ${size} bytes\n`);
}

/** With an incident that is being watched, and a room that is paused. */
async function takeStatusPage(name: string): Promise<void> {
  const rooms = [
    { id: room, title: "Autumn tour tickets" },
    { id: "presale", title: "Presale for members" },
  ];
  const journey = await startJourney(rooms, { status_page: { enabled: true } });
  try {
    await journey.admin.step("presale", "pause");
    const incident = {
      title: "Payments are slow",
      text: "We are looking into it. Places in line are safe.",
      rooms: [room],
    };
    const { id } = (await journey.admin.request("POST", "/incidents", incident)).json() as { id: string };
    const text = "The bank answers quickly again. We are watching it.";
    await journey.admin.request("POST", `/incidents/${id}/updates`, { text, state: "monitoring" });
    const context = await journey.browser.newContext({ viewport: { width: 720, height: 640 }, colorScheme: "light" });
    const page = await context.newPage();
    // What is known is looked at once a second.
    await page.waitForTimeout(1_500);
    await page.goto(`${journey.gateway.issuer}/status`);
    await keepPicture(name, page);
    await context.close();
  } finally {
    await journey.stop();
  }
}

function makeTheme() {
  const file = join(tmpdir(), "usher-logo-of-the-picture.svg");
  writeFileSync(file, logo);
  return {
    logo: { file, alt: "Acme Tickets" },
    colors: { accent: "#8a1538" },
    title: "Autumn tour",
    texts: { en: { "waiting.eyebrow": "Foyer" } },
    links: [
      { href: "https://www.example.com/help", label: "Help" },
      { href: "mailto:help@example.com", label: "Write to us" },
    ],
    footer: "Acme Tickets Ltd, 1 High Street, London\nCompany number 01234567",
  };
}

/** A visitor stands in a long line that moves on while they look. */
async function waitForAWhile(journey: Journey, screen: BrowserContextOptions) {
  await journey.joinOthers(room, before);
  await journey.admin.increment(room, servedAtFirst);
  const page = await journey.arrive(room, { ...screen, deviceScaleFactor: 1 });
  await parkedAt(page);
  await journey.admin.increment(room, servedNow - servedAtFirst);
  await page.locator("#enter").click();
  await page.waitForFunction(`Number(document.querySelector("main").dataset.serving) >= ${servedNow}`);
  // The bar glides to where it belongs.
  await page.waitForTimeout(1_000);
  await page.evaluate("document.activeElement.blur()");
  return page;
}
