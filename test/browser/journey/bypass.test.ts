/** A bypass link in a real browser at a real gateway: opened, its button pressed by keyboard, and in at the site behind. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { borrowChromium, expectNoAxeViolations } from "../../support/chromium.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { freePort } from "../../support/ports.ts";
import { startSiteServer } from "../../support/site-server.ts";
import { long, test } from "../../support/sizes.ts";
import { seesNotice, tabStops } from "../../support/waiting-visitor.ts";

describe("a bypass link", () => {
  let browser: Browser;
  let admin: Admin;
  let site: string;
  const stopped = [] as (() => unknown)[];

  beforeAll(async () => {
    const port = await freePort();
    site = `http://127.0.0.1:${port}`;
    const server = await startSiteServer(
      (request, response) => {
        response.setHeader("content-type", "text/html");
        response.end(`<!doctype html><title>x</title><h1>Arrived from ${request.headers.referer ?? "nowhere"}</h1>`);
      },
      { port },
    );
    stopped.push(() => server.stop());
    const rooms = [{ id: "shop", targets: [`${site}/in`] }, { id: "bare" }];
    const gateway = await startGateway({ config: { rooms, clients: [] } });
    stopped.push(() => gateway.stop());
    const http = createHttpClient();
    stopped.push(() => http.close());
    admin = createAdmin(http, gateway.issuer);
    const chromium = await borrowChromium();
    browser = chromium.browser;
    stopped.push(chromium.refund);
  }, 60_000);
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  async function openLink(room: string, javaScriptEnabled = true): Promise<{ page: Page; url: string }> {
    const { url } = (await admin.request("POST", `/rooms/${room}/bypass`, {})).json() as { url: string };
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await page.goto(url);
    await seesNotice(page, "bypass");
    return { page, url };
  }

  const arrived = (page: Page) => page.getByRole("heading", { name: "Arrived from nowhere" }).waitFor();

  test("has one button, which the keyboard reaches and presses; the site hears nothing of the link", async ({
    expect,
  }) => {
    const { page, url } = await openLink("shop");
    await expectNoAxeViolations(page);
    const [stop] = await tabStops(page, 1);
    expect(stop?.name).toBe("Enter now");
    expect(stop?.outlinePx).toBeGreaterThan(0);
    await page.keyboard.press("Enter");
    await arrived(page);
    // Back leads to the page of the link, and its button on to the site again: whoever is in stays in.
    await page.goBack({ waitUntil: "commit" });
    await page.getByRole("button", { name: "Enter now" }).click();
    await arrived(page);

    const other = await (await browser.newContext()).newPage();
    await other.goto(url);
    await other.getByRole("button", { name: "Enter now" }).click();
    await seesNotice(other, "bypass_void");
    await expectNoAxeViolations(other);
  });

  long("works without scripts, and says so where there is no site to lead to", async () => {
    const { page } = await openLink("bare", false);
    await page.getByRole("button", { name: "Enter now" }).click();
    await seesNotice(page, "bypass_in");
    await page.getByRole("heading", { name: "You are in" }).waitFor();
  });
});
