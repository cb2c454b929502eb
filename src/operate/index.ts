/**
 * What operators and their programs meet: the admin API, the console's files, sign-in, metrics and readiness. It knows no feature's content.
 */

export { createPrincipalBounds } from "./admin-api/access/principal-bounds.ts";
export { createConfirmations } from "./admin-api/audit/confirmation.ts";
export { createCompany } from "./admin-api/events/company.ts";
export { createLiveFeed } from "./admin-api/events/live-feed.ts";
export { isRightful } from "./admin-api/four-eyes/author.ts";
export { createFourEyes } from "./admin-api/four-eyes/four-eyes.ts";
export { createPlainPage } from "./admin-api/plain-page.ts";
export { type AdminRoutesOptions, adminRoutes } from "./admin-api/routes.ts";
export { createSignIn } from "./admin-api/sign-in/parts.ts";
export { signInRoutes } from "./admin-api/sign-in/routes.ts";
export { createDebugLinks } from "./admin-api/visitors/debug-links.ts";
export { type DebugPage, debugRoutes } from "./admin-api/visitors/debug-routes.ts";
export { consoleRoutes, readConsole } from "./console-files/index.ts";
export { createCheckpointWatch } from "./ops/checkpoint-watch.ts";
export { logEvents, logScheduleWarnings } from "./ops/log-events.ts";
export { logRegistryEvent } from "./ops/log-registry-event.ts";
export { createMetrics } from "./ops/metrics.ts";
export { createReadiness, type Readiness, type ReadinessOptions, watchReadiness } from "./ops/readiness.ts";
export { opsRoutes } from "./ops/routes.ts";
