/** Where themes are in an unchecked document, and which override which. */
import { entriesAt, hasIssuerList, issuerPaths } from "../checks/places.ts";
import { type Path, valueAt } from "../resolve/raw-document.ts";

export interface ThemePlace {
  readonly path: Path;
  /** The themes that it overrides, the lowest first; of a client's theme for each of its rooms. */
  readonly over: readonly (readonly Path[])[];
}

/** Only those that are there. */
export function themePlaces(raw: unknown): ThemePlace[] {
  const common: Path = ["theme"];
  const places = issuerPaths(raw).flatMap((issuer) => {
    const own: Path = [...issuer, "theme"];
    const ofIssuer = hasIssuerList(raw) ? [common, own] : [common];
    const rooms = new Map(
      entriesAt(raw, [...issuer, "rooms"]).map((room) => [valueAt(raw, [...room, "id"]), [...room, "theme"]]),
    );
    const clients = entriesAt(raw, [...issuer, "clients"]);
    return [
      ...(hasIssuerList(raw) ? [{ path: own, over: [[common]] }] : []),
      ...[...rooms.values()].map((path) => ({ path, over: [ofIssuer] })),
      ...clients.map((client) => ({
        path: [...client, "theme"],
        over: roomsOf(raw, client).map((id) => [...ofIssuer, ...(rooms.has(id) ? [rooms.get(id) as Path] : [])]),
      })),
    ];
  });
  return [{ path: common, over: [[]] }, ...places].filter(({ path }) => (valueAt(raw, path) ?? null) !== null);
}

function roomsOf(raw: unknown, client: Path): unknown[] {
  const rooms = valueAt(raw, [...client, "rooms"]);
  return Array.isArray(rooms) ? rooms : [valueAt(raw, [...client, "room"])];
}
