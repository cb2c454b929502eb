/**
 * A small browser: one cookie jar, top-level navigations with the headers that browsers send, redirects
 * followed, and the patience to wait in line as the waiting page's script does.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Cookie, type CookieJar, createCookieJar } from "./cookie-jar.ts";
import type { HttpClient, HttpRequest, HttpResponse } from "./http-client.ts";

const REDIRECTS_MAX = 20;
/** A page's script asks every two seconds at most; tests have less patience. */
const POLL_MS = 250;

export interface VisitorOptions {
  http: HttpClient;
  jar?: CookieJar;
  /** False for a browser that keeps no cookies at all. */
  acceptsCookies?: boolean;
  /** Sent with every request, e.g. `Accept-Language`. */
  headers?: Record<string, string>;
}

export interface NavigateOptions extends HttpRequest {
  /** The address of the page that sent the visitor; absent for an address typed in. */
  from?: URL;
  /** A redirect to such an address is not followed: the page that is returned is the redirect. */
  stopAt?: (location: URL) => boolean;
}

/** Where a navigation ended. */
export interface Page extends HttpResponse {
  /** The addresses of the redirects that led here, in order. */
  readonly redirects: readonly URL[];
  /** Where the response redirects to, when it was not followed. */
  readonly location: URL | undefined;
  /** The place in line that a waiting page shows, and why the visitor waits. */
  readonly position: number | undefined;
  readonly state: string | undefined;
  /** The code of a notice: any page of Usher that is not the waiting page. */
  readonly notice: string | undefined;
}

export interface LoginOptions extends NavigateOptions {
  /** Longest time in line; default 60 s. */
  patienceMs?: number;
  /** Called once when the visitor is parked. */
  onParked?: (page: Page) => void | Promise<void>;
}

export interface Visitor {
  readonly jar: CookieJar;
  cookie(name: string): Cookie | undefined;
  /** A navigation: redirects are followed, cookies kept. */
  navigate(url: string | URL, options?: NavigateOptions): Promise<Page>;
  /** A request of a page's script to `url`, with cookies, without redirects. */
  fetch(url: string | URL, options?: HttpRequest & { from?: URL }): Promise<HttpResponse>;
  /** Navigates and, while the answer is a waiting page, waits in line until served and enters. */
  login(url: string | URL, options?: LoginOptions): Promise<Page>;
  /** Waits at a waiting page until served, then enters; the page may be a later one of the same place. */
  waitInLine(page: Page, options?: LoginOptions): Promise<Page>;
}

