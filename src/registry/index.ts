/**
 * What of an issuer is changed at run time: its rooms, its clients and its keys. One document for each issuer says it; all processes hear of a
 * change within seconds, and a copy beside the secrets file outlives the store. Pages and endpoints are not here: `oidc/` and
 * `http/` ask for the clients and the keys as they are now.
 */

export { type ClientChanges, type ClientOperator, readAs } from "./client-changes.ts";
export {
  type AcceptedSecret,
  type ClientDirectory,
  createClientDirectory,
  type DirectoryEntry,
  entryOfFile,
  hashSecret,
  type KeptDirectory,
} from "./client-directory.ts";
export type { ClientEvent } from "./client-events.ts";
export { badDocument, faultLines, idIsTaken, noSuchClient } from "./client-refusals.ts";
export { type ClientView, type RegisteredView, roomsOf } from "./client-views.ts";
export {
  emptyContent,
  type KeyPurpose,
  type KeyState,
  keyPurposes,
  keyStates,
  type RegisteredClient,
  type RegisteredKey,
  type RegistryContent,
} from "./content.ts";
export type { IssuerClients } from "./issuer-clients.ts";
export { createIssuerKeys, type IssuerKeys, type KeptKeys } from "./issuer-keys.ts";
export { createIssuerRegistry, type IssuerRegistry, type IssuerRegistryOptions } from "./issuer-registry.ts";
export type { IssuerRooms, RegisteredRoomView } from "./issuer-rooms.ts";
export type { KeyEvent } from "./key-events.ts";
export { createKeyKeeper, type KeyKeeper, type KeyKeeperOptions, type KeyStep } from "./key-keeper.ts";
export type { KeyReport } from "./key-reports.ts";
export { createRegistry, type Registry, type RegistryEvent, type RegistryOptions } from "./registry.ts";
export { createRegistryFile, type RegistryFile } from "./registry-file.ts";
export { roomIsOfFile } from "./room-changes.ts";
export { createRoomDirectory, type RoomDirectory } from "./room-directory.ts";
export type { RegisteredRoomEvent } from "./room-events.ts";
