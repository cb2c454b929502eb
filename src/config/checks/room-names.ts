/** Names of rooms in a document that nobody has checked yet. */

import { indexesAt, type Path, valueAt } from "../resolve/raw-document.ts";
import { roomId } from "../schema/room-settings.ts";
import { type Fault, faultAt } from "./faults.ts";
import { entriesAt, issuerPathsAround } from "./issuer-paths.ts";
import { searchedMax, suggest } from "./words.ts";

export function unknownRoom(raw: unknown, path: Path): Fault[] {
  const room = valueAt(raw, path);
  const ids = roomIds(raw, path);
  if (typeof room !== "string" || ids.includes(room)) {
    return [];
  }
  // An id that is invalid has a fault of its own, and references to it are right once it is mended.
  const [usable, faulty] = [ids.filter(isUsable), ids.filter((id) => !isUsable(id))];
  if (isUsable(room) && suggest(room, faulty) !== null) return [];
  const meant = suggest(room, usable);
  return [
    faultAt(raw, path, `no such room${meant === null ? "" : `, did you mean ${meant}?`}${knownRooms(raw, path)}`),
  ];
}

export function unknownRooms(raw: unknown, list: Path): Fault[] {
  const known = new Set<unknown>(roomIds(raw, list));
  const unknown = indexesAt(raw, list)
    .map((index) => [...list, index])
    .filter((path) => {
      const room = valueAt(raw, path);
      return typeof room === "string" && !known.has(room);
    });
  return [
    ...unknown.slice(0, searchedMax).flatMap((path) => unknownRoom(raw, path)),
    ...unknown.slice(searchedMax).map((path) => faultAt(raw, path, "no such room")),
  ];
}

/** Those that may be named at a place of the document. */
export function knownRooms(raw: unknown, path: Path): string {
  const ids = roomIds(raw, path);
  return ids.length === 0 ? "" : `; rooms: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`;
}

function isUsable(id: string): boolean {
  return roomId.safeParse(id).success;
}

/** A client's are those of its issuer, an admin key's those of all. */
function roomIds(raw: unknown, path: Path): string[] {
  return issuerPathsAround(raw, path)
    .flatMap((issuer) => entriesAt(raw, [...issuer, "rooms"]))
    .map((room) => valueAt(raw, [...room, "id"]))
    .filter((id) => typeof id === "string");
}
