/** Operators of one room together in real browsers: who else is here, a step that takes the word of two, and the screen of a phone that stays on. */
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { long, test } from "../../support/sizes.ts";
import { adminKeys, expectNoSidewaysScroll, openConsole, openTool, operatorKey, phone, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop", settings: { title: "Shop" }, inlet: { type: "periodic", outflow_per_minute: 60 } }],
  config: { admin: { keys: adminKeys, four_eyes: ["end", "reset"] } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());
beforeEach(() => world().admin.step("shop", "open"));

const path = "/console/rooms/shop";
const open = (options: Parameters<typeof openConsole>[2] = {}) =>
  openConsole(chromium.browser, world().issuer, { path, ...options });
const phase = async () =>
  ((await world().http.get(`${world().issuer}/rooms/shop/status`)).json() as { phase: string }).phase;
const button = ({ page }: Awaited<ReturnType<typeof open>>, name: string) =>
  page.getByRole("button", { name, exact: true });

long("each sees who else has the room open, on whichever of its screens, until they leave", async () => {
  const one = await open();
  const alone = () => expect.poll(() => one.page.locator(".company").count()).toBe(0);
  await one.page.getByRole("button", { name: "Pause the line" }).waitFor();
  await alone();
  const other = await open({ key: viewerKey, path: `${path}/settings` });
  await one.page.getByText("Also here: key viewer, viewer").waitFor();
  await other.page.getByRole("link", { name: "Today" }).click();
  await other.page.getByText("Also here: key env, admin").waitFor();
  await other.page.getByRole("navigation").getByRole("link", { name: "Rooms" }).click();
  await alone();
  expect([...one.faults, ...other.faults]).toEqual([]);
  await one.page.context().close();
  await other.page.context().close();
});

describe("a step that takes the word of two people", () => {
  test("is asked for by one, approved by another, and done then", async () => {
    const [one, other] = [await open(), await open({ key: operatorKey })];
    const more = await openTool(one.page, "More");
    await button(one, "End the room").click();
    // It says so before it is asked for.
    await more.getByText("A second person must approve this. It waits for them for ten minutes.").waitFor();
    await more.getByRole("button", { name: "Ask a second person" }).click();
    await one.page.getByText("It waits for a second person, who approves it on this screen.").waitFor();
    await one.page.getByText("You have asked for it. Another person has to approve it.").waitFor();
    await expect.poll(() => one.page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    expect(await phase()).toBe("open");

    const asked = other.page.getByRole("region", { name: "Waits for a second person" });
    await asked.getByText("key env asks for it.").waitFor();
    await other.page.getByText("Somebody asks to end the room: it waits for a second person.").waitFor();
    await expectNoAxeViolations(other.page);
    await asked.getByRole("button", { name: "Approve End the room" }).click();
    const dialog = other.page.getByRole("dialog");
    await dialog.getByText(/would be turned away/).waitFor();
    expect(await phase()).toBe("open");
    await dialog.getByRole("button", { name: "End the room" }).click();
    await expect.poll(phase).toBe("ended");
    await asked.waitFor({ state: "detached" });
    await one.page
      .getByRole("region", { name: "What happened" })
      .getByText("waits for a second person")
      .first()
      .waitFor();
  });

  long("is declined, or withdrawn by whoever asked, and a viewer has no part in it", async () => {
    const [one, other, viewer] = [await open(), await open({ key: operatorKey }), await open({ key: viewerKey })];
    const ask = async () => {
      const more = await openTool(one.page, "More");
      await button(one, "Reset: void all places").click();
      await more.getByLabel("Type shop to go on").fill("shop");
      await more.getByRole("button", { name: "Ask a second person" }).click();
    };
    await ask();
    await other.page.getByRole("button", { name: "Decline Reset: void all places" }).click();
    await other.page.getByText("It was declined.").waitFor();
    await one.page.getByRole("region", { name: "Waits for a second person" }).waitFor({ state: "detached" });
    await ask();
    await viewer.page.getByText("Somebody asks to void all places: it waits for a second person.").waitFor();
    await expect.poll(() => viewer.page.getByRole("region", { name: "Waits for a second person" }).count()).toBe(0);
    await one.page.getByRole("button", { name: "Withdraw Reset: void all places" }).click();
    await one.page.getByText("It was withdrawn.").waitFor();
    await viewer.page
      .getByText("Somebody asks to void all places: it waits for a second person.")
      .waitFor({ state: "detached" });
    expect([...one.faults, ...other.faults, ...viewer.faults]).toEqual([]);
  });
});

long("a phone's screen stays on while that is wanted: it is asked for again when the page is seen again", async () => {
  const operator = await open(phone);
  const { page } = operator;
  // What the browser is asked for, and gives.
  await page.addInitScript(`{
    window.locks = [];
    const ask = navigator.wakeLock.request.bind(navigator.wakeLock);
    navigator.wakeLock.request = async (kind) => { const lock = await ask(kind); locks.push(lock); return lock; };
  }`);
  await page.reload();
  const held = () => page.evaluate("locks.map(({ released }) => released)");
  await page.getByLabel("Keep the screen awake").tap();
  await expect.poll(held).toEqual([false]);
  // As the browser does where the page is hidden; and then it is seen again.
  await page.evaluate("locks[0].release()");
  await page.getByText("The browser does not at present.").waitFor();
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await expect.poll(held).toEqual([true, false]);
  await page.reload();
  await expect.poll(held).toEqual([false]);
  await page.getByLabel("Keep the screen awake").tap();
  await expect.poll(held).toEqual([true]);
  await expectNoSidewaysScroll(page);
});
