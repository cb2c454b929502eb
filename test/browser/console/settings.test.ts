/** The console's settings of a room in a real browser: what stands where, what would change, two operators at once, and who may change what. */
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { describeLong, long, test } from "../../support/sizes.ts";
import { adminKeys, deskKey, expectReadable, type Operator, openConsole, viewerKey } from "./operator.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    {
      id: "shop",
      settings: { title: "Shop", schedule: { opens_at: "2020-01-01T10:00", time_zone: "Europe/Berlin" } },
      inlet: { type: "periodic", outflow_per_minute: 600 },
    },
  ],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());
beforeEach(async () => {
  await world().admin.change("shop", { inlet: null, schedule: null, max_waiting: null, joins_per_address: null });
});

const openSettings = (options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, {
    path: "/console/rooms/shop/settings",
    timezoneId: "America/New_York",
    ...options,
  });
const field = ({ page }: Operator, path: string) => page.getByLabel(path, { exact: true });
const pending = ({ page }: Operator) => page.getByRole("region", { name: "What would change" });
const apply = (operator: Operator) => pending(operator).getByRole("button", { name: "Apply" });
const row = ({ page }: Operator, path: string) =>
  page.locator(".setting", { has: page.getByText(path, { exact: true }) });

async function shop() {
  const answer = await world().admin.request("GET", "/rooms/shop");
  return answer.json() as {
    settings: { inlet: Record<string, unknown>; schedule: Record<string, unknown>; [key: string]: unknown };
    settings_live: object;
  };
}

describe("an operator", () => {
  test("sees file, live and in force side by side, changes by keyboard, takes it back, and gives back", async () => {
    const operator = await openSettings();
    const { page, faults } = operator;
    await field(operator, "inlet.outflow_per_minute").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("450");
    await pending(operator).getByText("inlet.outflow_per_minute: 600 → becomes 450").waitFor();
    expect((await shop()).settings.inlet.outflow_per_minute).toBe(600);
    await field(operator, "max_waiting").fill("5000");
    await apply(operator).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Changed settings: 2.").waitFor();
    expect((await shop()).settings_live).toEqual({ inlet: { outflow_per_minute: 450 }, max_waiting: 5_000 });
    await expect
      .poll(() => row(operator, "inlet.outflow_per_minute").locator(".three").textContent())
      .toBe("File600Live450In force450");
    await expect.poll(() => pending(operator).count()).toBe(0);

    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByText("Taken back.").waitFor();
    expect((await shop()).settings_live).toEqual({});

    await world().admin.change("shop", { inlet: { outflow_per_minute: 300 } });
    await page.getByRole("button", { name: "Give back to the file inlet.outflow_per_minute" }).click();
    await pending(operator).getByText("(given back)").waitFor();
    await apply(operator).click();
    await expect.poll(async () => (await shop()).settings_live).toEqual({});
    expect(faults).toEqual([]);
  });

  long("finds a setting by a word, or those that are live alone", async () => {
    await world().admin.change("shop", { max_waiting: 7 });
    const operator = await openSettings();
    const { page } = operator;
    await page.getByLabel("Find a setting").fill("how long one admission lasts");
    await field(operator, "admission.duration").waitFor();
    await expect.poll(() => page.locator(".setting").count()).toBe(1);
    await page.getByLabel("Find a setting").fill("doors open");
    await expect.poll(() => page.locator(".setting").count()).toBe(1);
    await row(operator, "schedule.prequeue_at").getByText("The doors open, the line waits: ").waitFor();
    await page.getByLabel("Find a setting").fill("");
    await page.getByLabel("Only those that were changed live (1)").check();
    await expect.poll(() => page.locator(".setting").count()).toBe(1);
    await expect.poll(() => row(operator, "max_waiting").textContent()).toContain("Live7");
  });

  long(
    "writes the schedule in the room's zone, is told of clock changes and order, and sees what changes nothing",
    async () => {
      const operator = await openSettings({ path: "/console/rooms/shop" });
      const { page } = operator;
      await page.locator(".clock a").click();
      const ends = field(operator, "schedule.ends_at");
      await ends.fill("2097-03-31T02:30");
      await page.getByText("There is no such time", { exact: false }).waitFor();
      await expect.poll(() => apply(operator).isDisabled()).toBe(true);
      await ends.fill("2097-10-27T02:30");
      await page.getByText("This time comes twice, as the clocks are put back.", { exact: false }).waitFor();
      await page.getByLabel("This time comes twice: which one?").selectOption("+01:00");
      await row(operator, "schedule.ends_at")
        .getByText("by the clocks of Europe/Berlin; by your clock 2097-10-26 21:30")
        .waitFor();
      await field(operator, "schedule.opens_at").fill("2097-12-01T10:00");
      await apply(operator).click();
      await row(operator, "schedule.ends_at")
        .getByText("expected a time after schedule.opens_at", { exact: false })
        .waitFor();
      await field(operator, "schedule.opens_at").fill("2097-01-01T10:00");
      await apply(operator).click();
      await page.locator(".warned").getByText("will change nothing", { exact: false }).first().waitFor();
      expect((await shop()).settings.schedule).toEqual({
        prequeue_at: null,
        opens_at: "2097-01-01T10:00:00+01:00",
        ends_at: "2097-10-27T02:30:00+01:00",
        time_zone: "Europe/Berlin",
      });
    },
  );

  long("reads the gateway's faults at their fields, and loses nothing of what was written", async () => {
    const operator = await openSettings();
    await field(operator, "inlet.gate").selectOption("on");
    await field(operator, "inlet.gate.health_url").fill("ftp://nowhere");
    await field(operator, "max_waiting").fill("8");
    await apply(operator).click();
    const gate = row(operator, "inlet.gate");
    await gate.getByText("expected an absolute URL: http or https", { exact: false }).waitFor();
    await expect.poll(() => field(operator, "inlet.gate.health_url").getAttribute("aria-invalid")).toBe("true");
    await field(operator, "inlet.gate.health_url").fill("https://shop.example.com/health");
    await field(operator, "joins_per_address").selectOption("off");
    await apply(operator).click();
    await expect
      .poll(async () => (await shop()).settings_live)
      .toMatchObject({
        inlet: { gate: { health_url: "https://shop.example.com/health", interval: "5s" } },
        max_waiting: 8,
        joins_per_address: "off",
      });
  });

  long("is told when the line would end, before a rate is applied", async () => {
    const join = () => world().http.request(`${world().issuer}/rooms/shop/tickets`, { method: "POST" });
    await world().admin.change("shop", { inlet: { outflow_per_minute: 1 } });
    for (let n = 0; n < 20; n++) await join();
    const operator = await openSettings();
    await field(operator, "inlet.outflow_per_minute").fill("2");
    await pending(operator)
      .getByText(/^The line would end: .*\. Now: /)
      .waitFor();
  });
});

