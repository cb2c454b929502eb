/**
 * The demonstration's protected site: a relying party like any other, which lets in the visitors that Usher vouches
 * for. It knows Usher only by its issuer and by OpenID Connect. `usher demo` starts it; nothing else does.
 */
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { LRUCache } from "lru-cache";
import { createLinePage, LINE_PATH } from "./line-page.ts";
import { createLoginClient, type LoggedIn, type PendingLogin } from "./login-client.ts";
import type { Operator } from "./operator.ts";
import { CONTENT_SECURITY_POLICY, goodbyePage, troublePage, welcomePage } from "./pages.ts";

const SESSION_COOKIE = "usher_demo_session";
const BROWSER_COOKIE = "usher_demo_browser";
const COOKIE_OPTIONS = { httpOnly: true, sameSite: "lax", path: "/" } as const;

const SESSIONS_MAX = 10_000;
const LOGINS_MAX = 10_000;
const LOGIN_TIMEOUT_MS = 5 * 60_000;

// Begins the state of a login that was started because the one before could not be finished. If that one
// can't be finished either, a page says so: a third start would be the beginning of a loop.
const AGAIN = "again.";
/** The state that comes back from the provider's logout. */
const LOGGED_OUT = "logged-out";

export interface DemoSiteOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** Of the page of the line; without one there is none. */
  operator?: Operator;
  /** Milliseconds since 1970; only tests set it. */
  clock?: { now(): number };
  /** Told of what went wrong behind an error page. */
  onError?: (error: unknown) => void;
}

export interface DemoSite {
  /** @throws Error when the port is taken. */
  start(): Promise<{ url: string }>;
  close(): Promise<void>;
}

/** The addresses to register for a demonstration site on `port`. */
export function demoSiteUris(port: number) {
  const url = `http://localhost:${port}`;
  return {
    url,
    redirectUri: `${url}/callback`,
    postLogoutRedirectUri: `${url}/`,
    initiateLoginUri: `${url}/`,
  };
}

type Login = PendingLogin & { readonly browser: string };

export function createDemoSite(options: DemoSiteOptions): DemoSite {
  const { clock = { now: Date.now }, onError = () => {} } = options;
  const client = createLoginClient(options);
  const expiring = { ttl: LOGIN_TIMEOUT_MS, ttlResolution: 0, perf: clock };
  const logins = new LRUCache<string, Login>({ max: LOGINS_MAX, ...expiring });
  const sessions = new LRUCache<string, LoggedIn>({ max: SESSIONS_MAX, ...expiring });
  let uris = demoSiteUris(options.port);

  const session = (ctx: Koa.Context) => sessions.get(ctx.cookies.get(SESSION_COOKIE) ?? "");

  function show(ctx: Koa.Context, status: number, html: string): void {
    ctx.status = status;
    ctx.type = "html";
    ctx.body = html;
  }

  async function startLogin(ctx: Koa.Context, statePrefix = ""): Promise<void> {
    const { location, pending } = await client.begin(uris.redirectUri, statePrefix);
    // A callback counts only in the browser that asked; one cookie serves all its tabs.
    const browser = ctx.cookies.get(BROWSER_COOKIE) ?? randomBytes(32).toString("base64url");
    ctx.cookies.set(BROWSER_COOKIE, browser, COOKIE_OPTIONS);
    logins.set(pending.state, { ...pending, browser });
    ctx.redirect(location.href);
  }

  async function home(ctx: Koa.Context): Promise<void> {
    const current = session(ctx);
    if (current !== undefined) show(ctx, 200, welcomePage(current.claims));
    // A visitor who has just logged out shall not be in line again without asking for it.
    else if (ctx.query.state === LOGGED_OUT) show(ctx, 200, goodbyePage());
    else await startLogin(ctx);
  }

  async function callback(ctx: Koa.Context): Promise<void> {
    const url = new URL(ctx.url, uris.url);
    const state = url.searchParams.get("state") ?? "";
    const login = logins.get(state);
    // A login is finished once.
    logins.delete(state);
    if (login === undefined || login.browser !== ctx.cookies.get(BROWSER_COOKIE)) return restartLogin(ctx, state);
    const error = url.searchParams.get("error");
    if (error !== null) return refuse(ctx, error, url.searchParams.get("error_description"));
    await finishLogin(ctx, url, login);
  }

  async function finishLogin(ctx: Koa.Context, url: URL, login: Login): Promise<void> {
    const loggedIn = await client.finish(url, login);
    const id = randomBytes(32).toString("base64url");
    // The session lasts as long as the ID token does.
    sessions.set(id, loggedIn, { ttl: Math.max(1, loggedIn.claims.exp * 1000 - clock.now()) });
    ctx.cookies.set(SESSION_COOKIE, id, COOKIE_OPTIONS);
    ctx.redirect("/");
  }

  /** The login is unknown: too old, finished already (the back button), or begun before a restart of the site. */
  async function restartLogin(ctx: Koa.Context, state: string): Promise<void> {
    if (session(ctx) !== undefined) return ctx.redirect("/");
    if (!state.startsWith(AGAIN)) return startLogin(ctx, AGAIN);
    const explanation = "This login is not known here any more, twice in a row. Are cookies allowed for this site?";
    show(ctx, 400, troublePage("That did not work", explanation));
  }

  function refuse(ctx: Koa.Context, error: string, description: string | null): void {
    const explanation = `The waiting room answered: ${description ?? error} (${error}).`;
    show(ctx, 403, troublePage("You are not in yet", explanation));
  }

  async function logout(ctx: Koa.Context): Promise<void> {
    const current = session(ctx);
    sessions.delete(ctx.cookies.get(SESSION_COOKIE) ?? "");
    ctx.cookies.set(SESSION_COOKIE, null, COOKIE_OPTIONS);
    const location = current && (await client.logoutLocation(current.idToken, uris.postLogoutRedirectUri, LOGGED_OUT));
    ctx.redirect(location?.href ?? `/?state=${LOGGED_OUT}`);
  }

  type Answer = (ctx: Koa.Context) => Promise<void> | void;
  const pages: Record<string, Answer> = {
    "GET /": home,
    "GET /callback": callback,
    "GET /logout": logout,
  };
  if (options.operator !== undefined) {
    const page = createLinePage({ operator: options.operator, origin: () => uris.url });
    pages[`GET ${LINE_PATH}`] = page.show;
    pages[`POST ${LINE_PATH}`] = page.admit;
  }

  const app = new Koa();
  app.use(secureHeaders);
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof Koa.HttpError) {
        return show(ctx, error.status, troublePage("That did not work", error.message));
      }
      onError(error);
      const explanation = "The waiting room does not answer as it should. Please try again in a moment.";
      show(ctx, 502, troublePage("One moment, please", explanation));
    }
  });
  app.use(async (ctx) => {
    const answer = pages[`${ctx.method === "HEAD" ? "GET" : ctx.method} ${ctx.path}`];
    if (answer === undefined) show(ctx, 404, troublePage("There is nothing here", "The site has one page only."));
    else await answer(ctx);
  });

  let server: Server | undefined;
  return {
    async start() {
      server = createServer(app.callback());
      const { port } = await listen(server, options.port, options.host);
      uris = demoSiteUris(port);
      return { url: uris.url };
    },
    async close() {
      const closing = server;
      if (closing === undefined) return;
      await new Promise((resolve) => {
        closing.close(resolve);
        closing.closeAllConnections();
      });
    },
  };
}

async function secureHeaders(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  ctx.set({
    "Cache-Control": "no-store",
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  await next();
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
