/**
 * http speaks: the routes of visitors, forward authentication, operators and operations, and the middleware around them and
 * around the OpenID provider. Pages come from `pages/`. `app.ts` builds the applications and their servers.
 */

export {
  createPages,
  type Notice,
  type NoticeAction,
  type Pages,
  type RenderedPage,
  readPageLocales,
  type Theme,
  type WaitingView,
} from "../pages/index.ts";
export { madeUpRoom, type Sample, type SampleRoom, sampleStatusJson, samples } from "../pages/samples/index.ts";
export { answerByHost, type HostApp } from "./by-host.ts";
export { createOperatorsApp, createUnknownHostApp } from "./hostless-apps.ts";
export { createHttpApp, type HttpAppOptions } from "./http-app.ts";
export { checkPlace, createListener, type Listener, type ListenerPlace } from "./listeners.ts";
export { operatorsRoutes } from "./operators-routes.ts";
export { createCheckpointWatch } from "./ops/checkpoint-watch.ts";
export { logEvents } from "./ops/log-events.ts";
export { logRegistryEvent } from "./ops/log-registry-event.ts";
export { logScheduleWarnings } from "./ops/log-schedule-warnings.ts";
export { createMetrics } from "./ops/metrics.ts";
export { createReadiness, type Readiness, type ReadinessOptions } from "./ops/readiness.ts";
export { watchReadiness } from "./ops/readiness-watch.ts";
export { createBypassServices } from "./visitor/bypass-service.ts";
export { createJoinAddress } from "./visitor/join-address.ts";
export { createPageResponder } from "./visitor/page-responder.ts";
export { createPageThemes, type PageThemes } from "./visitor/page-themes.ts";
export type { PageLanguages } from "./visitor/page-wishes.ts";
