// Long: nginx before a site of two hosts; site-tag.test.ts has the guard, a visit and its end.
/**
 * A single-page site with a router of its own, on two hosts of one domain that share the admission. A real nginx ends TLS, asks Usher
 * about the site's API as docs/forward-auth.md configures it, and serves the pages to everybody; the site's tag does the rest.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { nginxBeforeApi } from "../../../e2e/ways-in/proxied-site.ts";
import { type Admin, createAdmin } from "../../../support/admin.ts";
import { compileBrowserScripts } from "../../../support/browser-scripts.ts";
import { borrowChromium } from "../../../support/chromium.ts";
import { type Gateway, startGateway } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { startNginx } from "../../../support/nginx.ts";
import { freePorts } from "../../../support/ports.ts";
import { startSiteServer } from "../../../support/site-server.ts";
import { long, test } from "../../../support/sizes.ts";
import { parkedAt, recordNavigations, setVisibility } from "../../../support/waiting-visitor.ts";

const domain = "tour.localhost";
const cookieName = "__Secure-usher-tickets.admission";

/** The application: its routes are paths, with a query and a fragment; what it shows of one comes from its API. */
const app = `
  const [route, seat] = document.querySelectorAll("output");
  const show = async () => {
    route.textContent = location.pathname + location.search + location.hash;
    seat.textContent = "…";
    const [answer] = await Promise.all([fetch("/api" + location.pathname), fetch("/api/prices"), fetch("/api/me")]);
    if (answer.ok) seat.textContent = await answer.text();
  };
  addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("nav a");
    if (!link) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    show();
  });
  show();`;
const shell = `<h1>Seats</h1><nav><a href="/seats/42?x=2#/view">Next</a> <a href="/seats/43?x=3#/plan">Last</a></nav>
  <output></output> <output></output><script src="/app.js"></script>`;
const landing = `<h1>The tour</h1><div data-usher-room="sale"></div>`;

