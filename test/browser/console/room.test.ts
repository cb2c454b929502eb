/** The console's screen of one room in a real browser: each control by mouse and by keyboard, the way back, and what a role does not see. */
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
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

const hostile = `<img src=x onerror="document.title='owned'">`;
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop", settings: { title: "Shop" }, inlet: { type: "periodic", outflow_per_minute: 1 } }],
  config: { admin: { keys: adminKeys }, listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());
beforeEach(async () => {
  await world().admin.step("shop", "open");
  await world().admin.step("shop", "resume");
  await world().admin.change("shop", { inlet: { outflow_per_minute: 1 }, message: null });
});

const join = () => world().http.request(`${world().issuer}/rooms/shop/tickets`, { method: "POST" });
const status = async () =>
  (await world().http.get(`${world().issuer}/rooms/shop/status`)).json() as { phase: string; message: unknown };
const openRoom = (options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { path: "/console/rooms/shop", ...options });
const button = ({ page }: Operator, name: string) => page.getByRole("button", { name, exact: true });

describe("an operator", () => {
  long("comes from the rooms by a link, reads on at the heading, and goes back", async () => {
    const { page } = await openConsole(chromium.browser, world().issuer);
    await page.getByRole("link", { name: "Shop" }).click();
    await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
    expect(page.url()).toBe(`${world().issuer}/console/rooms/shop`);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Shop");
    expect(await page.title()).toBe("Shop · Console · Usher");
    await page.getByRole("navigation").getByRole("link", { name: "Rooms" }).click();
    await page.getByRole("article", { name: "Shop" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  });

  test("pauses with a message, takes the pause back within ten seconds, and sees both in the timeline", async () => {
    const operator = await openRoom();
    const { page, faults } = operator;
    const { message } = await status();
    await openTool(page, "Message");
    await page.getByLabel("Message on the pages of the room").fill(hostile);
    await button(operator, "Show, and pause the line").click();
    await expect.poll(async () => (await status()).phase).toBe("paused");
    await page.getByText("The line is paused.").waitFor();
    await button(operator, "Let the line go on").waitFor();
    await expect.poll(() => tileOf(page, "Message").textContent()).toBe(`Message${hostile}`);
    await page.locator(".recent").getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await status()).phase).toBe("open");
    await page.locator(".recent").getByText("Taken back.").waitFor();
    const timeline = page.getByRole("region", { name: "What happened" });
    await timeline.getByText("Pause the line").first().waitFor();
    await timeline.getByText("Taken back.").first().waitFor();
    // The way back takes the words, too.
    await expect.poll(async () => (await status()).message).toEqual(message);
    await expect.poll(() => page.locator("img").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  long(
    "sees whom rules and limits refuse a place, by network, in a table and as curves; a viewer sees no networks",
    async () => {
      const address_rules = [{ name: "hosting", action: "refuse", ranges: ["192.0.2.0/24"] }];
      await world().admin.change("shop", { address_rules, check: { type: "proof_of_work" } });
      const url = `${world().issuer}/rooms/shop/tickets`;
      for (const last of [1, 2, 3]) {
        const headers = { "x-forwarded-for": `192.0.2.${last}` };
        expect((await world().http.request(url, { method: "POST", headers })).status).toBe(403);
      }
      const asked = await world().http.request(url, { method: "POST", headers: { "x-forwarded-for": "198.51.100.7" } });
      expect(asked.json()).toMatchObject({ error: "check_required" });
      const operator = await openRoom();
      await operator.page.getByText("More curves").click();
      const region = operator.page.getByRole("region", { name: "Refused a place, or asked" }).first();
      await region.getByRole("row", { name: "192.0.2.0/24 0 0 3 0 0 0 0 hosting" }).waitFor();
      await region.getByRole("row", { name: "198.51.100.0/24 0 0 0 1 0 0 0 –" }).waitFor();
      await operator.page.getByText("Refused a place, per minute").first().waitFor({ timeout: 40_000 });
      await expectReadable(operator.page, "soft-blocks");
      expect(operator.faults).toEqual([]);
      const viewer = await openRoom({ key: viewerKey });
      await viewer.page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
      await viewer.page.getByText("More curves").click();
      await viewer.page.getByText("Refused a place, per minute").first().waitFor();
      await expect.poll(() => viewer.page.getByRole("region", { name: "Refused a place, or asked" }).count()).toBe(0);
      await world().admin.change("shop", { address_rules: null, check: null });
    },
  );

  long("reads when the line would end at another rate before it is applied, and takes it back", async () => {
    for (let n = 0; n < 30; n++) await join();
    const operator = await openRoom();
    const { page } = operator;
    // A forecast needs two minutes of an open room, which have passed here by the answer alone.
    await page.route("**/admin/rooms/shop/forecast", async (route) => {
      const response = await route.fetch();
      const line_ends_at = { low: "2031-05-10T21:00:00Z", high: "2031-05-10T21:10:00Z" };
      await route.fulfill({ response, json: { ...(await response.json()), line_ends_at } });
    });
    await expect.poll(() => page.getByLabel("Admissions a minute", { exact: true }).inputValue()).toBe("1");
    for (const _ of [1, 2, 3]) await button(operator, "+10 %").click();
    await expect.poll(() => page.getByLabel("Admissions a minute", { exact: true }).inputValue()).toBe("4");
    await page.getByText(/^The line would end: .*\. Now: /).waitFor();
    await page.getByLabel("Admissions a minute", { exact: true }).fill("0");
    await page.getByText("A whole number from 1 to 1,000,000.").waitFor();
    await expect.poll(() => button(operator, "Apply").isDisabled()).toBe(true);
    await page.getByLabel("Admissions a minute", { exact: true }).fill("60");
    await page.keyboard.press("Enter");
    await page.getByText("60 may enter a minute.").waitFor();
    const limit = async () => ((await world().admin.request("GET", "/rooms/shop")).json() as Limited).outflow_limit;
    expect(await limit()).toBe(60);
    await page.locator(".recent").getByRole("button", { name: "Undo" }).click();
    await expect.poll(limit).toBe(1);
  });

  long("sees within seconds what another does", async () => {
    const [one, other] = [await openRoom(), await openRoom({ key: viewerKey })];
    await button(one, "Pause the line").click();
    await other.page.locator(".phase-paused").waitFor();
    const timeline = other.page.getByRole("region", { name: "What happened" });
    await timeline.getByRole("listitem").filter({ hasText: "Pause the line" }).first().waitFor();
    await button(one, "Let the line go on").click();
    await other.page.locator(".phase-open").waitFor();
    // A call changes nothing but the audit: no new version of the room tells of it.
    await openTool(one.page, "More");
    await one.page.getByLabel("Call the next").fill("1");
    await button(one, "Call").click();
    await timeline.getByText("Call the next").first().waitFor({ timeout: 15_000 });
  });

  test("calls the next, and says how many enter and how many are left to sell", async () => {
    const operator = await openRoom();
    const { page } = operator;
    const told = async () => (await world().admin.request("GET", "/rooms/shop")).json() as Limited & Stocked & Served;
    const { serving } = await told();
    await openTool(page, "More");
    await page.getByLabel("Call the next").fill("3");
    await button(operator, "Call").click();
    await page.getByText("3 were called.").waitFor();
    await page.getByLabel("Admissions a minute", { exact: true }).fill("60");
    await page.keyboard.press("Enter");
    await page.getByText("60 may enter a minute.").waitFor();
    await page.getByLabel("How many are left").fill("40");
    await page.keyboard.press("Enter");
    await page.getByText("40 are left to sell.").waitFor();
    expect(await told()).toMatchObject({ serving: serving + 3, outflow_limit: 60, stock: { remaining: 40 } });
    await button(operator, "Take the number away").click();
    await page.getByText(/^Not set\./).waitFor();
  });

  long("changes and gives back the message", async () => {
    const operator = await openRoom();
    const { page } = operator;
    await openTool(page, "Message");
    await page.getByLabel("Message on the pages of the room").fill("Seats are left.");
    await button(operator, "Show").click();
    await page.getByText("The message is on the pages.").waitFor();
    await openTool(page, "Message");
    await button(operator, "Withdraw the message").click();
    await page.getByText("The message is withdrawn.").waitFor();
  });

  long(
    "tells how many are left to sell; at 0 the room is sold out, and is no more once that is taken back",
    async () => {
      const operator = await openRoom();
      const { page } = operator;
      const stock = async () =>
        ((await world().admin.request("GET", "/rooms/shop")).json() as Stocked).stock?.remaining;
      await page.getByText(/^Not set\./).waitFor();
      await page.getByLabel("How many are left").fill("-1");
      await page.getByText("A whole number from 0 to 1,000,000,000.").waitFor();
      await expect.poll(() => button(operator, "Set").isDisabled()).toBe(true);
      await page.getByLabel("How many are left").fill("40");
      await page.keyboard.press("Enter");
      await page.getByText("40 are left to sell.").waitFor();
      await page.getByText(/^40 were left \d+ s ago\. At 0 the room is sold out, and people can wait/).waitFor();
      await page.getByLabel("How many are left").fill("0");
      await button(operator, "Set").click();
      // It stops the line: that is asked about first, and may be left at that.
      const dialog = page.getByRole("dialog");
      await dialog.getByText(/^The line would stop for \d+ people, who can wait for returns\.$/).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      expect(await stock()).toBe(40);
      await button(operator, "Sold out").click();
      await dialog.getByRole("button", { name: "Sold out" }).click();
      await page.getByText("The room is sold out.").waitFor();
      await expect.poll(async () => (await status()).phase).toBe("paused");
      await page.locator(".recent").getByRole("button", { name: "Undo" }).click();
      await expect.poll(stock).toBe(40);
      await expect.poll(async () => (await status()).phase).toBe("open");
      await button(operator, "Take the number away").click();
      await page.getByText(/^Not set\./).waitFor();
      expect(await stock()).toBeUndefined();
    },
  );

  long("does once what is asked for twice at the same time", async () => {
    const operator = await openRoom();
    const { page } = operator;
    let calls = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/serving")) calls++;
    });
    await openTool(page, "More");
    await page.getByLabel("Call the next").fill("1");
    await page.evaluate(
      "for (let n = 0; n < 2; n++) document.querySelector('#control-call').form.requestSubmit(document.querySelector('#control-call').form.querySelector('button'))",
    );
    await page.getByText("1 were called.").waitFor();
    expect(calls).toBe(1);
  });

  long("is asked before the line stops or opens and before the room ends, and may leave it at that", async () => {
    const operator = await openRoom();
    const { page } = operator;
    const more = await openTool(page, "More");
    const dialog = more.getByRole("dialog");
    await button(operator, "Open the doors").click();
    await dialog.getByText(/nobody would enter before the room opens: .* would wait\.$/).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await button(operator, "End the room").click();
    await dialog.getByText(/would be turned away/).waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await status()).phase).toBe("open");
    await button(operator, "End the room").click();
    await dialog.getByRole("button", { name: "End the room" }).click();
    await expect.poll(async () => (await status()).phase).toBe("ended");
    // Of a room that is over nothing is left to pause.
    await page.getByText("The sale is over.").waitFor();
    await expect.poll(() => button(operator, "Pause the line").count()).toBe(0);
    // It opens again, which is taken back: then it would end again, and that is asked about, too.
    await openTool(page, "More");
    await button(operator, "Open the room").click();
    await dialog.getByRole("button", { name: "Open the room" }).click();
    await page.getByText("The room is open.").waitFor();
    await page.locator(".recent").getByRole("button", { name: "Undo" }).click();
    const again = page.getByRole("dialog", { name: "Undo" });
    await again.getByText(/would be turned away/).waitFor();
    expect((await status()).phase).toBe("open");
    await again.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await status()).phase).toBe("ended");
  });

  test("is asked before a reset, and types the room's id", async () => {
    const operator = await openRoom();
    const { page } = operator;
    const more = await openTool(page, "More");
    await button(operator, "Reset: void all places").click();
    const dialog = more.getByRole("dialog");
    await dialog.getByText(/would lose their places/).waitFor();
    const reset = dialog.getByRole("button", { name: "Reset: void all places" });
    await expect.poll(() => reset.isDisabled()).toBe(true);
    await dialog.getByLabel("Type shop to go on").fill("shop");
    await reset.click();
    await page.getByText("A new line has begun.").waitFor();
  });

  long(
    "does it by keyboard alone; keys lead to controls and do nothing by themselves, and can be turned off",
    async () => {
      const operator = await openRoom();
      const { page } = operator;
      await button(operator, "Pause the line").waitFor();
      await page.keyboard.press("p");
      expect(await page.evaluate("document.activeElement.id")).toBe("control-pause");
      expect((await status()).phase).toBe("open");
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await status()).phase).toBe("paused");
      await page.keyboard.press("r");
      expect(await page.evaluate("document.activeElement.id")).toBe("control-rate");
      // In a field they are letters.
      await page.keyboard.type("mp");
      expect(await page.evaluate("document.activeElement.id")).toBe("control-rate");
      await page.locator("h1").focus();
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      await page.getByLabel("Keys are on").uncheck();
      await page.keyboard.press("Escape");
      await page.locator("h1").focus();
      await page.keyboard.press("m");
      expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    },
  );
});

