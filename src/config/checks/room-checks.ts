/** What a schema can't see in rooms and shared outflows, and where rooms are named: references, and what room-rules.ts finds. Goes by the raw document. */
import { type Path, valueAt } from "../resolve/raw-document.ts";
import { roomId } from "../schema/room-settings.ts";
import { cookieDomainFault, isWithinDomain } from "./cookie-domain.ts";
import { type Fault, faultAt } from "./faults.ts";
import { checkIdentity } from "./identity-checks.ts";
import { checkInvitations } from "./invitation-checks.ts";
import { entriesAt, issuerPathsAround } from "./places.ts";
import { contradictionsIn } from "./room-rules.ts";
import { targetLinkUriFault } from "./urls.ts";
import { didYouMean, searchedMax, suggest } from "./words.ts";

export function checkRoom(raw: unknown, path: Path): Fault[] {
  return [
    ...contradictionsIn(valueAt(raw, path)).map((fault) => faultAt(raw, [...path, ...fault.path], fault.message)),
    ...unknownEntry(raw, [...path, "check", "challenge"], "challenges"),
    ...unknownEntry(raw, [...path, ...SHARED_OUTFLOW], "shared_outflows"),
    ...targetsBeyondCookie(raw, path),
    ...checkInvitations(raw, path),
    ...checkIdentity(raw, path),
  ];
}

/** A visitor who is sent to a host that does not get the cookie would be sent back to the room, again and again. */
function targetsBeyondCookie(raw: unknown, room: Path): Fault[] {
  const domain = valueAt(raw, [...room, "verify", "cookie_domain"]);
  if (typeof domain !== "string" || cookieDomainFault(domain) !== null) return [];
  return entriesAt(raw, [...room, "targets"]).flatMap((path) => {
    const target = valueAt(raw, path);
    if (typeof target !== "string" || targetLinkUriFault(target) !== null) return [];
    const { hostname } = new URL(target.replace(/\*$/, ""));
    return isWithinDomain(hostname, domain)
      ? []
      : [faultAt(raw, path, `not within verify.cookie_domain (${domain}), so its visitors would have no cookie`)];
  });
}

export const SHARED_OUTFLOW = ["inlet", "shared_outflow"];

/** @param list of entries with ids */
function unknownEntry(raw: unknown, path: Path, list: string): Fault[] {
  const id = valueAt(raw, path);
  const ids = entriesAt(raw, [list])
    .map((entry) => valueAt(raw, [...entry, "id"]))
    .filter((known) => typeof known === "string");
  if (typeof id !== "string" || id === "" || ids.includes(id)) return [];
  const known = ids.length === 0 ? "there are none" : `there are ${ids.slice(0, 10).join(", ")}`;
  return [faultAt(raw, path, `no such entry of ${list}${didYouMean(id, ids)}; ${known}`)];
}

export function unknownRoom(raw: unknown, path: Path): Fault[] {
  const room = valueAt(raw, path);
  const ids = roomIds(raw, path);
  if (typeof room !== "string" || ids.includes(room)) return [];
  // An id that is invalid has a fault of its own, and references to it are right once it is mended.
  const faulty = ids.filter((id) => !isUsable(id));
  if (isUsable(room) && suggest(room, faulty) !== null) return [];
  return [faultAt(raw, path, `no such room${didYouMean(room, ids.filter(isUsable))}${knownRooms(raw, path)}`)];
}

export function unknownRooms(raw: unknown, list: Path): Fault[] {
  const known = new Set<unknown>(roomIds(raw, list));
  return entriesAt(raw, list)
    .filter((path) => {
      const room = valueAt(raw, path);
      return typeof room === "string" && !known.has(room);
    })
    .flatMap((path, index) => (index < searchedMax ? unknownRoom(raw, path) : faultAt(raw, path, "no such room")));
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
