/**
 * Configuration: reads a YAML file and the environment, reports every fault at once, resolves secrets,
 * and keeps the keys that nobody configured. Called by command.ts and app.ts; other folders take the
 * finished types of config.ts, and http/admin the fields and rules of a room, which live changes keep too.
 * Knows nothing of rooms beyond their settings; imports only lib/.
 */
export { gateSettings, probeSettings } from "./assemble-room.ts";
export { secretlessReason } from "./client-authentication.ts";
export { type ClientPlace, type ClientReading, readClientDocument, roomsNamed } from "./client-document.ts";
export type * from "./config.ts";
export { contrastOf, mixColors } from "./contrast.ts";
export { usualAudience } from "./cross-checks.ts";
export { loadDemoConfig } from "./demo.ts";
export { formatDuration } from "./duration.ts";
export { ConfigError, type Fault } from "./faults.ts";
export { duration, flag, list, mapping, number, oneOf, text, wholeNumber } from "./fields.ts";
export type { FollowedSecrets, SecretChange, SecretReport } from "./followed/followed-secrets.ts";
export { joinRate } from "./joins-per-address.ts";
export { type KeysOfIssuers, loadKeysOfIssuers, readSigningKeys } from "./key-material.ts";
export { type LoadedConfig, type LoadOptions, loadConfig } from "./load.ts";
export { cookieKeyId, deriveDrawKey, readDrawKey, readTicketKey } from "./mac-key.ts";
export { languagesOfRooms, themesOf } from "./page-needs.ts";
export { formatPath, type Path } from "./raw-document.ts";
export { type RoomPlace, type RoomReading, readRoomDocument } from "./room-document.ts";
export { messageSettings } from "./room-message.ts";
export { type RoomFacts, roomContradictions } from "./room-rules.ts";
export { INLET_KEYS, LATENCY_MAX_MS, liveInletFields, ROOM_KEYS, roomFields } from "./room-schema.ts";
export {
  hasInletTimes,
  type RoomTimes,
  readRoomTimes,
  scheduleDisorder,
  TIME_PATHS,
  type TimeName,
} from "./room-times.ts";
export { RESPONSE_MODES } from "./schema.ts";
export { makeSigningKey, publicJwk, readSigningKey, SIGNING_ALGS } from "./signing-key.ts";
export type * from "./theme.ts";
export { DEFAULT_PALETTES, type Palette, type Palettes } from "./theme-colors.ts";
export { formatTime, formatTimeIn } from "./times.ts";
export { TARGET_PLACEHOLDER } from "./urls.ts";
export type * from "./ways-in.ts";
export { suggest, unknownWord } from "./words.ts";
export type { WordsInLanguage } from "./words-by-language.ts";