describeLong("how a room went", () => {
  long("is told by curves with one cursor, and the same by tables", async () => {
    await world().admin.step("shop", "reset");
    await world().admin.step("shop", "open");
    await world().admin.step("shop", "pause");
    for (let n = 0; n < 5; n++) expect((await join()).status).toBe(201);
    const operator = await openRoom();
    const { page, faults } = operator;
    const figure = (name: string) => page.getByRole("figure").filter({ hasText: name });
    const line = page.getByRole("figure", { name: "Waiting, and entering a minute" });
    await line.locator("canvas").waitFor();
    // A step of the statistics is ten seconds.
    await line.getByText("As a table").click();
    await line.locator(".table td", { hasText: /^5$/ }).first().waitFor({ timeout: 30_000 });
    await expectNoAxeViolations(page);

    await page.getByText("More curves").click();
    const entering = figure("Arrivals and admissions a minute, and their limit");
    const legend = entering.locator(".u-legend .u-value").first();
    const before = await legend.textContent();
    await line.locator(".u-over").scrollIntoViewIfNeeded();
    await line.locator(".u-over").hover({ position: { x: 100, y: 40 } });
    await expect.poll(() => legend.textContent()).not.toBe(before);
    await expect.poll(() => legend.textContent()).toMatch(/\d\d:\d\d/);

    for (const range of ["1 hour", "The sale"]) {
      await page.getByLabel(range).check();
      await line.locator("canvas").waitFor();
    }
    expect(faults).toEqual([]);
  });
});

