import type { Context } from "koa";
import type { ErrorCode, UsherError } from "../../../lib/errors.ts";
import { acceptsJsonOnly } from "../../../lib/request.ts";
import type { GateResponder, ProviderPages } from "../../../oidc/index.ts";
import { sampleRank } from "../../../room/public-status/presence.ts";
import { strictTransportOf } from "../../middleware/answer-headers.ts";
import { robotsTag } from "../../middleware/robots.ts";
import type { Notice, NoticeCode, Pages, RenderedWaitingPage } from "../../pages/index.ts";
import { sendOn } from "../links/hand-over.ts";
import { referrerOf } from "../own-addresses.ts";
import { drawOf, knownStateFor, placeStatusJson, reportedPlace } from "../place-status-json.ts";
import { describeNotice, jsonStatus, noticeJson, pageJson, retryAfterMs } from "./gate-notices.ts";
import { createPageWishes, type PageLanguages, type PageThemes } from "./page-wishes.ts";
import { createViewCache } from "./waiting-views.ts";
import { createWhileWaiting } from "./while-waiting.ts";

/** Answers with pages: for the gate, for oidc-provider, for the routes and for errors. */
export interface PageResponder extends GateResponder, ProviderPages {
  errorPage(ctx: Context, error: UsherError): void;
  /** @param json for programs; default: what the page says, and the form that its button sends */
  page(ctx: Context, status: number, notice: Notice, json?: object): void;
  /** The program with which the page of a draw checks it. */
  readonly drawChecker: Pages["drawChecker"];
  readonly pushWorker: Pages["pushWorker"];
  readonly assetFile: Pages["assetFile"];
  readonly whileWaiting: ReturnType<typeof createWhileWaiting>;
}

/** Of every page and all JSON. */
const jsonHeaders = { "Cache-Control": "no-store", [robotsTag[0]]: robotsTag[1], "X-Content-Type-Options": "nosniff" };

const pageHeaders = {
  ...jsonHeaders,
  "Content-Type": "text/html; charset=utf-8",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  Vary: "Accept, Accept-Encoding, Accept-Language, Cookie",
  "X-Frame-Options": "DENY",
};

/** Where a notice's language chooser leads: not to where what has been done could be done again. */
function leadsBackTo(ctx: Context, status: number, code: NoticeCode, here: string): string {
  if (code === "left" || code === "bypass_in") return "/";
  // What a refused address says is not repeated on the page: from there the browser itself says where the visitor was.
  return status >= 400 && status < 500 && ctx.method !== "POST" ? "" : here;
}

/** Pages of errors that have none of their own: those that are raised below /admin alone, and what only apps are told. */
const pagesOf = {
  approval_required: "conflict",
  confirmation_required: "conflict",
  sign_in_required: "sign_in_failed",
  too_many_requests: "too_many_from_address",
} as const satisfies Partial<Record<ErrorCode, NoticeCode>>;

function pageOf(code: ErrorCode): NoticeCode {
  return code in pagesOf ? pagesOf[code as keyof typeof pagesOf] : (code as Exclude<ErrorCode, keyof typeof pagesOf>);
}

/** RFC 9110, section 10.2.3: whole seconds; none at all would be no time to wait. */
const toRetryAfter = (ms: number) => String(Math.max(1, Math.ceil(ms / 1_000)));

/** What JSON and pages are written into: oidc-provider's context is one of its own. */
type Answer = Pick<Context, "body" | "set" | "status" | "type">;

function tellJson(ctx: Answer, status: number, body: object, retryMs?: number): void {
  ctx.status = status;
  ctx.set(jsonHeaders);
  if (retryMs !== undefined) ctx.set("Retry-After", toRetryAfter(retryMs));
  // Replaces the HTML type that oidc-provider sets.
  ctx.type = "json";
  ctx.body = body;
}

