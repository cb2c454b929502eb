/**
 * Everything that speaks HTTP but is not OpenID Connect: pages, the public, admin and ops routes, and the
 * middleware around them and around the provider. `app.ts` builds it and gives it a server.
 */
export { createHttpApp, type HttpAppOptions } from "./http-app.ts";
export { logEvents } from "./ops/log-events.ts";
export { createMetrics, type Metrics } from "./ops/metrics.ts";
export { createReadiness } from "./ops/readiness.ts";
export { createPageResponder } from "./page-responder.ts";
export { createPages } from "./pages/index.ts";
export { createHttpServer } from "./server.ts";
