/** The console runs the checks of a room, and shows what they found. */
import { afterAll, beforeAll, expect } from "vitest";
import { adminKeys, openConsole, viewerKey } from "../../../browser/console/operator.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../../support/chromium.ts";
import { long, test } from "../../../support/sizes.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "shop" }], config: { admin: { keys: adminKeys } } }));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

const open = (key?: string) =>
  openConsole(chromium.browser, world().issuer, { path: "/console/rooms/shop/before", ...(key && { key }) });

test("the checklist before a sale says that the room was not checked, runs the checks, and shows what they found", async () => {
  const operator = await open();
  const { page } = operator;
  const line = (text: string) => page.locator(".checklist > li").filter({ hasText: text });
  await expect.poll(() => line("not checked from outside yet").textContent()).toMatch(/^Left/);
  await page.getByRole("button", { name: "Run the checks", exact: true }).click();
  await line("A test login went well").waitFor();
  await expect.poll(() => line("A test login went well").textContent()).toMatch(/^Done/);
  await page.getByText(/^All \d+ findings/).click();
  await page.getByText("The secret of site-shop is right.").waitFor();
  expect(operator.faults).toEqual([]);
  await expectNoAxeViolations(page);
});

long("a viewer sees what was found, and runs nothing", async () => {
  const { page } = await open(viewerKey);
  await page.getByRole("heading", { name: "Checks from outside" }).waitFor();
  await page.locator(".checklist").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Run the checks", exact: true }).count()).toBe(0);
});
