/** The console says at a room whose clients come to it. */
import { afterAll, beforeAll, expect } from "vitest";
import { expectNoSidewaysScroll, openConsole, phone } from "../../../browser/console/operator.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../../support/chromium.ts";
import { test } from "../../../support/sizes.ts";
import { homeOf } from "../support/home-client.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "tickets" }],
  config: homeOf({ Sample: "tickets" }),
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

test("a room's first screen says which other system's clients come, what they call it, and where the guide is", async () => {
  const on = { ...phone, path: "/console/rooms/tickets" };
  const { page, faults } = await openConsole(chromium.browser, world().issuer, on);
  const line = "Clients of AWS Virtual Waiting Room come here, too, and call the room Sample. Guide: docs/homes/aws.md";
  await page.getByText(line, { exact: true }).waitFor();
  await expectNoSidewaysScroll(page);
  expect(faults).toEqual([]);
});
