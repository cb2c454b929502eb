/**
 * oidc admits: the configuration of oidc-provider, the gate in front of its authorization endpoint, and the admission
 * policy inside it. The gate parks visitors and makes claims; the policy verifies them. `web/` mounts it and provides the
 * pages of its answers.
 */
export * from "./admission-tokens.ts";
export { type CheckNeeded, type Checks, createChecks, type Presented } from "./check/checks.ts";
export { proofLengthMax } from "./check/proof-of-work.ts";
export { responseLengthMax } from "./check/site-verify.ts";
export { createDevices, type Devices } from "./device/devices.ts";
export {
  createLoginStart,
  type EntryRequest,
  freshStart,
  freshStartMark,
  themeNameOf,
  uiLocalesOf,
} from "./gate/authorization-request.ts";
export {
  type DeviceNeeded,
  type GateNotice,
  type GateResponder,
  type GateSteps,
  type JoinAttempt,
  type JoinOf,
  type LoginAttempt,
  type Refusal,
  refusals,
} from "./gate/contract.ts";
export { type CookieBound, createCookieBound } from "./gate/cookie-bound.ts";
export { createGateEntry, firstRefusal, type GateEntry, runSteps, type Step } from "./gate/entry.ts";
export { createGate, type Gate, type LoginVisit } from "./gate/gate.ts";
export { createInvitationLinks, createKeyedEntries, type KeyedEntries, signInAddress } from "./gate/keyed-entry.ts";
export * from "./gate/navigation.ts";
export {
  createVisitorCookies,
  forgetSpares,
  keepTicket,
  readCookie,
  readTicket,
  readTickets,
  ticketMaxAgeSec,
  type VisitorCookies,
} from "./gate/visitor-cookies.ts";
export { createIdentities, type Identities } from "./identity/identities.ts";
export { createBackchannelLogout, createLogoutTokens } from "./logout/backchannel-logout.ts";
export type { OidcParts, ProviderPages } from "./parts.ts";
export { createOidcProvider, type OidcProvider } from "./provider/provider.ts";
