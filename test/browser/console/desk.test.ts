/** What the box office does for one person, in a real browser: it looks a visitor up, and shows others what it sees. */
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { openQrReader } from "../../support/qr-picture.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import {
  adminKeys,
  deskKey,
  expectReadable,
  type Operator,
  openConsole,
  openTool,
  tileOf,
  twoLooks,
  viewerKey,
} from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "shop", settings: { title: "Shop" } },
    { id: "drawn", settings: { title: "Drawn", draw: { order: "random" } } },
  ],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());
beforeEach(async () => {
  await world().admin.step("shop", "open");
});

const atDesk = (options: Parameters<typeof openConsole>[2] = {}, room = "shop"): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { key: deskKey, path: `/console/rooms/${room}`, ...options });
const numberOrTicket = "The number on their page, the sub that the site has, or a ticket";
const button = ({ page }: Operator, name: string) => page.getByRole("button", { name, exact: true });

async function join(room = "shop"): Promise<{ ticket: string; position: number }> {
  const joined = await world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST" });
  expect(joined.status, joined.body).toBe(201);
  return joined.json() as { ticket: string; position: number };
}

async function find({ page }: Operator, written: string): Promise<void> {
  await openTool(page, "Find a visitor");
  await page.getByLabel(numberOrTicket).fill(written);
  await page.keyboard.press("Enter");
}

