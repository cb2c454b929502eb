/**
 * The OpenID provider: oidc-provider's configuration, the gate in front of its authorization endpoint,
 * and the admission policy inside it. The gate parks and claims; the policy verifies. `http/` mounts it
 * and lends it pages to answer with.
 */
export { freshStart } from "./authorization-request.ts";
export { createGate, type GateOptions } from "./gate.ts";
export { createGateEntry, type GateEntry } from "./gate-entry.ts";
export type { GateNotice, GateResponder, Parked, ParkedState } from "./gate-responder.ts";
export { LoginVerdicts } from "./login-verdicts.ts";
export { acceptsJsonOnly } from "./navigation.ts";
export { redirectPostToGet } from "./post-to-get.ts";
export { createOidcProvider, type OidcProvider, type OidcProviderOptions, type ProviderPages } from "./provider.ts";
export { seeOther } from "./see-other.ts";
export { createVisitorCookies, type VisitorCookies } from "./visitor-cookies.ts";
