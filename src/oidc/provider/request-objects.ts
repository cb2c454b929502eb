import { decodeJwt } from "jose";
import type { Middleware } from "koa";

/** How an answer comes, and what it carries back. */
const ofAnswers = ["response_mode", "state"] as const;

/**
 * Request objects are not supported. The refusal, `request_not_supported`, comes as the request asks for, and that may stand in
 * the object alone (OpenID Connect Core 6.1), as oidc-provider reads it where it takes objects. No signature is checked: whoever
 * sends the object could write the same into the query.
 */
export const refuseObjectsAsTheyAsk: Middleware = (ctx, next) => {
  const { request, ...query } = ctx.query;
  if (ctx.path !== "/authorize" || typeof request !== "string" || request === "") return next();
  const object = claimsOf(request);
  for (const name of ofAnswers) {
    const value = object[name];
    // RFC 6749 3.1: a parameter without a value counts as left out.
    if ((query[name] ?? "") === "" && typeof value === "string") query[name] = value;
  }
  ctx.query = { ...query, request };
  return next();
};

function claimsOf(object: string): Readonly<Record<string, unknown>> {
  try {
    return decodeJwt(object);
  } catch {
    return {};
  }
}
