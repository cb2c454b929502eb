/**
 * oidc admits: the configuration of oidc-provider, the gate in front of its authorization endpoint, and the admission
 * policy inside it. The gate parks visitors and makes claims; the policy verifies them. `http/` mounts it and provides the
 * pages of its answers.
 */
export {
  type AdmissionTokens,
  createAdmissionTokens,
  type IssuedAdmissionToken,
  type PresentedAdmission,
} from "./admission-tokens.ts";
export { freshStart, freshStartMark } from "./gate/authorization-request.ts";
export { createGate } from "./gate/gate.ts";
export { createGateEntry, type GateEntry } from "./gate/gate-entry.ts";
export { type GateNotice, type GateResponder, refusals } from "./gate/gate-responder.ts";
export type { EntryRequest } from "./gate/gate-visit.ts";
export { createLoginStart } from "./gate/login-start.ts";
export { LoginVerdicts } from "./gate/login-verdicts.ts";
export { acceptsJsonOnly, classifyRequest, comesFromPageOf } from "./gate/navigation.ts";
export { redirectPostToGet } from "./gate/post-to-get.ts";
export { seeOther } from "./gate/see-other.ts";
export { uiLocalesOf } from "./gate/ui-locales.ts";
export { createVisitorCookies, readCookie, type VisitorCookies } from "./gate/visitor-cookies.ts";
export { createBackchannelLogout } from "./logout/backchannel-logout.ts";
export { createLogoutTokens } from "./logout/logout-tokens.ts";
export { createOidcProvider, type OidcProvider, type ProviderPages } from "./provider/provider.ts";
