import Koa from "koa";
import type { Logger } from "../lib/logger.ts";
import type { Random } from "../lib/random.ts";
import { setAnswerHeaders } from "./middleware/answer-headers.ts";
import { refuseUnboundedTargets } from "./middleware/bounded-targets.ts";
import { renderErrors } from "./middleware/errors.ts";
import { nameRequests, pinOrigin } from "./middleware/origin.ts";
import type { TrustedProxies } from "./middleware/proxies.ts";
import type { Routes } from "./middleware/router.ts";
import type { Metrics } from "./ops/metrics.ts";
import { observeRequests } from "./ops/observe.ts";
import type { PageResponder } from "./visitor/pages/page-responder.ts";

export interface AppParts {
  readonly proxies: TrustedProxies;
  /** Of operators and their programs, who reach all rooms by any issuer. None where they have a listener of their own. */
  readonly operators: readonly Routes[];
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly random: Random;
}

/** What every application begins with. */
export function createKoa(
  { proxies, metrics, logger, random }: AppParts,
  issuer: string,
  responder: PageResponder,
): Koa {
  const app = new Koa();
  app.use(pinOrigin(issuer, proxies));
  app.use(nameRequests(random));
  app.use(setAnswerHeaders(issuer));
  app.use(observeRequests(metrics, logger));
  app.use(renderErrors(logger, responder));
  app.use(refuseUnboundedTargets);
  // What still fails is a socket that went away in the middle of an answer.
  app.on("error", (error: unknown) => logger.debug({ event: "response.failed", err: error }, "the client went away"));
  return app;
}
