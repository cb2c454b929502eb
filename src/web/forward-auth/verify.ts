import type { Context, Middleware } from "koa";
import type { DescribedRoute } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import { isPartOfPage, opensPage } from "../../lib/request.ts";
import { roomIdShape } from "../../lib/room-id.ts";
import type { CrawlerCheck, RuleDecision } from "../../lib/rules/index.ts";
import { answerWithoutContent, type PresentedAdmission, readCookie } from "../../oidc/index.ts";
import { isInterruption, type WaitingRoom } from "../../room/index.ts";
import type { AppParts } from "../koa-app.ts";
import { tokenIn, withoutToken } from "../visitor/links/hand-over.ts";
import type { VisitorParts } from "../visitor/parts.ts";
import { type OriginalRequest, readOriginalRequest } from "./original-request.ts";
import { createSiteTokens } from "./site-tokens.ts";

type VerifyParts = Pick<VisitorParts, "issuer" | "rooms" | "tokens" | "sitesOf"> &
  Pick<AppParts, "proxies"> & {
    /** Null where nobody can say: then no client is the crawler that it says it is. */
    readonly isCrawler: CrawlerCheck | null;
  };

type Way = Pick<RuleDecision, "action" | "isPending">;
const byDefault: Way = { action: "queue", isPending: false };
const exempt: Way = { action: "ignore", isPending: false };
/** A lookup takes a second or two at most. */
const crawlerRetrySec = 10;

const addressPattern = new RegExp(`^/rooms/(${roomIdShape})/verify(/[^?]*)?(?:\\?.*)?$`);
/** Proxies that understand no redirect get its address in `X-Usher-Location`. */
const withoutRedirects = "refuse=401";

export const verifyRoute: DescribedRoute = {
  method: "GET",
  path: "/rooms/:room/verify",
  tag: "Forward authentication",
  summary:
    "Says whether a request to the site may pass. A proxy may append the request's path and query to the address.",
  answers: [
    { status: 200, description: "It may; who it is stands in the headers `X-Usher-…`." },
    { status: 302, description: "Send the visitor to `Location`." },
    { status: 401, description: "It may not; with `?refuse=401` the address is in `X-Usher-Location`." },
    { status: 429, description: "The client says that it is a crawler, and that is being looked up." },
  ],
  errors: ["forbidden", "admission_required", "crawler_unconfirmed"],
};

/**
 * `…/verify`, for forward authentication: a proxy asks whether a request may pass. Yes is 200 with the claims in headers; no
 * is a redirect to the room, or 401 where that would not help. The token is checked here, and the store is asked only to
 * renew one.
 */
