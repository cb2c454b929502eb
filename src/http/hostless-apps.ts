import type { RequestListener } from "node:http";
import Koa, { type Middleware } from "koa";
import { UsherError } from "../lib/errors.ts";
import type { Logger } from "../lib/logger.ts";
import type { Random } from "../lib/random.ts";
import type { Pages } from "../pages/index.ts";
import { refuseUnboundedTargets } from "./middleware/bounded-targets.ts";
import { renderErrors } from "./middleware/errors.ts";
import { nothingHere } from "./middleware/nothing-here.ts";
import { createClientAddress, pinOrigin } from "./middleware/origin.ts";
import { nameRequests } from "./middleware/request-id.ts";
import { tellRobots } from "./middleware/robots.ts";
import type { Routes } from "./middleware/router.ts";
import type { Metrics } from "./ops/metrics.ts";
import { observeRequests } from "./ops/observe.ts";
import { healthRoutes } from "./ops/routes.ts";
import { createPageResponder } from "./visitor/page-responder.ts";

export interface HostlessAppOptions {
  readonly trustedProxies: readonly string[];
  /** As of `operatorsRoutes`; none where they have a listener of their own. */
  readonly operators: readonly Routes[];
  readonly pages: Pages;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly random: Random;
}

/** Nobody has this host (RFC 2606, section 2). */
const nobody = "http://unknown.invalid";

/**
 * With several issuers, answers requests to an unknown host: health checks and operators with a key get their answers,
 * since they ask by address, and crawlers are sent away. All others get an error.
 */
export function createUnknownHostApp(options: HostlessAppOptions): RequestListener {
  return createHostlessApp(options, misdirected);
}

/** What the operators' own listener answers, whatever the host. */
export function createOperatorsApp(options: HostlessAppOptions): RequestListener {
  return createHostlessApp(options, nothingHere);
}

function createHostlessApp(options: HostlessAppOptions, otherwise: Middleware): RequestListener {
  const { trustedProxies, operators, pages, metrics, logger, random } = options;
  const app = new Koa();
  app.use(pinOrigin(nobody, createClientAddress(trustedProxies)));
  app.use(nameRequests(random));
  app.use(observeRequests(metrics, logger));
  app.use(renderErrors(logger, createPageResponder(pages, nobody, { usualOf: () => undefined, areOffered: false })));
  app.use(refuseUnboundedTargets);
  app.use(tellRobots);
  app.use(healthRoutes().routes());
  for (const routes of operators) app.use(routes);
  app.use(otherwise);
  app.on("error", (error: unknown) => logger.debug({ event: "response.failed", err: error }, "the client went away"));
  return app.callback();
}

/** RFC 9110, section 15.5.20. */
const misdirected: Middleware = () => {
  throw new UsherError("bad_request", "this server does not answer for the host of this request", { status: 421 });
};
