/**
 * What visitors and sites meet: routes, forward authentication, and the middleware around them and around the OpenID provider. Pages come
 * from `pages/`, their scripts from `browser/`. `app/` builds the applications and their servers.
 */

export { answerByHost, createOperatorsApp, createUnknownHostApp, type HostApp } from "./hosts.ts";
export { createHttpApp, type HttpAppOptions } from "./http-app.ts";
export { createTrustedProxies } from "./middleware/proxies.ts";
export { checkPlaces, placesOf } from "./places.ts";
export { type RoomSitesOf, sitesOfRooms } from "./room-sites.ts";
export { createListener, type Listener } from "./server.ts";
export { createJoinAddress } from "./visitor/join-address.ts";
export { createJoinCheck } from "./visitor/join-check.ts";
export { createJoining } from "./visitor/joining.ts";
export { createPageResponder } from "./visitor/pages/page-responder.ts";
export { createPageThemes, type PageLanguages } from "./visitor/pages/page-wishes.ts";
export { readSiteTag, type SiteTag } from "./visitor/site-tag.ts";
