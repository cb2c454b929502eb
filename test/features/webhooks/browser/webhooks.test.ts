/**
 * Goal: webhooks are run by the console alone. Method: a real browser, a gateway on a Redis whose clock is set, and a real receiver that
 * accepts or refuses; an event that is refused for a day is a dead letter.
 */
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import {
  adminKeys,
  deskKey,
  expectReadable,
  type Operator,
  openConsole,
  viewerKey,
} from "../../../browser/console/operator.ts";
import { type StoreUnderTest, useWorld } from "../../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../../support/chromium.ts";
import { type RedisWithClock, startRedisWithClock } from "../../../support/redis-with-clock.ts";
import { long, test } from "../../../support/sizes.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";

let redis: RedisWithClock;
const store: StoreUnderTest = {
  name: "Redis with a clock",
  async start() {
    redis = await startRedisWithClock();
    return { config: { type: "redis", url: redis.url }, stop: () => redis.stop() };
  },
};
const world = useWorld(() => ({
  store,
  rooms: [
    { id: "shop", settings: { title: "Shop" } },
    { id: "bar", settings: { title: "Bar" } },
  ],
  config: { admin: { keys: adminKeys }, webhooks: { allowed_hosts: ["127.0.0.1"] } },
}));

let chromium: BorrowedChromium;
let receiver: WebhookReceiver;
beforeAll(async () => {
  chromium = await borrowChromium();
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  receiver.usual = "accept";
  await redis.setClock(0);
});
afterAll(async () => {
  await receiver.close();
  await chromium.refund();
});

const open = (options: Parameters<typeof openConsole>[2] = {}): Promise<Operator> =>
  openConsole(chromium.browser, world().issuer, { path: "/console/webhooks", ...options });
const button = ({ page }: Operator, name: string | RegExp) => page.getByRole("button", { name, exact: true });

async function make(body: object): Promise<{ id: string; secret: string }> {
  const answer = await world().admin.request("POST", "/webhooks", { url: receiver.url, ...body });
  expect(answer.status, answer.body).toBe(201);
  return answer.json() as { id: string; secret: string };
}
const read = async (id: string) =>
  (await world().admin.request("GET", `/webhooks/${id}`)).json() as Record<string, unknown>;