export function createVisitor(options: VisitorOptions): Visitor {
  const jar = options.jar ?? createCookieJar();
  const acceptsCookies = options.acceptsCookies ?? true;

  async function send(url: URL, { headers, ...request }: HttpRequest): Promise<HttpResponse> {
    const cookies = acceptsCookies ? jar.header(url) : undefined;
    const response = await options.http.request(url, {
      ...request,
      headers: { ...options.headers, ...(cookies === undefined ? {} : { cookie: cookies }), ...headers },
    });
    if (acceptsCookies) for (const setCookie of response.setCookies) jar.store(url, setCookie);
    return response;
  }

  async function navigate(target: string | URL, options: NavigateOptions = {}): Promise<Page> {
    const { from, stopAt, ...first } = options;
    const redirects: URL[] = [];
    let request: HttpRequest = first;
    let url = new URL(target);
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      const headers = { ...navigationHeaders(from, [...redirects, url]), ...request.headers };
      const response = await send(url, { ...request, headers });
      const location = redirectTarget(response);
      if (location === undefined || stopAt?.(location)) {
        return describePage(response, redirects, location);
      }
      redirects.push(url);
      request = response.status === 307 || response.status === 308 ? request : withoutBody(request);
      url = location;
    }
    throw new Error(`more than ${REDIRECTS_MAX} redirects:\n${redirects.join("\n")}`);
  }

  async function waitInLine(parked: Page, options: LoginOptions = {}): Promise<Page> {
    const { patienceMs = 60_000, onParked, ...navigation } = options;
    const deadline = Date.now() + patienceMs;
    await onParked?.(parked);
    let page = parked;
    while (page.position !== undefined) {
      if (Date.now() > deadline) throw new Error(`still in line (${page.state}) after ${patienceMs} ms: ${page.url}`);
      if (await isMyTurn(page)) page = await navigate(enterLink(page), { ...withoutBody(navigation), from: page.url });
      else await delay(POLL_MS);
    }
    return page;
  }

  /** What the page's script finds out: by the room's public status, or, held, by the time it was told. */
  async function isMyTurn(page: Page): Promise<boolean> {
    const retryMs = Number(attribute(mainTag(page.body), "data-retry-ms") ?? 0);
    if (retryMs > 0) {
      await delay(retryMs);
      return true;
    }
    const statusUrl = attribute(mainTag(page.body), "data-status-url");
    if (statusUrl === undefined) throw new Error(`no data-status-url on the waiting page ${page.url}`);
    const response = await fetch(new URL(statusUrl, page.url), { from: page.url });
    const status = response.json() as { serving?: number; phase?: string; edition?: number };
    if (response.status !== 200 || status.serving === undefined) {
      throw new Error(`${statusUrl} answered ${response.status}: ${response.body.slice(0, 300)}`);
    }
    const isOtherEdition = String(status.edition) !== attribute(mainTag(page.body), "data-edition");
    return isOtherEdition || (status.phase !== "paused" && status.serving >= (page.position ?? 0));
  }

  function fetch(target: string | URL, { from, ...request }: HttpRequest & { from?: URL } = {}): Promise<HttpResponse> {
    const url = new URL(target);
    const method = request.method ?? "GET";
    const headers: Record<string, string> = {
      accept: "application/json",
      "sec-fetch-mode": "cors",
      "sec-fetch-dest": "empty",
      "sec-fetch-site": from === undefined || from.origin === url.origin ? "same-origin" : "cross-site",
    };
    if (from !== undefined && (from.origin !== url.origin || method !== "GET")) headers.origin = from.origin;
    return send(url, { ...request, headers: { ...headers, ...request.headers } });
  }

  return {
    jar,
    cookie: (name) => jar.get(name),
    navigate,
    fetch,
    waitInLine,
    async login(url, options = {}) {
      const { patienceMs, onParked, ...navigation } = options;
      const page = await navigate(url, navigation);
      return page.position === undefined ? page : waitInLine(page, options);
    },
  };
}

function navigationHeaders(from: URL | undefined, urls: readonly URL[]): Record<string, string> {
  const isSameOrigin = urls.every((url) => url.origin === from?.origin);
  return {
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
    "sec-fetch-site": from === undefined ? "none" : isSameOrigin ? "same-origin" : "cross-site",
    "sec-fetch-user": "?1",
    // Our pages' policy: to themselves alone.
    ...(from !== undefined && isSameOrigin && { referer: from.href.replace(/#.*$/, "") }),
    "upgrade-insecure-requests": "1",
  };
}

function redirectTarget(response: HttpResponse): URL | undefined {
  const location = response.headers.location;
  const isRedirect = response.status >= 300 && response.status < 400;
  return isRedirect && location !== undefined ? new URL(location, response.url) : undefined;
}

function withoutBody({ method, body, ...request }: HttpRequest): HttpRequest {
  return method === "HEAD" ? { ...request, method } : request;
}

function describePage(response: HttpResponse, redirects: readonly URL[], location: URL | undefined): Page {
  const main = mainTag(response.body);
  const position = attribute(main, "data-position");
  return {
    ...response,
    redirects,
    location,
    position: position === undefined ? undefined : Number(position),
    state: attribute(main, "data-state"),
    notice: attribute(main, "data-notice"),
  };
}

/** Where our pages keep their figures; styles and scripts mention the same attributes. */
function mainTag(html: string): string {
  return html.match(/<main\b[^>]*>/)?.[0] ?? "";
}

/** The address behind the waiting page's button, which is what a visitor without JavaScript uses. */
export function enterLink(page: Page): URL {
  const link = page.body.match(/<a\b[^>]*\bid="enter"[^>]*>/)?.[0] ?? "";
  return new URL(attribute(link, "href") ?? "", page.url);
}

/** The first value of an attribute in a text of HTML. */
export function attribute(html: string, name: string): string | undefined {
  return html.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1]?.replaceAll("&amp;", "&");
}