describe("a visitor who calls", () => {
  test("is found by the number on their page, which a key leads to, and is told why they are not in", async () => {
    const { position } = await join();
    const desk = await atDesk();
    const { page, faults } = desk;
    await tileOf(desk.page, "Find a visitor").waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("control-lookup");
    await page.keyboard.type(String(position));
    await page.keyboard.press("Enter");
    await page.getByText("In line", { exact: true }).waitFor();
    await page.getByText(/^in line/).waitFor();
    await expect.poll(() => page.locator(".sheet dl").textContent()).toContain(`Position${position}`);
    await page.getByText(/^As of /).waitFor();
    await page.getByText("Perhaps also: Left. What was asked for does not tell these apart.").waitFor();
    expect(faults).toEqual([]);
  });

  long(
    "is found by a ticket, with whatever was copied around it; it gets into no address and does not stay",
    async () => {
      const { ticket, position } = await join();
      const desk = await atDesk();
      const addresses: string[] = [];
      desk.page.on("request", (request) => addresses.push(request.url()));
      await tileOf(desk.page, "Find a visitor").waitFor();
      await find(desk, ` ${ticket}\n`);
      await desk.page.getByText(/^in line/).waitFor();
      await expect.poll(() => desk.page.locator(".sheet dl").textContent()).toContain(`Position${position}`);
      await desk.page
        .locator(".history")
        .getByText(/^joined, /)
        .waitFor();
      await expect.poll(() => desk.page.getByLabel(numberOrTicket).inputValue()).toBe("");
      expect(await desk.page.content()).not.toContain(ticket);

      await find(desk, `"${ticket}"`);
      await desk.page.getByText("this is no ticket of this room", { exact: false }).waitFor();
      expect(addresses.filter((each) => each.includes("/visitors/find"))).toHaveLength(2);
      expect(addresses.join("\n")).not.toContain(ticket.split(".")[3]);
    },
  );

  long.each(["0", "nobody", "shop.x", "..", "place_expired", "%00/<b>"])(
    "%s is nobody: the gateway says what to ask by",
    async (written) => {
      const desk = await atDesk();
      await tileOf(desk.page, "Find a visitor").waitFor();
      await find(desk, written);
      await desk.page
        .locator(".problem")
        .getByText(/expected|ticket|problem/)
        .waitFor();
      expect(desk.faults).toEqual([]);
    },
  );

  long("may have a number that is a position and an entry number: the desk is asked which", async () => {
    await world().admin.step("drawn", "prequeue");
    await expect
      .poll(() =>
        join("drawn").then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    for (let n = 0; n < 3; n++) await join("drawn");
    await world().admin.step("drawn", "open");
    const desk = await atDesk({}, "drawn");
    const { page } = desk;
    await tileOf(desk.page, "Find a visitor").waitFor();
    const question = page.getByText("This number is a position and an entry number. Which is meant?");
    await expect
      .poll(
        async () => {
          await find(desk, "1");
          return question.waitFor({ timeout: 1_000 }).then(
            () => true,
            () => false,
          );
        },
        { timeout: 15_000 },
      )
      .toBe(true);
    await button(desk, "The entry number").click();
    await question.waitFor({ state: "detached" });
    await page.getByText(/^As of /).waitFor();
    await expect.poll(() => page.locator(".sheet dl").textContent()).toContain("Entry number1");
  });

  long("is shown to support by a link, which one browser opens", async () => {
    const { ticket, position } = await join();
    const desk = await atDesk();
    const { page } = desk;
    await tileOf(desk.page, "Find a visitor").waitFor();
    for (const written of [String(position), ticket]) {
      await find(desk, written);
      // Who is looked up next has no link yet.
      const link = page.getByLabel("The link");
      await link.waitFor({ state: "detached" });
      await button(desk, "Make a link for support").click();
      const url = await link.inputValue();
      expect(url).toContain("/admin/debug-link?token=");
      await page.getByText(/^Works for (30:00|29:\d\d) more\.$/).waitFor();

      const support = await (await chromium.browser.newContext()).newPage();
      await support.goto(url);
      await support.getByRole("button", { name: "Open in this browser" }).click();
      await support.getByText(/^in line/).waitFor();
    }
  });

  long("is looked for by nobody who may only read", async () => {
    const { page } = await atDesk({ key: viewerKey });
    await page.getByRole("region", { name: "What happened" }).waitFor();
    await page.getByText("Waiting").first().waitFor();
    await expect.poll(() => page.getByLabel(numberOrTicket).count()).toBe(0);
    await page.keyboard.press("?");
    await expect.poll(() => page.getByRole("dialog").locator("kbd").allTextContents()).toEqual(["?"]);
  });
});

describeLong("a link past the line", () => {
  long("is led to by a key, is shown with its code and its time, can be copied, and lets one person in", async () => {
    const desk = await atDesk({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page, faults } = desk;
    await tileOf(page, "Let one person past").waitFor();
    await page.keyboard.press("b");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("control-bypass");
    await page.getByText("Lets one person in. It works once, for three minutes", { exact: false }).waitFor();
    await page.keyboard.type("lighting, for Kim");
    await page.keyboard.press("Enter");
    await page.getByText("The link is made: it lets one person in, once.").waitFor();
    const link = page.getByLabel("The link", { exact: true });
    const url = await link.inputValue();
    expect(url).toContain(`${world().issuer}/rooms/shop/`);
    await page.getByText(/^Works for (3:00|2:5\d) more\.$/).waitFor();
    await button(desk, "Copy The link").click();
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(url);
    const code = await page.getByRole("img", { name: "The link as a QR code" }).screenshot();
    expect(await (await openQrReader(chromium.browser)).read(code)).toBe(url);

    const guest = await (await chromium.browser.newContext()).newPage();
    expect((await guest.goto(url))?.status()).toBe(200);
    await guest.getByRole("button").first().waitFor();
    // A reader of the audit is not let in by it.
    await page.getByRole("region", { name: "What happened" }).getByText("Let one person past").first().waitFor();
    await expect.poll(() => page.locator(".timeline").textContent()).not.toContain(url);
    expect(faults).toEqual([]);
  });

  long("is gone from the screen at its end, and another is another", async () => {
    const desk = await atDesk();
    const { page } = desk;
    const link = page.getByLabel("The link", { exact: true });
    await openTool(page, "Let one person past");
    await button(desk, "Make a link").click();
    const first = await link.inputValue();
    await button(desk, "Make a link").click();
    await expect.poll(() => link.inputValue()).not.toBe(first);
    await page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 180_000; }");
    await page.getByText("The link has ended.").waitFor();
    expect([await link.count(), await page.getByRole("img", { name: "The link as a QR code" }).count()]).toEqual([
      0, 0,
    ]);
  });

  long("is made by nobody who may only read", async () => {
    const { page } = await atDesk({ key: viewerKey });
    await page.getByRole("region", { name: "What happened" }).waitFor();
    await page.getByText("Waiting").first().waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Make a link" }).count()).toBe(0);
  });
});

long("all can be read, in German", async () => {
  const { position } = await join();
  const desk = await atDesk({ locale: "de-DE" });
  const { page } = desk;
  await openTool(page, "Besucher suchen");
  await page.getByLabel("Die Nummer auf der Seite, das sub der Website oder ein Ticket").fill(String(position));
  await page.keyboard.press("Enter");
  await page.getByText("In der Schlange", { exact: true }).waitFor();
  await button(desk, "Link für den Support erstellen").click();
  await page.getByText(/^Gilt noch /).waitFor();
  await expectReadable(page, "desk-found", twoLooks);
  await page.keyboard.press("Escape");
  await openTool(page, "Vorlassen");
  await button(desk, "Link erstellen").click();
  await page.getByRole("img", { name: "Der Link als QR-Code" }).waitFor();
  await expectReadable(page, "desk");
});
