// Long: plays the whole day of a sale with 300 people and two gateways.
/**
 * Goal: a sale is run from the console while 300 people stand in line, by mouse, by keyboard alone and by touch; two operators at two
 * gateways see each other; and what goes away is said, comes back, and makes nothing happen twice.
 * Method: two gateways on a Redis of their own behind a load balancer, a real site with its crowd, and a visitor's page in a browser of its own.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Crowd, startCrowd } from "../../../examples/demo/crowd.ts";
import { createOperator } from "../../../examples/demo/operator.ts";
import { createDemoSite, demoSiteUris } from "../../../examples/demo/site.ts";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { ADMIN_KEY, type ProcessGateway, startGateways } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { freePorts } from "../../support/ports.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { parkedAt } from "../../support/waiting-visitor.ts";
import { startWay, type Way } from "../../support/way.ts";
import { type Hands, handsOf, ways } from "./hands.ts";
import { adminKeys, expectNoSidewaysScroll, openConsole, openTool, operatorKey, phone } from "./operator.ts";

const crowdSize = 300;
const perMinute = 40;
/** On a machine that has the crowd to serve, too. */
const patience = { timeout: 60_000 };
/** A forecast is made of two minutes in which the line moved. */
const forecastPatience = { timeout: 180_000 };
const secret = "secret-of-the-demonstration-sites-0123456789";

interface Room {
  readonly waiting: number;
  readonly serving: number;
  readonly outflow_limit: number;
  readonly base_phase: string;
  readonly phase: string;
}
interface Row {
  readonly method: string;
  readonly route: string;
  readonly error: string | null;
}

let redis: RedisServer;
let gateways: ProcessGateway[];
let crowd: Crowd;
let chromium: BorrowedChromium;
let issuer: string;
let siteUrl: string;
let admin: Admin;
/** One for each gateway. */
let gatewayAdmins: readonly Admin[];
/** The load balancer, and the ways of two operators to one gateway each. */
let front: Way;
let first: Way;
let second: Way;
let visitor: Page;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  const [sitePort = 0, ...ports] = await freePorts(3);
  const uris = demoSiteUris(sitePort);
  siteUrl = uris.postLogoutRedirectUri;
  redis = await startRedis();
  ends.push(() => redis.stop());
  front = await startWay(ports);
  first = await startWay(ports.slice(0, 1));
  second = await startWay(ports.slice(1));
  ends.push(...[front, first, second].map((way) => () => way.close()));
  issuer = `http://localhost:${front.port}`;
  const site = { client_id: "site-shop", client_secret: secret, room: "shop", remembered_logins: "many" };
  const { redirectUri, postLogoutRedirectUri, initiateLoginUri } = uris;
  const addresses = {
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [postLogoutRedirectUri],
    initiate_login_uri: initiateLoginUri,
  };
  const config = {
    issuer,
    store: { type: "redis", url: redis.url },
    rooms: [
      {
        id: "shop",
        title: "Shop",
        draw: { order: "arrival" },
        stock: { show: "number" },
        inlet: { type: "periodic", outflow_per_minute: perMinute },
      },
    ],
    clients: [{ ...site, ...addresses }],
    admin: { keys: adminKeys },
  };
  gateways = await startGateways(2, { asProcess: true, config }, ports);
  ends.push(...gateways.map((gateway) => () => gateway.stop()));
  const http = createHttpClient();
  admin = createAdmin(http, issuer);
  gatewayAdmins = [first, second].map((way) => createAdmin(http, `http://localhost:${way.port}`));
  ends.push(() => http.close());
  const server = createDemoSite({
    issuer,
    clientId: "site-shop",
    clientSecret: secret,
    port: sitePort,
    host: "127.0.0.1",
  });
  await server.start();
  ends.push(() => server.close());
  const operator = createOperator({ issuer, room: "shop", adminKey: ADMIN_KEY });
  crowd = startCrowd({ size: crowdSize, site: siteUrl, operator, newcomerEveryMs: 1_500, patienceMs: 2_000 });
  ends.push(() => crowd.close());
  chromium = await borrowChromium();
  ends.push(() => chromium.refund());
  const isThere = async () => expect((await room()).waiting).toBeGreaterThan(crowdSize * 0.9);
  await vi.waitFor(isThere, { timeout: 120_000, interval: 500 });
  visitor = await (await chromium.browser.newContext({ locale: "en-GB" })).newPage();
  visitor.setDefaultTimeout(patience.timeout);
  await visitor.goto(siteUrl);
  expect(await parkedAt(visitor)).toBeGreaterThan(crowdSize / 2);
}, 240_000);
afterAll(async () => {
  for (const end of ends.reverse()) await end();
}, 60_000);

