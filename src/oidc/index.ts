/**
 * The OpenID provider: oidc-provider's configuration, the gate in front of its authorization endpoint,
 * and the admission policy inside it. The gate parks and claims; the policy verifies. `http/` mounts it
 * and lends it pages to answer with.
 */
export {
  type AdmissionTokens,
  createAdmissionTokens,
  type IssuedAdmissionToken,
  type PresentedAdmission,
} from "./admission-tokens.ts";
export { freshStart, freshStartMark } from "./authorization-request.ts";
export { type BackchannelLogoutOptions, createBackchannelLogout } from "./backchannel-logout.ts";
export { createGate } from "./gate.ts";
export { createGateEntry, type GateEntry } from "./gate-entry.ts";
export { type GateNotice, type GateResponder, refusals } from "./gate-responder.ts";
export type { EntryRequest } from "./gate-visit.ts";
export { createLoginStart } from "./login-start.ts";
export { LoginVerdicts } from "./login-verdicts.ts";
export { createLogoutTokens } from "./logout-tokens.ts";
export { acceptsJsonOnly, classifyRequest, comesFromPageOf } from "./navigation.ts";
export { redirectPostToGet } from "./post-to-get.ts";
export { createOidcProvider, type OidcProvider, type ProviderPages } from "./provider.ts";
export { seeOther } from "./see-other.ts";
export { uiLocalesOf } from "./ui-locales.ts";
export { createVisitorCookies, readCookie, type VisitorCookies } from "./visitor-cookies.ts";
