import type { Context } from "koa";
import type { UsherError } from "../lib/errors.ts";
import type { GateResponder, ProviderPages } from "../oidc/index.ts";
import { acceptsJsonOnly } from "../oidc/index.ts";
import { wayInBehind } from "./came-from.ts";
import { describeNotice, jsonStatus, noticeJson } from "./gate-notices.ts";
import type { Notice, Pages, RenderedPage } from "./pages/index.ts";
import { knownStateFor, placeStatusJson, tellPlace } from "./public/place-status-json.ts";
import { createViewCache } from "./waiting-views.ts";

/** Answers with pages: for the gate, for oidc-provider, for the routes and for errors. */
export interface PageResponder extends GateResponder, ProviderPages {
  errorPage(ctx: Context, error: UsherError): void;
  page(ctx: Context, status: number, notice: Notice): void;
}

/** Headers of every page, by turns name and value, as `writeHead` takes them fastest. */
const pageHeaders = [
  ...["Cache-Control", "no-store"],
  ...["Content-Type", "text/html; charset=utf-8"],
  ...["Cross-Origin-Opener-Policy", "same-origin"],
  ...["Referrer-Policy", "same-origin"],
  ...["Vary", "Accept, Accept-Encoding, Accept-Language, Cookie"],
  ...["X-Content-Type-Options", "nosniff"],
  ...["X-Frame-Options", "DENY"],
  ...["X-Robots-Tag", "noindex"],
];

/** @param issuer with https, pages tell browsers to stay with it (HSTS). */
export function createPageResponder(pages: Pages, issuer: string): PageResponder {
  const fixedHeaders = issuer.startsWith("https:")
    ? [...pageHeaders, "Strict-Transport-Security", "max-age=31536000"]
    : pageHeaders;
  const viewOf = createViewCache();

  /** Writes the page itself, headers and all at once: this is the hot path, and Koa has nothing to add to it. */
  const send = (ctx: Context, status: number, page: RenderedPage, cookie: string | null) => {
    const { res } = ctx;
    const headers = [...fixedHeaders, "Content-Security-Policy", page.contentSecurityPolicy];
    headers.push("Content-Language", page.language, "Content-Length", String(page.body.length));
    if (page.contentEncoding !== undefined) headers.push("Content-Encoding", page.contentEncoding);
    const earlier = res.getHeader("Set-Cookie");
    if (Array.isArray(earlier)) for (const each of earlier) headers.push("Set-Cookie", each);
    if (cookie !== null) headers.push("Set-Cookie", cookie);
    ctx.respond = false;
    res.writeHead(status, headers);
    res.end(ctx.method === "HEAD" ? undefined : page.body);
  };

  const notice = (ctx: Context, status: number, content: Notice) => {
    if (content.autoRetryMs !== undefined) ctx.set("Retry-After", String(Math.ceil(content.autoRetryMs / 1_000)));
    // oidc-provider's context is one of its own; there the answer carries the name.
    const requestId = (ctx.state.requestId ?? ctx.res.getHeader("X-Request-Id")) as string | undefined;
    const page = pages.notice({ ...(requestId === undefined ? {} : { requestId }), ...content }, acceptOf(ctx));
    ctx.status = status;
    for (let index = 0; index < fixedHeaders.length; index += 2) {
      ctx.set(fixedHeaders[index] ?? "", fixedHeaders[index + 1] ?? "");
    }
    if (requestId !== undefined) ctx.set("X-Request-Id", requestId);
    ctx.set("Content-Security-Policy", page.contentSecurityPolicy);
    ctx.set("Content-Language", page.language);
    if (page.contentEncoding !== undefined) ctx.set("Content-Encoding", page.contentEncoding);
    ctx.body = page.body;
  };

  return {
    page: notice,

    parked(ctx, room, { ticket, state, retryMs, door, cookie }) {
      if (acceptsJsonOnly(ctx.req)) {
        if (cookie !== null) ctx.append("Set-Cookie", cookie);
        ctx.set("Cache-Control", "no-store");
        ctx.body = placeStatusJson({ ...tellPlace(room, ticket), ...(door !== null && { ahead: door.rank }) }, retryMs);
        return;
      }
      // The counters on the page are those of the state, and so is what is reckoned from them.
      const place = tellPlace(room, ticket, room.state ?? undefined);
      const estimate = place.estimate === null ? null : { lowSec: place.estimate.low, highSec: place.estimate.high };
      const ahead = door === null ? place.ahead : door.rank;
      const figures = { position: ticket.position, ahead, estimate, retryMs, edition: ticket.edition };
      const view = viewOf(room, knownStateFor(room, ticket), state, door);
      send(ctx, 200, pages.waiting(view, figures, acceptOf(ctx)), cookie);
    },

    notice(ctx, gateNotice) {
      if (acceptsJsonOnly(ctx.req)) {
        ctx.status = jsonStatus(gateNotice);
        ctx.set("Cache-Control", "no-store");
        if (gateNotice.retryMs !== undefined) ctx.set("Retry-After", String(Math.ceil(gateNotice.retryMs / 1_000)));
        ctx.body = noticeJson(gateNotice);
        return;
      }
      notice(ctx, gateNotice.status, describeNotice(gateNotice));
    },

    errorPage(ctx, error) {
      if (error.retryAfterSec === undefined) {
        notice(ctx, error.status, { code: error.code, values: error.expose ? { detail: error.message } : {} });
        return;
      }
      // What was to be done is left to the visitor to do again; what was to be seen, the page asks for itself.
      const isAction = ctx.method !== "GET";
      const back = isAction ? wayInBehind(ctx, issuer) : undefined;
      notice(ctx, error.status, {
        code: "not_now",
        ...(back !== undefined && { action: { kind: "link", href: back, label: "check" } }),
        ...(!isAction && { autoRetryMs: error.retryAfterSec * 1_000 }),
      });
    },

    error(ctx, out) {
      const code = ctx.status >= 500 ? "internal_error" : "request_refused";
      if (acceptsJsonOnly(ctx.req)) {
        ctx.body = out;
        return;
      }
      notice(ctx as unknown as Context, ctx.status, {
        code,
        values: { error: out.error, detail: out.error_description ?? out.error },
      });
    },

    confirmLogout(ctx, { action, xsrf }) {
      notice(ctx as unknown as Context, 200, {
        code: "logout_confirm",
        action: { kind: "post", action, label: "log_out", fields: { xsrf, logout: "yes" } },
      });
    },

    loggedOut(ctx) {
      notice(ctx as unknown as Context, 200, { code: "logged_out" });
    },
  };
}

function acceptOf(ctx: Context): { gzip: boolean; language: string | undefined } {
  const { headers } = ctx.req;
  const encoding = headers["accept-encoding"];
  return {
    gzip: typeof encoding === "string" && /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(encoding),
    language: headers["accept-language"],
  };
}
