import Router, { type RouterContext } from "@koa/router";
import type { Context, Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";

/** The router of all routes. Paths match letter by letter: another spelling would bypass the rules of a proxy in front. */
export function createRouter(prefix = ""): Router {
  return new Router({ prefix, sensitive: true, strict: true });
}

/** What an app uses of a router. */
export type Routes = ReturnType<Router["routes"]>;

/** On every listener: whether it answers at all. */
export function healthRoutes(): Router {
  const router = createRouter();
  router.get("/healthz", (ctx) => {
    ctx.body = { status: "ok" };
  });
  return router;
}

/** Stands last: 405 where the path is known, else 404. */
export const nothingHere: Middleware = (ctx) => {
  // The routers leave here what they found of this path, whatever the method.
  const matched = (ctx as Partial<RouterContext>).matched ?? [];
  const methods = new Set(matched.flatMap((route) => route.methods));
  if (methods.size > 0) throw methodNotAllowed(ctx, [...methods].join(", "));
  throw new UsherError("not_found", "there is nothing at this address");
};

export function methodNotAllowed(ctx: Context, allowed: string): UsherError {
  ctx.set("Allow", allowed);
  return new UsherError("method_not_allowed", `this address takes ${allowed}`);
}
