/** A site with the tag, a real gateway, and in front of both whatever may answer in their place. */
import { readFileSync } from "node:fs";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type Admin, createAdmin } from "../../../support/admin.ts";
import { compileBrowserScripts } from "../../../support/browser-scripts.ts";
import { borrowChromium } from "../../../support/chromium.ts";
import { stopClock, watchQuestions } from "../../../support/gallery-visit.ts";
import { type Gateway, startGateway } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { freePorts } from "../../../support/ports.ts";
import { startSiteServer } from "../../../support/site-server.ts";

type Answer = (response: ServerResponse) => void;

/** What is answered to requests for a path in place of the server. */
export interface InFront {
  readonly of: RegExp;
  readonly answer: Answer;
}

export interface TagSite {
  readonly issuer: string;
  readonly origin: string;
  /** Of another host, whose answers scripts of any origin may read. */
  readonly elsewhere: string;
  readonly admin: Admin;
  readonly browser: Browser;
  inFront: InFront | null;
  /** What `/api/session` of the site answers. */
  session: number;
  /** What `elsewhere` answers. */
  saysElsewhere: string;
  /** How often a path was asked for, at any of the servers. */
  count(path: string): number;
  /** An address of the site, as a visitor comes to it from a room that everybody passes. */
  handedOver(room: string, path: string): Promise<string>;
  /** A new visitor's page whose time passes when a test lets it. */
  open(address: string): Promise<{ page: Page; errors: string[] }>;
  stop(): Promise<void>;
}

/** @param html of the site's pages, by path; each loads the tag before it */
export async function startTagSite(rooms: Record<string, unknown>[], html: Record<string, string>): Promise<TagSite> {
  const [gatewayPort = 0, frontPort = 0, sitePort = 0, otherPort = 0] = await freePorts(4);
  const issuer = `http://localhost:${frontPort}`;
  const origin = `http://127.0.0.1:${sitePort}`;
  const targets = [`${origin}/`, `${origin}/*`];
  const tag = readFileSync(join(compileBrowserScripts(), "usher.js"));
  const requests: string[] = [];
  const stopped: (() => unknown)[] = [];

  const inFrontOr = (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    return (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? "/";
      requests.push(path.split("?")[0] ?? "");
      if (site.inFront?.of.test(path)) site.inFront.answer(response);
      else answer(request, response);
    };
  };
  const pass = (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = incoming;
    const asked = request({ host: "127.0.0.1", port: gatewayPort, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy());
    incoming.pipe(asked);
  };
  const answerSite = ({ url = "/" }: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(url, origin);
    if (pathname === "/usher.js") return response.setHeader("content-type", "text/javascript").end(tag);
    if (pathname === "/api/session") return response.writeHead(site.session).end();
    response.setHeader("content-type", "text/html; charset=utf-8");
    return response.end(
      `<!doctype html><html lang="en"><title>A site</title><script src="/usher.js" data-issuer="${issuer}"></script>` +
        `<body><output></output>${html[pathname] ?? ""}</body></html>`,
    );
  };

  const gateway: Gateway = await startGateway({
    port: gatewayPort,
    config: { issuer, rooms: rooms.map((room) => ({ targets, ...room })), clients: [] },
    // Its public address is answered by the front.
    waitUntilReady: false,
  });
  stopped.push(() => gateway.stop());
  for (const [port, handle] of [
    [frontPort, inFrontOr(pass)],
    [sitePort, inFrontOr(answerSite)],
    [
      otherPort,
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
        response.end(site.saysElsewhere);
      },
    ],
  ] as const) {
    const server = await startSiteServer(handle, { port });
    stopped.push(() => server.stop());
  }
  await gateway.waitUntilReady();
  const http = createHttpClient();
  stopped.push(() => http.close());
  const chromium = await borrowChromium();
  stopped.push(chromium.refund);

  const site: TagSite = {
    issuer,
    origin,
    elsewhere: `http://127.0.0.1:${otherPort}/`,
    admin: createAdmin(http, `http://127.0.0.1:${gatewayPort}`),
    browser: chromium.browser,
    inFront: null,
    session: 200,
    saysElsewhere: "{}",
    count: (path) => requests.filter((each) => each === path).length,
    async handedOver(room, path) {
      const target = encodeURIComponent(origin + path);
      const answer = await http.request(`${issuer}/rooms/${room}/enter?target=${target}`, {
        headers: { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      });
      const location = answer.header("location") ?? "";
      if (!location.includes("usher_token=")) throw new Error(`no token: ${answer.status} ${location}`);
      return location;
    },
    async open(address) {
      const page = await (await chromium.browser.newContext()).newPage();
      page.setDefaultTimeout(60_000);
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      // With any route the browser's cache is off: its seconds are not those of the page's clock.
      await page.route("**/none", (route) => route.continue());
      await stopClock(page);
      await watchQuestions(page);
      await page.goto(address);
      return { page, errors };
    },
    async stop() {
      for (const stop of stopped.reverse()) await stop();
    },
  };
  return site;
}
