import type { IncomingMessage, RequestListener } from "node:http";
import type { Middleware } from "koa";
import { UsherError } from "../../lib/errors.ts";
import { hasTooManyPairs, pairsMax, targetLengthMax } from "../../lib/request.ts";
import { roomIdShape } from "../../lib/room-id.ts";

/** Characters of a refused target that logs and pages may see. */
const shownLengthMax = 256;
/** A proxy appends the target of a request to a site, of whose parameters nobody here reads any but the token. */
const appendedTarget = new RegExp(`^/rooms/${roomIdShape}/verify/`);

const refusals = new WeakMap<IncomingMessage, UsherError>();

/**
 * Runs before everything that reads targets. Cuts a target that is too long, or has too many parameters, to the
 * beginning of its path; `refuseUnboundedTargets` answers with an error as soon as errors can be rendered.
 */
export function boundTargets(listener: RequestListener): RequestListener {
  return (request, response) => {
    const target = request.url ?? "";
    const refusal = refusalFor(target);
    if (refusal !== null) {
      refusals.set(request, refusal);
      request.url = target.slice(0, shownLengthMax).split("?", 1)[0] ?? "/";
    }
    listener(request, response);
  };
}

export function isRefused(request: IncomingMessage): boolean {
  return refusals.has(request);
}

/** @throws UsherError `request_too_long`, `bad_request` */
export const refuseUnboundedTargets: Middleware = (ctx, next) => {
  const refusal = refusals.get(ctx.req);
  if (refusal !== undefined) throw refusal;
  return next();
};

function refusalFor(target: string): UsherError | null {
  if (target.length > targetLengthMax) {
    const message = `the address of this request is longer than ${targetLengthMax} characters`;
    return new UsherError("request_too_long", message);
  }
  if (!hasTooManyPairs(target) || appendedTarget.test(target)) return null;
  return new UsherError("bad_request", `the address of this request has more than ${pairsMax} parameters`);
}
