/** Support opens a debug link in a real browser, under the page's own content policy, and another browser does not. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore, useWorld } from "../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../support/chromium.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "one" }] }));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium?.refund());

test("one browser opens it and follows the visitor, without a script; another is told that it is open elsewhere", async () => {
  const { http, issuer, admin } = world();
  const joined = await http.request(`${issuer}/rooms/one/tickets`, { method: "POST" });
  const { position } = joined.json() as { position: number };
  const made = await admin.request("POST", `/rooms/one/visitors/${position}/debug-link`, {});
  const { url } = made.json() as { url: string };
  const first = await chromium.browser.newContext({ javaScriptEnabled: false });
  const [page, other] = [await first.newPage(), await (await chromium.browser.newContext()).newPage()];
  const faults: string[] = [];
  other.on("console", (message) => message.text().includes("Content Security Policy") && faults.push(message.text()));

  await other.goto(url);
  await expectNoAxeViolations(other);
  await page.goto(url);
  const posted = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Open in this browser" }).click();
  await page.getByText("in line: nobody is ahead").waitFor();
  // A browser without Fetch Metadata is known by its origin alone. Nothing says the token.
  const { origin, referer } = await (await posted).allHeaders();
  expect([origin, referer]).toEqual([issuer, `${issuer}/`]);
  await admin.step("one", "pause");
  // The page loads itself again.
  await page.getByText("paused by an operator").waitFor({ timeout: 15_000 });
  await page.getByRole("link", { name: "Stop that" }).click();
  await page.getByText("The page stays as it is").waitFor();

  await other.getByRole("button", { name: "Open in this browser" }).click();
  await other.getByText("already opened in another browser").waitFor();
  await expectNoAxeViolations(other);
  const cookies = await first.cookies();
  await other.context().addCookies(cookies);
  await other.goto(url);
  await other.getByText("paused by an operator").waitFor();
  await expectNoAxeViolations(other);
  expect(faults).toEqual([]);
});