/**
 * @param issuer with https, pages tell browsers to stay with it (HSTS).
 * @param languages default: those that visitors want, whatever the room
 * @param themes default: none
 * @param isRehearsal whether the pages of this room say that nothing is sold; default: none do
 */
export function createPageResponder(
  pages: Pages,
  issuer: string,
  languages: PageLanguages = { usualOf: () => undefined, areOffered: true },
  themes: PageThemes = {
    ...{ of: () => undefined, ofVisit: () => undefined, named: () => new Map(), allOf: () => [] },
    ofPage: () => ({ theme: undefined, room: undefined }),
  },
  isRehearsal: (room: string) => boolean = () => false,
): PageResponder {
  const fixedHeaders = { ...pageHeaders, ...strictTransportOf(issuer) };
  /** By turns name and value, as `writeHead` takes them fastest. */
  const listedHeaders = Object.entries(fixedHeaders).flat();
  const viewOf = createViewCache();
  const acceptOf = createPageWishes(issuer, languages, pages.areLinked);

  /** Writes the page itself, headers and all at once: this is the hot path, and Koa has nothing to add to it. */
  const send = (
    ctx: Context,
    status: number,
    page: RenderedWaitingPage,
    cookies: readonly string[],
    retryMs: number,
  ) => {
    const { res } = ctx;
    const { pieces, length } = page.filled;
    const headers: (string | string[])[] = [...listedHeaders, "Content-Security-Policy", page.contentSecurityPolicy];
    headers.push("Retry-After", toRetryAfter(retryMs));
    headers.push("Content-Language", page.language, "Content-Length", String(length));
    if (page.contentEncoding !== undefined) headers.push("Content-Encoding", page.contentEncoding);
    // In one row: of a name that stands in the list repeatedly, Node.js 20 sends the last alone where there are earlier headers.
    const earlier = res.getHeader("Set-Cookie");
    if (cookies.length > 0)
      headers.push("Set-Cookie", Array.isArray(earlier) ? [...earlier, ...cookies] : [...cookies]);
    ctx.respond = false;
    res.writeHead(status, headers);
    if (ctx.method === "HEAD") return void res.end();
    // All pieces go to the system at once, header and all.
    res.cork();
    for (const piece of pieces) res.write(piece);
    res.end();
  };

  const notice = (ctx: Context, status: number, content: Notice, retryMs = content.autoRetryMs, room?: string) => {
    if (retryMs !== undefined) ctx.set("Retry-After", toRetryAfter(retryMs));
    // oidc-provider's context is one of its own; there the answer carries the name.
    const waitMs = content.check?.waitMs ?? null;
    // Browsers heed it without scripts, too; with one, the page is gone by then.
    if (waitMs !== null) ctx.set("Refresh", toRetryAfter(waitMs + 500));
    const requestId = (ctx.state.requestId ?? ctx.res.getHeader("X-Request-Id")) as string | undefined;
    const accept = acceptOf(ctx, room);
    const here = accept.here === undefined ? undefined : leadsBackTo(ctx, status, content.code, accept.here);
    const { theme, room: ownRoom } = themes.ofPage(ctx, room);
    const noticed = {
      ...(requestId !== undefined && { requestId }),
      theme,
      isRehearsal: ownRoom !== undefined && isRehearsal(ownRoom),
      ...content,
    };
    const page = pages.notice(noticed, { ...accept, here });
    ctx.status = status;
    ctx.set(fixedHeaders);
    if (requestId !== undefined) ctx.set("X-Request-Id", requestId);
    ctx.set("Content-Security-Policy", page.contentSecurityPolicy);
    ctx.set("Content-Language", page.language);
    if (page.contentEncoding !== undefined) ctx.set("Content-Encoding", page.contentEncoding);
    ctx.body = page.body;
  };

  /** What a program could be told as well: questions, farewells. */
  const pageOrJson = (ctx: Context, status: number, content: Notice, json: object = pageJson(content)) => {
    if (acceptsJsonOnly(ctx.headers)) tellJson(ctx, status, json);
    else notice(ctx, status, content);
  };

  return {
    page: pageOrJson,
    drawChecker: pages.drawChecker,
    pushWorker: pages.pushWorker,
    assetFile: pages.assetFile,
    whileWaiting: createWhileWaiting(pages, themes),

    parked(ctx, room, { ticket, state, retryMs, held, cookies, clientId }) {
      room.notePage(ticket, sampleRank(ticket.position));
      if (acceptsJsonOnly(ctx.headers)) {
        if (cookies.length > 0) ctx.append("Set-Cookie", [...cookies]);
        const reported = { ...reportedPlace(room, ticket), ...(held !== null && { ahead: held.rank }) };
        const json = placeStatusJson(reported, retryMs);
        tellJson(ctx, room.settings.waitingStatus, json, json.poll_after_ms);
        return;
      }
      // The counters on the page are those of the state, and so is what is reckoned from them.
      const place = reportedPlace(room, ticket, room.reportedState ?? undefined);
      const estimate = place.estimate === null ? null : { lowSec: place.estimate.low, highSec: place.estimate.high };
      const ahead = held === null ? place.ahead : held.rank;
      const { position, entry, entries } = place;
      const figures = { position, entry, entries, ahead, estimate, retryMs, edition: ticket.edition };
      const theme = themes.ofVisit(ctx, room.id, clientId);
      const draw = drawOf(place);
      const isDrawing =
        draw === "undrawn" && room.state?.phase === "open" && (state === "entered" || state === "waiting");
      const known = knownStateFor(room, ticket);
      const isSoldOut = state === "paused" && known?.phaseReason === "sold_out";
      const shown = isDrawing ? "drawing" : isSoldOut ? "sold_out" : state;
      const view = viewOf(room, known, shown, held, theme, draw);
      const page = pages.waitingInPieces(view, figures, acceptOf(ctx, room.id));
      send(ctx, room.settings.waitingStatus, page, cookies, retryMs ?? place.pollAfterMs);
    },

    notice(ctx, gateNotice) {
      const retryMs = retryAfterMs(gateNotice);
      if (acceptsJsonOnly(ctx.headers)) tellJson(ctx, jsonStatus(gateNotice), noticeJson(gateNotice), retryMs);
      else if (gateNotice.redirect !== undefined) sendOn(ctx, gateNotice.redirect);
      else notice(ctx, gateNotice.status, describeNotice(gateNotice), retryMs, gateNotice.room?.id);
    },

    errorPage(ctx, error) {
      if (error.retryAfterSec === undefined) {
        notice(ctx, error.status, { code: pageOf(error.code), values: error.expose ? { detail: error.message } : {} });
        return;
      }
      // What was to be done is left to the visitor to do again; what was to be seen, the page asks for itself.
      const isAction = ctx.method !== "GET";
      const back = isAction ? referrerOf(ctx, issuer) : undefined;
      notice(ctx, error.status, {
        code: "not_now",
        ...(back !== undefined && { action: { kind: "link", href: back, label: "check" } }),
        ...(!isAction && { autoRetryMs: error.retryAfterSec * 1_000 }),
      });
    },

    error(ctx, out) {
      const refusal = ctx.path.startsWith("/logout") ? "bad_request" : "request_refused";
      const code = ctx.status >= 500 ? "internal_error" : refusal;
      if (acceptsJsonOnly(ctx.headers)) return tellJson(ctx, ctx.status, out);
      notice(ctx as unknown as Context, ctx.status, {
        code,
        values: { error: out.error, detail: out.error_description ?? out.error },
      });
    },

    confirmLogout(ctx, { action, xsrf }) {
      pageOrJson(ctx as unknown as Context, 200, {
        code: "logout_confirm",
        action: { kind: "post", action, label: "log_out", fields: { xsrf, logout: "yes" } },
      });
    },

    loggedOut(ctx) {
      pageOrJson(ctx as unknown as Context, 200, { code: "logged_out" });
    },
  };
}
