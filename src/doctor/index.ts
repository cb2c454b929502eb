/**
 * Looks for what visitors and relying parties would meet, before they do: the name, its certificate, the proxy, the clients, a whole login.
 * It asks by the public address as they do; what it needs to know of the inside it asks of an `Insider`. `usher doctor` runs it beside a
 * configuration file, and a gateway for one of its rooms. It asks no other host than those of the configuration.
 */
export { ask, objectOf } from "./asking/ask.ts";
export { type Insider, Untried } from "./insider.ts";
export { checkClients } from "./login/clients.ts";
export { about as aboutWholeLogin } from "./login/found.ts";
export { checkThroughSite, clientsAt, pageOfSite } from "./login/through-site.ts";
export { checkProxies } from "./proxies.ts";
export { checkPublic } from "./public.ts";
