/** The sessions of operators' browsers, in real browsers: who is signed in, and one that is ended. */
import { afterAll, beforeAll, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { long, test } from "../../support/sizes.ts";
import { adminKeys, deskKey, expectReadable, type Operator, openConsole, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop", settings: { title: "Shop" } }],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

const open = (options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { path: "/console/people", ...options });

test("sessions are listed with the own one marked, and one that is ended is signed out where it is", async () => {
  const { page: desk } = await open({ key: deskKey, path: "/console" });
  await desk.getByText("key desk, box office").waitFor();
  const { page, faults } = await open();
  const row = page.getByRole("row").filter({ hasText: "key desk" });
  await expect.poll(() => row.textContent()).toContain("box office");
  await expect.poll(() => page.getByText("this browser").count()).toBe(1);
  await page.getByText("No provider is configured").waitFor();

  await row.getByRole("button", { name: "End the session desk" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("desk is signed out at all processes").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => row.count()).toBe(1);
  await row.getByRole("button", { name: "End the session desk" }).click();
  await dialog.getByRole("button", { name: "End the session" }).click();
  await row.waitFor({ state: "detached" });
  await desk.getByText("You are signed out").waitFor();

  const own = page.getByRole("row").filter({ hasText: "this browser" });
  await own.getByRole("button").click();
  await dialog.getByText("This is your own session").waitFor();
  await dialog.getByRole("button", { name: "End the session" }).click();
  await page.getByText("You are signed out").waitFor();
  expect(faults).toEqual([]);
});

long.each([viewerKey, deskKey])("who is no admin sees no sessions (%#)", async (key) => {
  const { page } = await open({ key });
  await page.getByText("This screen takes another role").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "People" }).count()).toBe(0);
});

long("all can be read, in German", async () => {
  const { page } = await open({ locale: "de-DE" });
  await page.getByText("dieser Browser").waitFor();
  await expectReadable(page, "people");
});
