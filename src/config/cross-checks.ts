/**
 * What a schema can't see: duplicates, names that refer to nothing, contradictions between keys. Goes by the
 * raw document, so that these faults are reported together with those of the schema.
 */
import { type Fault, faultAt } from "./faults.ts";
import { indexesAt, type Path, valueAt } from "./raw-document.ts";
import { checkRoom } from "./room-checks.ts";
import { suggest } from "./words.ts";

/** The name under which the key in USHER_ADMIN_API_KEY appears. */
export const ENV_ADMIN_KEY_ID = "env";

export function crossCheck(raw: unknown): Fault[] {
  return [
    ...duplicates(raw, ["shared_outflows"], "id", "shared outflow"),
    ...duplicates(raw, ["rooms"], "id", "room"),
    ...duplicates(raw, ["clients"], "client_id", "client"),
    ...duplicates(raw, ["admin", "keys"], "id", "admin key"),
    ...indexesAt(raw, ["keys", "tickets"]).flatMap((index) => repeatedKey(raw, ["keys", "tickets"], index)),
    ...indexesAt(raw, ["keys", "signing"]).flatMap((index) => repeatedKey(raw, ["keys", "signing"], index)),
    ...indexesAt(raw, ["keys", "cookies"]).flatMap((index) => repeatedKey(raw, ["keys", "cookies"], index)),
    ...indexesAt(raw, ["rooms"]).flatMap((index) => checkRoom(raw, ["rooms", index])),
    ...indexesAt(raw, ["clients"]).flatMap((index) => checkClient(raw, ["clients", index])),
    ...indexesAt(raw, ["admin", "keys"]).flatMap((index) => checkAdminKey(raw, ["admin", "keys", index])),
  ];
}

function checkClient(raw: unknown, path: Path): Fault[] {
  if (typeof valueAt(raw, path) !== "object") {
    return [];
  }
  return [...checkClientRoom(raw, path), ...checkClientAuthentication(raw, path)];
}

function checkClientRoom(raw: unknown, path: Path): Fault[] {
  const one = [...path, "room"];
  const many = [...path, "rooms"];
  const room = valueAt(raw, one);
  const rooms = valueAt(raw, many);
  if (room === undefined && rooms === undefined) {
    return [faultAt(raw, one, `required: the id of a room${knownRooms(raw)}`)];
  }
  if (room !== undefined && rooms !== undefined) {
    return [faultAt(raw, many, "room is given too: keep one of the two")];
  }
  const several =
    Array.isArray(rooms) && rooms.length > 1
      ? [faultAt(raw, many, "serving several rooms by one client is not available yet: name one room")]
      : [];
  return [...several, ...unknownRoom(raw, one), ...indexesAt(raw, many).flatMap((i) => unknownRoom(raw, [...many, i]))];
}

function checkClientAuthentication(raw: unknown, path: Path): Fault[] {
  const secret = [...path, "client_secret"];
  const isPublic = valueAt(raw, [...path, "token_endpoint_auth_method"]) === "none";
  const hasSecret = valueAt(raw, secret) !== undefined;
  if (!isPublic) {
    return hasSecret
      ? []
      : [faultAt(raw, secret, "required; a public client is declared with token_endpoint_auth_method: none")];
  }
  const pkce = [...path, "require_pkce"];
  return [
    ...(hasSecret
      ? [
          faultAt(
            raw,
            secret,
            "a public client (token_endpoint_auth_method: none) has no secret: leave one of the two out",
          ),
        ]
      : []),
    ...(valueAt(raw, pkce) === false
      ? [faultAt(raw, pkce, "a public client always needs PKCE: leave it out, or write true")]
      : []),
  ];
}

function checkAdminKey(raw: unknown, path: Path): Fault[] {
  const id = [...path, "id"];
  const rooms = [...path, "rooms"];
  return [
    ...(valueAt(raw, id) === ENV_ADMIN_KEY_ID
      ? [faultAt(raw, id, "is the name of the key in USHER_ADMIN_API_KEY: choose another one")]
      : []),
    ...indexesAt(raw, rooms).flatMap((index) => unknownRoom(raw, [...rooms, index])),
  ];
}

function unknownRoom(raw: unknown, path: Path): Fault[] {
  const room = valueAt(raw, path);
  const ids = roomIds(raw);
  if (typeof room !== "string" || ids.includes(room)) {
    return [];
  }
  const meant = suggest(room, ids);
  return [faultAt(raw, path, `no such room${meant === null ? "" : `, did you mean ${meant}?`}${knownRooms(raw)}`)];
}

function knownRooms(raw: unknown): string {
  const ids = roomIds(raw);
  return ids.length === 0 ? "" : `; rooms: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`;
}

function roomIds(raw: unknown): string[] {
  return indexesAt(raw, ["rooms"])
    .map((index) => valueAt(raw, ["rooms", index, "id"]))
    .filter((id) => typeof id === "string");
}

function duplicates(raw: unknown, listPath: Path, key: string, what: string): Fault[] {
  const seen = new Map<unknown, number>();
  return indexesAt(raw, listPath).flatMap((index) => {
    const path = [...listPath, index, key];
    const id = valueAt(raw, path);
    const first = seen.get(id);
    if (id === undefined || first === undefined) {
      seen.set(id, index);
      return [];
    }
    return [
      faultAt(raw, path, `another ${what} has the same ${key}: ${listPath.join(".")}[${first}]; each needs its own`),
    ];
  });
}

function repeatedKey(raw: unknown, listPath: Path, index: number): Fault[] {
  const written = JSON.stringify(valueAt(raw, [...listPath, index]));
  const first = indexesAt(raw, listPath).find(
    (other) => JSON.stringify(valueAt(raw, [...listPath, other])) === written,
  );
  const isRepeated = first !== undefined && first < index;
  return isRepeated
    ? [faultAt(raw, [...listPath, index], `the same key as ${listPath.join(".")}[${first}]: keep one of the two`)]
    : [];
}
