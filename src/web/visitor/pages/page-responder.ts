import type { Context } from "koa";
import type { ErrorCode, UsherError } from "../../../lib/errors.ts";
import { acceptsJsonOnly } from "../../../lib/request.ts";
import type { GateResponder, ProviderPages } from "../../../oidc/index.ts";
import type { Notice, NoticeCode, Pages } from "../../pages/index.ts";
import { sendOn } from "../links/hand-over.ts";
import type { Programs } from "../programs.ts";
import { describeNotice, jsonStatus, noticeJson, pageJson, retryAfterMs } from "./gate-notices.ts";
import { createPageWishes, type PageLanguages, type PageThemes, referrerOf } from "./page-request.ts";
import { createParkedAnswer, pageHeadersOf, sendJson, toRetryAfter } from "./parked-page.ts";
import { createWhileWaiting } from "./while-waiting.ts";

/** Answers with pages: for the gate, for oidc-provider, for the routes and for errors. */
export interface PageResponder extends GateResponder, ProviderPages {
  errorPage(ctx: Context, error: UsherError): void;
  /** @param json for programs; default: what the page says, and the form that its button sends */
  page(ctx: Context, status: number, notice: Notice, json?: object): void;
  /** The program with which the page of a draw checks it. */
  readonly drawChecker: ReturnType<Pages["script"]>;
  readonly assetFile: Pages["assetFile"];
  readonly whileWaiting: ReturnType<typeof createWhileWaiting>;
}

/** Where a notice's language chooser leads: not to where what has been done could be done again. */
function leadsBackTo(ctx: Context, status: number, code: NoticeCode, here: string): string {
  if (code === "left" || code === "bypass_in") return "/";
  // What a refused address says is not repeated on the page: from there the browser itself says where the visitor was.
  return status >= 400 && status < 500 && ctx.method !== "POST" ? "" : here;
}

/** Pages of errors that have none of their own: those that are raised below /admin alone, and those that only apps receive. */
const pagesOf = {
  approval_required: "conflict",
  confirmation_required: "conflict",
  sign_in_required: "sign_in_failed",
  too_many_requests: "too_many_from_address",
} as const satisfies Partial<Record<ErrorCode, NoticeCode>>;

function pageOf(code: ErrorCode): NoticeCode {
  return code in pagesOf ? pagesOf[code as keyof typeof pagesOf] : (code as Exclude<ErrorCode, keyof typeof pagesOf>);
}

/**
 * @param issuer with https, pages tell browsers to stay with it (HSTS).
 * @param languages default: those that visitors want, whatever the room
 * @param themes default: none
 * @param isRehearsal whether the pages of this room say that nothing is sold; default: none do
 * @param programs what features have for programs that wait, by room; default: none has anything
 */
export function createPageResponder(
  pages: Pages,
  issuer: string,
  languages: PageLanguages = { usualOf: () => undefined, areOffered: true },
  themes: PageThemes = {
    of: () => undefined,
    ofVisit: () => undefined,
    named: () => new Map(),
    allOf: () => [],
    ofPage: () => ({ theme: undefined, room: undefined }),
  },
  isRehearsal: (room: string) => boolean = () => false,
  programs: Programs = new Map(),
): PageResponder {
  const headers = pageHeadersOf(issuer);
  const acceptOf = createPageWishes(issuer, languages, pages.areLinked);

  const notice = (ctx: Context, status: number, content: Notice, retryMs = content.autoRetryMs, room?: string) => {
    if (retryMs !== undefined) ctx.set("Retry-After", toRetryAfter(retryMs));
    // oidc-provider's context is one of its own; there the answer carries the name.
    const waitMs = content.check?.waitMs ?? null;
    // For browsers without scripts. With one, the page has left before this takes effect.
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
    ctx.set(headers);
    if (requestId !== undefined) ctx.set("X-Request-Id", requestId);
    ctx.set("Content-Security-Policy", page.contentSecurityPolicy);
    ctx.set("Content-Language", page.language);
    if (page.contentEncoding !== undefined) ctx.set("Content-Encoding", page.contentEncoding);
    ctx.body = page.body;
  };

  /** What a program could be told as well: questions, farewells. */
  const pageOrJson = (ctx: Context, status: number, content: Notice, json: object = pageJson(content)) => {
    if (acceptsJsonOnly(ctx.headers)) sendJson(ctx, status, json);
    else notice(ctx, status, content);
  };

  return {
    page: pageOrJson,
    drawChecker: pages.script("draw-checker"),
    assetFile: pages.assetFile,
    whileWaiting: createWhileWaiting(pages, themes),

    parked: createParkedAnswer({ pages, headers, themes, acceptOf, programs }),

    notice(ctx, gateNotice) {
      const retryMs = retryAfterMs(gateNotice);
      if (acceptsJsonOnly(ctx.headers)) sendJson(ctx, jsonStatus(gateNotice), noticeJson(gateNotice), retryMs);
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
      if (acceptsJsonOnly(ctx.headers)) return sendJson(ctx, ctx.status, out);
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
