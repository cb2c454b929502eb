/** The shape of a room in a configuration file, as written. What holds between its keys is in room-rules.ts. */
import type { z } from "zod";
import { exemptPathFault } from "../checks/exempt-path-fault.ts";
import { languageTagFault } from "../checks/language-tag-fault.ts";
import { originFault, targetLinkUriFault } from "../checks/urls.ts";
import { checked, duration, list, mapping, text, wholeNumber } from "./fields.ts";
import { OUTFLOW_PER_MINUTE_MAX, roomId, roomSettings, sharedOutflowId } from "./room-settings.ts";
import type { Settings } from "./settings-codec.ts";
import { roomTheme } from "./theme-schema.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

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
  }).prefault({}),
});

export type WaysInConfig = Settings<z.output<typeof waysIn>>;

export const room = mapping({
  id: roomId,
  ...roomSettings.shape,
  language: checked("a language tag such as de or pt-BR", languageTagFault).nullish(),
  ...waysIn.shape,
  theme: roomTheme.nullish(),
});

/** All that may stand in a room. */
export const ROOM_KEYS: readonly string[] = Object.keys(room.shape);

export const sharedOutflow = mapping({
  id: sharedOutflowId(),
  outflow_per_minute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX),
});

export type RoomDocument = z.infer<typeof room>;
export type SharedOutflowDocument = z.infer<typeof sharedOutflow>;
