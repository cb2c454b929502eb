/**
 * What visitors and sites meet: routes, forward authentication, and the middleware around them and around the OpenID provider. Pages come
 * from `pages/`, their scripts from `browser/`. `app/` builds the applications and their servers.
 */

export { answerByHost, createOperatorsApp, createUnknownHostApp, type HostApp } from "./hosts.ts";
export { createHttpApp, type HttpAppOptions } from "./http-app.ts";
export { createTrustedProxies } from "./middleware/incoming.ts";
export type { RouteTable } from "./middleware/router.ts";
export { type RoomSitesOf, sitesOfRooms } from "./room-sites.ts";
export { checkPlaces, createListener, type Listener, placesOf } from "./server.ts";
export { createJoinCheck } from "./visitor/join-check.ts";
export { createJoinAddress, createJoining, createRehearsalStep } from "./visitor/joining.ts";
export { createPageLanguages, createPageThemes } from "./visitor/pages/page-request.ts";
export { createPageResponder } from "./visitor/pages/page-responder.ts";
