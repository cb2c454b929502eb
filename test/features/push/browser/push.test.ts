/**
 * Goal: a visitor whose phone sleeps is told that the turn is near, and that it has come, and enters; and whatever the box says is true. Method: the real
 * page and its service worker at a real gateway, and a push service that decrypts what it gets, whose messages the browser delivers to the worker.
 */
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { english } from "../../../support/english.ts";
import { type Journey, startJourney } from "../../../support/journey.ts";
import { long, test } from "../../../support/sizes.ts";
import { isInside, parkedAt, setVisibility } from "../../../support/waiting-visitor.ts";
import { createPushBrowser, type PushBrowser } from "../support/push-browser.ts";
import { type PushService, startPushService } from "../support/push-service.ts";

const soon = { timeout: 30_000, interval: 50 };
const seldom = { timeout: 30_000, interval: 1_000 };
const { near } = english.waiting.call;
const turn = english.waiting.live.titles.turn;
const whileClosed = "Also when this page is closed or your phone is asleep.";
const failed = "Notifications for when this page is closed could not be set up.";
const full = "The waiting room cannot notify any more people.";
const blocked = "Your browser does not let this page show notifications.";

let service: PushService;
let journey: Journey;
beforeAll(async () => {
  service = await startPushService();
  const ids = ["sleeps", "hidden", "opts-out", "declines", "refused", "keys", "resets", "changes", "broken"];
  const rooms = ids.map((id) => ({ id, settings: { push: true } }));
  journey = await startJourney([...rooms, { id: "quiet" }], { push: { services: [service.host] } });
});
afterAll(async () => {
  await journey?.stop();
  await service?.stop();
});

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly phone: PushBrowser;
}

async function arrive(room: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await journey.browser.newContext({
    viewport: { width: 360, height: 780 },
    locale: "en-GB",
    permissions: ["notifications"],
    ...options,
  });
  const phone = await createPushBrowser(context, service, journey.gateway.issuer, room);
  const page = await journey.arriveIn(context, room);
  await parkedAt(page);
  await page.locator("#call > summary").click();
  return { context, page, phone };
}

const box = (page: Page) => page.locator("#call-notify");
const says = (page: Page, words: string) =>
  expect.poll(() => page.locator("#call").textContent(), soon).toContain(words);
const isTicked = (page: Page, ticked = true) => expect.poll(() => box(page).isChecked(), soon).toBe(ticked);

/** How many the gateway is to notify. */
async function kept(room: string): Promise<number> {
  const text = await (await fetch(`${journey.gateway.origin}/metrics`)).text();
  const line = text.split("\n").find((each) => each.startsWith(`usher_push_subscriptions{room="${room}"`));
  return Number(line?.split(" ").at(-1) ?? 0);
}
const isKept = (room: string, count = 1) => expect.poll(() => kept(room), soon).toBe(count);

/** To be called before what makes the page anew: resolves when that page has told the gateway where to notify its visitor. */
const isTold = (page: Page) =>
  page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith("/tickets/me/push"));

test("a visitor subscribes, closes the page, is woken when the turn is near and when it has come, and enters", async () => {
  await journey.joinOthers("sleeps", 20);
  const { context, page, phone } = await arrive("sleeps");
  await says(page, whileClosed);
  await expect.poll(() => box(page).isChecked()).toBe(false);
  await box(page).check();
  await isKept("sleeps");
  const told = isTold(page);
  await page.reload();
  // The browser has it from before: what was opened and ticked is so again.
  await isTicked(page);
  await told;
  await isKept("sleeps");
  expect(phone.current()?.name).toBe("sleeps-1");
  await page.close();
  await journey.admin.increment("sleeps", 10);
  const [first, ...others] = await phone.wake();
  expect(first).toMatchObject({ title: "The room sleeps", body: near, lang: "en", dir: "ltr" });
  await journey.admin.increment("sleeps", 11);
  // The later takes the place of the earlier.
  const all = await phone.wake();
  expect([...others, ...all.map(({ body }) => body)]).toEqual([turn]);
  const [opened = ""] = await phone.press();
  expect(await phone.shown()).toEqual([]);
  const [what, address = ""] = opened.split(" ");
  expect(what).toBe("open");
  expect(address.startsWith(journey.siteUrl("sleeps"))).toBe(true);
  const next = await context.newPage();
  await next.goto(address);
  expect(await isInside(next)).toBe(21);
  await isKept("sleeps", 0);
  expect(service.faults).toEqual([]);
});

