import Koa, { type Context } from "koa";
import type { Logger } from "../lib/logger.ts";
import type { Random } from "../lib/random.ts";
import { setAnswerHeaders } from "./middleware/answer-headers.ts";
import { refuseUnboundedTargets } from "./middleware/bounded-targets.ts";
import { createErrorRenderer, type ErrorRenderer, renderErrors } from "./middleware/errors.ts";
import { createOriginPin, createRequestNames } from "./middleware/origin.ts";
import type { TrustedProxies } from "./middleware/proxies.ts";
import type { Routes } from "./middleware/router.ts";
import { createObserve, type Observe, observeRequests, type RequestMetrics } from "./observe.ts";
import type { PageResponder } from "./visitor/pages/page-responder.ts";

export interface AppParts {
  readonly proxies: TrustedProxies;
  /** Of operators and their programs, who reach all rooms by any issuer. None where they have a listener of their own. */
  readonly operators: readonly Routes[];
  readonly metrics: RequestMetrics;
  readonly logger: Logger;
  readonly random: Random;
}

/** How every request begins and ends, in whatever application it is answered. */
export interface Around {
  /** In this order, before anything reads the request. */
  readonly begin: readonly ((ctx: Context) => void)[];
  readonly renderError: ErrorRenderer;
  readonly observe: Observe;
  /** What still fails is a socket that went away in the middle of an answer. */
  readonly onLost: (error: unknown) => void;
}

export function createAround(
  { proxies, metrics, logger, random }: AppParts,
  issuer: string,
  responder: PageResponder,
): Around {
  return {
    begin: [createOriginPin(issuer, proxies), createRequestNames(random)],
    renderError: createErrorRenderer(logger, responder),
    observe: createObserve(metrics, logger),
    onLost: (error) => logger.debug({ event: "response.failed", err: error }, "the client went away"),
  };
}

/** An application that does with each request what `around` says. */
export function createKoa({ begin, renderError, observe, onLost }: Around, issuer: string): Koa {
  const app = new Koa();
  app.on("error", onLost);
  app.use((ctx, next) => {
    for (const step of begin) step(ctx);
    return next();
  });
  app.use(setAnswerHeaders(issuer));
  app.use(observeRequests(observe));
  app.use(renderErrors(renderError));
  app.use(refuseUnboundedTargets);
  return app;
}