describeLong("two operators at once", () => {
  long("do not overwrite each other unseen: what the other changed is marked, and asks", async () => {
    const [one, other] = [await openSettings(), await openSettings()];
    await field(one, "inlet.outflow_per_minute").fill("450");
    await field(one, "max_waiting").fill("9");
    await field(other, "inlet.outflow_per_minute").fill("200");
    await apply(other).click();
    await other.page.getByText("Changed settings: 1.").waitFor();
    // Whether it has heard of it or not.
    await apply(one)
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await row(one, "inlet.outflow_per_minute")
      .getByText("Somebody else has changed this meanwhile. In force now: 200")
      .waitFor();
    expect((await shop()).settings.inlet.outflow_per_minute).toBe(200);
    expect((await shop()).settings.max_waiting).toBe(null);
    await expect.poll(() => apply(one).isDisabled()).toBe(true);
    await one.page.getByRole("button", { name: "Go on with mine" }).click();
    await pending(one).getByText("inlet.outflow_per_minute: 200 → becomes 450").waitFor();
    await apply(one).click();
    await expect.poll(async () => (await shop()).settings.inlet.outflow_per_minute).toBe(450);
    await expect.poll(() => field(other, "inlet.outflow_per_minute").inputValue()).toBe("450");
  });
});

describeLong("roles", () => {
  long.each([
    ["viewer", viewerKey],
    ["box office", deskKey],
  ])("%s: reads all, and changes nothing", async (_, key) => {
    const operator = await openSettings({ key });
    await operator.page.getByText("inlet.outflow_per_minute", { exact: true }).waitFor();
    await expect
      .poll(() => row(operator, "inlet.outflow_per_minute").locator(".three").textContent())
      .toBe("File600Live–In force600");
    await expect
      .poll(() => operator.page.locator(".setting input, .setting select, .setting textarea").count())
      .toBe(0);
    await expect.poll(() => operator.page.getByRole("button", { name: "Apply" }).count()).toBe(0);
  });
});

long("all can be read, with changes and faults", async () => {
  await world().admin.change("shop", { inlet: { outflow_per_minute: 300 } });
  const operator = await openSettings();
  const { page } = operator;
  await field(operator, "inlet.gate").selectOption("on");
  await field(operator, "max_waiting").fill("x");
  await field(operator, "schedule.ends_at").fill("2097-10-27T02:30");
  await field(operator, "inlet.outflow_per_minute").fill("450");
  await pending(operator).waitFor();
  await expectReadable(page, "settings");
});

long("what each setting means can be read in German", async () => {
  const operator = await openSettings({ locale: "de-DE" });
  const { page } = operator;
  await row(operator, "admission.duration")
    .getByText("Wie lange ein Besuch dauert: wie lange ein Einlass dauert")
    .waitFor();
  await page.getByLabel("Einstellung suchen").fill("wie lange ein Einlass dauert");
  await expect.poll(() => page.locator(".setting").count()).toBe(1);
  await page.getByLabel("Einstellung suchen").fill("");
  await expectReadable(page, "settings-german");
});
