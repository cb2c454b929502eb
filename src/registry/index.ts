/**
 * What of an issuer changes at run time: its rooms, its clients and its keys. They are in one document for each issuer;
 * all processes sync a change within seconds, and a copy beside the secrets file outlives the store. The admin keys of the
 * installation, the sessions of operators' browsers, the steps that wait for a second person, and what features keep, are in
 * others. Pages and endpoints are not here: `oidc/` and `web/` ask for the current clients and keys.
 */

export { oneTimeLinkModel } from "../store/contract/shared.ts";
export {
  type AdminKeys,
  type AdminKeysOptions,
  type AdminKeyView,
  adminKeysName,
  createAdminKeys,
  type KeyGrant,
} from "./admin-keys/admin-keys.ts";
export { noSuchAdminKey } from "./admin-keys/changes.ts";
export { type Approvals, approvalsName, createApprovals, isSameRoom, type PendingStep } from "./approvals/approvals.ts";
export { type ClientOperator, readAs } from "./clients/client-changes.ts";
export { type ClientDirectory, createClientDirectory, entryOfFile } from "./clients/client-directory.ts";
export { type ClientView, type IssuerClients, roomsOf } from "./clients/issuer-clients.ts";
export {
  type ContentKind,
  emptyContent,
  issuerContent,
  keyPurposes,
  keyStates,
  type RecordedChange,
  type RegisteredKey,
  readerOf,
  recordedChanges,
} from "./content.ts";
export type { AdminKeyEvent, ClientEvent, RegisteredRoomEvent, RegistryEvent } from "./events.ts";
export {
  createIssuerRegistry,
  type IssuerRegistry,
  type IssuerRegistryOptions,
  refreshAll,
} from "./issuer-registry.ts";
export { createIssuerKeys, createKeyKeeper, type IssuerKeys, type KeyKeeper } from "./keys/key-keeper.ts";
export type { KeyStep } from "./keys/key-lifecycle.ts";
export type { KeyEvent, KeyReport } from "./keys/key-reports.ts";
export { type Change, differences, newsMax, withChanges } from "./noted-changes.ts";
export { createOneTimeLinks, type OneTimeLinks } from "./one-time-links.ts";
export { createPreparations, type Somebody, somebody } from "./preparations.ts";
export { badDocument, faultLines, faultsOf, idIsTaken, noSuchClient, noSuchRoom, roomIsOfFile } from "./refusals.ts";
export { createRegistry, type Registry, type RegistryOptions } from "./registry.ts";
export { createRegistryFile, type RegistryFile, registryFileBeside, registryPathBeside } from "./registry-file.ts";
export type { RegisteredRoomView, RoomDirectory } from "./rooms/issuer-rooms.ts";
export {
  type AdminSessions,
  createAdminSessions,
  type Person,
  type SessionGrant,
  sessionsName,
} from "./sessions/sessions.ts";
