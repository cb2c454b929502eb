/**
 * The site's tag in a real single-page site: its pages come from anywhere, its API is behind a real nginx that asks Usher, as
 * docs/forward-auth.md configures it. The site's policy allows no inline script and no inline style.
 */
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { nginxBeforeApi } from "../../../e2e/ways-in/proxied-site.ts";
import { type Admin, createAdmin } from "../../../support/admin.ts";
import { compileBrowserScripts } from "../../../support/browser-scripts.ts";
import { borrowChromium, expectNoAxeViolations } from "../../../support/chromium.ts";
import { deviceClock } from "../../../support/device-clock.ts";
import { type Gateway, startGateway } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { startNginx } from "../../../support/nginx.ts";
import { freePort } from "../../../support/ports.ts";
import { startSiteServer } from "../../../support/site-server.ts";
import { long, test } from "../../../support/sizes.ts";
import { parkedAt, recordNavigations, setVisibility } from "../../../support/waiting-visitor.ts";

/** The application: shows the route that it was started with, or came to, and asks its API. */
const app = `
  const seen = document.querySelector("output");
  const route = () => { seen.textContent = location.pathname + location.search + location.hash; };
  addEventListener("hashchange", route);
  route();
  document.querySelector("button").addEventListener("click", async () => {
    const response = await fetch("/api/cart", { method: "POST", body: "1" });
    document.querySelector("p").textContent = response.status + " " + (await response.text());
  });`;