export function createVerify(parts: VerifyParts): Middleware {
  const { issuer, rooms, sitesOf, proxies, isCrawler } = parts;
  const tokens = createSiteTokens(parts.tokens, sitesOf);
  const defaultScheme = new URL(issuer).protocol.slice(0, -1);

  return async (ctx, next) => {
    const url = ctx.req.url ?? "";
    const [, id, path] = addressPattern.exec(url) ?? [];
    if (id === undefined) return next();
    const room = rooms.get(id);
    if (room === undefined) throw new UsherError("unknown_room", "there is no room of this name");
    if (!proxies.mayAsk(ctx.req)) {
      const address = ctx.req.socket.remoteAddress ?? "somebody";
      const message = `${address} may not ask here: add it to listen.trusted_proxies if it is the site's proxy`;
      throw new UsherError("forbidden", message);
    }
    const appended = path === undefined ? "" : url.slice(`/rooms/${id}/verify`.length);
    const original = readOriginalRequest(ctx, appended, defaultScheme);
    ctx.set("Cache-Control", "no-store");
    // With a path of the visitor's behind ours, the query is the visitor's, too.
    await answer(ctx, room, original, appended === "" && ctx.querystring === withoutRedirects);
  };

  async function answer(ctx: Context, room: WaitingRoom, original: OriginalRequest, isRedirectless: boolean) {
    const byUrl = tokenIn(original.address);
    const { action, isPending } = wayOf(ctx, room, original);
    if (action === "ignore" && byUrl === null) return pass(ctx, room, null);
    const presented = await present(ctx, room, original, byUrl);
    if (presented === null) {
      if (action !== "queue") return pass(ctx, room, null);
      return isPending ? tryLater(ctx) : refuse(ctx, room, original, isRedirectless);
    }
    await tokens.noteVisit(room, presented, room.nowMs);
    // What stands in the address bar is copied, bookmarked and logged.
    const clean = byUrl === null ? null : sitesOf(room.id).findTarget(withoutToken(original.address));
    if (clean !== null && opensPage(original.method, ctx.headers)) return sendTo(ctx, clean, isRedirectless);
    pass(ctx, room, action === "ignore" ? null : presented);
  }

  /** What the exempt paths say of a request, or else the room's rules. */
  function wayOf(ctx: Context, room: WaitingRoom, original: OriginalRequest): Way {
    const { isExempt, decide } = sitesOf(room.id);
    if (isExempt(original.path)) return exempt;
    if (decide === null) return byDefault;
    const { method, isMethodSure, isHttps, authority, target } = original;
    const request = {
      method: isMethodSure ? method : null,
      protocol: isHttps ? "https" : "http",
      authority,
      target,
      header: (name: string) => ctx.headers[name]?.toString(),
      address: visitorAddress(ctx),
    } as const;
    return decide(request, isCrawler);
  }

  /** As proxies say that are configured. One that names no visitor, or only itself, says nothing. */
  function visitorAddress(ctx: Context): string | null {
    if (!proxies.has(ctx.req.socket.remoteAddress ?? "")) return null;
    const address: string = ctx.state.clientAddress();
    return proxies.has(address) ? null : address;
  }

  /**
   * The admission by which a request may pass, and with it the cookie's next token where it is time for one. A good cookie
   * stays, whatever the address says: nobody becomes somebody else by following a link.
   */
  async function present(ctx: Context, room: WaitingRoom, original: OriginalRequest, byUrl: string | null) {
    const { nowMs } = room;
    const domain = sitesOf(room.id).cookieDomainOf(original.host);
    const cookieName = siteCookieName(room.id, original.isHttps, domain);
    const byCookie = readCookie(ctx.req.headers.cookie, cookieName);
    const cookieAdmission = byCookie === undefined ? null : await tokens.read(room, byCookie, nowMs);
    if (cookieAdmission !== null) {
      const { issuedMs, expiresMs } = cookieAdmission;
      if (nowMs - issuedMs <= (expiresMs - issuedMs) / 2 || isPartOfPage(ctx.headers)) return cookieAdmission;
    }
    const presented = cookieAdmission ?? (byUrl === null ? null : await takeHandOver(room, byUrl, nowMs));
    if (presented === null) return null;

    const renewal = await tokens.renew(room, presented, nowMs);
    if (renewal === "ended") return null;
    const next = renewal ?? (cookieAdmission === null ? { token: byUrl ?? "", expiresMs: presented.expiresMs } : null);
    // The one that was made last may be in the browser already.
    if (next !== null && (cookieAdmission === null || next.token !== byCookie)) {
      const maxAgeSec = Math.max(1, Math.ceil((next.expiresMs - nowMs) / 1_000));
      const scope = `${domain === null ? "" : `Domain=${domain}; `}Path=/`;
      const attributes = `${scope}; HttpOnly; SameSite=Lax${original.isHttps ? "; Secure" : ""}`;
      ctx.append("Set-Cookie", `${cookieName}=${next.token}; Max-Age=${maxAgeSec}; ${attributes}`);
    }
    return presented;
  }

  /**
   * A token in an address is taken once, at all processes together; while the store cannot say whether it was, it is not. Others
   * than those that were made for it are not taken from there at all.
   */
  async function takeHandOver(room: WaitingRoom, token: string, nowMs: number): Promise<PresentedAdmission | null> {
    const presented = await tokens.read(room, token, nowMs);
    if (presented === null || presented.handOver === null) return null;
    // No store knows of it: once at this process.
    if (presented.via === "away") return tokens.takeAway(presented) ? presented : null;
    try {
      return (await room.admissions.takeLogin(presented.sub, presented.handOver)) ? presented : null;
    } catch (error) {
      if (isInterruption(error)) return null;
      throw error;
    }
  }

  function refuse(ctx: Context, room: WaitingRoom, original: OriginalRequest, isRedirectless: boolean): void {
    const enter = `${issuer}/rooms/${room.id}/enter`;
    const target = sitesOf(room.id).findTarget(withoutToken(original.address));
    const location = target === null ? enter : `${enter}?target=${encodeURIComponent(target)}`;
    if (opensPage(original.method, ctx.headers)) sendTo(ctx, location, isRedirectless);
    else unauthorized(ctx, room, location);
  }

  function unauthorized(ctx: Context, room: WaitingRoom, enter: string): void {
    ctx.status = 401;
    ctx.set("WWW-Authenticate", `Bearer realm="${room.id}"`);
    const error_description = "this needs an admission; send the visitor to the address in `enter`, as a page";
    ctx.body = { error: "admission_required", error_description, enter };
  }
}

/**
 * Crawlers take it as a site that is busy, and keep the page in their index. Of the statuses that say so this one is no failure of
 * Usher's to any proxy.
 */
function tryLater(ctx: Context): void {
  ctx.status = 429;
  ctx.set("Retry-After", String(crawlerRetrySec));
  const error_description = "this says that it is a crawler, and that is being looked up; ask again in some seconds";
  ctx.body = { error: "crawler_unconfirmed", error_description };
}

/**
 * The cookie in which the site keeps the visitor's admission token. Ours to write, by the proxy. Browsers keep `__Host-` for cookies of
 * one host (RFC 6265bis, section 4.1.3); one for several can be secure at most.
 */
function siteCookieName(room: string, isHttps: boolean, domain: string | null): string {
  const prefix = domain === null ? "__Host-" : "__Secure-";
  return `${isHttps ? prefix : ""}usher-${room}.admission`;
}

function sendTo(ctx: Context, location: string, isRedirectless: boolean): void {
  ctx.set("Referrer-Policy", "no-referrer");
  ctx.set(isRedirectless ? "X-Usher-Location" : "Location", location);
  ctx.status = isRedirectless ? 401 : 302;
  answerWithoutContent(ctx);
}

/** All headers each time: what the visitor sent under their names is overwritten. */
function pass(ctx: Context, room: WaitingRoom, presented: PresentedAdmission | null): void {
  ctx.set("X-Usher-Room", room.id);
  ctx.set("X-Usher-Sub", presented?.sub ?? "");
  ctx.set("X-Usher-Position", String(presented?.position ?? ""));
  ctx.set("X-Usher-Admitted-Via", presented?.via ?? "");
  ctx.set("X-Usher-Admitted-At", presented === null ? "" : String(presented.admittedMs / 1_000));
  ctx.status = 200;
  answerWithoutContent(ctx);
}
