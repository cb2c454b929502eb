/**
 * What a schema can't see: duplicates, names that refer to nothing, contradictions between keys. Goes by the
 * raw document, so that these faults are reported together with those of the schema.
 */

import { formatPath, indexesAt, type Path, valueAt } from "../resolve/raw-document.ts";
import { checkThemes } from "../themes/theme-checks.ts";
import { checkClient } from "./client-checks.ts";
import { type Fault, faultAt } from "./faults.ts";
import { checkIssuers } from "./issuer-checks.ts";
import { entriesAt, entriesOfIssuers, issuerPaths } from "./issuer-paths.ts";
import { checkRoom } from "./room-checks.ts";
import { unknownRooms } from "./room-names.ts";

/** The name under which the key in USHER_ADMIN_API_KEY appears. */
export const ENV_ADMIN_KEY_ID = "env";

export function crossCheck(raw: unknown): Fault[] {
  const rooms = entriesOfIssuers(raw, "rooms");
  const clients = entriesOfIssuers(raw, "clients");
  const adminKeys = entriesAt(raw, ["admin", "keys"]);
  return [
    ...checkIssuers(raw),
    ...duplicates(raw, entriesAt(raw, ["shared_outflows"]), "id", "shared outflow"),
    ...duplicates(raw, rooms, "id", "room"),
    ...duplicates(raw, clients, "client_id", "client"),
    ...duplicates(raw, adminKeys, "id", "admin key"),
    ...issuerPaths(raw).flatMap((issuer) => repeatedKeys(raw, [...issuer, "keys"])),
    ...issuerPaths(raw).flatMap((issuer) => audiencesOfClients(raw, issuer)),
    ...rooms.flatMap((room) => checkRoom(raw, room)),
    ...clients.flatMap((client) => checkClient(raw, client)),
    ...adminKeys.flatMap((key) => checkAdminKey(raw, key)),
    ...checkThemes(raw),
  ];
}

function checkAdminKey(raw: unknown, path: Path): Fault[] {
  const id = [...path, "id"];
  const rooms = [...path, "rooms"];
  return [
    ...(valueAt(raw, id) === ENV_ADMIN_KEY_ID
      ? [faultAt(raw, id, "is the name of the key in USHER_ADMIN_API_KEY: choose another one")]
      : []),
    ...unknownRooms(raw, rooms),
  ];
}

/** Entries whose `key` is that of an earlier one. */
function duplicates(raw: unknown, entries: readonly Path[], key: string, what: string): Fault[] {
  const seen = new Map<unknown, Path>();
  return entries.flatMap((entry) => {
    const path = [...entry, key];
    const id = valueAt(raw, path);
    const first = seen.get(id);
    if (id === undefined || first === undefined) {
      seen.set(id, entry);
      return [];
    }
    return [faultAt(raw, path, `another ${what} has the same ${key}: ${formatPath(first)}; each needs its own`)];
  });
}

/** Both are signed with the issuer's keys, so a site that looks at no `typ` would take an admission token for an ID token. */
export const NO_AUDIENCE = "where an admission token could pass as an ID token: choose another name";

/** Whom a room's admission tokens are for, where it does not say. */
export function usualAudience(issuer: string, room: string): string {
  return `${issuer}/rooms/${room}`;
}

function audiencesOfClients(raw: unknown, issuer: Path): Fault[] {
  const clients = new Map(
    entriesAt(raw, [...issuer, "clients"]).map((client) => [valueAt(raw, [...client, "client_id"]), client]),
  );
  return entriesAt(raw, [...issuer, "rooms"]).flatMap((room) => {
    const path = [...room, "admission_token", "audience"];
    const written = valueAt(raw, path);
    const usual = usualAudience(String(valueAt(raw, [...issuer, "issuer"])), String(valueAt(raw, [...room, "id"])));
    const client = written === undefined || typeof written === "string" ? clients.get(written ?? usual) : undefined;
    if (client === undefined) return [];
    return written === undefined
      ? [faultAt(raw, [...client, "client_id"], `is the audience of the tokens of ${formatPath(room)}, ${NO_AUDIENCE}`)]
      : [faultAt(raw, path, `is the client_id of ${formatPath(client)}, ${NO_AUDIENCE}`)];
  });
}

function repeatedKeys(raw: unknown, keys: Path): Fault[] {
  return ["tickets", "signing", "cookies"].flatMap((purpose) => {
    const list = [...keys, purpose];
    return indexesAt(raw, list).flatMap((index) => repeatedKey(raw, list, index));
  });
}

function repeatedKey(raw: unknown, listPath: Path, index: number): Fault[] {
  const written = JSON.stringify(valueAt(raw, [...listPath, index]));
  const first = indexesAt(raw, listPath).find(
    (other) => JSON.stringify(valueAt(raw, [...listPath, other])) === written,
  );
  const isRepeated = first !== undefined && first < index;
  return isRepeated
    ? [faultAt(raw, [...listPath, index], `the same key as ${formatPath([...listPath, first])}: keep one of the two`)]
    : [];
}
