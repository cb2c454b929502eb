/** Where secrets stand in a raw document, and what holds for the values at each place. */
import { redisUrlFault } from "../../lib/redis-url.ts";
import { entriesAt, entriesOfIssuers, issuerPaths, namesAt, type Path, valueAt } from "../raw-document.ts";
import { placesOfPart, type SettingsPart } from "../settings-part.ts";
import { readSigningKey } from "./keys.ts";
import type { SecretPlace } from "./secret-source.ts";

const MAC_KEY_LENGTH_MIN = 32;
const CLIENT_SECRET_LENGTH_ADVISED = 16;

export const KEY_PURPOSES = ["tickets", "signing", "cookies"] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/** The places whose values together are the secrets of one client or the like, or one issuer's keys for one purpose. The first counts most. */
export interface SecretGroup<Owner extends SecretOwner = SecretOwner> {
  readonly of: Owner;
  /** Of the client, or of the list of keys. */
  readonly path: Path;
  readonly places: readonly SecretPlace[];
}

interface KeysOwner {
  readonly kind: "keys";
  readonly issuerIndex: number;
  readonly purpose: KeyPurpose;
}
type SecretOwner =
  | KeysOwner
  | { readonly kind: "client"; readonly clientId: string }
  | { readonly kind: "part"; readonly part: SettingsPart; readonly name: string };

export function secretGroups(raw: unknown, parts: readonly SettingsPart[]): SecretGroup[] {
  const ofClients = entriesOfIssuers(raw, "clients").map((path): SecretGroup => {
    const clientId = String(valueAt(raw, [...path, "client_id"]));
    return { of: { kind: "client", clientId }, path, places: placesOfClient(raw, path) };
  });
  const ofParts = parts.flatMap((part) =>
    placesOfPart(raw, part).flatMap((place) =>
      (part.followedSecrets?.(raw, place) ?? []).map(({ name, path, places }): SecretGroup => {
        return { of: { kind: "part", part, name }, path, places };
      }),
    ),
  );
  return [...ofClients, ...keyGroups(raw), ...ofParts];
}

export function keyGroups(raw: unknown): SecretGroup<KeysOwner>[] {
  return issuerPaths(raw).flatMap((issuer, issuerIndex) =>
    KEY_PURPOSES.map((purpose) => {
      const path = [...issuer, "keys", purpose];
      return { of: { kind: "keys", issuerIndex, purpose }, path, places: placesOfKeys(raw, path, purpose) };
    }),
  );
}

/** `ignoreStoreUrl`: the environment names another store, so the file's is not looked at. */
export function secretPlaces(raw: unknown, parts: readonly SettingsPart[], ignoreStoreUrl: boolean): SecretPlace[] {
  const hasStoreUrl = !ignoreStoreUrl && valueAt(raw, ["store", "type"]) === "redis";
  const storeUrl: SecretPlace = { path: ["store", "url"], versions: "current", findFault: redisUrlFault };
  const ofSignIn: Path = ["admin", "sign_in"];
  const hasSignIn = valueAt(raw, ofSignIn) !== undefined;
  return [
    ...(hasStoreUrl ? [storeUrl] : []),
    ...namesAt(raw, ["stores"]).map((name): SecretPlace => {
      return { path: ["stores", name, "url"], versions: "current", findFault: redisUrlFault };
    }),
    ...(hasSignIn ? [secretOfClient([...ofSignIn, "client_secret"])] : []),
    ...entriesAt(raw, ["challenges"]).map((path): SecretPlace => {
      return { path: [...path, "secret"], versions: "current", findFault: clientSecretFault };
    }),
    ...entriesOfIssuers(raw, "rooms").flatMap((path) => placesOfRoom(raw, path)),
    ...parts.flatMap((part) => placesOfPart(raw, part).flatMap((place) => part.secrets?.(raw, place) ?? [])),
    ...secretGroups(raw, parts).flatMap((group) => group.places),
  ];
}

/** The secret that invitations are signed with, and that by which the provider knows Usher at which visitors sign in. */
function placesOfRoom(raw: unknown, room: Path): SecretPlace[] {
  const signing: Path = [...room, "invitations", "secret"];
  const identity: Path = [...room, "identity"];
  const has = (path: Path) => (valueAt(raw, path) ?? null) !== null;
  return [
    ...(has(signing) ? [{ path: signing, versions: "accepted" as const, findFault: macKeyFault }] : []),
    ...(has(identity) ? [secretOfClient([...identity, "client_secret"])] : []),
  ];
}

/** That by which a provider knows Usher. */
function secretOfClient(path: Path): SecretPlace {
  return { path, versions: "current", findFault: clientSecretFault, findWarnings: clientSecretWarnings };
}

function placesOfClient(raw: unknown, client: Path): SecretPlace[] {
  const common = { findFault: clientSecretFault, findWarnings: clientSecretWarnings };
  return [
    { ...common, path: [...client, "client_secret"], versions: "accepted" as const },
    { ...common, path: [...client, "previous_client_secret"], versions: "extra" as const },
  ].filter(({ path }) => valueAt(raw, path) !== undefined);
}

function placesOfKeys(raw: unknown, list: Path, purpose: KeyPurpose): SecretPlace[] {
  const findFault = purpose === "signing" ? signingKeyFault : macKeyFault;
  return entriesAt(raw, list).map((path) => ({ path, versions: "key_ring", findFault }));
}

/** RFC 6749, appendix A.2: printable ASCII. */
function clientSecretFault(value: string): string | null {
  return /^[\x20-\x7e]{1,1024}$/.test(value) ? null : "expected at most 1024 printable ASCII characters";
}

function clientSecretWarnings(value: string): string[] {
  return value.length < CLIENT_SECRET_LENGTH_ADVISED
    ? [`fewer than ${CLIENT_SECRET_LENGTH_ADVISED} characters can be guessed: openssl rand -hex 32 makes a good one`]
    : [];
}

function macKeyFault(value: string): string | null {
  return value.length < MAC_KEY_LENGTH_MIN
    ? `expected at least ${MAC_KEY_LENGTH_MIN} characters: openssl rand -hex 32 makes them`
    : null;
}

function signingKeyFault(value: string): string | null {
  try {
    readSigningKey(value);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
