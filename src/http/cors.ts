import type { Middleware } from "koa";

/** Lets scripts of any site use the public API, without credentials. Never on /admin. */
export const allowAnyOrigin: Middleware = async (ctx, next) => {
  ctx.set("Access-Control-Allow-Origin", "*");
  if (ctx.method !== "OPTIONS") return next();
  ctx.set("Access-Control-Allow-Methods", "GET, POST, DELETE");
  ctx.set("Access-Control-Allow-Headers", "Authorization, Content-Type");
  ctx.set("Access-Control-Max-Age", "86400");
  ctx.status = 204;
};
