/**
 * Configuration: reads a YAML file and the environment, reports all faults at once, resolves secrets, and stores the keys
 * that are not configured. Called by `app/`; other folders use its types, and `operate/admin-api` the fields and rules of a room, which live
 * changes must meet too. Keys of features are parts that it is passed; it names none.
 */

export { askedOfVisitors } from "./checks/asked-of-visitors.ts";
export { duplicates, usualAudience } from "./checks/cross-checks.ts";
export { ConfigError, type Fault, faultAt, formatFault, suggest, unknownWord } from "./checks/faults.ts";
export { unknownRoom, unknownRooms } from "./checks/room-checks.ts";
export {
  contradictionsIn,
  hasInletTimes,
  type RoomTimes,
  readRoomTimes,
  timesOutOfOrder,
} from "./checks/room-rules.ts";
export { findOtherSites, healthUrlFault, isWithinDomain, TARGET_PLACEHOLDER } from "./checks/urls.ts";
export type * from "./config.ts";
export { type DemoPorts, type LoadedConfig, type LoadOptions, loadConfig, loadDemoConfig } from "./load.ts";
export { imagesIn, type MarkdownNode, readMarkdown } from "./markdown.ts";
export { entriesAt, formatPath, type Path, valueAt } from "./raw-document.ts";
export {
  FOUR_EYES_STEPS,
  type FourEyesStep,
  PROFILES,
  RESPONSE_MODES,
  ROLES,
  type Role,
  SIGNING_ALGS,
  secretlessReason,
} from "./schema/choices.ts";
export {
  type ClientPlace,
  type ClientReading,
  clientHere,
  type RoomPlace,
  type RoomReading,
  readClientDocument,
  readRoomDocument,
  roomHere,
  roomsNamed,
} from "./schema/entry-documents.ts";
export {
  checked,
  duration,
  flag,
  idText,
  list,
  mapping,
  number,
  oneOf,
  text,
  wholeNumber,
  writtenSecret,
} from "./schema/fields.ts";
export { DOCUMENT_KEYS, roomPatch, settingsChange, writtenChange, writtenSettings } from "./schema/room-schema.ts";
export {
  LATENCY_MAX_MS,
  loggableSetting,
  type RoomSettings,
  type RoomSettingsPatch,
  readChange,
  SETTINGS_GROUPS,
  settingsDifferences,
  writeRoomSettings,
} from "./schema/room-settings.ts";
export { writeClientSettings } from "./schema/schema.ts";
export { readSettings, type Settings } from "./schema/settings-codec.ts";
export { formatDuration, formatTime, parseDuration, readTime } from "./schema/times.ts";
export {
  canonicalTag,
  notATag,
  plainText,
  roomMessage,
  type WordsInLanguage,
  writeWords,
} from "./schema/words-by-language.ts";
export {
  copySecretsFile,
  type KeysOfIssuers,
  loadKeysOfIssuers,
  mayRestoreSecretsFile,
  readSigningKeys,
  restoreSecretsFile,
} from "./secrets/key-material.ts";
export {
  cookieKeyId,
  deriveDrawKey,
  makeSigningKey,
  publicJwk,
  readDrawKey,
  readSigningKey,
  readTicketKey,
} from "./secrets/keys.ts";
export type { ReloadedSecrets, SecretChange, SecretReport } from "./secrets/reloaded-secrets.ts";
export type { SecretPlace } from "./secrets/secret-source.ts";
export {
  homesOfParts,
  namesOfPlace,
  type PartValues,
  type PublicAnswer,
  publicAnswersOfParts,
  type RoomHome,
  type SettingsPart,
  settingsOf,
  settingsPart,
} from "./settings-part.ts";
export { COLOR_NAMES, contrastOf, DEFAULT_PALETTES, mixColors, type Palette, SCHEMES } from "./themes/theme-colors.ts";
export type * from "./themes/themes.ts";
export { languagesOfRooms, themesOf } from "./themes/themes.ts";
