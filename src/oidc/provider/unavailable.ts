import type { Middleware } from "koa";
import { errors } from "oidc-provider";
import { isInterruption } from "../../room/index.ts";

/**
 * A store that is away, or a room that recovers, as relying parties understand it: HTTP 503 with an error code that says to
 * try again (RFC 6749 4.1.2.1 names it for the authorization endpoint), instead of a fault of the server.
 */
export async function orTemporarilyUnavailable<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (!isInterruption(error)) throw error;
    const refusal = new errors.TemporarilyUnavailable(error.message);
    refusal.status = 503;
    refusal.statusCode = 503;
    throw refusal;
  }
}

const retryAfterSec = 2;

/** Goes around oidc-provider's endpoints. */
export const tellWhenToRetry: Middleware = async (ctx, next) => {
  await next();
  if (ctx.status === 503) ctx.set("Retry-After", String(retryAfterSec));
};
