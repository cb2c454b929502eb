// Long: sign-in.test.ts has the page, and test/e2e the link.
/** Where nothing is configured, the link that a start prints signs a real browser in, once, under the page's own content policy. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore, useWorld } from "../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../support/chromium.ts";
import { within } from "../support/within.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "one" }], env: { USHER_ADMIN_API_KEY: "" } }));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium?.refund());

test("the printed link asks, signs in as an admin, and signs in nobody else", async () => {
  const link = await within(10_000, async () => {
    const [, found] = /^ {4}(http:\S+\?token=\S+)$/m.exec(String(world().gateways[0]?.output())) ?? [];
    if (found === undefined) throw new Error("no link was printed");
    return found;
  });
  const faults: string[] = [];
  const open = async () => {
    const page = await (await chromium.browser.newContext()).newPage();
    page.on("console", (message) => message.text().includes("Content Security Policy") && faults.push(message.text()));
    await page.goto(link);
    return page;
  };
  const [page, other] = [await open(), await open()];
  await expectNoAxeViolations(page);
  for (const each of [page, other]) await each.getByRole("button", { name: "Sign in with this browser" }).click();
  await page.getByText("You are signed in as sign-in link").waitFor();
  expect(page.url()).toBe(`${world().issuer}/admin/sign-in`);
  await other.getByRole("alert").getByText("start Usher again for another one").waitFor();
  await expectNoAxeViolations(other);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  expect(faults).toEqual([]);
});
