/** `homes.cloudflare` of an issuer's section of a configuration file. */
import { z } from "zod";
import {
  askedOfVisitors,
  entriesAt,
  type Fault,
  faultAt,
  formatPath,
  mapping,
  type Path,
  settingsPart,
  valueAt,
} from "../../config/index.ts";

export interface CloudflareSettings {
  /** Their ids. */
  readonly rooms: ReadonlySet<string>;
}

const expectedRooms = "expected rooms, such as { tickets: true }";
const rooms = z
  .record(z.string(), z.boolean({ error: "expected true or false" }), { error: expectedRooms })
  .describe("rooms whose programs are answered so, by their ids");

export const cloudflareSettings = settingsPart({
  key: "homes.cloudflare",
  isPerIssuer: true,
  schema: mapping({ rooms })
    .optional()
    .describe("for [programs that wait for Cloudflare's Waiting Room](homes/cloudflare.md) by JSON"),
  check: (raw, place) =>
    roomsOf(raw, place).flatMap(({ id, path, room }) =>
      room === undefined ? [faultAt(raw, path, `no such room of this issuer: ${id}`)] : [],
    ),
  warn: (raw, place) =>
    roomsOf(raw, place).flatMap(({ path, room }): Fault[] => {
      const asked = room === undefined ? null : askedOfVisitors(raw, room);
      if (asked === null) return [];
      const message = `the room has ${asked}, which its page alone can ask: programs get no place there, but the page's address (enter)`;
      return [{ path: formatPath(path), value: null, message }];
    }),
  homes: (home: CloudflareSettings | null) =>
    [...(home?.rooms ?? [])].map((room) => ({
      room,
      system: "Cloudflare Waiting Room",
      ids: [],
      guide: "docs/homes/cloudflare.md",
    })),
  read: (written): CloudflareSettings | null => {
    const ids = Object.entries(written?.rooms ?? {}).flatMap(([id, isOn]) => (isOn ? [id] : []));
    return ids.length === 0 ? null : { rooms: new Set(ids) };
  },
});

/** With the place of each room in the document; undefined: it is no room of this issuer. */
function roomsOf(raw: unknown, place: Path): { readonly id: string; readonly path: Path; readonly room?: Path }[] {
  const written = valueAt(raw, [...place, "rooms"]);
  if (typeof written !== "object" || written === null) return [];
  const places = entriesAt(raw, [...place.slice(0, -2), "rooms"]);
  return Object.keys(written).map((id) => {
    const room = places.find((each) => valueAt(raw, [...each, "id"]) === id);
    return { id, path: [...place, "rooms", id], ...(room !== undefined && { room }) };
  });
}
