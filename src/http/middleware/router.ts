import Router from "@koa/router";

/**
 * Every router of ours. Paths match letter by letter: another spelling of one would go around the rules that a proxy in
 * front has for it.
 */
export function createRouter(prefix = ""): Router {
  return new Router({ prefix, sensitive: true, strict: true });
}

/** What an app uses of a router. */
export type Routes = ReturnType<Router["routes"]>;
