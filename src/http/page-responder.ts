import type { Context } from "koa";
import type { UsherError } from "../lib/errors.ts";
import type { GateNotice, GateResponder, ProviderPages } from "../oidc/index.ts";
import { acceptsJsonOnly } from "../oidc/index.ts";
import type { RoomState, WaitingRoom } from "../waiting-room/index.ts";
import { peopleWaiting } from "../waiting-room/index.ts";
import type { Notice, Pages, RenderedPage, WaitingState, WaitingView } from "./pages/index.ts";
import { placeStatusJson } from "./public/place-status-json.ts";
import { pollJson } from "./public/status.ts";

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

    parked(ctx, room, { ticket, state, retryMs, cookie }) {
      const { state: known } = room;
      const place = room.describe(ticket);
      if (known === null || place === null) {
        if (cookie !== null) ctx.append("Set-Cookie", cookie);
        notice(ctx, 503, { code: "store_unavailable", autoRetryMs: 2_000 });
        return;
      }
      if (acceptsJsonOnly(ctx.req)) {
        if (cookie !== null) ctx.append("Set-Cookie", cookie);
        ctx.set("Cache-Control", "no-store");
        ctx.body = placeStatusJson(place, retryMs);
        return;
      }
      const estimate = place.estimate === null ? null : { lowSec: place.estimate.low, highSec: place.estimate.high };
      const figures = { position: ticket.position, ahead: place.ahead, estimate, retryMs, edition: ticket.edition };
      send(ctx, 200, pages.waiting(viewOf(room, known, state), figures, acceptOf(ctx)), cookie);
    },

    notice(ctx, gateNotice) {
      if (acceptsJsonOnly(ctx.req)) {
        ctx.status = gateNotice.status;
        ctx.set("Cache-Control", "no-store");
        ctx.body = { error: gateNotice.code, error_description: jsonDescriptions[gateNotice.code] };
        return;
      }
      notice(ctx, gateNotice.status, describeNotice(gateNotice));
    },

    errorPage(ctx, error) {
      const retry = error.retryAfterSec === undefined ? {} : { autoRetryMs: error.retryAfterSec * 1_000 };
      notice(ctx, error.status, { code: error.code, values: { detail: error.message }, ...retry });
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

/** One view object for as long as the room's state stays, since pages are compiled once for each. */
function createViewCache(): (room: WaitingRoom, known: RoomState, state: WaitingState) => WaitingView {
  const views = new WeakMap<RoomState, Map<WaitingState, WaitingView>>();
  return (room, known, state) => {
    let byState = views.get(known);
    if (byState === undefined) {
      byState = new Map();
      views.set(known, byState);
    }
    let view = byState.get(state);
    if (view === undefined) {
      view = {
        room: { id: room.id, title: room.title },
        state,
        pausedReason: known.phaseReason,
        serving: known.serving,
        queued: known.queued,
        waiting: peopleWaiting(known),
        message: known.settings.effective.message ?? null,
        updatedAtMs: room.refreshedMs,
        poll: pollJson,
        limitBinds: known.settings.effective.inlet.type === "periodic",
        statusUrl: `/rooms/${room.id}/status`,
        leaveUrl: `/rooms/${room.id}/leave`,
        claimWithinMs: known.settings.effective.admission.claimWithinMs,
      };
      byState.set(state, view);
    }
    return view;
  };
}

function describeNotice(gateNotice: GateNotice): Notice {
  const { code, room, retryMs, returnTo, restartUri } = gateNotice;
  const values = room === null ? {} : { room: room.title };
  const joinAgain =
    room === null || returnTo === undefined
      ? {}
      : {
          action: {
            kind: "post" as const,
            action: `/rooms/${room.id}/rejoin`,
            label: "join_again" as const,
            fields: { return: returnTo },
          },
        };
  switch (code) {
    case "hold_on":
      return {
        code: room?.availability === "recovering" ? "room_recovering" : "store_unavailable",
        values,
        autoRetryMs: Math.max(1_000, retryMs ?? 2_000),
      };
    case "cookies_blocked":
      return {
        code,
        values,
        ...(returnTo === undefined ? {} : { action: { kind: "link", href: returnTo, label: "try_again" } }),
      };
    case "too_many_restarts":
      return {
        code,
        values,
        ...(restartUri === undefined ? {} : { action: { kind: "link", href: restartUri, label: "start_again" } }),
      };
    case "place_expired": {
      const claimWithinMs = room?.state?.settings.effective.admission.claimWithinMs;
      return { code, values, ...(claimWithinMs !== undefined && { durationMs: claimWithinMs }), ...joinAgain };
    }
    default:
      return { code, values, ...joinAgain };
  }
}

const jsonDescriptions: Record<GateNotice["code"], string> = {
  bad_request: "the request is not valid",
  cookies_blocked: "the visitor's cookie did not come back; allow cookies",
  hold_on: "no positions can be given just now; try again in a moment",
  link_preview: "link previews take no place in line",
  navigation_required: "only a navigation takes a place in line",
  place_expired: "the place was served and not claimed in time; join again",
  place_left: "the visitor left this place; join again",
  request_too_long: "the authorization request is too long",
  ticket_unreadable: "the ticket cannot be read here; join again",
  too_many_logins: "this admission has been used for as many logins as it allows",
  too_many_restarts: "the login was restarted too often",
};
