/** How every request begins and ends, in whatever application it is answered: errors, metrics and the log. */
import type { IncomingHttpHeaders } from "node:http";
import Koa, { type Context, type Middleware } from "koa";
import type { Random } from "../lib/clock-and-random.ts";
import { type ErrorCode, UsherError } from "../lib/errors.ts";
import { type Logger, printableText } from "../lib/logger.ts";
import { acceptsHtml, pathOf } from "../lib/request.ts";
import { robotsTag, setAnswerHeaders } from "./middleware/answer-headers.ts";
import {
  createOriginPin,
  createRequestNames,
  refuseUnboundedTargets,
  type TrustedProxies,
} from "./middleware/incoming.ts";
import type { Routes } from "./middleware/router.ts";
import type { PageResponder } from "./visitor/pages/page-responder.ts";

export interface AppParts {
  readonly proxies: TrustedProxies;
  /** Of operators and their programs, who reach all rooms by any issuer. None where they have a listener of their own. */
  readonly operators: readonly Routes[];
  readonly metrics: RequestMetrics;
  readonly logger: Logger;
  readonly random: Random;
}

/** How every request begins and ends, in whatever application it is answered. */
export interface Around {
  /** In this order, before anything reads the request. */
  readonly begin: readonly ((ctx: Context) => void)[];
  readonly renderError: ErrorRenderer;
  readonly observe: Observe;
  /** What still fails is a socket that went away in the middle of an answer. */
  readonly onLost: (error: unknown) => void;
}

export function createAround(
  { proxies, metrics, logger, random }: AppParts,
  issuer: string,
  responder: PageResponder,
): Around {
  return {
    begin: [createOriginPin(issuer, proxies), createRequestNames(random)],
    renderError: createErrorRenderer(logger, responder),
    observe: createObserve(metrics, logger),
    onLost: (error) => logger.debug({ event: "response.failed", err: error }, "the client went away"),
  };
}

/** An application that does with each request what `around` says. */
export function createKoa({ begin, renderError, observe, onLost }: Around, issuer: string): Koa {
  const app = new Koa();
  app.on("error", onLost);
  app.use((ctx, next) => {
    for (const step of begin) step(ctx);
    return next();
  });
  app.use(setAnswerHeaders(issuer));
  app.use(observeRequests(observe));
  app.use(renderErrors(renderError));
  app.use(refuseUnboundedTargets);
  return app;
}

const routes: readonly (readonly [prefix: string, name: string])[] = [
  ["/authorize", "authorize"],
  ["/rooms/", "rooms"],
  ["/token", "token"],
  ["/userinfo", "userinfo"],
  ["/par", "par"],
  ["/introspect", "introspect"],
  ["/revoke", "revoke"],
  ["/logout", "logout"],
  ["/.well-known/", "well_known"],
  ["/admin/", "admin"],
];

/** What proxies ask about each request of a site is not to be mixed with what visitors ask. */
const verifyPath = /^\/rooms\/[^/]+\/verify(?:\/|$)/;

function routeOf(path: string): string {
  if (verifyPath.test(path)) return "verify";
  return routes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "other";
}

/** What is counted of requests. */
export interface RequestMetrics {
  observeRequest(route: string, method: string, status: number, seconds: number): void;
  /** An answer of the public status. */
  countStatus(): void;
}

/** Told of each answer: the milliseconds of `performance.now()` at which the request came. */
export type Observe = (ctx: Context, sinceMs: number) => void;

/** Counts answers and their times for the metrics and, at level debug, logs them: path without its query, never a header. */
export function createObserve(metrics: Pick<RequestMetrics, "observeRequest">, logger: Logger): Observe {
  const isLogging = logger.isLevelEnabled("debug");
  return (ctx, sinceMs) => {
    const seconds = (performance.now() - sinceMs) / 1e3;
    const path = pathOf(ctx.req.url ?? "");
    const route = path === "/authorize" ? "authorize" : routeOf(path);
    metrics.observeRequest(route, ctx.method, ctx.res.statusCode, seconds);
    if (!isLogging) return;
    logger.debug({
      event: "request.answered",
      request_id: ctx.state.requestId,
      ...traceFields(ctx.headers),
      client_address: ctx.state.clientAddress(),
      method: ctx.method,
      path: printableText(path),
      status: ctx.res.statusCode,
      duration_ms: Math.round(seconds * 1e6) / 1e3,
    });
  };
}

