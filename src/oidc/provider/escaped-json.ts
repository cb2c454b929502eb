import type { Middleware } from "koa";

/**
 * Goes around oidc-provider's endpoints: what a request brought along, its `state` say, comes back in JSON in a spelling that is
 * markup to nobody, whatever takes the answer for a page.
 */
export const escapeJson: Middleware = async (ctx, next) => {
  await next();
  const body: unknown = ctx.body;
  if (typeof body !== "object" || body === null || Object.getPrototypeOf(body) !== Object.prototype) return;
  ctx.body = JSON.stringify(body).replaceAll("<", "\\u003c");
};
