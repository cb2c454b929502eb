/** What the pages are to be made with, out of the whole configuration. */

import type { ThemeConfig } from "../themes/theme.ts";
import type { UsherConfig } from "./config.ts";

/** The languages that rooms name, by who names them. */
export function languagesOfRooms({ issuers }: UsherConfig): Map<string, string> {
  const rooms = issuers.flatMap((issuer) => issuer.rooms);
  return new Map(
    rooms.flatMap(({ id, language }) => (language === null ? [] : [[`language of the room ${id}`, language]])),
  );
}

/** Each once, however many rooms and clients look so. */
export function themesOf({ issuers }: UsherConfig): ThemeConfig[] {
  const all = issuers.flatMap(({ themes: { usual, ofRooms, ofClients, ofLinks } }) => [
    usual,
    ...ofRooms.values(),
    ...[...ofClients.values(), ...ofLinks.values()].flatMap((byId) => [...byId.values()]),
  ]);
  return [...new Set(all)].filter((theme) => theme !== null);
}
