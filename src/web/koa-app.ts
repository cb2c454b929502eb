import Koa, { type Middleware } from "koa";
import type { Logger } from "../lib/logger.ts";
import type { Random } from "../lib/random.ts";
import { unlessEarly } from "./early-gate.ts";
import { setAnswerHeaders } from "./middleware/answer-headers.ts";
import { refuseUnboundedTargets } from "./middleware/bounded-targets.ts";
import { renderErrors } from "./middleware/errors.ts";
import { nameRequests, pinOrigin } from "./middleware/origin.ts";
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

/** What every application begins with. @returns it, with what it does first and how it tells of its answers */
export function createKoa(
  { proxies, metrics, logger, random }: AppParts,
  issuer: string,
  responder: PageResponder,
): { readonly app: Koa; readonly first: readonly Middleware[]; readonly observe: Observe } {
  const app = new Koa();
  const first = [pinOrigin(issuer, proxies), nameRequests(random)];
  const observe = createObserve(metrics, logger);
  for (const each of first) app.use(unlessEarly(each));
  app.use(setAnswerHeaders(issuer));
  app.use(observeRequests(observe));
  app.use(renderErrors(logger, responder));
  app.use(refuseUnboundedTargets);
  // What still fails is a socket that went away in the middle of an answer.
  app.on("error", (error: unknown) => logger.debug({ event: "response.failed", err: error }, "the client went away"));
  return { app, first, observe };
}
