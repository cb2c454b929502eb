/** The program of docs/relying-parties/browser.md, an application in the browser alone, as it stands there but for its addresses. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { borrowChromium } from "../../support/chromium.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { readGuide, replaceAll } from "../../support/guide.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { freePort } from "../../support/ports.ts";
import { startSiteServer } from "../../support/site-server.ts";
import { long, test } from "../../support/sizes.ts";
import { parkedAt } from "../../support/waiting-visitor.ts";

const guide = readGuide("browser");
const clientId = "shop-browser";
const packages = createRequire(import.meta.url);
/** The library as it is published, and what it imports. */
const modules = {
  "oidc-client-ts": packages.resolve("oidc-client-ts").replace(/dist.*/, "dist/esm/oidc-client-ts.js"),
  "jwt-decode": packages.resolve("jwt-decode").replace(/build.*/, "build/esm/index.js"),
};

const http = createHttpClient();
const stopped: (() => unknown)[] = [];
let gateway: Gateway;
let admin: Admin;
let browser: Browser;
let origin: string;

const page = (imports: object) => `<!doctype html><html lang=en><title>Shop</title><h1></h1>
  <script type="importmap">${JSON.stringify({ imports })}</script>
  <script type="module">
    import { admitted, leave, line } from "/line.js";
    Object.assign(window, { line, leave });
    const heading = document.querySelector("h1");
    if (location.pathname === "/goodbye") heading.textContent = "Goodbye";
    else {
      const user = await admitted().catch((error) => ({ profile: { sub: "refused: " + error.message } }));
      heading.textContent = location.pathname + " for " + user.profile.sub;
    }
  </script>`;

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  gateway = await startGateway({
    config: {
      store: { type: "memory" },
      rooms: [{ id: "tickets", inlet: { type: "manual" } }],
      clients: [guide.client({ "https://shop.example.com": origin })],
    },
  });
  admin = createAdmin(http, gateway.origin);
  const files: Record<string, string> = {
    "/line.js": replaceAll(guide.block("js"), {
      "https://queue.example.com": gateway.issuer,
      "https://shop.example.com": origin,
    }),
  };
  for (const [name, file] of Object.entries(modules)) files[`/${name}.js`] = readFileSync(file, "utf8");
  const html = page(Object.fromEntries(Object.keys(modules).map((name) => [name, `/${name}.js`])));
  const site = await startSiteServer(
    (request, response) => {
      const script = files[new URL(request.url ?? "/", origin).pathname];
      response.setHeader("content-type", script === undefined ? "text/html; charset=utf-8" : "text/javascript");
      response.setHeader("cache-control", "no-store");
      response.end(script ?? html);
    },
    { port },
  );
  const { browser: borrowed, refund } = await borrowChromium();
  browser = borrowed;
  stopped.push(
    refund,
    () => site.stop(),
    () => gateway.stop(),
    () => http.close(),
  );
});
afterAll(async () => {
  for (const stop of stopped) await stop();
});

async function enter(path: string): Promise<Page> {
  const visitor = await (await browser.newContext()).newPage();
  visitor.setDefaultTimeout(60_000);
  await visitor.goto(`${origin}${path}`);
  await parkedAt(visitor);
  await admin.increment("tickets", 1);
  await visitor.getByRole("heading", { name: `${path} for tickets.` }).waitFor();
  return visitor;
}

/** What the page's own script comes to. */
const run = <T>(visitor: Page, script: string): Promise<T> => visitor.evaluate(script) as Promise<T>;

test("a visitor waits, is let in where they wanted to go, and their tokens are renewed silently until the admission ends", async () => {
  const visitor = await enter("/seats");
  expect(new URL(visitor.url()).pathname).toBe("/seats");
  const before = await run<{ access_token: string; refresh_token: string }>(visitor, "line.getUser()");
  const renewed = await run<typeof before>(visitor, "line.signinSilent()");
  expect([renewed.access_token, renewed.refresh_token].map((token) => token.length > 20)).toEqual([true, true]);
  expect([renewed.access_token === before.access_token, renewed.refresh_token === before.refresh_token]).toEqual([
    false,
    false,
  ]);
  const asked = `fetch("${gateway.issuer}/userinfo", { headers: { authorization: "Bearer ${renewed.access_token}" } })`;
  const { sub } = await run<{ sub: string }>(visitor, `${asked}.then((answer) => answer.json())`);
  await expect.poll(() => visitor.getByRole("heading").textContent()).toBe(`/seats for ${sub}`);

  await admin.request("PATCH", `/rooms/tickets/admissions/${sub}`, { status: "revoked" });
  const refused = await run<string>(visitor, `line.signinSilent().then(() => "renewed", ({ error }) => error)`);
  expect(refused).toBe("invalid_grant");
});

long("a visitor who leaves is logged out, and comes to the page of the site", async () => {
  const visitor = await enter("/");
  await visitor.evaluate("void leave()");
  await visitor.getByRole("heading", { name: "Goodbye" }).waitFor();
  expect(new URL(visitor.url()).origin).toBe(origin);
  await visitor.goto(`${origin}/`);
  expect(await parkedAt(visitor)).toBeGreaterThan(1);
});

long("an answer that this browser has not asked for is said so, and begins nothing", async () => {
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${origin}/callback?code=x&state=y`);
  await visitor.getByRole("heading", { name: "/callback for refused: No matching state" }).waitFor();
});

long("no other site's script may use the client", async () => {
  const ask = (path: string, from: string) =>
    http.request(`${gateway.issuer}${path}`, {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, grant_type: "refresh_token", refresh_token: "x", token: "x" }),
      headers: { origin: from },
    });
  for (const path of ["/token", "/revoke"]) {
    expect((await ask(path, origin)).header("access-control-allow-origin"), path).toBe(origin);
    for (const from of ["https://evil.example", "null", `${origin}.evil.example`]) {
      const refused = await ask(path, from);
      expect([refused.status, refused.header("access-control-allow-origin")], path).toEqual([400, undefined]);
      expect(refused.json()).toMatchObject({ error: "invalid_request" });
    }
  }
});
