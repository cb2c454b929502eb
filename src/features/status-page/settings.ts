/** `status_page` of an issuer's section of a configuration file. */
import { flag, list, mapping, settingsPart, text, unknownRooms } from "../../config/index.ts";

export const statusPageSettings = settingsPart({
  key: "status_page",
  isPerIssuer: true,
  schema: mapping({
    enabled: flag().default(false).describe("whether there is one, at `/status`"),
    rooms: list(text("the id of a room", 32), 1_000, 1)
      .nullish()
      .describe(
        "those that it shows, of the file; without it all of the issuer, those made at run time too, but none for rehearsals",
      ),
  })
    .prefault({})
    .describe("a public [page that says how the rooms are](status-page.md), with incidents that operators write"),
  check: (raw, place) => unknownRooms(raw, [...place, "rooms"]),
  read: ({ enabled, rooms }) => ({ enabled, rooms: rooms ?? null }),
});