describe("the site's tag", () => {
  let gateway: Gateway;
  let browser: Browser;
  let admin: Admin;
  let site: string;
  /** The attributes of the tag, by the first step of a page's path. */
  let tagOf: Record<string, string>;
  const stopped = [] as (() => unknown)[];

  function sendPage(response: ServerResponse, kind: string): void {
    const { issuer } = gateway;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader(
      "content-security-policy",
      `default-src 'none'; script-src 'self' ${issuer}; connect-src 'self' ${issuer}; base-uri 'none'`,
    );
    const shop = `<h1>Shop</h1><output></output><button>Add to cart</button><p></p><script src="/app.js"></script>`;
    const teaser = `<h1>Tour</h1>
      <div data-usher-room="sale" data-usher-target="/shop/tour" id="plain"></div>
      <div lang="de" data-usher-room="sale" data-usher-opens="Öffnet in {time}" data-usher-open="Jetzt <b>offen</b>"
        data-usher-join="Zum Warteraum" data-usher-enter="Hinein" data-usher-sold-out="Ausverkauft" data-usher-returns="Auf Rückgaben warten" id="german"></div>
      <div data-usher-room="sale" id="own"><a href="/somewhere">Tickets</a></div>
      <div lang="de_DE" data-usher-room="sale" data-usher-opens="Noch {time}" id="misnamed"></div>`;
    const html = kind === "tour" ? teaser : shop;
    response.end(
      `<!doctype html><html lang="en"><head><title>A site</title><script ${tagOf[kind] ?? ""}></script></head><body><main>${html}</main></body></html>`,
    );
  }

  beforeAll(async () => {
    const [sitePort, nginxPort] = [await freePort(), await freePort()];
    // Cookies know no ports, so the site has a name of its own.
    site = `http://127.0.0.1:${nginxPort}`;
    const targets = [`${site}/`, `${site}/*`];
    const rooms = [
      { id: "tickets", targets, admission: { duration: "5m" } },
      { id: "links", targets },
      { id: "sale", targets },
      { id: "broken", targets },
    ];
    gateway = await startGateway({ config: { rooms, clients: [] } });
    stopped.push(() => gateway.stop());
    const own = `src="/usher.js" data-issuer="${gateway.issuer}"`;
    const down = `${own} data-guard="links" data-wait="1"`;
    tagOf = {
      shop: `${own} data-guard="tickets" data-check="/api/session" data-fetch="tickets"`,
      plain: `${own} data-fetch="tickets"`,
      links: `src="${gateway.issuer}/usher.js" data-guard="links"`,
      broken: `${own} data-guard="broken" data-check="/refused" data-late="show" data-wait="60"`,
      "late-show": `${down} data-late="show"`,
      "late-hide": down,
      tour: `src="${gateway.issuer}/usher.js" async`,
    };
    const ownCopy = readFileSync(join(compileBrowserScripts(), "usher.js"));
    const server = await startSiteServer(
      (request, response) => {
        const { pathname } = new URL(request.url ?? "/", site);
        if (pathname.endsWith(".js")) response.setHeader("content-type", "text/javascript");
        if (pathname === "/usher.js") return response.end(ownCopy);
        if (pathname === "/app.js") return response.end(app);
        if (pathname.startsWith("/api/")) return response.end(`for ${request.headers["x-usher-sub"] ?? "nobody"}`);
        if (pathname === "/refused") {
          response.writeHead(401, { "www-authenticate": 'Bearer realm="broken"' });
          return response.end();
        }
        return sendPage(response, pathname.split("/")[1] ?? "");
      },
      { port: sitePort },
    );
    stopped.push(() => server.stop());
    const nginx = await startNginx({
      upstreamPorts: [],
      port: nginxPort,
      serverName: "127.0.0.1",
      locations: nginxBeforeApi(sitePort, gateway.port),
    });
    stopped.push(() => nginx.stop());
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

  const shows = (page: Page, route: string) => page.getByText(route, { exact: true }).waitFor();
  const isHidden = (page: Page) => page.getByRole("heading", { name: "Shop", includeHidden: true }).isHidden();

  async function open(path: string, context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await browser.newContext())).newPage();
    await page.goto(site + path, { waitUntil: "commit" });
    return page;
  }

  long(
    "the countdown crosses the opening, in the page's words; sold out, it lets visitors wait for returns, or ends",
    async () => {
      await admin.step("sale", "idle");
      const page = await open("/tour");
      const problems: string[] = [];
      page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
      const part = (id: string, name: string) => page.locator(`#${id} .usher-${name}`);
      // An idle room without a time: nobody knows when, or whether everybody passes.
      await page.locator("#plain[data-usher-state=idle]").waitFor();
      expect([await part("plain", "timer").textContent(), await part("plain", "state").textContent()]).toEqual([
        "",
        "",
      ]);
      const opensMs = Date.now() + 12_000;
      await admin.change("sale", { schedule: { opens_at: new Date(opensMs).toISOString() } });
      const asksAgain = () => setVisibility(page, "visible");
      await expect
        .poll(async () => {
          await asksAgain();
          return part("plain", "timer").textContent();
        })
        .toMatch(/^Opens in \d+ seconds?$/);
      const shown = await part("plain", "timer").textContent();
      expect(Number(/\d+/.exec(shown ?? ""))).toBeLessThanOrEqual(Math.ceil((opensMs - Date.now()) / 1_000) + 3);
      await expect.poll(() => part("german", "timer").textContent()).toMatch(/^Öffnet in \d+ Sekunden?$/);
      // A language of that name there is not.
      await expect.poll(() => part("misnamed", "timer").textContent()).toMatch(/^Noch \d+ seconds?$/);
      await page.evaluate("document.querySelector('#misnamed').remove()");
      const link = page.locator("#plain a");
      expect([await link.textContent(), await link.getAttribute("href")]).toEqual([
        "Join the waiting room",
        `${gateway.issuer}/rooms/sale/enter?target=${encodeURIComponent(`${site}/shop/tour`)}`,
      ]);
      await expect.poll(() => page.locator("#own a").getAttribute("href")).toBe("/somewhere");
      await expectNoAxeViolations(page);
      // By itself: nobody asks for it.
      await page.locator("#plain[data-usher-state=open]").waitFor({ timeout: 60_000 });
      expect(Date.now()).toBeGreaterThan(opensMs - 1_500);
      expect([await part("plain", "state").textContent(), await link.textContent()]).toEqual(["Open now", "Enter"]);
      // Words are words.
      expect([await part("german", "state").textContent(), await part("german", "enter").textContent()]).toEqual([
        "Jetzt <b>offen</b>",
        "Hinein",
      ]);
      await expect.poll(() => page.locator("#own a").textContent()).toBe("Tickets");
      const germanWords = async () => {
        await asksAgain();
        return (await page.locator("#german").allInnerTexts())
          .join()
          .trim()
          .split(/\s*\n\s*|(?<=Ausverkauft)\s*/);
      };
      // Sold out, but something may be returned: who joins now gets a place.
      await admin.request("PUT", "/rooms/sale/stock", { remaining: 0 });
      await expect.poll(germanWords).toEqual(["Ausverkauft", "Auf Rückgaben warten"]);
      await expect.poll(() => link.textContent()).toBe("Wait for returns");
      await expect.poll(() => page.locator("#own a").isVisible()).toBe(true);
      const joining = await (await browser.newContext()).newPage();
      await joining.goto((await link.getAttribute("href")) ?? "");
      expect(await parkedAt(joining)).toBe(1);
      await joining.context().close();
      // Nothing will be returned.
      await admin.change("sale", { message: { text: "<i>gone</i>", severity: "sold_out", returns: false } });
      await expect.poll(germanWords).toEqual(["Ausverkauft"]);
      expect([await link.isVisible(), await page.locator("#own a").isVisible()]).toEqual([false, false]);
      // Nothing counts down to an opening at which there is nothing.
      await admin.step("sale", "idle");
      const later = new Date(Date.now() + 3_600_000).toISOString();
      await admin.change("sale", { schedule: { opens_at: later } });
      const hears = page.waitForResponse(async (answer) => (await answer.text().catch(() => "")).includes(later));
      await expect.poll(async () => Promise.race([hears.then(() => true), asksAgain().then(() => false)])).toBe(true);
      await expect.poll(germanWords).toEqual(["Ausverkauft"]);
      await expect.poll(() => part("plain", "timer").textContent()).toBe("");
      await admin.change("sale", { schedule: { opens_at: null } });
      await admin.request("PUT", "/rooms/sale/stock", { remaining: null });
      await admin.change("sale", { message: null });
      await admin.step("sale", "end");
      await expect
        .poll(async () => {
          await asksAgain();
          return page.locator("#plain").getAttribute("data-usher-state");
        })
        .toBe("ended");
      expect(problems).toEqual([]);
    },
  );

  test("the guard hides the page, sends to the room, and shows the deep link again, with its fragment", async () => {
    const page = await open("/shop/products/7?a=%20b#/seats/12");
    expect(await parkedAt(page)).toBe(1);
    await admin.increment("tickets", 1);
    await shows(page, "/shop/products/7?a=%20b#/seats/12");
    expect(await page.evaluate("location.href")).toBe(`${site}/shop/products/7?a=%20b#/seats/12`);
    await page.getByRole("button").click();
    await page.getByText(/^200 for tickets\./).waitFor();

    // The visit ends; what the application asks next leads to the room, and back to where it was.
    const sub = /tickets\.\S+/.exec((await page.locator("p").textContent()) ?? "")?.[0];
    await page.evaluate("location.hash = '#/seats/13'");
    await admin.request("PATCH", `/rooms/tickets/admissions/${sub}`, { status: "completed" });
    await expect
      .poll(async () => {
        if (page.url().startsWith(site))
          await page
            .getByRole("button")
            .click({ timeout: 1_000 })
            .catch(() => {});
        return page.url();
      })
      .toContain(gateway.issuer);
    await parkedAt(page);
    await admin.increment("tickets", 1);
    await shows(page, "/shop/products/7?a=%20b#/seats/13");
    await page.getByRole("button").click();
    await page.getByText(/^200 for tickets\./).waitFor();
    // A reload is no visit. Until the site has answered, nothing is seen.
    const navigations = recordNavigations(page);
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const asked = page.waitForRequest("**/api/session");
    await page.route("**/api/session", (route) => mayAnswer.then(() => route.continue()));
    await page.reload();
    await asked;
    expect(await isHidden(page)).toBe(true);
    answer();
    await shows(page, "/shop/products/7?a=%20b#/seats/13");
    expect(navigations.map(({ pathname }) => pathname)).toEqual(["/shop/products/7"]);
  });

  long("fetch alone: a 401 becomes a visit; what answers otherwise, or elsewhere, is passed on", async () => {
    const page = await open("/plain/list#/end");
    await shows(page, "/plain/list#/end");
    const answers = await page.evaluate(`(async () => {
      const own = await fetch("/refused");
      const failed = await fetch("http://127.0.0.1:1/").catch((error) => error.name);
      const giveUp = new AbortController();
      giveUp.abort();
      const aborted = await fetch("/api/cart", { signal: giveUp.signal }).catch((error) => error.name);
      return [own.status, failed, aborted, location.pathname];
    })()`);
    // The realm is another room's.
    expect(answers).toEqual([401, "TypeError", "AbortError", "/plain/list"]);
    await page.getByRole("button").click();
    await parkedAt(page);
    await admin.increment("tickets", 1);
    // Nobody took the token from the address: the tag of this page has no guard.
    await page.waitForURL((url) => url.origin === site);
    await shows(page, "/plain/list#/end");
  });

  long("by links alone: the token is read by Usher, taken from the address, and remembered", async () => {
    const context = await browser.newContext();
    const page = await open("/links/a?b=1#c", context);
    expect(await parkedAt(page)).toBe(1);
    await admin.increment("links", 1);
    await shows(page, "/links/a?b=1#c");
    const [second] = await Promise.all([open("/links/other", context), page.reload()]);
    for (const tab of [page, second]) await tab.getByRole("heading", { name: "Shop" }).waitFor();
    expect([new URL(page.url()).hash, new URL(second.url()).pathname]).toEqual(["#c", "/links/other"]);

    const stranger = await browser.newContext();
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");
    const { issuer } = gateway;
    const untilSec = Math.floor(Date.now() / 1_000) + 600;
    const claims = { iss: issuer, aud: `${issuer}/rooms/links`, room: "links", sub: "x", exp: untilSec };
    const { keys } = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
    const header = { alg: "RS256", typ: "admission+jwt", kid: keys[0]?.kid };
    const forged = `${part(header)}.${part({ ...claims, admitted_until: untilSec })}.${"A".repeat(342)}`;
    const refused = await open(`/links/a?usher_token=${forged}#c`, stranger);
    expect(await parkedAt(refused)).toBe(2);
    expect(new URL(refused.url()).searchParams.get("target")).toBe(`${site}/links/a`);
  });

  long.each([-24, 1, 24 * 365])(
    "a device whose clock is %i hours ahead: the token counts, and is remembered; set right again, it costs a visit and no place",
    async (hours) => {
      const context = await browser.newContext();
      await context.addInitScript(deviceClock(hours * 3_600_000));
      const page = await open("/links/late#c", context);
      const position = await parkedAt(page);
      const { serving } = (await (await fetch(`${gateway.issuer}/rooms/links/status`)).json()) as { serving: number };
      await admin.increment("links", position - serving);
      await shows(page, "/links/late#c");
      const navigations = recordNavigations(page);
      await page.reload();
      await shows(page, "/links/late#c");
      expect(navigations.map(({ pathname }) => pathname)).toEqual(["/links/late"]);
      await context.addInitScript("setClockAhead(0)");
      await page.reload();
      await shows(page, "/links/late#c");
      await page.reload();
      await shows(page, "/links/late#c");
    },
  );

  long("visits that lead to nothing are bounded", async () => {
    await admin.step("broken", "passthrough");
    const page = await (await browser.newContext()).newPage();
    const navigations = recordNavigations(page);
    let refused = 0;
    page.on("response", (response) => {
      if (new URL(response.url()).pathname === "/refused") refused++;
    });
    await page.goto(`${site}/broken/a`, { waitUntil: "commit" });
    // It goes on asking, ever more slowly, and goes nowhere.
    await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThanOrEqual(5);
    expect(navigations.filter(({ pathname }) => pathname.endsWith("/enter"))).toHaveLength(3);
    expect(new URL(page.url()).origin).toBe(site);
    expect(await isHidden(page)).toBe(true);
  });

  long(
    "with Usher down: the operator's choice applies, and the page that stays hidden goes on when it is back",
    async () => {
      await gateway.halt();
      const [shown, hidden] = [await open("/late-show/x#y"), await open("/late-hide/x#y")];
      await shown.getByRole("heading", { name: "Shop" }).waitFor();
      expect(new URL(shown.url()).hash).toBe("#y");
      await expect
        .poll(async () => Number(await hidden.evaluate("performance.now()")), { interval: 200 })
        .toBeGreaterThan(2_000);
      expect(await isHidden(hidden)).toBe(true);
      await gateway.start();
      await gateway.waitUntilReady();
      await parkedAt(hidden);
      expect(await isHidden(shown)).toBe(false);
    },
  );
});
