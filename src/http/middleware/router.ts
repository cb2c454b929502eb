import Router from "@koa/router";

/**
 * The router of all routes. Paths match letter by letter: another spelling would bypass the rules of a proxy in front.
 */
export function createRouter(prefix = ""): Router {
  return new Router({ prefix, sensitive: true, strict: true });
}

/** What an app uses of a router. */
export type Routes = ReturnType<Router["routes"]>;