const serving = async () => (await room()).serving;
/** Of a line that was stopped, as soon as both gateways say so and it stands. */
async function standing(): Promise<Room> {
  let last = await room();
  const stands = async () => {
    const now = await room();
    const isSame = now.phase === "paused" && now.serving === last.serving;
    last = now;
    expect(isSame).toBe(true);
  };
  for (let look = 0; look < 3; look++) await vi.waitFor(stands, { ...patience, interval: 1_000 });
  return last;
}
const room = () => roomBy(admin);
const roomBy = async (by: Admin) => (await by.request("GET", "/rooms/shop")).json() as Room;
/** Requests of the audit that were carried out. */
const carriedOut = async (route: string) => {
  const { rows } = (await admin.request("GET", "/audit?room=shop&limit=200")).json() as { rows: Row[] };
  return rows.filter((row) => `${row.method} ${row.route}` === route && row.error === null).length;
};
const calls = () => carriedOut("POST /rooms/:room/serving");

const open = async (way: Way, options: Parameters<typeof openConsole>[2] = {}) => {
  const operator = await openConsole(chromium.browser, issuer, {
    path: "/console/rooms/shop",
    proxy: way.proxy,
    ...options,
  });
  operator.page.setDefaultTimeout(patience.timeout);
  await operator.page.locator(".badge-live").waitFor();
  await operator.page
    .getByRole("button", { name: "Pause the line", exact: true })
    .or(operator.page.getByRole("button", { name: "Let the line go on", exact: true }))
    .waitFor();
  return operator;
};

beforeEach(async () => {
  await admin.step("shop", "open");
  await admin.step("shop", "resume");
});