long("a page that waits is led to; page and push say the same once, and looking takes it away", async () => {
  const { page, phone } = await arrive("hidden");
  await box(page).check();
  await isKept("hidden");
  await setVisibility(page, "hidden");
  await journey.admin.increment("hidden", 1);
  // Chromium forgets a notification that is asked for while it is being shown.
  await expect.poll(() => page.title(), soon).toContain(turn);
  await expect.poll(async () => (await phone.shown()).map(({ body }) => body), seldom).toEqual([turn]);
  expect((await phone.wake()).map(({ body }) => body)).toEqual([turn]);
  // Nor does the phone sound twice for it.
  const isAlertedAnew = "registration.getNotifications().then(([shown]) => shown.renotify)";
  await expect.poll(() => phone.evaluate(isAlertedAnew), soon).toBe(false);
  expect(await phone.press(true)).toEqual([`focus ${page.url()}`]);
  await setVisibility(page, "visible");
  expect(await isInside(page)).toBe(1);
  expect(await phone.shown()).toEqual([]);
});

long("a visitor who does not want it any more is not notified", async () => {
  const { page, phone } = await arrive("opts-out");
  await box(page).check();
  await isKept("opts-out");
  await box(page).uncheck();
  await isKept("opts-out", 0);
  expect(phone.current()).toBeNull();
  await page.reload();
  await page.locator("#call > summary").click();
  await says(page, whileClosed);
  await expect.poll(() => box(page).isChecked()).toBe(false);
  await setVisibility(page, "hidden");
  await journey.admin.increment("opts-out", 1);
  await expect.poll(() => page.title(), soon).toContain(turn);
  await setVisibility(page, "visible");
  await isInside(page);
  expect([phone.received(), await phone.shown()]).toEqual([[], []]);
});

long("a browser that may show no notifications is not subscribed, and the page says so", async () => {
  const { context, page, phone } = await arrive("declines", { permissions: [] });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await box(page).click();
  await says(page, blocked);
  await isTicked(page, false);
  expect([phone.current(), context.serviceWorkers(), await kept("declines")]).toEqual([null, [], 0]);
  expect(asked.filter((path) => path.includes("/push"))).toEqual([]);
});

long(
  "where the room cannot notify this browser the page says so, and does it itself as long as it is open",
  async () => {
    const { page, phone } = await arrive("refused");
    // No service that Usher sends to.
    phone.subscribesAt("http://localhost:9");
    await box(page).click();
    await says(page, failed);
    await isTicked(page, false);
    expect([phone.current(), await kept("refused")]).toEqual([null, 0]);
    await expect.poll(() => page.locator("#call-always").count()).toBe(0);
    await box(page).check();
    await setVisibility(page, "hidden");
    await journey.admin.increment("refused", 1);
    await expect.poll(() => page.title(), soon).toContain(turn);
    await expect.poll(async () => (await phone.shown()).map(({ body }) => body), seldom).toEqual([turn]);
    expect(await phone.press()).toEqual([`focus ${page.url()}`]);
    expect(phone.received()).toEqual([]);

    const late = await arrive("refused");
    await late.page.route("**/tickets/me/push", (route) =>
      route.fulfill({ status: 503, json: { error: "room_full", error_description: "as many as it can" } }),
    );
    await box(late.page).click();
    await says(late.page, full);
    await isTicked(late.page, false);
    expect(late.phone.current()).toBeNull();
  },
);

