/**
 * What a schema can't see: duplicates, names that refer to nothing, contradictions between keys. Goes by the
 * raw document, so that these faults are reported together with those of the schema.
 */

import { DEFAULT_PORT, ENV_ADMIN_KEY_ID } from "../environment.ts";
import { entriesAt, entriesOfIssuers, formatPath, issuerPaths, type Path, repeated, valueAt } from "../raw-document.ts";
import { placesOfPart, type SettingsPart } from "../settings-part.ts";
import { checkThemes } from "../themes/themes.ts";
import { checkClient } from "./client-checks.ts";
import { type Fault, faultAt } from "./faults.ts";
import { checkIssuers } from "./issuer-checks.ts";
import { checkRoom, unknownRooms } from "./room-checks.ts";
import { isAtLocalhost } from "./urls.ts";

export function crossCheck(raw: unknown, parts: readonly SettingsPart[]): Fault[] {
  const rooms = entriesOfIssuers(raw, "rooms");
  const clients = entriesOfIssuers(raw, "clients");
  const adminKeys = entriesAt(raw, ["admin", "keys"]);
  const issuers = issuerPaths(raw);
  return [
    ...checkIssuers(raw, parts),
    ...duplicates(raw, entriesAt(raw, ["shared_outflows"]), "id", "shared outflow"),
    ...duplicates(raw, rooms, "id", "room"),
    ...duplicates(raw, clients, "client_id", "client"),
    ...duplicates(raw, adminKeys, "id", "admin key"),
    ...issuers.flatMap((issuer) => repeatedKeys(raw, issuer)),
    ...issuers.flatMap((issuer) => audiencesOfClients(raw, issuer)),
    ...rooms.flatMap((room) => checkRoom(raw, room)),
    ...clients.flatMap((client) => checkClient(raw, client)),
    ...adminKeys.flatMap((key) => checkAdminKey(raw, key)),
    ...duplicates(raw, entriesAt(raw, ["challenges"]), "id", "challenge"),
    ...entriesAt(raw, ["challenges"]).flatMap((path) => checkChallenge(raw, path)),
    ...checkSignIn(raw),
    ...checkThemes(raw),
    ...parts.flatMap((part) => placesOfPart(raw, part).flatMap((place) => part.check?.(raw, place) ?? [])),
  ];
}

function checkAdminKey(raw: unknown, path: Path): Fault[] {
  const id = [...path, "id"];
  const isTaken = valueAt(raw, id) === ENV_ADMIN_KEY_ID;
  return [
    ...(isTaken ? [faultAt(raw, id, "is the name of the key in USHER_ADMIN_API_KEY: choose another one")] : []),
    ...unknownRooms(raw, [...path, "rooms"]),
  ];
}

/** Of a provider that is not known here, nobody knows where it is; its script runs in the visitors' browsers. */
function checkChallenge(raw: unknown, path: Path): Fault[] {
  const isCustom = valueAt(raw, [...path, "provider"]) === "custom";
  const missing = ["verify_url", "script_url"].filter((key) => valueAt(raw, [...path, key]) === undefined);
  const script = valueAt(raw, [...path, "script_url"]);
  const isPlain = typeof script === "string" && /^http:\/\/(?!localhost[:/]|127\.0\.0\.1[:/])/.test(script);
  return [
    ...(isCustom ? missing.map((key) => faultAt(raw, [...path, key], "required: for provider custom")) : []),
    ...(isPlain ? [faultAt(raw, [...path, "script_url"], "expected an https URL (http for localhost only)")] : []),
  ];
}

/** A provider sends people back to an address that it knows, and another one is refused there. */
function checkSignIn(raw: unknown): Fault[] {
  const signIn = ["admin", "sign_in"];
  if (valueAt(raw, signIn) === undefined) return [];
  const place = valueAt(raw, ["admin", "listen"]);
  const host = valueAt(raw, ["admin", "listen", "host"]) ?? "127.0.0.1";
  const isLocal = isAtLocalhost(host, valueAt(raw, ["admin", "listen", "port"]));
  const hasAddress = valueAt(raw, ["admin", "url"]) !== undefined || place === undefined || isLocal;
  const ofIssuers = issuerPaths(raw).some(
    (issuer) => valueAt(raw, [...issuer, "issuer"]) === valueAt(raw, [...signIn, "issuer"]),
  );
  return [
    ...(hasAddress
      ? []
      : [faultAt(raw, ["admin", "url"], "sign_in needs the address at which browsers reach admin.listen")]),
    ...(ofIssuers
      ? [faultAt(raw, [...signIn, "issuer"], "is Usher itself: name the provider of your organisation")]
      : []),
    ...entriesAt(raw, [...signIn, "roles"]).flatMap((rule) => unknownRooms(raw, [...rule, "rooms"])),
  ];
}

/** Entries whose `key` is that of an earlier one. */
export function duplicates(raw: unknown, entries: readonly Path[], key: string, what: string): Fault[] {
  return repeated(entries, (entry) => valueAt(raw, [...entry, key])).map(([entry, first]) =>
    faultAt(raw, [...entry, key], `another ${what} has the same ${key}: ${formatPath(first)}; each needs its own`),
  );
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

function repeatedKeys(raw: unknown, issuer: Path): Fault[] {
  return ["tickets", "signing", "cookies"].flatMap((purpose) =>
    repeated(entriesAt(raw, [...issuer, "keys", purpose]), (key) => JSON.stringify(valueAt(raw, key))).map(
      ([key, first]) => faultAt(raw, key, `the same key as ${formatPath(first)}: keep one of the two`),
    ),
  );
}

const everyAddress = new Set<unknown>([undefined, "0.0.0.0", "::"]);

/**
 * The operators' listener needs a port of its own, or at least an address.
 *
 * @param ofEnvironment the port that wins over the document's; null where there is none
 */
export function checkListeners(raw: unknown, ofEnvironment: number | null): Fault[] {
  const path = ["admin", "listen", "port"];
  const port = valueAt(raw, path);
  const publicPort = ofEnvironment ?? valueAt(raw, ["listen", "port"]) ?? DEFAULT_PORT;
  if (port !== publicPort || port === 0) return [];
  const host = valueAt(raw, ["admin", "listen", "host"]) ?? "127.0.0.1";
  const publicHost = valueAt(raw, ["listen", "host"]);
  const areApart = host !== publicHost && !everyAddress.has(host) && !everyAddress.has(publicHost);
  return areApart
    ? []
    : [faultAt(raw, path, `is taken: the public listener has it (${ofEnvironment ? "PORT" : "listen.port"})`)];
}

/**
 * What is kept in the memory of one process is no other's. `auto` is one process there.
 *
 * @param ofEnvironment the type of store that wins over the document's; null where there is none
 */
export function checkWorkers(raw: unknown, ofEnvironment: "memory" | "redis" | null): Fault[] {
  const workers = valueAt(raw, ["workers"]);
  const isShared = (ofEnvironment ?? valueAt(raw, ["store", "type"])) === "redis";
  if (typeof workers !== "number" || workers <= 1 || isShared) return [];
  return [faultAt(raw, ["workers"], "several workers need a store that they share: { type: redis, url: … }")];
}
