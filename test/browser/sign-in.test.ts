/** Operators sign in and out in a real browser: at a real provider and with a key, under the page's own content policy. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore, useWorld } from "../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../support/chromium.ts";
import { ADMIN_KEY } from "../support/gateway.ts";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../support/people-provider.ts";
import { freePort } from "../support/ports.ts";

const port = await freePort();
const here = `http://localhost:${port}`;
const provider: PeopleProvider = await startPeopleProvider([here]);
useWorld(() => ({
  store: memoryStore,
  ports: [port],
  rooms: [{ id: "one" }, { id: "two" }],
  config: {
    admin: {
      sign_in: {
        issuer: provider.issuer,
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        roles: [{ claim: "groups", value: "desk", role: "operator", rooms: ["one"] }],
      },
    },
  },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(async () => {
  await chromium?.refund();
  await provider.stop();
});

test("somebody signs in at the provider, signs out, is told when a key is wrong, and signs in with one", async () => {
  provider.person = { sub: "ada", claims: { name: "Ada L", groups: ["desk"] } };
  const page = await (await chromium.browser.newContext()).newPage();
  const faults: string[] = [];
  page.on("console", (message) => message.text().includes("Content Security Policy") && faults.push(message.text()));
  await page.goto(`${here}/admin/sign-in`);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Sign in with your organisation" }).click();
  await page.getByText("You are signed in as Ada L").waitFor();
  expect(page.url()).toBe(`${here}/admin/sign-in`);
  await expectNoAxeViolations(page);
  expect(await page.evaluate("document.cookie")).not.toContain("usher-session");

  // Of the rooms of the person alone.
  await page.getByRole("link", { name: "Open the console" }).click();
  await page.getByRole("article", { name: "The room one" }).waitFor();
  await page.getByText("Ada L, operator").waitFor();
  await expect.poll(() => page.getByRole("article").count()).toBe(1);
  await page.goBack({ waitUntil: "commit" });

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await page.goto(`${here}/admin/sign-in`);
  await page.getByLabel("Admin key").fill("wrong");
  await page.getByRole("button", { name: "Sign in with a key" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Admin key").fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in with a key" }).click();
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  expect(page.url()).toBe(`${here}/admin/sign-in`);
  expect(faults).toEqual([]);
});