/** Tells each frame in which something of the page could be seen. */
const watchFrames = `(() => {
  const look = () => {
    const root = document.documentElement;
    if (document.body && getComputedStyle(root).display !== "none") glimpsed(location.href);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;
const contentfulPaints = "performance.getEntriesByName('first-contentful-paint').length";

describe("a single-page site behind nginx and forward authentication", () => {
  let gateway: Gateway;
  let browser: Browser;
  let admin: Admin;
  let shop: string;
  let pay: string;
  let elsewhere: string;
  const stopped = [] as (() => unknown)[];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "/", shop);
    const own = `src="/usher.js" data-issuer="${gateway.issuer}"`;
    const guarded = `${own} data-guard="tickets" data-fetch="tickets" data-check="/api/session"`;
    const script = { "/usher.js": usherScript, "/app.js": app }[pathname];
    if (pathname.startsWith("/api/")) {
      response.end(`seat ${pathname.slice(11)} for ${request.headers["x-usher-sub"] ?? "nobody"}`);
    } else if (script !== undefined) {
      response.setHeader("content-type", "text/javascript");
      response.end(script);
    } else {
      const policy = `default-src 'none'; script-src 'self'; connect-src 'self' ${gateway.issuer}; base-uri 'none'`;
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.setHeader("content-security-policy", policy);
      const [tag, html, isHidden] =
        pathname === "/landing"
          ? [own, landing, false]
          : pathname.startsWith("/open")
            ? [`${guarded} data-late="show" data-wait="1"`, shell, false]
            : [`${guarded} data-wait="1"`, shell, true];
      response.end(
        `<!doctype html><html lang="en"${isHidden ? " hidden" : ""}><head><title>Tour</title><script ${tag}></script></head>` +
          `<body><main>${html}</main></body></html>`,
      );
    }
  }
  const usherScript = readFileSync(join(compileBrowserScripts(), "usher.js"));

  beforeAll(async () => {
    const [sitePort = 0, nginxPort = 0] = await freePorts(2);
    [shop, pay, elsewhere] = [`shop.${domain}`, `pay.${domain}`, "shop.else.localhost"].map(
      (host) => `https://${host}:${nginxPort}`,
    ) as [string, string, string];
    const targets = [shop, pay].flatMap((site) => [`${site}/`, `${site}/*`]);
    const rooms = [
      { id: "tickets", targets, admission: { duration: "5m" }, verify: { cookie_domain: domain } },
      { id: "sale", targets },
    ];
    gateway = await startGateway({ config: { rooms, clients: [] } });
    stopped.push(() => gateway.stop());
    const server = await startSiteServer(answer, { port: sitePort });
    stopped.push(() => server.stop());
    const nginx = await startNginx({
      upstreamPorts: [],
      port: nginxPort,
      serverName: `*.${domain}`,
      tls: true,
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

  /** Browsers find all names below localhost on this machine. The certificate is nobody's that they know. */
  const newVisitor = (): Promise<BrowserContext> => browser.newContext({ ignoreHTTPSErrors: true });
  const shows = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).waitFor();
  const seatOf = async (page: Page, seat: number): Promise<string> => {
    const line = page.getByText(new RegExp(`^seat ${seat} for tickets\\.`));
    await line.waitFor();
    return /tickets\..*/.exec((await line.textContent()) ?? "")?.[0] ?? "";
  };

  test("a deep link waits unseen, is shown after the turn, and is come back to when the admission ends", async () => {
    const context = await newVisitor();
    const glimpses: string[] = [];
    await context.exposeBinding("glimpsed", (_source, address: string) => {
      if (address.startsWith(shop)) glimpses.push(address);
    });
    await context.addInitScript(watchFrames);
    const page = await context.newPage();
    const navigations = recordNavigations(page);
    const entries = () => navigations.filter(({ pathname }) => pathname.endsWith("/enter"));
    // What nginx and Usher say is held back, so that the page has all the time to be seen.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/**", (route) => held.then(() => route.continue()));
    const asked = page.waitForRequest("**/api/session*");
    await page.goto(`${shop}/seats/41?x=1#/plan`);
    await asked;
    await page.evaluate("new Promise((frame) => setTimeout(frame, 100))");
    expect([await page.evaluate(contentfulPaints), await page.getByRole("heading").count()]).toEqual([0, 0]);
    release();
    // Four requests were refused, and the visitor went once.
    expect(await parkedAt(page)).toBe(1);
    expect(entries()).toHaveLength(1);
    expect(glimpses).toEqual([]);

    await admin.increment("tickets", 1);
    await shows(page, "/seats/41?x=1#/plan");
    const sub = await seatOf(page, 41);
    expect(page.url()).toBe(`${shop}/seats/41?x=1#/plan`);
    expect(new Set(glimpses)).toEqual(new Set([`${shop}/seats/41?x=1#/plan`]));

    // The other host of the domain: the same admission, without a way through the room.
    navigations.length = 0;
    await page.goto(`${pay}/seats/7`);
    expect(await seatOf(page, 7)).toBe(sub);
    expect(navigations.map(({ origin }) => origin)).toEqual([pay]);
    const cookies = await context.cookies([shop, pay]);
    expect(cookies.map(({ name, domain: at, secure, httpOnly }) => [name, at, secure, httpOnly])).toEqual([
      [cookieName, `.${domain}`, true, true],
    ]);
    // A host beyond it: none.
    await page.goto(`${elsewhere}/landing`);
    expect(await page.evaluate("fetch('/api/seats/1').then(({ status }) => status)")).toBe(401);
    expect(await context.cookies(elsewhere)).toEqual([]);

    // The visit ends while the visitor goes from route to route.
    await page.goto(`${shop}/seats/41?x=1#/plan`);
    await seatOf(page, 41);
    await page.getByRole("link", { name: "Next" }).click();
    await seatOf(page, 42);
    await page.goBack();
    await seatOf(page, 41);
    expect(entries()).toEqual([]);
    await admin.request("PATCH", `/rooms/tickets/admissions/${sub}`, { status: "completed" });
    await expect
      .poll(async () => {
        const link = page.getByRole("link", { name: "Last" });
        if (page.url().startsWith(shop)) await link.click({ timeout: 1_000 }).catch(() => {});
        return page.url();
      })
      .toContain(gateway.issuer);
    expect(await parkedAt(page)).toBe(2);
    await admin.increment("tickets", 1);
    await shows(page, "/seats/43?x=3#/plan");
    await seatOf(page, 43);
    expect(page.url()).toBe(`${shop}/seats/43?x=3#/plan`);
    await context.close();
  }, 90_000);

  long(
    "a landing page that everybody may see follows the room from idle to its end, and leads into it",
    async () => {
      await admin.step("sale", "idle");
      const context = await newVisitor();
      const page = await context.newPage();
      await page.goto(`${shop}/landing`);
      const part = (name: string) => page.locator(`.usher-${name}`);
      const becomes = (state: string) =>
        expect
          .poll(async () => {
            await setVisibility(page, "visible");
            return page.locator("[data-usher-room]").getAttribute("data-usher-state");
          })
          .toBe(state);
      const words = async () => [
        (await part("timer").textContent())?.replace(/\d+/, "9"),
        await part("state").textContent(),
        (await part("enter").isVisible()) && (await part("enter").textContent()),
      ];
      await becomes("idle");
      expect(await words()).toEqual(["", "", "Enter"]);
      const opensAt = (ms: number) => ({ schedule: { opens_at: new Date(Date.now() + ms).toISOString() } });
      await admin.change("sale", opensAt(300_000));
      await admin.step("sale", "prequeue");
      await becomes("prequeue");
      expect(await words()).toEqual([expect.stringMatching(/^Opens in 9 minutes?/), "", "Join the waiting room"]);
      // A visitor who joins now has a number for the opening.
      const early = await context.newPage();
      await early.goto((await part("enter").getAttribute("href")) ?? "");
      await early.locator("main[data-state=entered]").waitFor();
      await admin.step("sale", "open");
      await becomes("open");
      expect(await words()).toEqual(["", "Open now", "Enter"]);
      await admin.step("sale", "end");
      await becomes("ended");
      expect(await words()).toEqual(["", "This has ended", false]);
      await context.close();
    },
    90_000,
  );

  long(
    "with Usher away nginx closes the API: the operator's choice shows the page, or hides it until Usher is back",
    async () => {
      await gateway.halt();
      const context = await newVisitor();
      const [shown, hidden] = [await context.newPage(), await context.newPage()];
      const refused = shown.waitForResponse("**/api/session");
      await Promise.all([shown.goto(`${shop}/open/5`), hidden.goto(`${shop}/seats/5?y=1#/plan`)]);
      expect((await refused).status()).toBe(500);
      await shown.getByRole("heading", { name: "Seats" }).waitFor();
      await expect.poll(() => hidden.evaluate<number>("performance.now()"), { interval: 200 }).toBeGreaterThan(2_000);
      expect([await hidden.evaluate(contentfulPaints), await hidden.getByRole("heading").count()]).toEqual([0, 0]);
      await gateway.start();
      await gateway.waitUntilReady();
      // After a loss, numbers begin anew behind those that may have been given out.
      await admin.increment("tickets", await parkedAt(hidden));
      await shows(hidden, "/seats/5?y=1#/plan");
      await seatOf(hidden, 5);
      await expect.poll(() => new URL(shown.url()).pathname).toBe("/open/5");
      await context.close();
    },
    90_000,
  );
});
