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
  targets: list(checked("an address that links may lead to", targetLinkUriFault), 1_000)
    .default([])
    .describe(
      "where links to the room (docs/api.md) and forward authentication (docs/forward-auth.md) may lead: exact addresses, and " +
        "ones that end in `/*` for everything below; queries are not compared; a link without a target leads to the first exact one",
    ),
  allowed_origins: list(checked("an origin such as https://app.example.com", originFault), 1_000)
    .default([])
    .describe(
      "origins of sites and apps whose scripts may take places by the JSON API; requests without an origin may anyway",
    ),
  admission_token: mapping({
    audience: text("whom admission tokens are for", 255)
      .optional()
      .describe("the claim `aud`, no `client_id`; without it `ISSUER/rooms/ROOM`"),
    validity: duration(SECOND_MS, DAY_MS).prefault("5m").describe("renewed while the admission lasts"),
  })
    .prefault({})
    .describe("the signed tokens that links, forward authentication and the JSON API hand out"),
  verify: mapping({
    exempt: list(checked("a path", exemptPathFault), 1_000)
      .default([])
      .describe("paths that forward authentication always lets through: exact, or all below one that ends in `/*`"),
  })
    .prefault({})
    .describe("forward authentication (docs/forward-auth.md)"),
});

export type WaysInConfig = Settings<z.output<typeof waysIn>>;

export const room = mapping({
  id: roomId.describe("names the room in addresses"),
  ...roomSettings.shape,
  language: checked("a language tag such as de or pt-BR", languageTagFault)
    .nullish()
    .describe("of its pages, for visitors who ask for none that there is (docs/languages.md); without it `en`"),
  ...waysIn.shape,
  theme: roomTheme
    .nullish()
    .describe("how its pages look: as `theme`, which it overrides, and a `title` (docs/themes.md)"),
});

/** All that may stand in a room. */
export const ROOM_KEYS: readonly string[] = Object.keys(room.shape);

export const sharedOutflow = mapping({
  id: sharedOutflowId().describe("named by `rooms[].inlet.shared_outflow`"),
  outflow_per_minute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX).describe(
    "no 60 seconds see more admissions of all its rooms together",
  ),
});

export type RoomDocument = z.infer<typeof room>;
export type SharedOutflowDocument = z.infer<typeof sharedOutflow>;
