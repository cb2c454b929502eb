/** Tabs that a fresh browser opens at once, in a real Chromium: all show the earliest of their places, and the others are given back. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, type ExpectStatic } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { freePort } from "../../support/ports.ts";
import { long, test } from "../../support/sizes.ts";
import { parkedAt, setVisibility } from "../../support/waiting-visitor.ts";

describe("tabs that open at once", () => {
  let chromium: BorrowedChromium;
  let gateway: Gateway;
  let admin: Admin;
  const stopped = [] as (() => unknown)[];
  /** How many come at once. */
  let tabs = 0;
  /** First requests, and then their answers, which go on when all are there: the earliest place comes first, and the worst cookie last. */
  let held: { request: IncomingMessage; response: ServerResponse }[] = [];

  beforeAll(async () => {
    const [port, ownPort] = [await freePort(), await freePort()];
    const issuer = `http://localhost:${port}`;
    const rooms = ["scripts", "bare"].map((id) => ({ id, targets: ["https://shop.example.test/"] }));
    gateway = await startGateway({ config: { issuer, listen: { port: ownPort }, rooms, clients: [] }, port: ownPort });
    stopped.push(() => gateway.stop());
    const proxy = createServer((request, response) => {
      const isFirst = request.url?.includes("/enter") && !request.headers.cookie?.includes("usher-");
      if (!isFirst) return pass(request, response);
      held.push({ request, response });
      if (held.length < tabs) return;
      void passInOrder(held);
      held = [];
    });
    await new Promise<void>((resolve) => proxy.listen(port, () => resolve()));
    stopped.push(
      () => proxy.closeAllConnections(),
      () => proxy.close(),
    );
    const http = createHttpClient();
    stopped.push(() => http.close());
    admin = createAdmin(http, issuer);
    chromium = await borrowChromium();
    stopped.push(chromium.refund);
  }, 60_000);
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { url = "/", method, headers } = request;
    const to = send({ port: gateway.port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    to.on("error", () => response.destroy());
    request.pipe(to);
  }

  /** Each joins before the next one, and its answer is whole before that. */
  async function passInOrder(all: typeof held): Promise<void> {
    for (const { request, response } of all) {
      pass(request, response);
      await new Promise((resolve) => response.once("close", resolve));
    }
  }

  async function openAll(context: BrowserContext, room: string, count: number): Promise<Page[]> {
    tabs = count;
    const pages: Page[] = [];
    for (let tab = 0; tab < tabs; tab++) pages.push(await context.newPage());
    await Promise.all(pages.map((page) => page.goto(`${gateway.issuer}/rooms/${room}/enter`)));
    return pages;
  }
  const left = async (room: string) => {
    const answer = (await admin.request("PATCH", `/rooms/${room}`, {})).json() as { counts: { left: number } };
    return answer.counts.left;
  };
  const shown = (pages: readonly Page[]) => Promise.all(pages.map(parkedAt));

  const meetByThemselves = "%i meet by themselves, when somebody looks at them";
  test.for([2])(meetByThemselves, (count, { expect }) => expectMeeting(count, expect));
  long.for([6])(meetByThemselves, (count, { expect }) => expectMeeting(count, expect));

  async function expectMeeting(count: number, expect: ExpectStatic): Promise<void> {
    const context = await chromium.browser.newContext();
    const pages = await openAll(context, "scripts", count);
    await expect.poll(() => shown(pages), { timeout: 30_000 }).toEqual(Array(tabs).fill(1));
    expect(await left("scripts")).toBe(tabs - 1);
    await Promise.all(pages.map((page) => page.reload()));
    expect(await shown(pages)).toEqual(Array(tabs).fill(1));
    // A page that nobody looks at waits until somebody does.
    const cookies = await context.cookies();
    expect(cookies.filter(({ name }) => name.startsWith("usher-scripts")).length).toBeLessThanOrEqual(2);
    const [first] = pages as [Page];
    await setVisibility(first, "hidden");
    await setVisibility(first, "visible");
    expect(await parkedAt(first)).toBe(1);
    await context.close();
  }

  long("without scripts, they show it when they are loaded again", async ({ expect }) => {
    const context = await chromium.browser.newContext({ javaScriptEnabled: false });
    const pages = await openAll(context, "bare", 6);
    expect((await shown(pages)).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const page of pages.toReversed()) await page.reload();
    expect(await shown(pages)).toEqual(Array(tabs).fill(1));
    expect(await left("bare")).toBe(tabs - 1);
    await context.close();
  });
});
