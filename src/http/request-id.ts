import type { Middleware } from "koa";
import type { Random } from "../lib/random.ts";

/** Names each request: in logs, in the header `X-Request-Id` and on error pages. */
export function nameRequests(random: Random): Middleware {
  const prefix = random.bytes(6).toString("base64url");
  let count = 0;
  return (ctx, next) => {
    const requestId = `${prefix}-${(count++).toString(36)}`;
    ctx.state.requestId = requestId;
    ctx.set("X-Request-Id", requestId);
    return next();
  };
}
