/**
 * What of an issuer is changed at run time: its rooms, its clients and its keys. One document for each issuer says it; all processes hear of a
 * change within seconds, and a copy beside the secrets file outlives the store. Pages and endpoints are not here: `oidc/` and
 * `http/` ask for the clients and the keys as they are now.
 */

export { type ClientChanges, type ClientOperator, readAs } from "./clients/client-changes.ts";
export {
  type AcceptedSecret,
  type ClientDirectory,
  createClientDirectory,
  type DirectoryEntry,
  entryOfFile,
  hashSecret,
  type KeptDirectory,
} from "./clients/client-directory.ts";
export type { ClientEvent } from "./clients/client-events.ts";
export { badDocument, faultLines, idIsTaken, noSuchClient } from "./clients/client-refusals.ts";
export { type ClientView, type RegisteredView, roomsOf } from "./clients/client-views.ts";
export type { IssuerClients } from "./clients/issuer-clients.ts";
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
export { createIssuerRegistry, type IssuerRegistry, type IssuerRegistryOptions } from "./issuer-registry.ts";
export { createIssuerKeys, type IssuerKeys, type KeptKeys } from "./keys/issuer-keys.ts";
export type { KeyEvent } from "./keys/key-commit.ts";
export { createKeyKeeper, type KeyKeeper, type KeyKeeperOptions } from "./keys/key-keeper.ts";
export type { KeyStep } from "./keys/key-lifecycle.ts";
export type { KeyReport } from "./keys/key-reports.ts";
export { createRegistry, type Registry, type RegistryEvent, type RegistryOptions } from "./registry.ts";
export { createRegistryFile, type RegistryFile } from "./registry-file.ts";
export type { IssuerRooms, RegisteredRoomView } from "./rooms/issuer-rooms.ts";
export { roomIsOfFile } from "./rooms/room-changes.ts";
export { createRoomDirectory, type RoomDirectory } from "./rooms/room-directory.ts";
export type { RegisteredRoomEvent } from "./rooms/room-events.ts";
