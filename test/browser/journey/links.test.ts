/** Links to a room, in a real browser at a real gateway: in by oneself, with and without scripts, and the back button. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { borrowChromium, launchWithoutCookies } from "../../support/chromium.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { freePort } from "../../support/ports.ts";
import { startSiteServer } from "../../support/site-server.ts";
import { long, test } from "../../support/sizes.ts";
import { parkedAt, recordNavigations, seesNotice } from "../../support/waiting-visitor.ts";

describe("links to a room", () => {
  let browser: Browser;
  let admin: Admin;
  let issuer: string;
  let site: string;
  const stopped = [] as (() => unknown)[];

  beforeAll(async () => {
    const port = await freePort();
    site = `http://127.0.0.1:${port}`;
    const server = await startSiteServer(
      (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? "/", site);
        response.setHeader("content-type", "text/html");
        // How an address gives its token away: by the Referer of what the page asks for next.
        const heading = pathname === "/start" ? "Start" : `Arrived from ${request.headers.referer ?? "nowhere"}`;
        const room = searchParams.get("room");
        const to = `${issuer}/rooms/${room}/enter?target=${encodeURIComponent(`${site}/products/7`)}`;
        response.end(`<!doctype html><title>x</title><h1>${heading}</h1>${room ? `<a href="${to}">Go</a>` : ""}`);
      },
      { port },
    );
    stopped.push(() => server.stop());
    const rooms = ["script", "bare", "cookieless"].map((id) => ({ id, targets: [`${site}/*`] }));
    const gateway = await startGateway({ config: { rooms, clients: [] } });
    stopped.push(() => gateway.stop());
    issuer = gateway.issuer;
    const http = createHttpClient();
    stopped.push(() => http.close());
    admin = createAdmin(http, issuer);
    const chromium = await borrowChromium();
    browser = chromium.browser;
    stopped.push(chromium.refund);
  }, 60_000);
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  async function arrive(room: string, context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await browser.newContext())).newPage();
    await page.goto(`${site}/start?room=${room}`);
    await page.getByRole("link", { name: "Go" }).click();
    return page;
  }

  const arrived = (page: Page) => page.getByRole("heading", { name: "Arrived from nowhere" }).waitFor();

  test("the visitor waits, is let in by the page itself, and back leads to where they were before", async ({
    expect,
  }) => {
    const page = await arrive("script");
    expect(await parkedAt(page)).toBe(1);
    await page.reload();
    expect(await parkedAt(page)).toBe(1);
    const navigations = recordNavigations(page);
    await admin.increment("script", 1);
    await arrived(page);
    expect(navigations.map(({ pathname }) => pathname)).toEqual(["/rooms/script/enter", "/products/7"]);
    expect(new URL(page.url()).searchParams.get("usher_token")).toMatch(/^ey/);
    await page.goBack({ waitUntil: "commit" });
    await page.getByRole("heading", { name: "Start" }).waitFor();
    await page.getByRole("link", { name: "Go" }).click();
    await arrived(page);
  });

  long("without scripts, by the page's link", async ({ expect }) => {
    const page = await arrive("bare", await browser.newContext({ javaScriptEnabled: false }));
    expect(await parkedAt(page)).toBe(1);
    await admin.increment("bare", 1);
    await page.getByRole("link", { name: "Check my place" }).click();
    await arrived(page);
  });

  long("without cookies the page explains", async () => {
    const cookieless = await launchWithoutCookies(issuer);
    try {
      await seesNotice(await arrive("cookieless", cookieless.context), "cookies_blocked");
    } finally {
      await cookieless.close();
    }
  });
});