describe.each(ways)("by %s", (way) => {
  test("every control of the room does what it says, and the visitor's page shows it", {
    timeout: 600_000,
  }, async () => {
    const { page, faults } = await open(first, way === "touch" ? phone : {});
    const hands = handsOf(page, way);
    /** A page far from its turn asks seldom. A visitor who looks loads it anew. */
    const shows = (text: string, count: number) =>
      expect
        .poll(async () => {
          await visitor.reload();
          return Math.min(1, await visitor.getByText(text).filter({ visible: true }).count());
        }, patience)
        .toBe(count);
    const sees = (text: string) => shows(text, 1);
    const sawGo = (text: string) => shows(text, 0);
    const visitorIs = (state: string) =>
      expect
        .poll(async () => {
          await visitor.reload();
          return visitor.locator("main").getAttribute("data-state");
        }, patience)
        .toBe(state);
    const place = await parkedAt(visitor);

    await hands.open("Message");
    await hands.write("Message on the pages of the room", `Back soon, ${way}.`);
    await hands.press("Show, and pause the line");
    await page.getByText("The line is paused.").waitFor();
    // The page finds it out by itself, too.
    await visitor.getByText(`Back soon, ${way}.`).waitFor();
    await sees("The line is paused. You keep your place.");

    // While the line stands, a call alone moves it: by as many as were called.
    const before = (await standing()).serving;
    await hands.open("More");
    await hands.write("Call the next", "3");
    await hands.press("Call");
    await page.getByText("3 were called.").waitFor();
    await expect.poll(serving, patience).toBe(before + 3);
    await sees(`Now serving ${before + 3}`);

    await hands.press("Let the line go on");
    await page.getByText("The line goes on.").waitFor();
    await sawGo("The line is paused. You keep your place.");
    await hands.open("Message");
    await hands.press("Withdraw the message");
    await page.getByText("The message is withdrawn.").waitFor();
    await sawGo(`Back soon, ${way}.`);

    await hands.open("Pace");
    await hands.press("+10 %");
    await hands.press("+10 %");
    await page.getByText(/^The line would end: .*\. Now: /).waitFor(forecastPatience);
    expect((await room()).outflow_limit).toBe(perMinute);
    await hands.press("Apply");
    await page.getByText("48 may enter a minute.").waitFor();
    await expect.poll(async () => (await room()).outflow_limit, patience).toBe(48);
    await hands.press(/^Undo/, page.locator(".recent"));
    await page.locator(".recent").getByText("Taken back.").waitFor();
    await expect.poll(async () => (await room()).outflow_limit, patience).toBe(perMinute);
    await sees("The organiser has just changed the pace.");

    await hands.open("Message");
    await hands.write("Message on the pages of the room", `Seats are left, ${way}.`);
    await hands.press("Show");
    await page.getByText("The message is on the pages.").waitFor();
    await sees(`Seats are left, ${way}.`);
    await hands.open("Message");
    await hands.press("Withdraw the message");
    await sawGo(`Seats are left, ${way}.`);

    await hands.open("Left to sell");
    await hands.write("How many are left", "4000");
    await hands.press("Set");
    await page.getByText("4,000 are left to sell.").waitFor();
    await sees("4,000 left");
    await hands.open("Left to sell");
    await hands.press("Take the number away");
    await page.getByText("The number of what is left is taken away.").waitFor();
    await sawGo("4,000 left");

    await hands.open("Let one person past");
    await hands.write("What it is for (optional)", "Press");
    await hands.press("Make a link");
    const link = await page.getByLabel("The link", { exact: true }).inputValue();
    const guest = await (await chromium.browser.newContext()).newPage();
    guest.setDefaultTimeout(patience.timeout);
    await guest.goto(link);
    await guest.getByRole("button").first().click();
    await guest.getByText("You are in").first().waitFor();
    await guest.context().close();

    await page.keyboard.press("Escape");
    await hands.open("Find a visitor");
    await hands.write("The number on their page, the sub that the site has, or a ticket", String(place));
    await hands.press("Find");
    await page.getByText("In line", { exact: true }).waitFor();
    await page.getByText("As of", { exact: false }).waitFor();
    await page.keyboard.press("Escape");

    /** Each of these stops or opens the line, and asks first. */
    const step = async (name: string) => {
      await hands.open("More");
      await hands.press(name);
      const dialog = page.getByRole("dialog", { name, exact: true });
      await dialog.getByText(/people/).waitFor();
      await hands.press(name, dialog);
    };
    await step("Open the doors");
    await page.getByText("The doors are open.").waitFor();
    await expect.poll(async () => (await room()).base_phase, patience).toBe("prequeue");
    await visitorIs("entered");
    await step("Open the room");
    await page.getByText("The room is open.").waitFor();
    await visitorIs("waiting");

    await step("Back before the line");
    await page.getByText("The room is before its line.").waitFor();
    await step("Open the room");
    await page.getByText("The room is open.").waitFor();
    // Each gateway by its own way: the one that did not do it hears of it within a second.
    const phases = () => Promise.all(gatewayAdmins.map(async (each) => (await roomBy(each)).base_phase));
    await expect.poll(phases, patience).toEqual(["open", "open"]);
    // What would turn people away is asked about first; carried out it is in the last test, and in room.test.ts.
    await hands.open("More");
    for (const name of ["Let everybody pass", "End the room", "Reset: void all places"]) {
      await hands.press(name);
      const dialog = page.getByRole("dialog", { name, exact: true });
      await dialog
        .getByText(/people/)
        .first()
        .waitFor();
      await hands.press("Cancel", dialog);
      await dialog.waitFor({ state: "hidden" });
      expect((await room()).base_phase).toBe("open");
    }
    await page.keyboard.press("Escape");

    await looksBack(page, hands, way);
    expect(await parkedAt(visitor)).toBe(place);
    if (way === "touch") await expectNoSidewaysScroll(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** What changes nothing: charts, the list of what happened, keys, the screen that stays on. */
async function looksBack(page: Page, hands: Hands, way: string): Promise<void> {
  await page.locator("canvas").first().waitFor();
  if (way !== "keyboard") await hands.press("1 hour");
  await hands.press("As a table");
  await page.locator(".table td").first().waitFor();
  const list = page.getByRole("region", { name: "What happened" });
  await hands.press("everything", list);
  await hands.write("With the words", "admissions a minute");
  await list.getByText(`Admissions a minute ${perMinute} → 48`).first().waitFor();
  await hands.press("Keep the screen awake");
  await expect.poll(() => page.getByLabel("Keep the screen awake").isChecked()).toBe(true);
  await hands.press("Keyboard");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await hands.press("Close");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "hidden" });
}

describe("two operators at two gateways", () => {
  test("see each other and what the other does; both at once do each their own", { timeout: 300_000 }, async () => {
    const one = await open(first);
    const other = await open(second, { key: operatorKey });
    await one.page.getByText("Also here: key second, operator").waitFor();
    await other.page.getByText("Also here: key env, admin").waitFor();

    await one.page.getByRole("button", { name: "Pause the line", exact: true }).click();
    await other.page.locator(".phase-paused").waitFor();
    const rows = other.page.getByRole("region", { name: "What happened" }).getByRole("listitem");
    await rows.filter({ hasText: "env" }).filter({ hasText: "Pause the line" }).first().waitFor();

    const [before, { serving: stood }] = [await calls(), await standing()];
    await Promise.all(
      [one, other].map(async ({ page }) => {
        await openTool(page, "More");
        await page.getByLabel("Call the next").fill("2");
        await page.getByRole("button", { name: "Call", exact: true }).click();
        await page.getByText("2 were called.").waitFor();
      }),
    );
    await expect.poll(serving, patience).toBe(stood + 4);
    await expect.poll(calls, patience).toBe(before + 2);

    await other.page.getByRole("button", { name: "Let the line go on", exact: true }).click();
    await one.page.locator(".phase-open").waitFor();
    await other.page.context().close();
    await expect.poll(() => one.page.locator(".company").count()).toBe(0);
    expect([...one.faults, ...other.faults]).toEqual([]);
    await one.page.context().close();
  });
});

describe("what goes away is said, comes back, and makes nothing happen twice", () => {
  const call = async (page: Page) => {
    await openTool(page, "More");
    await page.getByRole("button", { name: "Call", exact: true }).click();
  };
  const unreachable = "Usher does not answer: the network or the gateway is away.";

  test("a gateway that is killed", { timeout: 300_000 }, async () => {
    const [one, other] = [await open(first), await open(second, { key: operatorKey })];
    const before = await calls();
    await gateways[1]?.kill();
    await other.page.locator(".badge-cut").waitFor();
    await other.page
      .getByText(/No news from Usher: figures are \d+ s old/)
      .first()
      .waitFor();
    await expect.poll(() => other.page.locator(".today").getAttribute("class")).toContain("stale");
    await call(other.page);
    await other.page.getByText(unreachable).first().waitFor();
    expect(await one.badge()).toMatch(/^Live/);
    // Those who are at both go on at the other one.
    const earlier = await serving();
    await expect.poll(serving, patience).toBeGreaterThan(earlier);

    await gateways[1]?.start();
    await gateways[1]?.waitUntilReady();
    await other.page.locator(".badge-live").waitFor();
    await call(other.page);
    await other.page.getByText("1 were called.").waitFor();
    await expect.poll(calls, patience).toBe(before + 1);
    await expect.poll(() => visitor.locator("main[data-position]").count()).toBe(1);
    await Promise.all([one, other].map(({ page }) => page.context().close()));
  });

  test("the network, and an answer on its way", { timeout: 300_000 }, async () => {
    const { page } = await open(first);
    await page.getByRole("button", { name: "Pause the line", exact: true }).click();
    await page.locator(".phase-paused").waitFor();
    const [before, { serving: stood }] = [await calls(), await standing()];
    first.cut();
    await page.locator(".badge-cut").waitFor();
    await call(page);
    await page.getByText(unreachable).first().waitFor();
    first.mend();
    await page.locator(".badge-live").waitFor();
    expect((await standing()).serving).toBe(stood);
    // Carried out, and nobody here knows: pressed again, it is the same call.
    first.loseReplyTo(/^POST .*\/serving$/);
    await call(page);
    await page.getByText(unreachable).first().waitFor();
    await expect.poll(serving, patience).toBe(stood + 1);
    await call(page);
    await page.getByText("1 were called.").waitFor();
    expect((await standing()).serving).toBe(stood + 1);
    expect(await calls()).toBeLessThanOrEqual(before + 2);
    await page.context().close();
  });

  test("Redis, for ten seconds", { timeout: 300_000 }, async () => {
    const operators = [await open(first), await open(second, { key: operatorKey })];
    const place = await parkedAt(visitor);
    const earlier = await serving();
    const goneMs = Date.now();
    await redis.kill();
    for (const { page } of operators) {
      await page.locator(".badge-store").waitFor();
      await page.getByText("The store is away: nobody can enter, and these figures are the last known.").waitFor();
    }
    const page = operators[0]?.page as Page;
    await page.getByRole("button", { name: "Pause the line", exact: true }).click();
    await page.getByText("That did not work").first().waitFor();
    await visitor.waitForTimeout(Math.max(0, goneMs + 10_000 - Date.now()));
    await redis.restart();
    for (const { page } of operators) await page.locator(".badge-live").waitFor();
    // What was refused was not done, and is not done later.
    await expect.poll(async () => (await room()).phase, patience).toBe("open");
    expect(await serving()).toBeGreaterThanOrEqual(earlier);
    expect(await parkedAt(visitor)).toBe(place);
    await page.getByText(/Nobody enters until .*, after a recovery\./).waitFor();
    await page.getByRole("button", { name: "Pause the line", exact: true }).click();
    await page.getByText("The line is paused.").waitFor();
    await Promise.all(operators.map((each) => each.page.context().close()));
  });
});

test("when everybody passes, which is asked about first, the visitor is in; after the end a newcomer reads that it is over", {
  timeout: 300_000,
}, async () => {
  const { page, faults } = await open(first);
  await parkedAt(visitor);
  for (const [name, effect] of [
    ["Let everybody pass", visitor],
    ["End the room", null],
  ] as const) {
    await openTool(page, "More");
    await page.getByRole("button", { name, exact: true }).click();
    const dialog = page.getByRole("dialog", { name, exact: true });
    await dialog.getByText(/^\d[\d,]* people/).waitFor();
    await dialog.getByRole("button", { name, exact: true }).click();
    if (effect !== null) await effect.getByText("You are in").first().waitFor({ timeout: 120_000 });
  }
  await expect.poll(async () => (await room()).phase, patience).toBe("ended");
  const newcomer = await (await chromium.browser.newContext({ locale: "en-GB" })).newPage();
  await newcomer.goto(siteUrl);
  await newcomer.locator('main[data-notice="ended"]').waitFor();
  expect(crowd.inside()).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});