describe("a webhook", () => {
  test("is made with its faults at their fields, its secret is shown once, and a test says what was answered", async () => {
    const operator = await open();
    const { page, faults } = operator;
    await page.getByRole("link", { name: "New webhook" }).press("Enter");
    await page.getByLabel("Address").fill("http://example.com/");
    await page.getByLabel("Note").fill("<img src=x onerror=alert(1)>");
    await button(operator, "Make the webhook").press("Enter");
    await page.locator("#webhook-url-errors").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("webhook-url");
    await page.getByLabel("Address").fill(receiver.url);
    await page.getByLabel("Shop (shop)").check();
    await page.getByLabel("usher.room.*", { exact: true }).check();
    await expect.poll(() => page.getByLabel("usher.room.full", { exact: true }).isDisabled()).toBe(true);
    await page.getByLabel("usher.process.ready", { exact: true }).check();
    await button(operator, "Make the webhook").press("Enter");
    const field = page.getByRole("textbox", { name: "The secret of the webhook" });
    const secret = await field.inputValue();
    expect(secret).toMatch(/^whsec_/);
    const id = new URL(page.url()).searchParams.get("webhook") ?? "";
    expect(await read(id)).toMatchObject({ rooms: ["shop"], types: ["usher.room.*", "usher.process.ready"] });

    await button(operator, "Send a test").click();
    await page.getByText("The receiver accepted it.").waitFor();
    await page.getByText("It answered with the status 204.").waitFor();
    receiver.behaviours.push("refuse");
    await button(operator, "Send a test").click();
    await page.getByText("It did not arrive.").waitFor();
    await page.getByText("busy", { exact: true }).waitFor();

    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
    await page.getByRole("link", { name: id }).click();
    await button(operator, "Send a test").waitFor();
    expect(await page.content()).not.toContain(secret);
    await expect.poll(() => page.locator("main img").count()).toBe(0);
    expect(world().gateways[0]?.output()).not.toContain(secret);
    expect(faults).toEqual([]);
  });

  long(
    "is changed by what was changed here alone, gets a new secret, and is deleted once its id was typed",
    async () => {
      const { id, secret } = await make({ types: ["usher.room.full"], note: "first" });
      const operator = await open({ path: `/console/webhooks?webhook=${id}` });
      const { page } = operator;
      await button(operator, "Change").click();
      await world().admin.request("PATCH", `/webhooks/${id}`, { rooms: ["bar"] });
      await page.getByLabel("Note").fill("");
      await page.getByLabel("Sending").selectOption({ label: "keeps events back" });
      await page.getByLabel("usher.room.sold_out", { exact: true }).check();
      await button(operator, "Save").click();
      await page.getByText("Saved.").waitFor();
      expect(await read(id)).toMatchObject({
        note: null,
        enabled: false,
        rooms: ["bar"],
        types: ["usher.room.full", "usher.room.sold_out"],
      });

      await button(operator, "New secret").click();
      await page.keyboard.press("Tab");
      await page.getByLabel("The one before goes on working for").fill("0s");
      await page.keyboard.press("Enter");
      const field = page.getByRole("textbox", { name: "The secret of the webhook" });
      const renewed = await field.inputValue();
      expect(renewed).not.toBe(secret);
      await button(operator, "I have it").click();
      await field.waitFor({ state: "detached" });

      await button(operator, "Delete").click();
      await page.getByLabel(`Type ${id} to go on`).fill(id);
      await button(operator, `Delete ${id}`).click();
      await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
      expect((await world().admin.request("GET", `/webhooks/${id}`)).status).toBe(404);
    },
  );

  long("shows what was given up, and sends it again: one, or all that are shown", async () => {
    const { id } = await make({ types: ["usher.room.phase_changed"], rooms: ["bar"] });
    receiver.usual = "refuse";
    for (const step of ["pause", "resume", "pause"] as const) await world().admin.step("bar", step);
    const before = receiver.requests.length;
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(before);
    await redis.setClock(25 * 3_600);
    const letters = async () =>
      ((await world().admin.request("GET", `/webhooks/${id}/dead-letters`)).json() as { dead_letters: unknown[] })
        .dead_letters.length;
    await expect.poll(letters, { timeout: 30_000 }).toBe(3);

    const operator = await open({ path: `/console/webhooks?webhook=${id}` });
    const { page, faults } = operator;
    const list = page.getByRole("region", { name: "Dead letters" });
    const rows = list.getByRole("row").filter({ hasText: "rooms/bar" });
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => rows.first().textContent()).toContain("the receiver answered 503");
    await button(operator, "Send these 3 again").click();
    await list.getByText("It did not arrive.").waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    receiver.usual = "accept";
    await rows.first().getByRole("button").click();
    await list.getByText("The receiver accepted it.").waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await button(operator, "Send these 2 again").click();
    await list.getByText("2 of 2 accepted.").waitFor();
    await list.getByText("None: nothing was given up.").waitFor();
    expect(await letters()).toBe(0);
    expect(faults).toEqual([]);
  });
});

long.each([viewerKey, deskKey])("who is no admin sees no webhooks (%#)", async (key) => {
  const { page } = await open({ key });
  await page.getByText("This screen takes another role").waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
});

long("all can be read, in German", async () => {
  const { id } = await make({ note: "all can be read" });
  const operator = await open({ locale: "de-DE" });
  const { page } = operator;
  await page.getByRole("link", { name: id }).waitFor();
  await expectReadable(page, "webhooks");
  await page.getByRole("link", { name: id }).click();
  await page.getByText("Keine: Nichts wurde aufgegeben.").waitFor();
  await button(operator, "Test senden").click();
  await page.getByText("Der Empfänger hat es angenommen.").waitFor();
  await expectReadable(page, "webhook-tested");
  await button(operator, "Ändern").click();
  await page.getByLabel("usher.room.full", { exact: true }).waitFor();
  await expectReadable(page, "webhook-changed");
});
