import type { Context, Middleware } from "koa";
import { type Logger, printableText } from "../lib/logger.ts";
import { pathOf } from "../lib/request.ts";
import { traceFields } from "./middleware/trace.ts";

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