/** Observes every answer that is made behind it. */
export function observeRequests(observe: Observe): Middleware {
  return async (ctx, next) => {
    const sinceMs = performance.now();
    try {
      await next();
    } finally {
      observe(ctx, sinceMs);
    }
  };
}

/** Renders every error that is thrown behind it. */
export function renderErrors(renderError: ErrorRenderer): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (caught) {
      renderError(ctx, caught);
    }
  };
}

export type ErrorRenderer = (ctx: Context, caught: unknown) => void;

/**
 * Answers a request that has failed, and is the only place that logs errors: JSON for programs, a page for people. What was not meant to be
 * shown is masked.
 */
export function createErrorRenderer(logger: Logger, responder: PageResponder): ErrorRenderer {
  return (ctx, caught) => {
    const error = caught instanceof UsherError ? caught : internalError(caught);
    logError(logger, ctx, error);
    ctx.status = error.status;
    ctx.set("X-Request-Id", String(ctx.state.requestId));
    ctx.set("Cache-Control", "no-store");
    ctx.set(...robotsTag);
    if (error.retryAfterSec !== undefined) ctx.set("Retry-After", String(error.retryAfterSec));
    const renderErrorPage: ((error: UsherError) => void) | undefined = ctx.state.errorPage;
    if (renderErrorPage !== undefined && acceptsHtml(ctx.headers)) renderErrorPage(error);
    else if (wantsPage(ctx)) responder.errorPage(ctx, error);
    else {
      const words = error.expose ? error.message : "something went wrong";
      const answer = { error: error.code, error_description: words, ...error.members };
      ctx.type = "json";
      ctx.body = `${JSON.stringify(answer)}\n`;
    }
  };
}

function internalError(cause: unknown): UsherError {
  return new UsherError("internal_error", "something went wrong", { cause });
}

/** Of which a crowd, or an attacker, causes thousands. */
const quietCodes: readonly ErrorCode[] = ["check_required", "network_refused", "too_many_from_address"];

function logError(logger: Logger, ctx: Context, error: UsherError): void {
  const fields = {
    event: "request.failed",
    request_id: ctx.state.requestId,
    ...traceFields(ctx.headers),
    method: ctx.method,
    path: printableText(ctx.path),
    status: error.status,
    code: error.code,
    ...(error.reason !== undefined && { reason: error.reason }),
  };
  // An unavailable store, a reached limit, a refused network and a check have events of their own: the requests that meet them are not logged.
  if (error.code === "provider_unavailable" && ctx.path.startsWith("/admin")) logger.warn(fields, error.message);
  else if (error.status === 503 || quietCodes.includes(error.code)) logger.debug(fields, error.message);
  else if (error.status >= 500) logger.error({ ...fields, err: error.cause ?? error }, error.message);
  else if (error.code === "unauthorized" && ctx.path.startsWith("/admin")) {
    logger.warn({ ...fields, event: "admin.refused", client_address: ctx.state.clientAddress() }, error.message);
  } else logger.info(fields, error.message);
}

/** People navigate, and their browsers say that they take HTML. */
function wantsPage(ctx: Context): boolean {
  return !ctx.path.startsWith("/admin") && acceptsHtml(ctx.headers);
}

/** An id of zeros is none, and so is version ff. A later version than 00 may have more behind these parts. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?=-|$)/;
const lengthOfVersion0 = 55;

/**
 * The trace that a request is part of, for log lines: none where its `traceparent` is missing or invalid (W3C Trace Context,
 * section 3.2).
 */
export function traceFields(headers: IncomingHttpHeaders): { trace_id?: string; parent_span_id?: string } {
  const header = headers.traceparent;
  if (typeof header !== "string" || (header.startsWith("00") && header.length !== lengthOfVersion0)) return {};
  const [, traceId, spanId] = traceparent.exec(header) ?? [];
  return traceId === undefined || spanId === undefined ? {} : { trace_id: traceId, parent_span_id: spanId };
}
