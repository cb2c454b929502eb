/**
 * What of an issuer changes at run time: its rooms, its clients and its keys. They are in one document for each issuer;
 * all processes sync a change within seconds, and a copy beside the secrets file outlives the store. Pages and
 * endpoints are not here: `oidc/` and `http/` ask for the current clients and keys.
 */

export { type ClientOperator, readAs } from "./clients/client-changes.ts";
export { type ClientDirectory, createClientDirectory, entryOfFile } from "./clients/client-directory.ts";
export type { ClientEvent } from "./clients/client-events.ts";
export { badDocument, faultLines, idIsTaken, noSuchClient } from "./clients/client-refusals.ts";
export { type ClientView, roomsOf } from "./clients/client-views.ts";
export type { IssuerClients } from "./clients/issuer-clients.ts";
export { emptyContent, keyPurposes, keyStates, type RegisteredKey } from "./content.ts";
export { createIssuerRegistry, type IssuerRegistry, type IssuerRegistryOptions } from "./issuer-registry.ts";
export { createIssuerKeys, type IssuerKeys } from "./keys/issuer-keys.ts";
export type { KeyEvent } from "./keys/key-commit.ts";
export { createKeyKeeper, type KeyKeeper } from "./keys/key-keeper.ts";
export type { KeyStep } from "./keys/key-lifecycle.ts";
export type { KeyReport } from "./keys/key-reports.ts";
export { createRegistry, type Registry, type RegistryEvent } from "./registry.ts";
export { createRegistryFile, type RegistryFile } from "./registry-file.ts";
export type { RegisteredRoomView } from "./rooms/issuer-rooms.ts";
export { roomIsOfFile } from "./rooms/room-changes.ts";
export type { RoomDirectory } from "./rooms/room-directory.ts";
export type { RegisteredRoomEvent } from "./rooms/room-events.ts";
