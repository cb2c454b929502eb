/**
 * What a schema can't see in rooms: references to other entries, who is invited and how visitors sign in, and what room-rules.ts finds;
 * and where others name rooms. Goes by the raw document.
 */
import { entriesAt, issuerPaths, issuerPathsAround, type Path, repeated, valueAt } from "../raw-document.ts";
import { roomId } from "../schema/room-settings.ts";
import { isTimeZone, readTime } from "../schema/times.ts";
import { didYouMean, type Fault, faultAt, searchedMax, suggest } from "./faults.ts";
import { contradictionsIn } from "./room-rules.ts";
import { cookieDomainFault, isWithinDomain, targetLinkUriFault } from "./urls.ts";

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
    .filter((existing) => typeof existing === "string");
  if (typeof id !== "string" || id === "" || ids.includes(id)) return [];
  const existing = ids.length === 0 ? "there are none" : `there are ${ids.slice(0, 10).join(", ")}`;
  return [faultAt(raw, path, `no such entry of ${list}${didYouMean(id, ids)}; ${existing}`)];
}

export function unknownRoom(raw: unknown, path: Path): Fault[] {
  const room = valueAt(raw, path);
  const ids = roomIds(raw, path);
  if (typeof room !== "string" || ids.includes(room)) return [];
  // An id that is invalid has a fault of its own, and references to it are right once it is mended.
  const faulty = ids.filter((id) => !isUsable(id));
  if (isUsable(room) && suggest(room, faulty) !== null) return [];
  return [faultAt(raw, path, `no such room${didYouMean(room, ids.filter(isUsable))}${listRooms(raw, path)}`)];
}

export function unknownRooms(raw: unknown, list: Path): Fault[] {
  const existing = new Set<unknown>(roomIds(raw, list));
  return entriesAt(raw, list)
    .filter((path) => {
      const room = valueAt(raw, path);
      return typeof room === "string" && !existing.has(room);
    })
    .flatMap((path, index) => (index < searchedMax ? unknownRoom(raw, path) : faultAt(raw, path, "no such room")));
}

/** Those that may be named at a place of the document. */
export function listRooms(raw: unknown, path: Path): string {
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

const SIGNERS = ["secret", "jwks", "jwks_uri"];

export function checkInvitations(raw: unknown, room: Path): Fault[] {
  const entry = valueAt(raw, [...room, "entry"]);
  const path = [...room, "invitations"];
  const written = valueAt(raw, path);
  if (written === undefined || written === null) {
    const message = "required with entry: invited: who signs the invitations (secret, jwks or jwks_uri)";
    return entry === "invited" ? [faultAt(raw, path, message)] : [];
  }
  const classes = [...path, "classes"];
  return [
    ...(entry === "invited"
      ? []
      : [
          faultAt(
            raw,
            [...room, "entry"],
            "expected invited, since there are invitations: write it, or leave them out",
          ),
        ]),
    ...signerFaults(raw, path),
    ...repeated(entriesAt(raw, classes), (each) => valueAt(raw, [...each, "id"])).map(([each]) =>
      faultAt(raw, [...each, "id"], "another class has the same id: each needs its own"),
    ),
    ...entriesAt(raw, classes).flatMap((each) => timeFault(raw, room, [...each, "opens_at"])),
    ...moveFault(raw, room, entry),
  ];
}

function signerFaults(raw: unknown, path: Path): Fault[] {
  const configured = SIGNERS.filter((key) => valueAt(raw, [...path, key]) !== undefined);
  if (configured.length === 1) return [];
  const message =
    configured.length === 0
      ? "required: the secret that invitations are signed with, or public keys (jwks, jwks_uri)"
      : `given beside ${configured[0]}: keep one of them`;
  return [faultAt(raw, [...path, configured.length === 0 ? "secret" : (configured[1] ?? "")], message)];
}

function timeFault(raw: unknown, room: Path, path: Path): Fault[] {
  const value = valueAt(raw, path) ?? null;
  const zone = valueAt(raw, [...room, "schedule", "time_zone"]);
  const reading = value === null ? null : readTime(value, typeof zone === "string" && isTimeZone(zone) ? zone : null);
  return reading !== null && "fault" in reading ? [faultAt(raw, path, reading.fault)] : [];
}

/** A place is that of a key, in whatever browser: there is nothing to move. */
function moveFault(raw: unknown, room: Path, entry: unknown): Fault[] {
  const moves = valueAt(raw, [...room, "moves"]) ?? "never";
  if (entry !== "invited" || moves === "never") return [];
  const message = "not with entry: invited, where the same invitation has the same place in each browser: leave it out";
  return [faultAt(raw, [...room, "moves"], message)];
}

/**
 * Claims that say what Usher says, or what a token is: RFC 7519, OpenID Connect Core 1.0, RFC 7800, RFC 9068, and Usher's own. A
 * provider's would contradict them.
 */
export const RESERVED_CLAIMS: readonly string[] = [
  ...["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "azp", "nonce", "auth_time", "acr", "amr", "sid", "events"],
  ...["at_hash", "c_hash", "s_hash", "sub_jwk", "cnf", "client_id", "scope", "act", "may_act"],
  ...["_claim_names", "_claim_sources", "__proto__"],
  ...["room", "queue_position", "admitted_via", "admitted_at", "admitted_until"],
];

export function checkIdentity(raw: unknown, room: Path): Fault[] {
  const path = [...room, "identity"];
  const written = valueAt(raw, path) ?? null;
  if (written === null) return [];
  const isInvited = valueAt(raw, [...room, "entry"]) === "invited";
  const moves = valueAt(raw, [...room, "moves"]) ?? "never";
  const issuer = valueAt(raw, [...path, "issuer"]);
  const isUsher = issuerPaths(raw).some((each) => valueAt(raw, [...each, "issuer"]) === issuer);
  const claims = entriesAt(raw, [...path, "claims"]);
  return [
    ...(isInvited
      ? [faultAt(raw, path, "not with entry: invited: who joins is known by one of them, so keep one of them")]
      : []),
    ...(moves === "never"
      ? []
      : [
          faultAt(
            raw,
            [...room, "moves"],
            "not with identity, where the same person has the same place in each browser: leave it out",
          ),
        ]),
    ...(isUsher && issuer !== undefined
      ? [faultAt(raw, [...path, "issuer"], "is Usher itself: name the provider of your organisation")]
      : []),
    ...claims.flatMap((each) => {
      const name = valueAt(raw, each);
      return typeof name === "string" && RESERVED_CLAIMS.includes(name)
        ? [faultAt(raw, each, "is a claim that Usher sets itself, or that says what a token is: leave it out")]
        : [];
    }),
    ...repeated(claims, (each) => valueAt(raw, each)).map(([each]) =>
      faultAt(raw, each, "is in the list already: leave it out"),
    ),
  ];
}
