import type { Context, Middleware } from "koa";
import type { DescribedRoute } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import { isPartOfPage, opensPage } from "../../lib/request.ts";
import { roomIdShape } from "../../lib/room-id.ts";
import type { CrawlerCheck, RuleDecision } from "../../lib/rules/index.ts";
import { answerWithoutContent, type IssuedAdmissionToken, type PresentedAdmission } from "../../oidc/index.ts";
import { isInterruption, type WaitingRoom } from "../../room/index.ts";
import type { AppParts } from "../koa-app.ts";
import { programAnswer } from "../visitor/answers.ts";
import { tokenIn, withoutToken } from "../visitor/links/hand-over.ts";
import type { VisitorParts } from "../visitor/parts.ts";
import type { SiteCookie } from "../visitor/programs.ts";
import { type OriginalRequest, readOriginalRequest } from "./original-request.ts";
import { askProgramsAtSite, programErrors, tellProgram } from "./programs-at-site.ts";
import { siteCookie } from "./site-cookie.ts";
import { createSiteTokens, presentedOf } from "./site-tokens.ts";

type VerifyParts = Pick<VisitorParts, "issuer" | "rooms" | "tokens" | "sitesOf" | "programs"> &
  Pick<AppParts, "proxies"> & {
    /** Null where nobody can say: then no client is the crawler that it says it is. */
    readonly isCrawler: CrawlerCheck | null;
  };

type SeenAdmission = Pick<PresentedAdmission, "sub" | "position" | "via" | "admittedMs">;

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
    {
      status: 401,
      schema: programAnswer,
      description:
        "It may not; with `?refuse=401` the address is in `X-Usher-Location`. A program that waits at the site's address is to get this JSON with the status in `X-Usher-Status`; with `?refuse=401` it is also in `X-Usher-Body`.",
    },
    { status: 429, description: "The client says that it is a crawler, and that is being looked up." },
  ],
  errors: ["forbidden", "admission_required", "crawler_unconfirmed", ...programErrors],
};

/**
 * `…/verify`, for forward authentication: a proxy asks whether a request may pass. Yes is 200 with the claims in headers; no
 * is a redirect to the room, or 401 where that would not help. The token is checked here, and the store is asked only to
 * renew one.
 */
export function createVerify(parts: VerifyParts): Middleware {
  const { issuer, rooms, sitesOf, proxies, isCrawler, programs } = parts;
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
      if (isPending) return tryLater(ctx);
      const enter = enterLink(room, original);
      if (!(await waitAtSite(ctx, room, original, enter, isRedirectless)))
        refuse(ctx, room, original, enter, isRedirectless);
      return;
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
    const cookie = cookieAt(ctx, room, original, "admission");
    const cookieAdmission = cookie.value === undefined ? null : await tokens.read(room, cookie.value, nowMs);
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
    if (next !== null && (cookieAdmission === null || next.token !== cookie.value)) keepToken(cookie, next, nowMs);
    return presented;
  }

  function cookieAt(ctx: Context, { id }: WaitingRoom, original: OriginalRequest, kind: "admission" | "ticket") {
    return siteCookie(ctx, id, kind, original, sitesOf(id).cookieDomainOf(original.host));
  }

  /** @returns whether the request was answered, as one of a program that waits at the site's own address, or may enter there */
  async function waitAtSite(
    ctx: Context,
    room: WaitingRoom,
    original: OriginalRequest,
    enter: string,
    isRedirectless: boolean,
  ): Promise<boolean> {
    const ticket = cookieAt(ctx, room, original, "ticket");
    const outcome = await askProgramsAtSite(programs, ctx, { room, original, sites: sitesOf(room.id), ticket, enter });
    if (outcome === null) return false;
    if (!("admission" in outcome)) {
      tellProgram(ctx, room, outcome, isRedirectless);
      return true;
    }
    const { nowMs } = room;
    const presented = presentedOf(outcome.admission);
    const token = await tokens.renew(room, presented, nowMs);
    if (token === "ended") return false;
    // The ticket of a new place comes first: whoever has it gets the token with the next request.
    if (token !== null && !ctx.res.hasHeader("Set-Cookie"))
      keepToken(cookieAt(ctx, room, original, "admission"), token, nowMs);
    await tokens.noteVisit(room, presented, nowMs);
    pass(ctx, room, presented);
    return true;
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

  /** The page of the room that leads to what was asked for. */
  function enterLink(room: WaitingRoom, original: OriginalRequest): string {
    const enter = `${issuer}/rooms/${room.id}/enter`;
    const target = sitesOf(room.id).findTarget(withoutToken(original.address));
    return target === null ? enter : `${enter}?target=${encodeURIComponent(target)}`;
  }

  function refuse(
    ctx: Context,
    room: WaitingRoom,
    original: OriginalRequest,
    enter: string,
    isRedirectless: boolean,
  ): void {
    if (opensPage(original.method, ctx.headers)) sendTo(ctx, enter, isRedirectless);
    else unauthorized(ctx, room, enter);
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

function keepToken(cookie: SiteCookie, { token, expiresMs }: IssuedAdmissionToken, nowMs: number): void {
  cookie.set(token, Math.max(1, Math.ceil((expiresMs - nowMs) / 1_000)));
}

function sendTo(ctx: Context, location: string, isRedirectless: boolean): void {
  ctx.set("Referrer-Policy", "no-referrer");
  ctx.set(isRedirectless ? "X-Usher-Location" : "Location", location);
  ctx.status = isRedirectless ? 401 : 302;
  answerWithoutContent(ctx);
}

/** All headers each time: what the visitor sent under their names is overwritten. */
function pass(ctx: Context, room: WaitingRoom, presented: SeenAdmission | null): void {
  ctx.set("X-Usher-Room", room.id);
  ctx.set("X-Usher-Sub", presented?.sub ?? "");
  ctx.set("X-Usher-Position", String(presented?.position ?? ""));
  ctx.set("X-Usher-Admitted-Via", presented?.via ?? "");
  ctx.set("X-Usher-Admitted-At", presented === null ? "" : String(presented.admittedMs / 1_000));
  ctx.status = 200;
  answerWithoutContent(ctx);
}
