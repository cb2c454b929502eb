/**
 * Goal: what a portal, a proxy or a cache answers in Usher's stead is no news for the console: no screen ends by it, nothing of it is
 * shown, nobody is signed out or in by it, and all goes on with Usher's next answer. Method: every screen, by the console's own list, with
 * each of these answers to all that it asks, in one window.
 */
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { consoleScreens } from "../../support/console-screens.ts";
import { long, test } from "../../support/sizes.ts";
import { openConsole } from "./operator.ts";

const paths = (await consoleScreens("shop")).map(({ path }) => path);

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "shop", settings: { title: "Shop" } }] }));
let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

type Answer = Parameters<Route["fulfill"]>[0];
const html = "<!doctype html><title>Free Wi-Fi</title><p>Sign in to the network";
const page = (status: number, headers = {}): Answer => ({ status, headers, contentType: "text/html", body: html });
const json = (body: string): Answer => ({ status: 200, contentType: "application/json", body });
const answers: Readonly<Record<string, Answer>> = {
  "a page": page(200),
  "{}": json("{}"),
  null: json("null"),
  "[]": json("[]"),
  "a number": json("5"),
  "members of other types": json('{"principal":{},"rooms":5,"keys":{},"clients":"","rows":null,"next_cursor":7}'),
  "half of an answer": json('{"rooms":[{"room":"shop","ti'),
  "an empty body": json(""),
  "511": page(511),
  "520": page(520),
  "503 with Retry-After": page(503, { "retry-after": "3600" }),
  "a proxy's 401": page(401),
};

const isOfConsole = (url: URL) => url.pathname.startsWith("/admin") && url.pathname !== "/admin/live";

/** Goes to another screen as a link does, until it is drawn. */
const follow = (page: Page, path: string) =>
  page.evaluate(`
    history.pushState(null, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
    new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))`);

const changesNothing = "ends a screen, is shown by it, or signs anybody in or out";
long(`no answer of others ${changesNothing}`, { timeout: 180_000 }, expectNoChange);

async function expectNoChange(): Promise<void> {
  const { page, faults } = await openConsole(chromium.browser, world().issuer);
  await page.locator(".badge-live").waitFor();
  // All screens have come: what is loaded is Usher's.
  for (const path of paths) {
    await follow(page, path);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
  }
  for (const [name, answer] of Object.entries(answers)) {
    const heard = { count: 0 };
    await page.route(isOfConsole, async (route) => {
      heard.count++;
      await route.fulfill(answer);
    });
    for (const path of paths) {
      await follow(page, path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    }
    await expect.poll(() => heard.count, { timeout: 30_000 }).toBeGreaterThan(paths.length / 2);
    const text = (await page.locator("body").textContent()) ?? "";
    expect(text, name).toContain("Sign out");
    expect(text, name).not.toMatch(/undefined|NaN|\[object|Free Wi-Fi|You are signed out/);
    await page.unroute(isOfConsole);
  }
  expect(faults).toEqual([]);

  // What was asked in vain is asked again.
  await page.route(isOfConsole, (route) => route.fulfill(json("{}")));
  await follow(page, "/console");
  await follow(page, "/console/keys");
  await page.getByText("The connection answers strangely").first().waitFor();
  await page.unroute(isOfConsole);
  await page.getByText("The connection answers strangely").first().waitFor({ state: "detached" });
  expect(faults).toEqual([]);
}

test("a foreign answer to who is signed in signs nobody in, and is asked for again", async () => {
  const { page, faults } = await openConsole(chromium.browser, world().issuer);
  const isSession = (url: URL) => url.pathname === "/admin/session";
  await page.route(isSession, (route) => route.fulfill(json("{}")));
  await page.goto(`${world().issuer}/console`);
  await page.getByText("The connection answers strangely").waitFor();
  await expect.poll(() => page.locator("body").textContent()).not.toContain("undefined");
  await page.unroute(isSession);
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  expect(faults).toEqual([]);
});

long("what is no figures in the stream of figures is no news", async () => {
  const { page, faults } = await openConsole(chromium.browser, world().issuer);
  const data = [html, "{}", "null", '{"at":"2030-01-01T00:00:00Z","rooms":5}'];
  const body = data.map((each) => `event: figures\ndata: ${each}\n\nevent: company\ndata: ${each}\n\n`).join("");
  await page.route(
    (url) => url.pathname === "/admin/live",
    (route) => route.fulfill({ status: 200, contentType: "text/event-stream", body }),
  );
  await page.goto(`${world().issuer}/console`);
  await page.getByText("Waiting for figures").first().waitFor();
  await page.waitForResponse((response) => new URL(response.url()).pathname === "/admin/live");
  await page.waitForResponse((response) => new URL(response.url()).pathname === "/admin/live");
  await expect.poll(() => page.locator("body").textContent()).not.toMatch(/undefined|NaN/);
  expect(faults).toEqual([]);
});