long("a subscription follows a new key of Usher's", async () => {
  const { page, phone } = await arrive("keys");
  await box(page).check();
  await isKept("keys");
  const { key } = phone.current() ?? {};
  // As if it had been made with the key before.
  phone.subscribe(service.ownKey());
  const told = isTold(page);
  await page.reload();
  await told;
  await expect.poll(() => phone.current()?.name, soon).toBe("keys-3");
  expect(phone.current()?.key).toBe(key);
  await isTicked(page);
  await page.close();
  await journey.admin.increment("keys", 1);
  expect((await phone.wake()).map(({ body }) => body)).toEqual([turn]);
  expect(service.faults).toEqual([]);
});

long("and a place of a new edition of the room", async () => {
  const { page, phone } = await arrive("resets");
  await box(page).check();
  await isKept("resets");
  const edition = await page.locator("main").getAttribute("data-edition");
  const told = isTold(page);
  await journey.admin.step("resets", "reset");
  await page.locator(`main:not([data-edition="${edition}"])`).waitFor();
  await isTicked(page);
  await told;
  await isKept("resets");
  expect(phone.current()?.name).toBe("resets-1");
  await page.close();
  await journey.admin.increment("resets", 1);
  expect((await phone.wake()).map(({ body }) => body)).toEqual([turn]);
});

long("a browser that changes its subscription tells Usher while no page is open", async () => {
  const { page, phone } = await arrive("changes");
  await box(page).check();
  await isKept("changes");
  await page.close();
  await phone.change();
  await journey.admin.increment("changes", 1);
  expect((await phone.wake()).map(({ body }) => body)).toEqual([turn]);
  const [received] = phone.received();
  expect(received?.subscriber).toBe("changes-2");
  expect(received?.message.lang).toBe("en");
  expect(String(received?.message.address)).toContain(journey.siteUrl("changes"));
});

long("a message that is broken is shown as what it is, and leads to the waiting page, never elsewhere", async () => {
  const { page, phone } = await arrive("broken");
  await box(page).check();
  await isKept("broken");
  const address = page.url();
  await page.close();
  const { hostname, origin } = new URL(journey.gateway.issuer);
  const pressed = async (data: string) => {
    const [shown] = await phone.deliver(data);
    return [shown?.title, shown?.body, ...(await phone.press(true))];
  };
  const wrong = { title: 5, body: ["x"], lang: {}, dir: "up", address: "javascript:alert(1)" };
  for (const data of ["", "{", "null", "7", '"x"', JSON.stringify(wrong)]) {
    expect(await pressed(data), data).toEqual([hostname, "", `open ${address}`]);
  }
  const said = { title: "A", body: "B", lang: "ar", dir: "rtl" };
  const led = async (to: string) => (await pressed(JSON.stringify({ ...said, address: to }))).at(-1);
  expect(await led("/rooms/broken/enter?target=x")).toBe(`open ${origin}/rooms/broken/enter?target=x`);
  expect(await led("https://shop.example.com/in?a=b")).toBe("open https://shop.example.com/in?a=b");
  for (const to of ["data:text/html,x", "file:///etc/passwd", "http://", ""])
    expect(await led(to)).toBe(`open ${address}`);
});

long("a room that notifies nobody offers nothing of it, and its page may have no worker", async () => {
  const { context, page, phone } = await arrive("quiet");
  const policyOf = async (room: string) => {
    const at = await context.request.get(page.url().replaceAll("quiet", room), { headers: { accept: "text/html" } });
    return at.headers()["content-security-policy"];
  };
  expect(await policyOf("quiet")).not.toContain("worker-src");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await box(page).check();
  await expect.poll(() => page.locator("#call-always").count()).toBe(0);
  expect([phone.current(), context.serviceWorkers()]).toEqual([null, []]);
  expect(asked.filter((path) => path.includes("/push"))).toEqual([]);
});
