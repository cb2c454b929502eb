/**
 * oidc admits: the configuration of oidc-provider, the gate in front of its authorization endpoint, and the admission
 * policy inside it. The gate parks visitors and makes claims; the policy verifies them. `http/` mounts it and provides the
 * pages of its answers.
 */
export * from "./admission-tokens.ts";
export { createDevices, type DeviceNeeded, type Devices } from "./device/devices.ts";
export { freshStart, freshStartMark } from "./gate/authorization-request.ts";
export { type CookieBound, createCookieBound } from "./gate/cookie-bound.ts";
export { createGateEntry, type GateEntry } from "./gate/entry.ts";
export { createGate } from "./gate/gate.ts";
export { createInvitationLinks, type InvitationLinks } from "./gate/invitation-links.ts";
export { createKeyedEntries, type KeyedEntries } from "./gate/keyed-entry.ts";
export { createLoginStart } from "./gate/login-start.ts";
export * from "./gate/navigation.ts";
export { type EntryRequest, type GateNotice, type GateResponder, refusals } from "./gate/visit.ts";
export { createVisitorCookies, readCookie, type VisitorCookies } from "./gate/visitor-cookies.ts";
export { forgetSpares, keepTicket, readTicket, readTickets } from "./gate/visitor-tickets.ts";
export { createIdentities, type Identities, signInAddress } from "./identity/identities.ts";
export { createBackchannelLogout } from "./logout/backchannel-logout.ts";
export { createLogoutTokens } from "./logout/logout-tokens.ts";
export type { JoinOf, OidcParts, ProviderPages } from "./parts.ts";
export { createOidcProvider, type OidcProvider } from "./provider/provider.ts";
