import type { IncomingMessage, ServerResponse } from "node:http";
import Router, { type RouterContext } from "@koa/router";
import type { Context, Middleware } from "koa";
import { z } from "zod";
import type { DescribedRoute, RouteDescription, RouteGroup } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";

/** The router of all routes. Paths match letter by letter: another spelling would bypass the rules of a proxy in front. */
export function createRouter(prefix = ""): Router {
  return new Router({ prefix, sensitive: true, strict: true });
}

/** What an app uses of a router. */
export type Routes = ReturnType<Router["routes"]>;

type Handler = (ctx: Context, next: () => Promise<unknown>) => unknown;

/** A router whose routes say of themselves what they take and answer: when somebody asks, and no gateway does. */
export interface RouteTable {
  describe(): DescribedRoute[];
  routes(): Routes | Middleware;
  /** Answers what is asked for by all visitors, before any framework. Absent: nothing. @returns the status; null where it was not answered */
  answer?(request: IncomingMessage, response: ServerResponse): number | null;
}

export function createRouteTable(prefix = "") {
  const router = createRouter(prefix);
  const described: (() => DescribedRoute)[] = [];
  return {
    describe: () => described.map((describe) => describe()),
    routes: () => router.routes(),

    /** @param handlers run one after the other */
    add(
      tag: RouteGroup,
      method: "GET" | "POST" | "DELETE",
      path: string,
      describe: () => RouteDescription,
      ...handlers: readonly Handler[]
    ): void {
      router.register(path, [method], [...handlers]);
      described.push(() => ({ tag, method, path: `${prefix}${path}`, ...describe() }));
    },

    /** A route that scripts of other origins ask, too. @param allow answers their question whether they may */
    addForScripts(
      method: "GET" | "POST" | "DELETE",
      path: string,
      describe: () => RouteDescription,
      allow: Handler,
      handler: Handler,
    ): void {
      router.register(path, ["OPTIONS", method], [allow, handler]);
      described.push(() => ({ tag: "Public API", method, path: `${prefix}${path}`, ...describe() }));
    },
  };
}

/** On every listener: whether it answers at all. */
export function healthRoutes(): RouteTable {
  const table = createRouteTable();
  table.add(
    "Operation",
    "GET",
    "/healthz",
    () => ({
      summary: "Says that the process runs.",
      answers: [{ status: 200, schema: z.object({ status: z.literal("ok") }), description: "It runs." }],
    }),
    (ctx) => {
      ctx.body = { status: "ok" };
    },
  );
  return table;
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
