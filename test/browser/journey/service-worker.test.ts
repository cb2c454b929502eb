/**
 * A site whose own service worker passes every request on, behind a proxy that asks Usher: the browser names no destination of a page
 * that comes through the worker.
 */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { freePort } from "../../support/ports.ts";
import { type SiteServer, startSiteServer } from "../../support/site-server.ts";

const worker = `
  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
  self.addEventListener("fetch", (event) => event.respondWith(fetch(event.request)));`;
const shop = `<!doctype html><title>Shop</title><h1>Shop</h1><script>navigator.serviceWorker.register("/worker.js")</script>`;

const http = createHttpClient();
let gateway: Gateway;
let chromium: BorrowedChromium;
let server: SiteServer;
let site: string;
/** `Sec-Fetch-Dest` of the pages that were asked about. */
const destinations: unknown[] = [];

beforeAll(async () => {
  const port = await freePort();
  // Cookies know no ports, so the site has a name of its own.
  site = `http://127.0.0.1:${port}`;
  const rooms = [{ id: "tickets", targets: [`${site}/`, `${site}/*`] }];
  gateway = await startGateway({ config: { rooms, clients: [] } });
  const send = (response: ServerResponse, type: string, body: string): void => {
    response.setHeader("content-type", `${type}; charset=utf-8`).end(body);
  };
  server = await startSiteServer(
    async (request, response) => {
      if (request.url === "/worker.js") return send(response, "text/javascript", worker);
      // Open, so that the worker is there before the visitor is asked for an admission.
      if (request.url === "/open") return send(response, "text/html", shop);
      if (request.headers["sec-fetch-mode"] === "navigate") destinations.push(request.headers["sec-fetch-dest"]);
      const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
      const answer = await http.get(`${gateway.issuer}/rooms/tickets/verify`, {
        ...headers,
        "x-forwarded-method": request.method ?? "",
        "x-forwarded-proto": "http",
        "x-forwarded-host": new URL(site).host,
        "x-forwarded-uri": request.url ?? "",
      });
      if (answer.setCookies.length > 0) response.setHeader("set-cookie", answer.setCookies);
      if (answer.status === 200) return send(response, "text/html", shop);
      const location = answer.header("location");
      response.writeHead(answer.status, location === undefined ? {} : { location });
      response.end(answer.body);
    },
    { port },
  );
  chromium = await borrowChromium();
}, 60_000);
afterAll(async () => {
  await chromium?.refund();
  await server?.stop();
  await gateway?.stop();
  http.close();
});

test("a visitor whose page goes through the site's service worker gets to the room, waits, and comes back", async () => {
  const page = await (await chromium.browser.newContext()).newPage();
  await page.goto(`${site}/open`);
  await page.waitForFunction("navigator.serviceWorker.controller !== null");
  await page.goto(`${site}/products/7`);
  expect(destinations).toEqual(["empty"]);
  expect(new URL(page.url()).origin).toBe(gateway.issuer);
  await page.locator("[data-position='1']").first().waitFor({ state: "attached" });
  await createAdmin(http, gateway.issuer).increment("tickets", 1);
  await page.waitForURL(`${site}/products/7`, { timeout: 30_000 });
  await expect.poll(() => page.getByRole("heading", { name: "Shop" }).isVisible()).toBe(true);
  expect(new Set(destinations)).toEqual(new Set(["empty"]));
});
