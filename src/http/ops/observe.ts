import type { Middleware } from "koa";
import { type Logger, shownText } from "../../lib/logger.ts";
import { traceFields } from "../middleware/trace.ts";
import type { Metrics } from "./metrics.ts";

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

/** Times requests for the metrics and, at level debug, logs them: path without its query, never a header. */
export function observeRequests(metrics: Metrics, logger: Logger): Middleware {
  const isLogging = logger.isLevelEnabled("debug");
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const seconds = (performance.now() - started) / 1e3;
      const { path } = ctx;
      const route = path === "/authorize" ? "authorize" : routeOf(path);
      metrics.observeRequest(route, ctx.method, ctx.res.statusCode, seconds);
      if (isLogging) {
        logger.debug({
          event: "request.answered",
          request_id: ctx.state.requestId,
          ...traceFields(ctx.headers),
          client_address: ctx.state.clientAddress(),
          method: ctx.method,
          path: shownText(ctx.path),
          status: ctx.res.statusCode,
          duration_ms: Math.round(seconds * 1e6) / 1e3,
        });
      }
    }
  };
}
