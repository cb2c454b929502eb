import type { Middleware } from "koa";
import type { Random } from "../../lib/random.ts";

/** Names each request: in logs, on error pages, and in the header `X-Request-Id`, which the waiting page does without. */
export function nameRequests(random: Random): Middleware {
  const prefix = random.bytes(6).toString("base64url");
  let count = 0;
  return (ctx, next) => {
    const requestId = `${prefix}-${(count++).toString(36)}`;
    ctx.state.requestId = requestId;
    if (ctx.path !== "/authorize") ctx.set("X-Request-Id", requestId);
    return next();
  };
}
