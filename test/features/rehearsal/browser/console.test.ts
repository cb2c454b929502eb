/** The console shows how a room is rehearsed, and what the last rehearsal came to. */
import { afterAll, beforeAll, expect } from "vitest";
import { adminKeys, openConsole } from "../../../browser/console/operator.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../../support/chromium.ts";
import { test } from "../../../support/sizes.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "shop" }], config: { admin: { keys: adminKeys } } }));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

test("the checklist before a sale has the command, and says that the room was not rehearsed", async () => {
  const { issuer } = world();
  const operator = await openConsole(chromium.browser, issuer, { path: "/console/rooms/shop/before" });
  const { page } = operator;
  await page.locator(".checklist > li").filter({ hasText: "not rehearsed with a crowd yet" }).waitFor();
  await page.getByText("The room has to be marked as a rehearsal first").waitFor();
  const command = await page.getByLabel("Command", { exact: true }).inputValue();
  expect(command).toBe(`usher rehearse shop --url ${issuer} --visitors 1000 --minutes 10`);
  expect(operator.faults).toEqual([]);
  await expectNoAxeViolations(page);
});