interface Served {
  readonly serving: number;
}
interface Limited {
  readonly outflow_limit: number;
}
interface Stocked {
  readonly stock: { readonly remaining: number } | null;
}

describeLong("what a role may not do is not shown", () => {
  long("to a viewer no control at all", async () => {
    const { page } = await openRoom({ key: viewerKey });
    await page.getByRole("region", { name: "What happened" }).locator("li").first().waitFor();
    await page.getByText("Waiting").first().waitFor();
    await expect.poll(() => page.getByRole("region", { name: "Controls" }).count()).toBe(0);
    const buttons = await page.getByRole("button").allTextContents();
    expect(buttons.filter((name) => name !== "Show older")).toEqual(["Sign out", "Keyboard"]);
  });

  long("to the box office the message alone, and the way back of messages", async () => {
    await world().admin.step("shop", "pause");
    await world().admin.change("shop", { message: "Seats are left." });
    const { page } = await openRoom({ key: deskKey });
    const rows = page.getByRole("region", { name: "What happened" }).getByRole("listitem");
    const ofMessage = rows.filter({ hasText: "Seats are left." }).first();
    await ofMessage.getByRole("button").waitFor();
    await expect.poll(() => rows.filter({ hasText: "Pause the line" }).first().getByRole("button").count()).toBe(0);
    await ofMessage.getByRole("button").click();
    await page.locator(".recent").getByText("Taken back.").waitFor();
    for (const name of ["Pause the line", "Apply", "Call"]) {
      await expect.poll(() => page.getByRole("button", { name, exact: true }).count(), { message: name }).toBe(0);
    }
  });

  long("of a room that there is not, nothing", async () => {
    const { page } = await openRoom({ path: "/console/rooms/nowhere" });
    await page.getByText("There is no such room, or none that you may see.").waitFor();
  });
});

long("all can be read", async () => {
  const operator = await openRoom();
  const { page } = operator;
  await button(operator, "Pause the line").waitFor();
  await page.locator(".timeline li").first().waitFor();
  await page.locator("canvas").first().waitFor();
  await page.getByText("More curves").click();
  await expectReadable(page, "room");
  for (const title of ["Message", "Let one person past", "Find a visitor", "More"]) {
    await page.setViewportSize({ width: 360, height: 780 });
    await openTool(page, title);
    await expectReadable(page, `room-${title}`, twoLooks);
    await page.keyboard.press("Escape");
  }
});
