/** The console's list of entries of a draw: who has very many, voiding them after a question, and giving them back. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { long, test } from "../../support/sizes.ts";
import { adminKeys, expectNoSidewaysScroll, openConsole, phone, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "lots", settings: { title: "Lots", draw: { order: "random" }, targets: ["https://shop.example.com/"] } },
  ],
  config: { admin: { keys: adminKeys }, listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

const lots = (path: string) => `${world().issuer}/rooms/lots${path}`;

async function join(address: string): Promise<void> {
  const headers = { "x-forwarded-for": address };
  await expect
    .poll(async () => (await world().http.request(lots("/tickets"), { method: "POST", headers })).status)
    .toBe(201);
}

/** The waiting page of a visitor at this address. */
async function visitorFrom(address: string): Promise<Page> {
  const options = { locale: "en-GB", extraHTTPHeaders: { "x-forwarded-for": address } };
  const context = await chromium.browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(lots("/enter"));
  await page.getByText("Your entry number", { exact: true }).first().waitFor();
  return page;
}

const entries = async () =>
  ((await world().http.get(lots("/status"))).json() as { draw: { entries: number } | null }).draw?.entries;

test("an operator counts entries, voids a network after a question, and gives it back", async () => {
  await enterFour();
  await join("203.0.113.4");
  const { page, faults } = await openConsole(chromium.browser, world().issuer, { path, ...phone });
  await voidNetwork(page);
  await refund(page);
  expect(faults).toEqual([]);
});

long(
  "a visitor whose entry is void reads why, and waits again; a viewer changes nothing; all can be read",
  async () => {
    await enterFour();
    const visitor = await visitorFrom("203.0.113.4");
    const { page, faults } = await openConsole(chromium.browser, world().issuer, { path, ...phone });
    await voidNetwork(page, async () => {
      await expectNoAxeViolations(page);
      await expectNoSidewaysScroll(page);
    });
    // The visitor's page is open all the while. A page that is seen again asks at once.
    const told = visitor.getByRole("heading", { name: "Not in the draw" });
    await expect
      .poll(
        async () => {
          await visitor.evaluate("document.dispatchEvent(new Event('visibilitychange'))").catch(() => {});
          return told.count();
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toBe(1);
    await visitor.getByText("The organiser’s reason: Three of one network.").waitFor();
    await expectNoAxeViolations(visitor);
    await expectNoAxeViolations(page);

    const viewer = await openConsole(chromium.browser, world().issuer, { path, key: viewerKey });
    const seen = viewer.page.getByRole("region", { name: "Entries of the draw" });
    await seen.getByText(/4 entries\. Three of one network\./).waitFor();
    await expect.poll(() => seen.getByRole("button", { name: /^(Void|Give back)/ }).count()).toBe(0);

    await refund(page);
    // That page finds out by itself, too, but in half a minute.
    await visitor.getByRole("link", { name: "Check again" }).click();
    await visitor.getByText("Your entry number", { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  },
);

const path = "/console/rooms/lots";
const regionOf = (page: Page) => page.getByRole("region", { name: "Entries of the draw" });

/** Four, and one more comes from 203.0.113.4. */
async function enterFour(): Promise<void> {
  await world().admin.step("lots", "prequeue");
  await join("198.51.100.1");
  for (let n = 1; n <= 3; n++) await join(`203.0.113.${n}`);
}

/** @param look at what is asked before */
async function voidNetwork(page: Page, look?: () => Promise<void>): Promise<void> {
  const region = regionOf(page);
  await region.getByRole("button", { name: "Count the entries" }).click();
  await region.getByText("5 entries, 5 of known addresses.").waitFor();
  const network = region.getByRole("table", { name: "Networks (/24, /48)" }).getByRole("row").nth(1);
  await expect.poll(() => network.textContent()).toMatch(/4.*80/);
  const voidIt = network.getByRole("button", { name: /^Void/ });
  await expect.poll(() => voidIt.isDisabled()).toBe(true);
  await region.getByLabel("Reason, which everybody reads").fill("Three of one network.");
  await voidIt.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^4 entries \(80%\) of .* Everybody reads: Three of one network\.$/).waitFor();
  await look?.();
  await dialog.getByRole("button", { name: "Void these entries" }).click();
  await region.getByText(/^[A-Z]{8}: 4 entries\. Three of one network\.$/).waitFor();
  await expect.poll(entries).toBe(1);
}

async function refund(page: Page): Promise<void> {
  const region = regionOf(page);
  await region.getByRole("button", { name: /^Give back/ }).click();
  await region.getByText("given back").waitFor();
  await expect.poll(entries).toBe(5);
}
