/**
 * http speaks: the routes of visitors, forward authentication, operators and operations, and the middleware around them and
 * around the OpenID provider. Pages come from `pages/`. `app.ts` builds the applications and their servers.
 */

export { createPrincipalBounds } from "./admin/access/principal-bounds.ts";
export { createConfirmations } from "./admin/audit/confirmation.ts";
export { createCompany } from "./admin/events/company.ts";
export { createLiveFeed } from "./admin/events/live-feed.ts";
export { createFourEyes } from "./admin/four-eyes/four-eyes.ts";
export { isRightful } from "./admin/four-eyes/rights.ts";
export { createPlainPage } from "./admin/plain-page.ts";
export { type AdminRoutesOptions, adminRoutes } from "./admin/routes.ts";
export { createSignIn } from "./admin/sign-in/parts.ts";
export { signInRoutes } from "./admin/sign-in/routes.ts";
export { createDebugLinks } from "./admin/visitors/debug-links.ts";
export { type DebugPage, debugRoutes } from "./admin/visitors/debug-routes.ts";
export { consoleRoutes, readConsole } from "./console/index.ts";
export { answerByHost, createOperatorsApp, createUnknownHostApp, type HostApp } from "./hosts.ts";
export { createHttpApp, type HttpAppOptions } from "./http-app.ts";
export { createTrustedProxies } from "./middleware/proxies.ts";
export { createCheckpointWatch } from "./ops/checkpoint-watch.ts";
export { logEvents, logScheduleWarnings } from "./ops/log-events.ts";
export { logRegistryEvent } from "./ops/log-registry-event.ts";
export { createMetrics } from "./ops/metrics.ts";
export { createReadiness, type Readiness, type ReadinessOptions, watchReadiness } from "./ops/readiness.ts";
export { opsRoutes } from "./ops/routes.ts";
export { checkPlaces, placesOf } from "./places.ts";
export { type RoomSitesOf, sitesOfRooms } from "./room-sites.ts";
export { createListener, type Listener } from "./server.ts";
export { createJoinAddress } from "./visitor/join-address.ts";
export { createJoinCheck } from "./visitor/join-check.ts";
export { createJoining } from "./visitor/joining.ts";
export { createPageResponder } from "./visitor/pages/page-responder.ts";
export { createPageThemes, type PageLanguages } from "./visitor/pages/page-wishes.ts";
export { readSiteTag, type SiteTag } from "./visitor/site-tag.ts";
