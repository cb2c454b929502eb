/**
 * Whole journeys in a real browser: a real gateway, and for each room the demonstration's site, a genuine relying
 * party that this process serves. Each test uses a room of its own, so that its positions are its own.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { createDemoSite, type DemoSite, demoSiteUris } from "../../examples/demo/site.ts";
import { type Admin, createAdmin } from "./admin.ts";
import { borrowChromium } from "./chromium.ts";
import { type Gateway, type GatewayConfig, type ProcessGateway, startGateway } from "./gateway.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { freePorts } from "./ports.ts";

export interface JourneyRoom {
  id: string;
  title?: string;
  inlet?: Record<string, unknown>;
  admission?: Record<string, unknown>;
  /** Laid over the room's other settings: schedule, max_waiting, … */
  settings?: Record<string, unknown>;
  /** Laid over the room's client. */
  client?: Record<string, unknown>;
}

export interface Journey<G extends Gateway = Gateway> {
  readonly gateway: G;
  readonly admin: Admin;
  readonly browser: Browser;
  /** Where the visitors are before they think of the site: another site, with a link to it. */
  readonly outsideUrl: string;
  siteUrl(room: string): string;
  /** A visitor with a browser of their own follows the link to a room's site. */
  arrive(room: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same, with a clock of their own, which goes like any other until a test moves it. */
  arriveWithClock(room: string): Promise<Page>;
  /** In a tab of a browser that is there already. */
  arriveIn(context: BrowserContext, room: string): Promise<Page>;
  /** Others take the next places. Answers the last one's, which tells how many were handed out before. */
  joinOthers(room: string, count?: number): Promise<number>;
  stop(): Promise<void>;
}

const clientSecret = "secret-of-the-demonstration-sites-0123456789";
const othersAtOnce = 64;
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 780 },
  locale: "en-GB",
  // What moves costs time of the computer, which few tests look at.
  reducedMotion: "reduce",
};

/**
 * @param config laid over the configuration file
 * @param asProcess see `GatewayOptions`
 */
export function startJourney(
  rooms: readonly JourneyRoom[],
  config: Partial<GatewayConfig>,
  asProcess: true,
): Promise<Journey<ProcessGateway>>;
export function startJourney(rooms: readonly JourneyRoom[], config?: Partial<GatewayConfig>): Promise<Journey>;
export async function startJourney(
  rooms: readonly JourneyRoom[],
  config: Partial<GatewayConfig> = {},
  asProcess = false,
): Promise<Journey> {
  const ports = await freePorts(rooms.length);
  const uris = new Map(rooms.map(({ id }, index) => [id, demoSiteUris(ports[index] ?? 0)]));
  const urisOf = (room: string) => uris.get(room) ?? demoSiteUris(0);
  const gateway = await startGateway({
    asProcess,
    config: {
      store: { type: "memory" },
      rooms: rooms.map(({ id, title, inlet, admission, settings }) => ({
        id,
        title: title ?? `The room ${id}`,
        inlet: inlet ?? { type: "manual" },
        ...(admission && { admission }),
        ...settings,
      })),
      clients: rooms.map(({ id, client }) => ({ ...describeClient(id, urisOf(id)), ...client })),
      ...config,
    },
  });
  const http = createHttpClient({ connectionsMax: othersAtOnce });
  const sites = rooms.map(({ id }, index) => createSite(gateway.issuer, id, ports[index] ?? 0));
  await Promise.all(sites.map((site) => site.start()));
  const outside = await startOutside();
  const { browser, refund } = await borrowChromium();

  const siteUrl = (room: string) => urisOf(room).postLogoutRedirectUri;
  const arriveIn = async (context: BrowserContext, room: string) => {
    const page = await context.newPage();
    // On a machine that is busy with the other pages, a page takes long.
    page.setDefaultTimeout(60_000);
    await page.goto(`${outside.url}/?to=${encodeURIComponent(siteUrl(room))}`);
    await page.getByRole("link", { name: "To the site" }).click();
    return page;
  };

  return {
    gateway,
    admin: createAdmin(http, gateway.origin),
    browser,
    outsideUrl: outside.url,
    siteUrl,
    arriveIn,
    arrive: async (room, options) => arriveIn(await browser.newContext({ ...phone, ...options }), room),
    async arriveWithClock(room) {
      const context = await browser.newContext(phone);
      await context.clock.install();
      return arriveIn(context, room);
    },
    joinOthers: (room, count = 1) => joinOthers(http, gateway.origin, room, count),
    async stop() {
      await refund();
      http.close();
      outside.server.closeAllConnections();
      outside.server.close();
      await Promise.all([...sites.map((site) => site.close()), gateway.stop()]);
    },
  };
}

function describeClient(room: string, uris: ReturnType<typeof demoSiteUris>) {
  return {
    client_id: `site-${room}`,
    client_secret: clientSecret,
    redirect_uris: [uris.redirectUri],
    post_logout_redirect_uris: [uris.postLogoutRedirectUri],
    initiate_login_uri: uris.initiateLoginUri,
    room,
  };
}

function createSite(issuer: string, room: string, port: number): DemoSite {
  const clientId = `site-${room}`;
  return createDemoSite({ issuer, clientId, clientSecret, port, host: "127.0.0.1" });
}

async function startOutside(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? "/", "http://localhost").searchParams.get("to") ?? "/";
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.end(
      `<!doctype html><html lang=en><title>Elsewhere</title><h1>Elsewhere</h1><a href="${to}">To the site</a>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function joinOthers(http: HttpClient, origin: string, room: string, count: number): Promise<number> {
  let last = 0;
  for (let left = count; left > 0; left -= othersAtOnce) {
    const joins = Array.from({ length: Math.min(left, othersAtOnce) }, () =>
      http.request(`${origin}/rooms/${room}/tickets`, { method: "POST" }),
    );
    for (const { status, body } of await Promise.all(joins)) {
      if (status !== 201) throw new Error(`a join was answered ${status}: ${body.slice(0, 300)}`);
      last = Math.max(last, (JSON.parse(body) as { position: number }).position);
    }
  }
  return last;
}
