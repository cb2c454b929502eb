/**
 * The shape of a room in a configuration file, and of a live change of its settings, as written. What holds between keys is in
 * room-rules.ts.
 */
import { z } from "zod";
import {
  cookieDomainFault,
  exemptPathFault,
  languageTagFault,
  originFault,
  targetLinkUriFault,
} from "../checks/urls.ts";
import { namedThemes, roomTheme } from "../themes/theme-schema.ts";
import { entry, identity, invitations } from "./entry.ts";
import { checked, duration, list, mapping, orOff, text, wholeNumber } from "./fields.ts";
import { OUTFLOW_PER_MINUTE_MAX, roomId, roomSettings, sharedOutflowId } from "./room-settings.ts";
import { innermost, kindOf, membersOf, type Settings, withKind } from "./settings-codec.ts";
import { siteRules } from "./site-rules.ts";
import { DAY_MS, SECOND_MS } from "./times.ts";

/** How visitors come to a room beside OpenID Connect: settings of the file that no live change reaches. */
export const waysIn = mapping({
  targets: list(checked("an address that links may lead to", targetLinkUriFault), 1_000).default([]),
  allowed_origins: list(checked("an origin such as https://app.example.com", originFault), 1_000).default([]),
  admission_token: mapping({
    audience: text("whom admission tokens are for", 255).optional(),
    validity: duration(SECOND_MS, DAY_MS).prefault("5m"),
  }).prefault({}),
  verify: mapping({
    exempt: list(checked("a path", exemptPathFault), 1_000).default([]),
    cookie_domain: checked("a domain such as shop.example.com", cookieDomainFault).nullish(),
  }).prefault({}),
  rules: siteRules.nullish(),
});

export type WaysInConfig = Settings<z.output<typeof waysIn>>;

/** The name of an entry of `stores`. */
const storeOfRoom = text("the name of an entry of stores", 32, /^[a-z0-9][a-z0-9-]*$/);

export const room = mapping({
  id: roomId,
  store: storeOfRoom.optional(),
  ...roomSettings.shape,
  language: checked("a language tag such as de or pt-BR", languageTagFault).nullish(),
  ...waysIn.shape,
  entry,
  invitations: invitations.optional(),
  identity: identity.optional(),
  theme: roomTheme.nullish(),
  themes: namedThemes.nullish(),
});

/** All that may stand in a room. */
export const ROOM_KEYS: readonly string[] = Object.keys(room.shape);

export const sharedOutflow = mapping({
  id: sharedOutflowId(),
  outflow_per_minute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX),
});

export type RoomDocument = z.infer<typeof room>;
export type SharedOutflowDocument = z.infer<typeof sharedOutflow>;

/** What a process knows of a room would be no use to those that keep it in another store. */
const STORE_STAYS = "a room stays in the store that it began in: make another room, or move it while no process runs";

/** Rooms of one outflow must agree on it. */
const FILE_ONLY = "shared_outflow";

/** @param fileKeys what may stand beside its members in the file */
function changeOf(setting: z.ZodType, fileKeys?: readonly string[]): z.ZodType {
  const { offExample } = kindOf(setting);
  const members = membersOf(setting);
  if (offExample !== undefined) return orOff(innermost(setting), offExample).nullish();
  if (members === null) return innermost(setting).nullish();
  const ofFile = fileKeys ?? members.map(([key]) => key);
  const whyNot = (key: string) => {
    if (key === "store") return STORE_STAYS;
    return ofFile.includes(key) ? "only the configuration file can set this" : null;
  };
  const taken = members.filter(([key]) => key !== FILE_ONLY).map(([key, member]) => [key, changeOf(member)]);
  return mapping(Object.fromEntries(taken), "an object", whyNot).nullish();
}

/** A room's settings as a live change takes them: each by itself, and null gives it back to the file. */
export const settingsChange: z.ZodType = innermost(changeOf(roomSettings, ROOM_KEYS));

type Written = Record<string, unknown>;
/** What `writeRoomSettings` writes, for descriptions: of a whole room, and of a live change. */
export const writtenSettings = withKind(z.custom<Written>(), { anyOf: [roomSettings] });
export const writtenChange = withKind(z.custom<Written>(), { anyOf: [settingsChange] });

/** What stands in the document alone of a room that was made at run time: all but what names it or is read from files. */
export const DOCUMENT_KEYS: readonly string[] = ROOM_KEYS.filter(
  (key) =>
    !(key in roomSettings.shape) &&
    !["id", "store", "entry", "invitations", "identity", "theme", "themes"].includes(key),
);

/** A live change, and of a room that was made at run time its document's members; null takes one away. */
export const roomPatch = mapping(
  {
    ...(settingsChange as z.ZodObject).shape,
    ...Object.fromEntries(
      Object.entries({ language: room.shape.language, ...waysIn.shape }).map(([key, member]) => [
        key,
        (member as z.ZodType).nullish(),
      ]),
    ),
  },
  "an object",
);
