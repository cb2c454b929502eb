import { Readable } from "node:stream";
import type Router from "@koa/router";
import type { Context } from "koa";
import { createRouter } from "../middleware/router.ts";
import { refuseUnknownQuery } from "./query.ts";
import type { KeyCheck, VerifiedKey } from "./verified-key.ts";

/** Answers by `ctx.body`: a value, which is sent as JSON, or a stream. */
export type AdminHandler = (ctx: Context, key: VerifiedKey) => unknown;

/**
 * Adds a route under `/admin`. The only way to: so no handler is reached without a key, or with a query that it does not take.
 *
 * @param path with the query parameters that the route takes: `/rooms?limit&cursor`
 */
export type AddAdminRoute = (
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  handler: AdminHandler,
) => void;

export function createAdminRouter(check: KeyCheck, addRoutes: (route: AddAdminRoute) => void): Pick<Router, "routes"> {
  const router = createRouter("/admin");
  addRoutes((method, path, handler) => {
    const [pattern = "", query] = path.split("?");
    const taken = query?.split("&") ?? [];
    router.register(pattern, [method], async (ctx) => {
      const key = check(ctx);
      ctx.set("Cache-Control", "no-store");
      refuseUnknownQuery(ctx, taken);
      await handler(ctx, key);
      if (ctx.status === 204 || ctx.body instanceof Readable) return;
      // A terminal shows its prompt on the line after it.
      ctx.type = "json";
      ctx.body = `${JSON.stringify(ctx.body)}\n`;
    });
  });
  return router;
}
