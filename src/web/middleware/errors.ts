import type { Context, Middleware } from "koa";
import { type ErrorCode, UsherError } from "../../lib/errors.ts";
import { type Logger, printableText } from "../../lib/logger.ts";
import { acceptsHtml } from "../../lib/request.ts";
import type { PageResponder } from "../visitor/pages/page-responder.ts";
import { robotsTag } from "./robots.ts";
import { traceFields } from "./trace.ts";

/** Renders every error that is thrown behind it. */
export function renderErrors(renderError: ErrorRenderer): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (caught) {
      renderError(ctx, caught);
    }
  };
}

export type ErrorRenderer = (ctx: Context, caught: unknown) => void;

/**
 * Answers a request that has failed, and is the only place that logs errors: JSON for programs, a page for people. What was not meant to be
 * shown is masked.
 */
export function createErrorRenderer(logger: Logger, responder: PageResponder): ErrorRenderer {
  return (ctx, caught) => {
    const error = caught instanceof UsherError ? caught : internalError(caught);
    logError(logger, ctx, error);
    ctx.status = error.status;
    ctx.set("X-Request-Id", String(ctx.state.requestId));
    ctx.set("Cache-Control", "no-store");
    ctx.set(...robotsTag);
    if (error.retryAfterSec !== undefined) ctx.set("Retry-After", String(error.retryAfterSec));
    const ownPage: ((error: UsherError) => void) | undefined = ctx.state.errorPage;
    if (ownPage !== undefined && acceptsHtml(ctx.headers)) ownPage(error);
    else if (wantsPage(ctx)) responder.errorPage(ctx, error);
    else {
      const words = error.expose ? error.message : "something went wrong";
      const answer = { error: error.code, error_description: words, ...error.members };
      ctx.type = "json";
      ctx.body = `${JSON.stringify(answer)}\n`;
    }
  };
}

function internalError(cause: unknown): UsherError {
  return new UsherError("internal_error", "something went wrong", { cause });
}

/** Of which a crowd, or an attacker, causes thousands. */
const quietCodes: readonly ErrorCode[] = ["check_required", "network_refused", "too_many_from_address"];

function logError(logger: Logger, ctx: Context, error: UsherError): void {
  const fields = {
    event: "request.failed",
    request_id: ctx.state.requestId,
    ...traceFields(ctx.headers),
    method: ctx.method,
    path: printableText(ctx.path),
    status: error.status,
    code: error.code,
    ...(error.reason !== undefined && { reason: error.reason }),
  };
  // An unavailable store, a reached limit, a refused network and a check have events of their own: the requests that meet them are not logged.
  if (error.code === "provider_unavailable" && ctx.path.startsWith("/admin")) logger.warn(fields, error.message);
  else if (error.status === 503 || quietCodes.includes(error.code)) logger.debug(fields, error.message);
  else if (error.status >= 500) logger.error({ ...fields, err: error.cause ?? error }, error.message);
  else if (error.code === "unauthorized") {
    logger.warn({ ...fields, event: "admin.refused", client_address: ctx.state.clientAddress() }, error.message);
  } else logger.info(fields, error.message);
}

/** People navigate, and their browsers say that they take HTML. */
function wantsPage(ctx: Context): boolean {
  return !ctx.path.startsWith("/admin") && acceptsHtml(ctx.headers);
}
